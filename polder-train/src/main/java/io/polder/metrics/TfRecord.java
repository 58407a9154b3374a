package io.polder.metrics;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The frame of TensorFlow's record files: length, its checksum, the data, its checksum, all little-endian. */
final class TfRecord {
    private TfRecord() {}

    static byte[] framed(byte[] data) {
        var record = ByteBuffer.allocate(data.length + 16).order(ByteOrder.LITTLE_ENDIAN);
        record.putLong(data.length);
        record.putInt(maskedChecksum(record.array(), Long.BYTES));
        record.put(data);
        record.putInt(maskedChecksum(data, data.length));
        return record.array();
    }

    /** CRC-32C, turned and moved so that the checksum of data that holds checksums is not a weak one. */
    static int maskedChecksum(byte[] data, int length) {
        var crc = new CRC32C();
        crc.update(data, 0, length);
        return Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
    }
}
