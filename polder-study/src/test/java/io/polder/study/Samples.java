package io.polder.study;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Comparisons to test with: one shaped like a real study, and small ones of which only the last errors matter. */
final class Samples {
    static final Method STANDARD = new Method("standard", "Standard training", "");
    static final Method SAM = new Method("sam", "SAM", "r = 0.2");
    static final Method PENALTY = new Method("gradient-norm-penalty", "Gradient-norm penalty", "r = 0.4, α = 0.6");

    private Samples() {}

    /** Three methods, three seeds, 25 epochs: error from about 35 % to 16 %, gradient norm from about 3 to 0.05. */
    static Comparison study() {
        List<TrialRecord> trials = new ArrayList<>();
        for (int seed = 1; seed <= 3; seed++) {
            trials.add(course(STANDARD, seed, 0.174, 0.42, 0.031));
            trials.add(course(SAM, seed, 0.164, 0.15, 0.060));
            trials.add(course(PENALTY, seed, 0.161, 0.05, 0.061));
        }
        return comparison(List.of(STANDARD, SAM, PENALTY), trials);
    }

    /** One trial a seed and method, of one epoch, from each method's final test errors. */
    static Comparison ending(Map<Method, double[]> errors) {
        List<TrialRecord> trials = new ArrayList<>();
        errors.forEach((method, values) -> {
            for (int i = 0; i < values.length; i++) {
                trials.add(new TrialRecord(method.name(), i + 1, List.of(epoch(1, values[i], 0.5)), 100, 10));
            }
        });
        return comparison(List.copyOf(errors.keySet()), trials);
    }

    static Comparison ending(Method a, double[] ofA, Method b, double[] ofB) {
        Map<Method, double[]> errors = new LinkedHashMap<>();
        errors.put(a, ofA);
        errors.put(b, ofB);
        return ending(errors);
    }

    static Comparison comparison(List<Method> methods, List<TrialRecord> trials) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("Images", "CIFAR-10, 10,000 for training and 2,000 for testing");
        settings.put("Network", "WideResNet-16-2, 0.69 million parameters");
        settings.put("Epochs", "25");
        settings.put("Batch", "128");
        settings.put("Learning rate", "0.1, cosine");
        settings.put("Weight decay", "0.0005");
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("Java", "17.0.15+6 (Debian)");
        environment.put("Engine", "libtorch 2.10.0, CPU, 2 threads");
        environment.put("System", "Linux 6.1, amd64");
        return new Comparison(
                "Gradient-norm penalty on CIFAR-10",
                "polder compare --dataset cifar10 --epochs 25 --seeds 1,2,3 --methods standard,sam,gradient-norm-penalty",
                "0.1.0",
                Instant.parse("2026-11-12T14:03:27Z"),
                4321.5,
                methods,
                trials,
                settings,
                environment);
    }

    static EpochRecord epoch(int epoch, double testError, double gradientNorm) {
        return epoch(epoch, testError, gradientNorm, 850);
    }

    static EpochRecord epoch(int epoch, double testError, double gradientNorm, double imagesPerSecond) {
        return new EpochRecord(epoch, 0.4, 0.1, 0.6, testError, gradientNorm, 31, 0.1, imagesPerSecond);
    }

    private static TrialRecord course(Method method, int seed, double error, double norm, double secondsPerStep) {
        Random noise = new Random(31L * seed + method.name().hashCode());
        double luck = 0.0018 * noise.nextGaussian();
        List<EpochRecord> epochs = IntStream.rangeClosed(1, 25)
                .mapToObj(epoch -> {
                    double left = Math.exp(-(epoch - 1) / 6.5);
                    double wobble = 0.012 * Math.sqrt(left) * noise.nextGaussian();
                    return epoch(
                            epoch,
                            error + luck + (0.36 - error) * left + wobble,
                            (norm + (3 - norm) * left * left) * Math.exp(0.07 * noise.nextGaussian()),
                            128 / secondsPerStep);
                })
                .toList();
        return new TrialRecord(method.name(), seed, epochs, 1975, 1975 * secondsPerStep * (1 + 0.01 * luck));
    }
}
