package io.polder.cli;

import io.polder.data.KnownDataset;
import io.polder.study.search.Studies;
import io.polder.study.search.Study;
import io.polder.study.search.StudyFile;
import io.polder.study.search.Variant;
import io.polder.study.trial.ClusterOptions;
import io.polder.study.trial.LocalExecutor;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialExecutorProvider;
import io.polder.text.Wrapped;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder study}: methods compared after a search, over seeds, in a way that can be stopped and gone on with. */
@Command(
        name = "study",
        description = {
            "Compares training methods: searches their hyper-parameters on a validation split, trains each over several seeds,"
                    + " and reports how they do on the test images. Without a name it lists the built-in studies.",
            "",
            "A study can be stopped, or killed, at any moment: the same command goes on. A trial that has ended is never run"
                    + " again, also for other studies with the same --store.",
            ""
        },
        mixinStandardHelpOptions = true)
final class StudyCommand implements Callable<Integer> {
    static final String LOCAL = "local";

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "STUDY",
            description = "A built-in study's name, or a YAML file. See docs/studies.md.")
    private String name;

    @Option(names = "--out", paramLabel = "DIR", description = "Where the study is kept; default studies/NAME.")
    private Path out;

    @Option(
            names = "--data",
            paramLabel = "PATH",
            converter = PathOrUri.Converter.class,
            description = "Where the images are: the directory or archive that polder datasets describes. With"
                    + " --executor spark also a URI, like hdfs://host/images: each node fetches them once.")
    private PathOrUri data;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "PATH=VALUE",
            description =
                    "Override a field of the study's recipes, such as -s data.name=image-folder; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "DIR",
            converter = PathOrUri.Converter.class,
            description =
                    "Where the trials are kept; default: with the study. Studies with the same store share their trials. With"
                            + " --executor spark also a URI, like hdfs://host/trials, for nodes that share no directory.")
    private PathOrUri store;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description =
                    "How many trials run side by side; default: as many as there are cores for, with --threads each.")
    private Integer jobs;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads of the engine in each trial; default: the cores divided by --jobs, else 1.")
    private Integer threads;

    @Option(
            names = "--executor",
            paramLabel = "NAME",
            description =
                    "Where trials run: local, or spark where the module polder-spark is installed; default ${DEFAULT-VALUE}.")
    private String executor = LOCAL;

    @Mixin
    private DeviceOption device;

    @Option(names = "--master", paramLabel = "URL", description = "With --executor spark: the cluster's master.")
    private String master;

    @Option(names = "--json", description = "Print one JSON object a line, for programs; of the list, one object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        PrintWriter screen = spec.commandLine().getOut();
        if (name == null) {
            list(screen);
            return 0;
        }
        Study study = overrides.isEmpty() ? study() : StudyFile.with(study(), overrides);
        requireModels(study);
        requireData(study);
        Path directory = out == null ? Path.of("studies", study.name()) : out;
        Path trialStore = Optional.ofNullable(store).flatMap(PathOrUri::path).orElse(directory);
        Optional<Path> images = Optional.ofNullable(data).flatMap(PathOrUri::path);
        return new StudySession(spec, study, directory, trialStore, images, device.name(), json)
                .run(this::executor, result -> {});
    }

    private void list(PrintWriter screen) {
        if (json) {
            screen.print(Json.document(Map.of(
                    "studies",
                    Studies.names().stream()
                            .map(each -> Json.named(each, Studies.about(each)))
                            .toList())));
            screen.flush();
            return;
        }
        int width = Studies.names().stream().mapToInt(String::length).max().orElse(0);
        for (String each : Studies.names()) {
            String line = String.format("%-" + width + "s  %s", each, Studies.about(each));
            screen.print(Wrapped.text(line, Wrapped.COLUMNS, " ".repeat(width + 2)));
        }
        screen.println();
        screen.println("Run one with: ./polder study smoke --out DIR");
        screen.flush();
    }

    /** A file wins over a built-in study of the same name only if it looks like one. */
    private Study study() throws IOException {
        if (Studies.names().contains(name)) {
            return Studies.read(name);
        }
        Path file = Path.of(name);
        if (!Files.exists(file)) {
            Studies.text(name); // says what there is
        }
        return StudyFile.read(file);
    }

    /** Before the first of dozens of trials fails for want of it. */
    private static void requireModels(Study study) {
        for (Variant variant : study.variants()) {
            if (variant.base().model().name() != null) {
                variant.base().model().architecture();
            }
        }
    }

    private void requireData(Study study) throws IOException {
        if (data != null && data.path().filter(Files::notExists).isPresent()) {
            throw new IOException(data + " is not there: --data must name the images' directory or archive");
        }
        for (Variant variant : study.variants()) {
            KnownDataset dataset = variant.base().data().dataset();
            if (data != null) {
                dataset.requireUseFor(data.toString());
            }
            boolean found = dataset.isBundled()
                    || data != null
                    || variant.base().data().dir() != null
                    || dataset.places().stream().anyMatch(Files::exists);
            if (!found) {
                throw new IOException(
                        "no data was given for " + dataset.name() + ": add --data PATH with " + dataset.expects());
            }
        }
    }

    private TrialExecutor executor() throws IOException {
        requirePositive("--jobs", jobs);
        requirePositive("--threads", threads);
        device.name(); // which complains of what is none
        if (executor.equals(LOCAL)) {
            if (master != null) {
                throw new ParameterException(spec.commandLine(), "--master is for --executor spark");
            }
            PathOrUri.requirePath(spec, "--store", store);
            PathOrUri.requirePath(spec, "--data", data);
            int cores = Runtime.getRuntime().availableProcessors();
            int each = threads != null ? threads : jobs == null ? 1 : Math.max(1, cores / jobs);
            int sideBySide = jobs != null ? jobs : Math.max(1, cores / each);
            return new LocalExecutor(TrialCommand.likeThisProcess(), sideBySide, each);
        }
        for (TrialExecutorProvider provider : ServiceLoader.load(TrialExecutorProvider.class)) {
            if (provider.name().equals(executor)) {
                if (jobs != null) {
                    throw new ParameterException(
                            spec.commandLine(), "--jobs is for --executor local: a cluster counts its own cores");
                }
                return provider.open(new ClusterOptions(
                        Optional.ofNullable(master),
                        threads == null ? OptionalInt.empty() : OptionalInt.of(threads),
                        Optional.ofNullable(store).flatMap(PathOrUri::uri),
                        Optional.ofNullable(data).flatMap(PathOrUri::uri)));
            }
        }
        throw unknownExecutor(spec, executor);
    }

    static ParameterException unknownExecutor(CommandSpec command, String name) {
        return new ParameterException(
                command.commandLine(),
                "--executor is " + name
                        + ": there is none of that name here; local always is, spark with the module polder-spark");
    }

    private void requirePositive(String option, Integer value) {
        if (value != null && (value < 1 || value > 1024)) {
            throw new ParameterException(spec.commandLine(), option + " is " + value + ": it must be from 1 to 1024");
        }
    }
}
