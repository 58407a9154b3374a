package io.polder.study.results;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Settings by paths of the recipe as readers see them: {@code scheme.r → 0.05} is "r = 0.05". */
final class Settings {
    static final String R = "scheme.r";
    static final String ALPHA = "scheme.alpha";
    private static final Map<String, String> NAMES = Map.of(
            R,
            "r",
            ALPHA,
            "α",
            "scheme.lambda",
            "λ",
            "learningRate.base",
            "learning rate",
            "optimizer.l2",
            "L2",
            "optimizer.weightDecay",
            "weight decay");

    private Settings() {}

    /** Empty where there is none, or it is a schedule. */
    static OptionalDouble number(Map<String, String> settings, String path) {
        try {
            return settings.containsKey(path)
                    ? OptionalDouble.of(Double.parseDouble(settings.get(path)))
                    : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    static String words(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> NAMES.getOrDefault(setting.getKey(), setting.getKey()) + " = "
                        + setting.getValue().replace("\n", " ").replaceFirst("^-(?=[0-9.])", "−"))
                .collect(Collectors.joining(", "));
    }
}
