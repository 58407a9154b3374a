package io.polder.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server of MLflow: {@code mlflow} on the path, or the one that the variable {@code POLDER_MLFLOW} names. */
@Tag("slow")
class MlflowServerTest {
    private static final String MLFLOW = System.getenv().getOrDefault("POLDER_MLFLOW", "mlflow");
    private static final int PATIENCE_SECONDS = 240;

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void aRealServerHasTheRunAndStoppingItInTheMiddleDoesNoHarm() throws Exception {
        assumeTrue(isInstalled(), MLFLOW + " does not start");
        int port = freePort();
        String address = "http://127.0.0.1:" + port;
        Path run = directory.resolve("run");
        List<String> warnings = new ArrayList<>();

        Process server = start(port);
        try {
            MlflowTrackingTest.train(run, MlflowTrackingTest.settings(address), Map.of(), 11, warnings);
        } finally {
            stop(server);
        }
        assertThat(warnings).isEmpty();

        // Away while three steps are trained.
        MlflowTrackingTest.train(run, MlflowTrackingTest.settings(address), Map.of(), 3, warnings);
        assertThat(warnings).isNotEmpty();
        assertThat(warnings.get(0)).contains("no connection");

        server = start(port);
        try {
            MlflowTrackingTest.train(run, MlflowTrackingTest.settings(address), Map.of(), 1000, warnings);
            RunInfo info = new RunDirectory(run).info();
            assertThat(info.status()).isEqualTo(RunInfo.Status.done);

            JsonNode experiment = get(address + "/api/2.0/mlflow/experiments/get-by-name?experiment_name=polder");
            JsonNode runs = post(
                    address + "/api/2.0/mlflow/runs/search",
                    Map.of(
                            "experiment_ids",
                            List.of(experiment.at("/experiment/experiment_id").asText())));
            assertThat(runs.get("runs")).hasSize(1);
            JsonNode found = runs.get("runs").get(0);
            assertThat(found.at("/info/status").asText()).isEqualTo("FINISHED");
            assertThat(found.at("/info/run_name").asText()).isEqualTo("run");
            assertThat(byKey(found.at("/data/params")))
                    .containsEntry("scheme.name", "gradient-norm-penalty")
                    .containsEntry("scheme.r", "0.05")
                    .containsEntry("data.batch", "8");
            assertThat(byKey(found.at("/data/tags")))
                    .containsEntry("polder.status", "done")
                    .containsEntry("polder.recipeHash", info.recipeHash())
                    .containsEntry("mlflow.source.name", "./polder train tiny");
            assertThat(Double.parseDouble(byKey(found.at("/data/metrics")).get("test/error")))
                    .isEqualTo(info.result().figures().get("error"));

            String id = found.at("/info/run_id").asText();
            List<Long> steps = new ArrayList<>();
            get(address + "/api/2.0/mlflow/metrics/get-history?metric_key=train/loss&run_id=" + id)
                    .get("metrics")
                    .forEach(metric -> steps.add(metric.get("step").asLong()));
            // Those that were trained while it was away are missing; nothing is there twice.
            assertThat(steps)
                    .isSubsetOf(MlflowTrackingTest.numbers(0, 16))
                    .doesNotHaveDuplicates()
                    .contains(0L, 10L, 15L);

            List<String> stored = new ArrayList<>();
            get(address + "/api/2.0/mlflow/artifacts/list?run_id=" + id)
                    .get("files")
                    .forEach(file -> stored.add(file.get("path").asText()));
            assertThat(stored)
                    .containsExactlyInAnyOrder("recipe.yaml", "run.json", "metrics.jsonl", "weights.safetensors");
            assertThat(bytes(address + "/get-artifact?path=recipe.yaml&run_uuid=" + id))
                    .isEqualTo(Files.readAllBytes(run.resolve("recipe.yaml")));
        } finally {
            stop(server);
        }
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            Process version = new ProcessBuilder(MLFLOW, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return version.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Process start(int port) throws Exception {
        Path log = directory.resolve("server.log");
        var builder = new ProcessBuilder(
                        MLFLOW,
                        "server",
                        "--host",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--workers",
                        "1",
                        "--backend-store-uri",
                        "sqlite:///" + directory.resolve("mlflow.db"),
                        "--artifacts-destination",
                        directory.resolve("artefacts").toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("MLFLOW_SERVER_ENABLE_JOB_EXECUTION", "false");
        builder.environment().put("MLFLOW_DISABLE_TELEMETRY", "true");
        Process server = builder.start();
        for (int i = 0; i < 4 * PATIENCE_SECONDS; i++) {
            assertThat(server.isAlive()).as(Files.readString(log)).isTrue();
            try {
                if (client.send(
                                        request("http://127.0.0.1:" + port + "/health")
                                                .build(),
                                        HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200) {
                    return server;
                }
            } catch (IOException e) {
                // Not yet.
            }
            Thread.sleep(250);
        }
        stop(server);
        throw new AssertionError("the server does not start: " + Files.readString(log));
    }

    /** With its workers, which are processes. */
    private static void stop(Process server) throws InterruptedException {
        List<ProcessHandle> workers = server.descendants().toList();
        server.destroy();
        if (!server.waitFor(20, TimeUnit.SECONDS)) {
            server.destroyForcibly().waitFor();
        }
        workers.forEach(ProcessHandle::destroyForcibly);
    }

    private static HttpRequest.Builder request(String address) {
        return HttpRequest.newBuilder(URI.create(address));
    }

    private JsonNode get(String address) throws Exception {
        return new ObjectMapper().readTree(bytes(address));
    }

    private byte[] bytes(String address) throws Exception {
        var answer = client.send(request(address).build(), HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).as(new String(answer.body())).isEqualTo(200);
        return answer.body();
    }

    private JsonNode post(String address, Map<String, ?> body) throws Exception {
        var json = new ObjectMapper();
        var request = request(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body)))
                .build();
        return json.readTree(
                client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private static Map<String, String> byKey(JsonNode pairs) {
        Map<String, String> map = new HashMap<>();
        pairs.forEach(
                pair -> map.put(pair.get("key").asText(), pair.get("value").asText()));
        return map;
    }
}
