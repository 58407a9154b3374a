"""Writes the Parquet files of polder-data's tests, as the library `datasets` does: pyarrow, the struct of bytes and path, the note `huggingface`.

    python tools/parquet_samples.py polder-data/src/test/resources/parquet      (pyarrow 25)

Image i is a PNG of 4 x 3 pixels, all of the colour (10 * i, 255 - 10 * i, 7), and its label is i % 3.
"""
import json
import os
import random
import struct
import sys
import zlib

import pyarrow as pa
import pyarrow.parquet as pq

NAMES = ["cat", "dog", "sea lion"]
FEATURES = {"image": {"_type": "Image"}, "label": {"names": NAMES, "_type": "ClassLabel"}}


def encoded(width, height, rows, level):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), level)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def png(i):
    return encoded(4, 3, [bytes([10 * i, 255 - 10 * i, 7]) * 4] * 3, 9)


def noise_png(noise):
    return encoded(120, 110, [noise[360 * y:360 * (y + 1)] for y in range(110)], 0)


def table(numbers, note=True, missing=()):
    images = [None if i in missing else {"bytes": png(i), "path": "%d.png" % i} for i in numbers]
    storage = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    made = pa.table({
        "id": pa.array([[str(i), "x"] for i in numbers]),
        "image": pa.array(images, storage),
        "label": pa.array([i % 3 for i in numbers], pa.int64()),
    })
    if note:
        made = made.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": FEATURES}})})
    return made


def main(folder):
    def write(name, made, **options):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        pq.write_table(made, path, **options)

    # The defaults of pyarrow: Snappy, dictionaries, the first version of pages. Several pages and row groups.
    write("snappy/data/train-00000-of-00002.parquet", table(range(0, 7)), row_group_size=3)
    write("snappy/data/train-00001-of-00002.parquet", table(range(7, 12)), row_group_size=3)
    write("snappy/data/test-00000-of-00001.parquet", table(range(12, 15)))
    # As newer versions of the library write images: not packed, without a dictionary, pages of their own, an index.
    write("plain/train-00000-of-00001.parquet", table(range(0, 12)), compression="none", use_dictionary=["label"],
          data_page_size=200, write_batch_size=1, write_page_index=True)
    write("plain/validation-00000-of-00001.parquet", table(range(12, 15)), compression="none", use_dictionary=False)
    # The second version of pages, gzip, one image twice, no note.
    write("second/train.parquet", table(list(range(0, 12)) * 2, note=False), compression="gzip", data_page_version="2.0")
    write("second/test.parquet", table(range(12, 15), note=False), compression="none", data_page_version="2.0")
    # A row without an image.
    write("missing/train.parquet", table(range(0, 6), missing=[4]))
    write("missing/test.parquet", table(range(12, 15)))
    # Snappy that looks back further than 32 KiB: the same noise three times in one page, with gaps that keep it looking.
    draw = random.Random(7)
    noise = b"".join(draw.randbytes(8) + bytes(8) for _ in range(120 * 110 * 3 // 16))
    far = pa.table({"image": pa.array([noise_png(noise)] * 3, pa.binary()), "label": pa.array([0, 1, 2], pa.int32())})
    write("far/train.parquet", far, use_dictionary=False)
    write("far/test.parquet", table(range(12, 15), note=False))
    # Packed by what is not read.
    write("zstd/train.parquet", table(range(0, 3)), compression="zstd")
    write("zstd/test.parquet", table(range(0, 3)), compression="zstd")


if __name__ == "__main__":
    main(sys.argv[1])
