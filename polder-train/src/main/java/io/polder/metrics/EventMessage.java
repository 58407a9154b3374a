package io.polder.metrics;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * TensorBoard's {@code Event} message in protobuf's wire format, as far as scalars need it: nine fields of four messages. Written
 * by hand because that is fewer lines than the schema, and spares every user of the library the protobuf runtime; the real
 * reader is what holds it to the format, in a test.
 *
 * <pre>
 * Event      { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; SessionLog session_log = 7; }
 * Summary    { repeated Value value = 1; }
 * Value      { string tag = 1; float simple_value = 2; }
 * SessionLog { SessionStatus status = 1; }    START = 1
 * </pre>
 */
final class EventMessage {
    // Wire types: how the bytes after a field's number are to be taken.
    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int WITH_LENGTH = 2;
    private static final int FOUR_BYTES = 5;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private EventMessage() {}

    /** What every event file begins with. */
    static byte[] fileVersion(double time) {
        return new EventMessage().real(1, time).text(3, "brain.Event:2").bytes();
    }

    /** Readers forget what they have from this step on. */
    static byte[] sessionStart(double time, long step) {
        byte[] start = new EventMessage().whole(1, 1).bytes();
        return new EventMessage().real(1, time).whole(2, step).nested(7, start).bytes();
    }

    static byte[] scalars(double time, long step, List<TensorBoardEvents.Scalar> scalars) {
        var summary = new EventMessage();
        for (var scalar : scalars) {
            byte[] value = new EventMessage()
                    .text(1, scalar.tag())
                    .real32(2, (float) scalar.value())
                    .bytes();
            summary.nested(1, value);
        }
        return new EventMessage()
                .real(1, time)
                .whole(2, step)
                .nested(5, summary.bytes())
                .bytes();
    }

    private EventMessage real(int field, double value) {
        key(field, EIGHT_BYTES);
        bytes.writeBytes(littleEndian(Double.BYTES).putDouble(value).array());
        return this;
    }

    private EventMessage real32(int field, float value) {
        key(field, FOUR_BYTES);
        bytes.writeBytes(littleEndian(Float.BYTES).putFloat(value).array());
        return this;
    }

    /** Zero is what a reader takes for a number that is not there. */
    private EventMessage whole(int field, long value) {
        if (value != 0) {
            key(field, VARINT);
            varint(value);
        }
        return this;
    }

    private EventMessage text(int field, String text) {
        return nested(field, text.getBytes(StandardCharsets.UTF_8));
    }

    private EventMessage nested(int field, byte[] message) {
        key(field, WITH_LENGTH);
        varint(message.length);
        bytes.writeBytes(message);
        return this;
    }

    private void key(int field, int wireType) {
        varint((long) field << 3 | wireType);
    }

    /** Seven bits a byte, the lowest first; the eighth says that more follow. */
    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    private byte[] bytes() {
        return bytes.toByteArray();
    }

    private static ByteBuffer littleEndian(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
