package io.polder.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.polder.run.MeasuredNetwork;
import io.polder.run.RunDirectory;
import io.polder.sharpness.Approximation;
import io.polder.sharpness.BatchStatistics;
import io.polder.sharpness.Effort;
import io.polder.sharpness.FixedLoss;
import io.polder.sharpness.Measure;
import io.polder.sharpness.Reading;
import io.polder.study.sharpness.ApproximationFiles;
import io.polder.study.sharpness.SharpnessTable;
import io.polder.tensor.Engine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code polder sharpness}: how flat the minima are that networks were trained to. */
@Command(
        name = "sharpness",
        description = {
            "Measures how flat a trained network's minimum is: eigenvalues and trace of the Hessian, gradient norms, SAM's sharpness.",
            "",
            "What was measured is kept beside the run: a command that was stopped goes on where it was.",
            ""
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true)
final class SharpnessCommand implements Callable<Integer> {
    /** All that a table of numbers can show. */
    private static final List<Measure> CUSTOMARY = List.of(
            Measure.GRADIENT_NORM,
            Measure.EIGENVALUES,
            Measure.TRACE,
            Measure.SHARPNESS,
            Measure.M_SHARPNESS,
            Measure.ADAPTIVE_SHARPNESS);

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "RUN|CHECKPOINT",
            arity = "1..*",
            description = "Directories of runs, or of checkpoints in them.")
    private List<Path> networks;

    @Option(
            names = "--against",
            paramLabel = "RUN|CHECKPOINT",
            arity = "1..*",
            description = "Others to compare with; runs of the same seeds are compared in pairs.")
    private List<Path> against = List.of();

    @Option(
            names = "--measure",
            paramLabel = "NAME",
            split = ",",
            converter = MeasureName.class,
            description =
                    "What to measure: gradient-norm, eigenvalues, trace, sharpness, m-sharpness, adaptive-sharpness, density;"
                            + " default: all but the last.")
    private List<Measure> measures = CUSTOMARY;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "At most so many training images; default ${DEFAULT-VALUE}.")
    private long samples = 2000;

    @Option(names = "--batch", paramLabel = "N", description = "Images at a time; default: as in training.")
    private Integer batch;

    @Option(
            names = "--batch-norm",
            paramLabel = "BY",
            description = "What batch norm normalises by: evaluation (running statistics) or batch (each batch's own);"
                    + " default evaluation.")
    private BatchStatistics statistics = BatchStatistics.EVALUATION;

    @Option(names = "--l2", description = "Measure the loss with the L2 term that it was trained with.")
    private boolean l2;

    @Option(
            names = "--rho",
            paramLabel = "R",
            description =
                    "The radius of SAM's sharpness; default ${DEFAULT-VALUE}. The adaptive one is ten times that.")
    private double rho = Effort.DEFAULT.rho();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The seed of random vectors, and of which images are taken; default ${DEFAULT-VALUE}.")
    private long seed = Effort.DEFAULT.seed();

    @Option(
            names = "--approximation",
            description = "Measure instead how far the method's finite difference is from the exact product, over r.")
    private boolean approximation;

    @Option(
            names = "--data",
            paramLabel = "PATH",
            description = "Where the images are; default: where they were in training.")
    private Path data;

    @Option(names = "--checkpoint", paramLabel = "WHICH", description = "Of a run: best or newest; default newest.")
    private RunDirectory.Which which = RunDirectory.Which.NEWEST;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of the engine; default: the number of cores.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--json", description = "Print one JSON object, for programs.")
    private boolean json;

    @Mixin
    private LandscapeOptions landscapes;

    @Mixin
    private DeviceOption device;

    @Override
    public Integer call() throws IOException {
        requirePositive("threads", threads);
        requirePositive("samples", samples);
        if (batch != null) {
            requirePositive("batch", batch);
        }
        landscapes.require();
        Effort effort;
        try {
            effort = Effort.DEFAULT.with(rho, seed);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Engine.setThreads(threads);
        try (var stop = StopOnSignal.noticing();
                var progress = new MeasuringProgress(spec.commandLine().getErr(), stop)) {
            try {
                String text = approximation
                        ? approximations(progress)
                        : landscapes.areGiven() ? landscapes(effort, progress) : table(effort, progress);
                progress.close();
                PrintWriter screen = spec.commandLine().getOut();
                screen.print(text);
                screen.flush();
                return 0;
            } catch (CancellationException e) {
                progress.say("stopped; the same command goes on with what is left");
                throw e;
            }
        }
    }

    private void requirePositive(String name, long value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), name + " is " + value + ": it must be at least 1");
        }
    }

    private MeasuredNetwork.Settings settings() {
        return new MeasuredNetwork.Settings(
                Optional.ofNullable(data), samples, Optional.ofNullable(batch), statistics, l2, seed, false);
    }

    private List<Path> all() {
        List<Path> all = new ArrayList<>(networks);
        all.addAll(against);
        return all;
    }

    private MeasuredNetwork open(Path path, MeasuredNetwork.Settings settings, FixedLoss.Watcher watcher)
            throws IOException {
        return MeasuredNetwork.open(path, which, settings, device.device(), watcher, this::warn);
    }

    private String table(Effort effort, MeasuringProgress progress) throws IOException {
        List<Path> all = all();
        progress.begin((long) all.size() * measures.size());
        List<SharpnessTable.Row> rows = new ArrayList<>();
        for (Path path : all) {
            try (var network = open(path, settings(), progress)) {
                Map<String, Double> figures = new LinkedHashMap<>();
                Map<String, List<Double>> series = new LinkedHashMap<>();
                for (Measure measure : measures) {
                    progress.next(path + ": " + measure.label());
                    Reading reading = network.read(measure, effort);
                    figures.putAll(reading.figures());
                    series.putAll(reading.series());
                }
                rows.add(SharpnessTable.Row.of(path, network, settings(), figures, series));
            }
        }
        var table = new SharpnessTable(
                rows.subList(0, networks.size()), rows.subList(networks.size(), rows.size()), statistics, l2, effort);
        return json ? toJson(table.fields()) : table.text();
    }

    private String approximations(MeasuringProgress progress) throws IOException {
        List<Path> all = all();
        progress.begin(all.size());
        StringBuilder text = new StringBuilder();
        List<Map<String, Object>> fields = new ArrayList<>();
        for (Path path : all) {
            progress.next(path + ": finite difference against the exact product");
            try (var single = open(path, settings(), progress);
                    var exact = open(path, settings().doubled(), progress)) {
                var found = Approximation.of(single.loss(), exact.loss());
                var files = new ApproximationFiles(path.toString(), found, single.recipe());
                text.append(files.text(SharpnessTable.how(single.samples(settings()), statistics, l2)))
                        .append('\n');
                Path directory = single.outputDirectory();
                files.write(directory);
                text.append("Figure and numbers: ")
                        .append(directory.resolve("approximation.svg"))
                        .append("\n\n");
                Map<String, Object> each = new LinkedHashMap<>();
                each.put("network", path.toString());
                each.put("step", single.step());
                each.put("batchNorm", statistics.text());
                each.put("l2", l2);
                each.put("images", single.samples(settings()));
                each.putAll(files.fields());
                fields.add(each);
            }
        }
        return json ? toJson(Map.of("approximations", fields)) : text.toString().strip() + "\n";
    }

    private String landscapes(Effort effort, MeasuringProgress progress) throws IOException {
        List<Path> all = all();
        progress.begin(all.size());
        List<String> pages = new ArrayList<>();
        for (Path path : all) {
            progress.next(path + ": loss landscape");
            try (var network = open(path, settings(), progress)) {
                String how = SharpnessTable.how(network.samples(settings()), statistics, l2);
                if (landscapes.lineTo() == null) {
                    pages.add(landscapes.drawAround(path, network, how, effort).toString());
                } else {
                    try (var other = open(landscapes.lineTo(), settings(), progress)) {
                        pages.add(landscapes
                                .drawBetween(path, network, other, how)
                                .toString());
                    }
                }
            }
        }
        return json
                ? toJson(Map.of("landscapes", pages))
                : String.join(
                        "",
                        pages.stream().map(page -> "Landscape: " + page + "\n").toList());
    }

    private static String toJson(Object fields) throws IOException {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(fields) + "\n";
    }

    private void warn(String sentence) {
        spec.commandLine().getErr().println("polder: " + sentence);
    }

    /** By the names that recipes have. */
    static final class MeasureName implements ITypeConverter<Measure> {
        @Override
        public Measure convert(String name) {
            for (Measure measure : Measure.values()) {
                if (measure.text().equals(name)) {
                    return measure;
                }
            }
            throw new TypeConversionException("'" + name + "' is no measure");
        }
    }
}
