package io.polder.data.source;

import io.polder.data.source.ParquetColumn.Values;
import java.util.LinkedHashMap;
import java.util.Optional;

/** Pages that were unpacked lately, up to so many bytes: neighbours are often asked for one after the other. For any number of threads. */
final class KeptPages {
    private record Key(ParquetFile file, long page) {}

    private final long mostBytes;

    /** The one that was used last, last. */
    private final LinkedHashMap<Key, Values> pages = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    KeptPages(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    synchronized Optional<Values> of(ParquetFile file, long page) {
        return Optional.ofNullable(pages.get(new Key(file, page)));
    }

    /** @return the values */
    synchronized Values keep(ParquetFile file, long page, Values values) {
        if (values.memory() <= mostBytes && pages.put(new Key(file, page), values) == null) {
            bytes += values.memory();
        }
        var oldest = pages.entrySet().iterator();
        while (bytes > mostBytes) {
            bytes -= oldest.next().getValue().memory();
            oldest.remove();
        }
        return values;
    }
}
