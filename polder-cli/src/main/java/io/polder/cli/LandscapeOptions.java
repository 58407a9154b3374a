package io.polder.cli;

import io.polder.run.MeasuredNetwork;
import io.polder.sharpness.Effort;
import io.polder.sharpness.FixedLoss;
import io.polder.sharpness.Landscape;
import io.polder.sharpness.Spectrum;
import io.polder.study.RunReport;
import io.polder.study.sharpness.LandscapeFiles;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code polder sharpness} that draw the loss around a network, or between two. */
final class LandscapeOptions {
    enum Form {
        LINE,
        PLANE
    }

    enum Along {
        RANDOM,
        EIGENVECTORS
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--landscape",
            paramLabel = "FORM",
            description = "Draw instead the loss around each network: line or plane.")
    private Form form;

    @Option(
            names = "--line-to",
            paramLabel = "RUN|CHECKPOINT",
            description = "Draw instead the loss on the straight line from each network to this one.")
    private Path lineTo;

    @Option(
            names = "--along",
            paramLabel = "WHAT",
            description =
                    "The directions of a landscape: random (filter-normalised) or eigenvectors (of the largest eigenvalues);"
                            + " default random.")
    private Along along = Along.RANDOM;

    @Option(names = "--reach", paramLabel = "R", description = "How far a landscape goes; default ${DEFAULT-VALUE}.")
    private double reach = 1;

    @Option(
            names = "--points",
            paramLabel = "N",
            description = "Points of a landscape along each side; default: 41 of a line, 21 of a plane.")
    private Integer points;

    boolean areGiven() {
        return form != null || lineTo != null;
    }

    /** Where a line is to end; null if it has no end. */
    Path lineTo() {
        return lineTo;
    }

    void require() {
        if (form != null && lineTo != null) {
            throw new ParameterException(spec.commandLine(), "--landscape and --line-to are given: choose one of them");
        }
        if (!(reach > 0 && reach < Double.POSITIVE_INFINITY)) {
            throw new ParameterException(
                    spec.commandLine(), "reach is " + reach + ": it must be a finite number above 0");
        }
        if (points != null && points < 2) {
            throw new ParameterException(spec.commandLine(), "points is " + points + ": it must be at least 2");
        }
    }

    /** @return the page that was written */
    Path drawAround(Path path, MeasuredNetwork network, String how, Effort effort) throws IOException {
        FixedLoss loss = network.loss();
        int sides = form == Form.LINE ? 1 : 2;
        String name = "landscape-" + lower(form) + "-" + lower(along);
        List<String> axes = along == Along.RANDOM
                ? List.of("Random direction, filter-normalised", "Another random direction")
                : List.of("Along the top eigenvector", "Along the second eigenvector");
        Landscape landscape;
        if (along == Along.RANDOM) {
            var streams = new RandomStreams(effort.seed());
            try (FlatVector u = Landscape.filterNormalised(loss.parameters(), streams, 0);
                    FlatVector v = Landscape.filterNormalised(loss.parameters(), streams, 1)) {
                landscape = landscape(loss, u, v);
            }
        } else {
            var wanted = new Spectrum.Wanted(sides, effort.tolerance(), effort.products());
            try (var hessian = loss.hessian();
                    var spectrum = Spectrum.of(
                            hessian, loss.parameters().values(), wanted, new RandomStreams(effort.seed()))) {
                var largest = spectrum.largest();
                landscape = landscape(
                        loss,
                        largest.get(0).vector(),
                        largest.get(largest.size() - 1).vector());
            }
        }
        return write(network, new LandscapeFiles(name, "Loss around " + path, how, axes, landscape));
    }

    private Landscape landscape(FixedLoss loss, FlatVector u, FlatVector v) {
        return form == Form.LINE
                ? Landscape.line(loss, u, reach, points == null ? 41 : points)
                : Landscape.plane(loss, u, v, reach, points == null ? 21 : points);
    }

    /** @return the page that was written */
    Path drawBetween(Path path, MeasuredNetwork network, MeasuredNetwork other, String how) throws IOException {
        Landscape landscape = Landscape.between(network.loss(), other.loss(), points == null ? 41 : points);
        List<String> axes = List.of("From the first network, at 0, to the second, at 1");
        return write(
                network,
                new LandscapeFiles("landscape-between", "Loss from " + path + " to " + lineTo, how, axes, landscape));
    }

    private static Path write(MeasuredNetwork network, LandscapeFiles files) throws IOException {
        files.write(network.outputDirectory());
        RunReport.write(network.outputDirectory().getParent(), LandscapeFiles.section(network.outputDirectory()));
        return network.outputDirectory().resolve(files.name() + ".html");
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
