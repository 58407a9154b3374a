package io.polder.data.source;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Which classes each image of a split has: one, or any number of them. Images that have the same ones are of one kind. */
final class LabelSets {
    private final int[] kinds;

    /** Of each kind, in ascending order. */
    private final int[][] classes;

    /** The rarest class of each kind. */
    private final int[] rarest;

    private final boolean several;

    private LabelSets(int[] kinds, int[][] classes, int[] rarest, boolean several) {
        this.kinds = kinds;
        this.classes = classes;
        this.rarest = rarest;
        this.several = several;
    }

    /** One class for each image. */
    static LabelSets ofOne(int[] labels, int classes) {
        int[][] sets = IntStream.range(0, classes).mapToObj(c -> new int[] {c}).toArray(int[][]::new);
        return new LabelSets(labels, sets, IntStream.range(0, classes).toArray(), false);
    }

    /**
     * Any number of classes for each image.
     *
     * @param labels of each image, in ascending order
     */
    static LabelSets ofSeveral(List<int[]> labels, int classes) {
        int[] images = new int[classes];
        labels.forEach(set -> Arrays.stream(set).forEach(label -> images[label]++));
        Map<List<Integer>, Integer> known = new HashMap<>();
        int[] kinds = new int[labels.size()];
        for (int i = 0; i < kinds.length; i++) {
            List<Integer> set = Arrays.stream(labels.get(i)).boxed().toList();
            kinds[i] = known.computeIfAbsent(set, each -> known.size());
        }
        int[][] sets = new int[known.size()][];
        for (int i = 0; i < kinds.length; i++) {
            sets[kinds[i]] = labels.get(i);
        }
        int[] rarest = Arrays.stream(sets)
                .mapToInt(set -> Arrays.stream(set)
                        .boxed()
                        .min((one, other) -> Integer.compare(images[one], images[other]))
                        .orElse(classes))
                .toArray();
        return new LabelSets(kinds, sets, rarest, true);
    }

    boolean areSeveral() {
        return several;
    }

    int label(int index) {
        return rarest[kinds[index]];
    }

    int[] labels(int index) {
        return classes[kinds[index]].clone();
    }

    boolean areSame(int one, int other) {
        return kinds[one] == kinds[other];
    }

    /** {@code 3}, or {@code 0,3}. */
    String text(int index) {
        return Arrays.stream(classes[kinds[index]]).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    /** Those of all images. */
    @Override
    public String toString() {
        return IntStream.range(0, kinds.length).mapToObj(this::text).toList().toString();
    }
}
