package io.polder.metrics;

import java.util.ArrayList;
import java.util.List;

/** Takes any number of things in a row and keeps at most so many, evenly spread, and always the last one. */
final class Thinned<T> {
    private final int most;
    private final List<T> kept = new ArrayList<>();
    private long seen;
    private long stride = 1;
    private T last;

    Thinned(int most) {
        this.most = most;
    }

    void add(T thing) {
        last = thing;
        if (seen++ % stride == 0) {
            kept.add(thing);
            if (kept.size() > most) {
                halve();
            }
        }
    }

    List<T> list() {
        boolean whole = (seen - 1) % stride == 0 || kept.isEmpty();
        List<T> list = new ArrayList<>(kept);
        if (!whole) {
            list.add(last);
        }
        return list;
    }

    private void halve() {
        int half = 0;
        for (int i = 0; i < kept.size(); i += 2) {
            kept.set(half++, kept.get(i));
        }
        kept.subList(half, kept.size()).clear();
        stride *= 2;
    }
}
