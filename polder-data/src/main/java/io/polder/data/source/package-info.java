/**
 * Images in files: CIFAR, IDX, folders of images in class folders or with a table of labels, plain or packed, Parquet files and tar shards; and
 * {@link io.polder.data.source.Datasets}, which has all of them by name and is what others see.
 *
 * <p>Files come from elsewhere and may be damaged or lie. No number in them is believed before the bytes it promises were read, and every
 * fault is an {@link java.io.IOException} of one sentence: the file, what is wrong with it, what to do.
 *
 * <h2>Archives</h2>
 *
 * Commons Compress reads the headers of tar archives; {@code TarReader} says why it is not given the whole stream. Zip archives are
 * read by {@code ZipTree} alone. The library's {@code ZipFile} makes few of the checks that are wanted here: it stops without a word where
 * an entry of the list is damaged, as it does not count them, compares no names, checksums or overlaps, and cannot be told how long a list may
 * be. It takes 520 bytes an entry where {@code ZipTree} takes 190 (400,000 entries, version 1.28, November 2026), and threads share one
 * position, or a channel that the interrupt of one closes for all.
 *
 * <h2>Parquet</h2>
 *
 * {@code ParquetFile} reads the two columns that are wanted of one, by row, and checks every size before it makes room for it. Parquet's Java library wants
 * Hadoop's classes beside it, and DuckDB is a database in native code. {@code ThriftReader} is for the headers.
 */
package io.polder.data.source;
