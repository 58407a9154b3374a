package io.polder.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import io.polder.checkpoint.Checkpoint;
import io.polder.metrics.FiguresByTag;
import io.polder.metrics.MetricsLog;
import io.polder.recipe.Recipe;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import io.polder.train.EpochMetrics;
import io.polder.train.Progress;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A session of a run, told to an MLflow server while it goes on: the recipe's fields as parameters, the figures of steps and epochs as metrics, what
 * it runs on as tags, and files of its directory as artefacts.
 *
 * <p>The training only ever puts numbers into a queue, which has an end: what a server that is away for long does not take is forgotten, the oldest first. A
 * thread of its own sends them, tries again with growing pauses, and warns once. Closing waits for it no longer than {@link #CLOSING}.
 *
 * <p>A session that goes on with a run goes on with the server's, too. What the server has of a step already it is not told again, as the numbers would be the
 * same; after a divergence they are others, and MLflow keeps both.
 */
public final class MlflowTracking implements TrainingListener, AutoCloseable {
    /** How long the end of a run waits for the server; weights have a second more for each {@value #BYTES_A_SECOND} bytes. */
    public static final Duration CLOSING = Duration.ofSeconds(15);

    private static final int BYTES_A_SECOND = 4 << 20;
    private static final int QUEUE = 4096;
    private static final int METRICS_A_CALL = 1000;
    private static final int PARAMETERS_A_CALL = 100;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final String ARTEFACTS = "mlflow-artifacts:/";

    private record Metric(String key, double value, long timestamp, long step) {}

    private final MlflowSettings settings;
    private final MlflowServer server;
    private final RunDirectory directory;
    private final Recipe recipe;
    private final Consumer<String> warnings;
    private final BlockingQueue<List<Metric>> queue = new LinkedBlockingQueue<>(QUEUE);
    private final AtomicLong lost = new AtomicLong();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread sender;

    private volatile RunInfo info;
    private volatile boolean repeats;
    private long every;
    private long lastStep;

    // Of the sending thread.
    private MlflowRun run;
    private Map<String, Long> had = Map.of();
    private boolean warned;

    private MlflowTracking(
            MlflowSettings settings,
            MlflowServer server,
            RunDirectory directory,
            Recipe recipe,
            Consumer<String> warnings) {
        this.settings = settings;
        this.server = server;
        this.directory = directory;
        this.recipe = recipe;
        this.warnings = warnings;
        sender = new Thread(this::send, "polder-mlflow");
        sender.setDaemon(true);
    }

    /**
     * Begins to tell a server of a run, without waiting for it.
     *
     * @param environment which may say how to log in
     * @param warnings takes a sentence when the server cannot be told, from any thread
     */
    public static MlflowTracking begin(
            MlflowSettings settings,
            Map<String, String> environment,
            Path directory,
            RunInfo info,
            Progress from,
            Consumer<String> warnings)
            throws IOException {
        var run = new RunDirectory(directory);
        var tracking = new MlflowTracking(
                settings, new MlflowServer(settings.server(), environment), run, run.recipe(), warnings);
        tracking.goOn(info, from);
        tracking.sender.start();
        return tracking;
    }

    /** What an earlier session of a run was told to tell; empty where it told nobody. */
    public static Optional<MlflowSettings> ofEarlierSession(Path directory) {
        return MlflowRun.read(directory)
                .map(run -> new MlflowSettings(URI.create(run.server()), run.experiment(), run.weights()));
    }

    /** The training goes on from here, within the same session. */
    public void goOn(RunInfo info, Progress from) {
        this.info = info;
        repeats = from.restarts() == 0;
        every = MetricsLog.everyFor(info.length().stepsPerEpoch());
        lastStep = Math.max(0, from.step() - 1);
    }

    @Override
    public void onStep(StepMetrics step) {
        lastStep = step.step();
        if (step.step() % every == 0) {
            put(FiguresByTag.of(step));
        }
    }

    @Override
    public void onEpoch(EpochMetrics epoch) {
        put(FiguresByTag.of(epoch));
    }

    private void put(Map<String, Double> figures) {
        long now = System.currentTimeMillis();
        List<Metric> metrics = figures.entrySet().stream()
                .map(figure -> new Metric(figure.getKey(), figure.getValue(), now, lastStep))
                .toList();
        while (!queue.offer(metrics)) {
            List<Metric> oldest = queue.poll();
            lost.addAndGet(oldest == null ? 0 : oldest.size());
        }
    }

    /** Says how the run ended, as its {@code run.json} has it, and stores its files. */
    @Override
    public void close() {
        closing.countDown();
        boolean interrupted = Thread.interrupted();
        try {
            sender.join(CLOSING.plus(forWeights()).toMillis());
            sender.interrupt();
            sender.join(1000);
        } catch (InterruptedException e) {
            sender.interrupt();
            interrupted = true;
        }
        queue.forEach(metrics -> lost.addAndGet(metrics.size()));
        if (lost.get() > 0) {
            warnings.accept("the MLflow server at " + settings.server() + " lacks " + lost.get()
                    + " figures of this run: metrics.jsonl has them");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration forWeights() {
        return weights().map(MlflowTracking::timeFor).orElse(Duration.ZERO);
    }

    private static Duration timeFor(Path file) {
        try {
            return Duration.ofSeconds(Files.size(file) / BYTES_A_SECOND);
        } catch (IOException e) {
            return Duration.ZERO;
        }
    }

    /** Of the best checkpoint; empty where they are not wanted, or not there. */
    private Optional<Path> weights() {
        if (!settings.weights()) {
            return Optional.empty();
        }
        try {
            Checkpoint best = directory.checkpoint(RunDirectory.Which.BEST, complaint -> {});
            return Optional.of(best.directory().resolve("weights.safetensors"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Until the run has ended and all is said, or cannot be. */
    private void send() {
        try {
            persistently(this::join);
            store(directory.recipeFile(), Duration.ZERO);
            while (closing.getCount() > 0 || !queue.isEmpty()) {
                List<Metric> metrics = new ArrayList<>();
                take(metrics);
                if (!metrics.isEmpty()) {
                    log(metrics);
                }
            }
            end();
        } catch (RefusedException e) {
            warnings.accept("the MLflow server at " + settings.server() + " refuses the run (" + e.getMessage()
                    + "): it goes on without");
        } catch (IOException e) {
            // It was warned of, and the run has ended meanwhile.
        } catch (InterruptedException e) {
            warn("it is too slow");
        }
    }

    private void take(List<Metric> metrics) throws InterruptedException {
        List<Metric> first = queue.poll(200, TimeUnit.MILLISECONDS);
        while (first != null) {
            metrics.addAll(first);
            List<Metric> next = queue.peek();
            first = next == null || metrics.size() + next.size() > METRICS_A_CALL ? null : queue.poll();
        }
    }

    private void log(List<Metric> metrics) throws IOException, InterruptedException {
        List<Metric> news = metrics.stream()
                .filter(metric -> !repeats || metric.step() > had.getOrDefault(metric.key(), -1L))
                .toList();
        try {
            for (int i = 0; i < news.size(); i += METRICS_A_CALL) {
                List<Metric> part = news.subList(i, Math.min(i + METRICS_A_CALL, news.size()));
                persistently(() -> server.post("runs/log-batch", Map.of("run_id", run.runId(), "metrics", part)));
            }
        } catch (RefusedException e) {
            lost.addAndGet(news.size());
            warn(e.getMessage());
        } catch (IOException | InterruptedException e) {
            lost.addAndGet(news.size());
            throw e;
        }
    }

    private void end() throws IOException, InterruptedException {
        RunInfo.Status status = status();
        store(directory.infoFile(), Duration.ZERO);
        store(directory.metricsFile(), Duration.ZERO);
        store(directory.reportFile(), Duration.ZERO);
        Optional<Path> weights = weights();
        if (weights.isPresent()) {
            store(weights.get(), timeFor(weights.get()));
        }
        Map<String, Object> update = new HashMap<>(Map.of("run_id", run.runId(), "status", nameOf(status)));
        update.put("end_time", System.currentTimeMillis());
        persistently(() -> {
            server.post("runs/set-tag", Map.of("run_id", run.runId(), "key", "polder.status", "value", status.name()));
            server.post("runs/update", update);
        });
    }

    private RunInfo.Status status() {
        try {
            RunInfo.Status status = directory.info().status();
            return status == RunInfo.Status.running ? RunInfo.Status.failed : status;
        } catch (IOException e) {
            return RunInfo.Status.failed;
        }
    }

    private static String nameOf(RunInfo.Status status) {
        return switch (status) {
            case running -> "RUNNING";
            case done -> "FINISHED";
            case stopped -> "KILLED";
            case diverged, failed -> "FAILED";
        };
    }

    /** Goes on with the server's run of an earlier session, or begins one. */
    private void join() throws IOException, InterruptedException {
        if (!rejoins()) {
            create();
        }
        // Of a run that goes on too, as a call before may have failed half-way: the server takes the same value twice.
        List<Map<String, String>> parameters = pairs(RecipeParameters.of(recipe));
        for (int i = 0; i < parameters.size(); i += PARAMETERS_A_CALL) {
            List<?> part = parameters.subList(i, Math.min(i + PARAMETERS_A_CALL, parameters.size()));
            server.post("runs/log-batch", Map.of("run_id", run.runId(), "params", part));
        }
    }

    /** @return false where there is no run on the server to go on with */
    private boolean rejoins() throws IOException, InterruptedException {
        Optional<MlflowRun> earlier = MlflowRun.read(directory.path())
                .filter(known -> known.server().equals(settings.server().toString())
                        && known.experiment().equals(settings.experiment()));
        if (earlier.isEmpty()) {
            return false;
        }
        try {
            JsonNode found = server.get("runs/get", "run_id", earlier.get().runId());
            Map<String, Long> steps = new HashMap<>();
            found.at("/run/data/metrics")
                    .forEach(metric -> steps.put(
                            metric.path("key").asText(), metric.path("step").asLong()));
            had = steps;
            remember(earlier.get().runId(), earlier.get().artifactUri());
            server.post("runs/update", Map.of("run_id", run.runId(), "status", "RUNNING"));
            return true;
        } catch (RefusedException e) {
            if (!e.is("RESOURCE_DOES_NOT_EXIST")) {
                throw e;
            }
            return false;
        }
    }

    private void create() throws IOException, InterruptedException {
        Map<String, Object> wanted = new HashMap<>();
        wanted.put("experiment_id", experiment());
        wanted.put("run_name", directory.path().toAbsolutePath().normalize().getFileName() + "");
        wanted.put("start_time", Instant.parse(info.started()).toEpochMilli());
        wanted.put("tags", pairs(tags()));
        JsonNode made = server.post("runs/create", wanted).at("/run/info");
        if (!made.path("run_id").isTextual()) {
            throw new RefusedException("its answer has no run_id: is it an MLflow server?", "");
        }
        remember(made.path("run_id").asText(), made.path("artifact_uri").asText());
    }

    private void remember(String runId, String artifactUri) throws IOException {
        run = new MlflowRun(
                settings.server().toString(), settings.experiment(), runId, artifactUri, settings.weights());
        run.write(directory.path());
    }

    private String experiment() throws IOException, InterruptedException {
        try {
            return server.get("experiments/get-by-name", "experiment_name", settings.experiment())
                    .at("/experiment/experiment_id")
                    .asText();
        } catch (RefusedException e) {
            if (!e.is("RESOURCE_DOES_NOT_EXIST")) {
                throw e;
            }
        }
        try {
            return server.post("experiments/create", Map.of("name", settings.experiment()))
                    .path("experiment_id")
                    .asText();
        } catch (RefusedException e) {
            if (!e.is("RESOURCE_ALREADY_EXISTS")) { // another run was a moment faster
                throw e;
            }
            return server.get("experiments/get-by-name", "experiment_name", settings.experiment())
                    .at("/experiment/experiment_id")
                    .asText();
        }
    }

    private Map<String, String> tags() {
        RunInfo.Platform platform = info.platform();
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put("mlflow.source.name", platform.command());
        tags.put("mlflow.source.type", "JOB");
        tags.put("mlflow.source.git.commit", platform.gitRevision());
        tags.put("mlflow.user", System.getProperty("user.name"));
        tags.put("polder.recipe", recipe.name());
        tags.put("polder.recipeHash", info.recipeHash());
        tags.put("polder.contents", info.contents());
        tags.put("polder.parameters", Long.toString(info.parameters()));
        tags.put("polder.version", platform.version());
        tags.put("polder.engine", platform.engine());
        tags.put("polder.processor", platform.processor());
        tags.put("polder.threads", Integer.toString(platform.threads()));
        tags.put("polder.device", platform.device());
        tags.put("polder.status", RunInfo.Status.running.name());
        tags.values().removeIf(value -> value == null || value.isEmpty());
        return tags;
    }

    private static List<Map<String, String>> pairs(Map<String, String> map) {
        return map.entrySet().stream()
                .map(entry -> Map.of("key", entry.getKey(), "value", entry.getValue()))
                .toList();
    }

    private void store(Path file, Duration more) throws IOException, InterruptedException {
        if (!Files.isRegularFile(file)) {
            return;
        }
        if (!run.artifactUri().startsWith(ARTEFACTS) || run.artifactUri().startsWith(ARTEFACTS + "/")) {
            warn(
                    "it keeps artefacts at " + run.artifactUri()
                            + ", which it does not serve itself: start it with --serve-artifacts to have the run's files there");
            return;
        }
        String path = run.artifactUri().substring(ARTEFACTS.length()) + "/" + file.getFileName();
        try {
            persistently(() -> server.putArtefact(path, file, CLOSING.plus(more)));
        } catch (RefusedException e) {
            warn(e.getMessage());
        }
    }

    /** Something that the server is asked. */
    private interface Call {
        void call() throws IOException, InterruptedException;
    }

    /** Again and again, until the run has ended: then once more. */
    private void persistently(Call call) throws IOException, InterruptedException {
        for (Duration pause = FIRST_PAUSE; ; pause = pause.multipliedBy(2)) {
            boolean last = closing.getCount() == 0;
            try {
                call.call();
                return;
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                warn(e.getMessage());
                if (last) {
                    throw e;
                }
            }
            closing.await(Math.min(pause.toMillis(), LONGEST_PAUSE.toMillis()), TimeUnit.MILLISECONDS);
        }
    }

    private void warn(String reason) {
        if (!warned) {
            warned = true;
            warnings.accept("the MLflow server at " + settings.server() + " does not take what it is told (" + reason
                    + "): the run goes on, and tries again now and then");
        }
    }
}
