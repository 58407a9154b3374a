package io.polder.study.search;

import java.nio.file.Path;

/** Studies for tests. */
public final class StudyTexts {
    /** Trains in no time, if anything trains it at all. */
    public static final String RECIPE = """
            name: tiny
            epochs: 9
            model: resnet-10-16
            data: { name: fashion-mnist-2000, batch: 64, validation: 400 }
            scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.8 }
            optimizer: { name: sgd, momentum: 0.9, l2: 1.0e-3 }
            learningRate: { schedule: cosine, base: 0.1 }
            """;

    private StudyTexts() {}

    /** A study of that recipe, with more lines. */
    public static Study study(String more) {
        return StudyFile.read(text(more), "study.yaml", Path.of("."));
    }

    public static String text(String more) {
        return "name: tiny-study\nbase:\n" + RECIPE.indent(2) + more;
    }
}
