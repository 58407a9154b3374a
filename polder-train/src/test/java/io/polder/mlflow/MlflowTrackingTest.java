package io.polder.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import io.polder.run.RunObserver;
import io.polder.run.RunSettings;
import io.polder.run.TrainingRun;
import io.polder.tensor.Device;
import io.polder.train.EpochMetrics;
import io.polder.train.Progress;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server may do to a run: nothing. The real one is in {@code MlflowServerTest}. */
class MlflowTrackingTest {
    static final String RECIPE = """
            name: tiny
            seed: 4
            epochs: 2
            model: { name: resnet-small }
            data: { name: fashion-mnist-2000, augment: none, batch: 8, images: 64, evaluateOn: validation, validation: 40 }
            scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.7 }
            optimizer: { name: sgd }
            learningRate: { schedule: constant, base: 0.01 }
            checkpoint: { everySteps: 3 }
            """;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private Stub stub;

    @BeforeEach
    void startAServer() throws IOException {
        stub = new Stub();
    }

    @AfterEach
    void stopIt() {
        stub.server.stop(0);
    }

    @Test
    void theFieldsOfTheRecipeAreParameters() {
        assertThat(RecipeParameters.of(recipe()))
                .containsEntry("seed", "4")
                .containsEntry("scheme.name", "gradient-norm-penalty")
                .containsEntry("scheme.alpha", "0.7")
                .containsEntry("data.batch", "8")
                .doesNotContainKey("model.init");
    }

    @Test
    void aServerThatIsAwayIsWarnedOfOnceAndChangesNothing() throws IOException {
        int free;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        var told = train(directory.resolve("told"), settings("http://127.0.0.1:" + free), Integer.MAX_VALUE);
        var alone = TrainingRun.start(recipe(), directory.resolve("alone"), SETTINGS, new RunObserver() {});
        assertThat(told.result().figures()).isEqualTo(alone.result().figures());
        assertThat(weights(directory.resolve("told"))).isEqualTo(weights(directory.resolve("alone")));
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0))
                .isEqualTo(
                        "the MLflow server at http://127.0.0.1:" + free
                                + " does not take what it is told (no connection): the run goes on, and tries again now and then");
        assertThat(warnings.get(1)).contains("lacks ").endsWith(" figures of this run: metrics.jsonl has them");
    }

    /** What failed in the middle is sent again, in order, and nothing is sent twice. */
    @Test
    void aServerThatGoesAwayInTheMiddleHasEverythingInTheEnd() throws IOException {
        stub.fails = call -> call == 5;
        train(directory.resolve("run"), settings(stub.address()), Integer.MAX_VALUE);
        assertThat(stub.steps("train/loss")).containsExactlyElementsOf(numbers(0, 16));
        assertThat(stub.steps("test/error")).containsExactly(7L, 15L);
        assertThat(stub.ended).isEqualTo("FINISHED");
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("HTTP 503");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aServerThatFailsAtTheBeginningHasTheParametersInTheEnd(int failing) throws IOException {
        stub.fails = call -> call == failing;
        train(directory.resolve("run"), settings(stub.address()), Integer.MAX_VALUE);
        assertThat(stub.created).isEqualTo(1);
        assertThat(stub.parameters).isEqualTo(RecipeParameters.of(recipe()));
        assertThat(stub.steps("train/loss")).containsExactlyElementsOf(numbers(0, 16));
        assertThat(warnings).hasSize(1);
    }

    @Test
    void aServerThatRefusesTheRunIsLeftAlone() throws IOException {
        stub.refuses = true;
        train(directory.resolve("run"), settings(stub.address()), Integer.MAX_VALUE);
        assertThat(warnings.get(0))
                .isEqualTo("the MLflow server at " + stub.address()
                        + " refuses the run (HTTP 403, not yours): it goes on without");
        assertThat(directory.resolve("run/mlflow.json")).doesNotExist();
    }

    @Test
    void aRunThatGoesOnIsTheSameRunThereAndHasEachStepOnce() throws IOException {
        Path run = directory.resolve("run");
        train(run, settings(stub.address()), 8); // the second epoch begins with what is saved after the first
        assertThat(stub.ended).isEqualTo("KILLED");
        var again = MlflowTracking.ofEarlierSession(run);
        assertThat(again).contains(settings(stub.address()));
        train(run, again.get(), Integer.MAX_VALUE);
        assertThat(stub.created).isEqualTo(1);
        assertThat(stub.steps("train/loss")).containsExactlyElementsOf(numbers(0, 16));
        assertThat(stub.ended).isEqualTo("FINISHED");
        assertThat(stub.stored).contains("recipe.yaml", "run.json", "metrics.jsonl", "weights.safetensors");
        assertThat(warnings).isEmpty();
    }

    /** A kill before the next checkpoint: the steps are trained again to the same numbers, of which the server knows. */
    @Test
    void stepsThatTheServerHasAlreadyItIsNotToldAgain() throws IOException {
        Path run = directory.resolve("run");
        train(run, settings(stub.address()), 5);
        for (String step : List.of("4", "5")) {
            try (var saved = Files.newDirectoryStream(run.resolve("checkpoints"), "step-00000000" + step + "*")) {
                for (Path checkpoint : saved) {
                    try (var files = Files.list(checkpoint)) {
                        for (Path file : files.toList()) {
                            Files.delete(file);
                        }
                    }
                    Files.delete(checkpoint);
                }
            }
        }
        train(run, settings(stub.address()), Integer.MAX_VALUE);
        assertThat(stub.steps("train/loss")).containsExactlyElementsOf(numbers(0, 16));
    }

    @Test
    void aDamagedNoteOfTheServersRunBeginsAnother() throws IOException {
        Path run = directory.resolve("run");
        train(run, settings(stub.address()), 5);
        Files.writeString(run.resolve("mlflow.json"), "{");
        train(run, settings(stub.address()), Integer.MAX_VALUE);
        assertThat(stub.created).isEqualTo(2);
    }

    @Test
    void theEnvironmentSaysHowToLogIn() throws IOException {
        train(directory.resolve("run"), settings(stub.address()), 1);
        assertThat(stub.authorizations).containsOnly("Basic dXNlcjpzZWNyZXQ="); // user:secret
        assertThat(directory.resolve("run/mlflow.json")).content().doesNotContain("secret");
    }

    @Test
    void wrongAddressesAreRefused() {
        assertThatThrownBy(() -> settings("localhost:5000")).hasMessageContaining("http://localhost:5000");
        assertThatThrownBy(() -> settings("file:///tmp")).hasMessageContaining("it must be an address");
        assertThatThrownBy(() -> settings("http://a b")).hasMessageContaining("it must be an address");
        assertThatThrownBy(() -> settings("http://me:secret@host"))
                .hasMessageContaining("MLFLOW_TRACKING_USERNAME")
                .hasMessageNotContaining("secret");
    }

    static final RunSettings SETTINGS =
            new RunSettings(1, Device.CPU, Optional.empty(), Optional.empty(), "test", "none", "./polder train tiny");

    static Recipe recipe() {
        return RecipeReader.read(RECIPE, "tiny.yaml", List.of());
    }

    static MlflowSettings settings(String address) {
        return MlflowSettings.of(address, true, Map.of());
    }

    private RunInfo train(Path run, MlflowSettings settings, int steps) throws IOException {
        return train(
                run,
                settings,
                Map.of("MLFLOW_TRACKING_USERNAME", "user", "MLFLOW_TRACKING_PASSWORD", "secret"),
                steps,
                warnings);
    }

    /** Trains, or goes on where there is a run, so many steps at most, as the command does. */
    static RunInfo train(
            Path run, MlflowSettings settings, Map<String, String> environment, int most, List<String> warnings)
            throws IOException {
        var observer = new Observer(run, settings, environment, most, warnings);
        try {
            return new RunDirectory(run).holdsARun()
                    ? TrainingRun.resume(run, SETTINGS, observer)
                    : TrainingRun.start(recipe(), run, SETTINGS, observer);
        } finally {
            observer.tracking.close();
        }
    }

    private static final class Observer implements RunObserver, TrainingListener {
        private final Path run;
        private final MlflowSettings settings;
        private final Map<String, String> environment;
        private final int most;
        private final List<String> warnings;
        private MlflowTracking tracking;
        private int steps;

        Observer(Path run, MlflowSettings settings, Map<String, String> environment, int most, List<String> warnings) {
            this.run = run;
            this.settings = settings;
            this.environment = environment;
            this.most = most;
            this.warnings = warnings;
        }

        @Override
        public List<TrainingListener> listeners(RunInfo info, Progress from) {
            try {
                tracking = MlflowTracking.begin(settings, environment, run, info, from, warnings::add);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            return List.of(this, tracking);
        }

        @Override
        public void onStep(StepMetrics metrics) {
            steps++;
        }

        @Override
        public void onEpoch(EpochMetrics metrics) {}

        @Override
        public boolean stopRequested() {
            return steps >= most;
        }
    }

    static List<Long> numbers(long from, long to) {
        List<Long> numbers = new ArrayList<>();
        for (long i = from; i < to; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    private static byte[] weights(Path run) throws IOException {
        return Files.readAllBytes(new RunDirectory(run)
                .checkpoint(RunDirectory.Which.NEWEST, System.err::println)
                .directory()
                .resolve("weights.safetensors"));
    }

    /** As much of a server as can be made to fail at will. */
    private static final class Stub {
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        private final List<JsonNode> metrics = new CopyOnWriteArrayList<>();
        private final Map<String, String> parameters = new ConcurrentHashMap<>();
        private final List<String> stored = new CopyOnWriteArrayList<>();
        private final List<String> authorizations = new CopyOnWriteArrayList<>();
        private volatile IntPredicate fails = call -> false;
        private volatile boolean refuses;
        private volatile int created;
        private volatile String ended;
        private int calls;

        Stub() throws IOException {
            server.setExecutor(Executors.newSingleThreadExecutor(work -> {
                var thread = new Thread(work);
                thread.setDaemon(true);
                return thread;
            }));
            server.createContext("/", this::answer);
            server.start();
        }

        String address() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        List<Long> steps(String key) {
            return metrics.stream()
                    .filter(metric -> metric.get("key").asText().equals(key))
                    .map(metric -> metric.get("step").asLong())
                    .toList();
        }

        private void answer(HttpExchange exchange) throws IOException {
            byte[] body = exchange.getRequestBody().readAllBytes();
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            if (fails.test(calls++)) {
                send(exchange, 503, "busy");
                return;
            }
            if (refuses) {
                send(exchange, 403, "{\"error_code\": \"PERMISSION_DENIED\", \"message\": \"not yours\\nat all\"}");
                return;
            }
            String path = exchange.getRequestURI().getPath();
            if (path.contains("/mlflow-artifacts/artifacts/1/abc/artifacts/")) {
                stored.add(path.substring(path.lastIndexOf('/') + 1));
                send(exchange, 200, "");
                return;
            }
            String call = path.substring("/api/2.0/mlflow/".length());
            switch (call) {
                case "experiments/get-by-name" ->
                    send(exchange, 404, "{\"error_code\": \"RESOURCE_DOES_NOT_EXIST\", \"message\": \"none\"}");
                case "experiments/create" -> send(exchange, 200, "{\"experiment_id\": \"1\"}");
                case "runs/create" -> {
                    created++;
                    send(exchange, 200, """
                            {"run": {"info": {"run_id": "abc", "artifact_uri": "mlflow-artifacts:/1/abc/artifacts"}}}""");
                }
                case "runs/get" -> {
                    var newest = JSON.createObjectNode();
                    metrics.forEach(metric -> newest.set(metric.get("key").asText(), metric));
                    var run = JSON.createObjectNode();
                    var list = run.putObject("run").putObject("data").putArray("metrics");
                    newest.forEach(list::add);
                    send(exchange, 200, JSON.writeValueAsString(run));
                }
                case "runs/log-batch" -> {
                    JSON.readTree(body).path("metrics").forEach(metrics::add);
                    JSON.readTree(body)
                            .path("params")
                            .forEach(parameter -> parameters.put(
                                    parameter.get("key").asText(),
                                    parameter.get("value").asText()));
                    send(exchange, 200, "{}");
                }
                case "runs/update" -> {
                    ended = JSON.readTree(body).get("status").asText();
                    send(exchange, 200, "{}");
                }
                default -> send(exchange, 200, "{}");
            }
        }

        private static void send(HttpExchange exchange, int status, String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }
    }
}
