package io.polder.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.run.RunDirectory;
import io.polder.run.TrainedNetwork;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder predict}: what a trained network takes pictures for. */
@Command(
        name = "predict",
        description = {
            "Says what the network of a run takes pictures for.",
            "",
            "A picture that cannot be read is named, and the others are gone on with; the exit code is then 1.",
            ""
        },
        mixinStandardHelpOptions = true)
final class PredictCommand implements Callable<Integer> {
    /** Enough to see what a network wavers between. */
    private static final int TOP = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "RUN", description = "The directory of the run.")
    private Path run;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "IMAGE", description = "JPEG, PNG and the like.")
    private List<Path> images;

    @Option(
            names = "--top",
            paramLabel = "N",
            description =
                    "How many classes to name, the likeliest; default 3, and where images have several labels, those"
                            + " that are likelier than not.")
    private Integer top;

    @Option(names = "--checkpoint", paramLabel = "WHICH", description = "best or newest; default best.")
    private RunDirectory.Which which = RunDirectory.Which.BEST;

    @Option(names = "--json", description = "Print one JSON object for each image, for programs.")
    private boolean json;

    @Mixin
    private DeviceOption device;

    @Override
    public Integer call() throws IOException {
        if (top != null && top < 1) {
            throw new ParameterException(spec.commandLine(), "top is " + top + ": it must be at least 1");
        }
        try (var network = TrainedNetwork.open(
                run,
                which,
                device.device(),
                sentence -> spec.commandLine().getErr().println("polder: " + sentence))) {
            boolean faulty = false;
            for (TrainedNetwork.Prediction prediction : predictions(network)) {
                faulty |= prediction.fault().isPresent();
                print(prediction);
            }
            return faulty ? Main.FAILED : 0;
        }
    }

    private List<TrainedNetwork.Prediction> predictions(TrainedNetwork network) {
        boolean likelyOnes = top == null && network.hasSeveralLabels();
        int most = top != null ? top : likelyOnes ? network.info().images().classes() : TOP;
        List<TrainedNetwork.Prediction> all = network.predictEach(images, most);
        return !likelyOnes
                ? all
                : all.stream().map(PredictCommand::likelierThanNot).toList();
    }

    private static TrainedNetwork.Prediction likelierThanNot(TrainedNetwork.Prediction all) {
        var likely = all.guesses().stream()
                .filter(guess -> guess.probability() > 0.5)
                .toList();
        return new TrainedNetwork.Prediction(all.picture(), likely, all.fault());
    }

    private void print(TrainedNetwork.Prediction prediction) throws IOException {
        prediction.fault().ifPresent(fault -> spec.commandLine().getErr().println("polder: " + Main.sentence(fault)));
        PrintWriter screen = spec.commandLine().getOut();
        if (json) {
            screen.println(object(prediction));
        } else if (prediction.fault().isEmpty()) {
            screen.println(line(prediction.picture(), prediction.guesses()));
        }
    }

    private static String line(Path image, List<TrainedNetwork.Guess> guesses) {
        if (guesses.isEmpty()) {
            return image + ": no label is likelier than not";
        }
        return image + ": "
                + guesses.stream()
                        .map(guess ->
                                String.format(Locale.ROOT, "%s %.1f %%", guess.className(), 100 * guess.probability()))
                        .collect(Collectors.joining(", "));
    }

    private static String object(TrainedNetwork.Prediction prediction) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("image", prediction.picture().toString());
        if (prediction.fault().isPresent()) {
            fields.put("error", Main.sentence(prediction.fault().get()));
        } else {
            fields.put("guesses", prediction.guesses());
        }
        return new ObjectMapper().writeValueAsString(fields);
    }
}
