package io.polder.spark;

import io.polder.cli.Main;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code spark-submit} starts: {@code ./polder study} with the cluster that it was submitted to. The arguments are those of
 * {@code ./polder study}.
 */
public final class StudyOnSpark {
    private StudyOnSpark() {}

    public static void main(String[] arguments) {
        List<String> words = new ArrayList<>(List.of("study"));
        words.addAll(List.of(arguments));
        words.addAll(List.of("--executor", "spark"));
        Main.main(words.toArray(String[]::new));
    }
}
