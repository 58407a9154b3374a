package io.polder.mlflow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.files.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The calls of MLflow's REST API. Each ends within its time, whatever the server does, and believes no more than a megabyte of it. */
final class MlflowServer {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI address;
    private final Optional<String> authorization;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER) // which might lead a password elsewhere
            .proxy(Optional.ofNullable(ProxySelector.getDefault()).orElse(HttpClient.Builder.NO_PROXY))
            .build();

    /** @param environment with the variables by which MLflow's own clients are told how to log in */
    MlflowServer(URI address, Map<String, String> environment) {
        this.address = address;
        authorization = authorization(environment);
    }

    private static Optional<String> authorization(Map<String, String> environment) {
        String token = environment.get("MLFLOW_TRACKING_TOKEN");
        String user = environment.get("MLFLOW_TRACKING_USERNAME");
        if (user != null) {
            String both = user + ":" + environment.getOrDefault("MLFLOW_TRACKING_PASSWORD", "");
            return Optional.of("Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
        }
        return Optional.ofNullable(token).map(text -> "Bearer " + text);
    }

    JsonNode get(String call, String field, String value) throws IOException, InterruptedException {
        String query = "?" + field + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
        return send(request("/api/2.0/mlflow/" + call + query).GET(), PATIENCE);
    }

    JsonNode post(String call, Map<String, ?> body) throws IOException, InterruptedException {
        return send(
                request("/api/2.0/mlflow/" + call)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))),
                PATIENCE);
    }

    /** @param path below the root of the artefacts that the server serves, encoded as an address has it */
    void putArtefact(String path, Path file, Duration patience) throws IOException, InterruptedException {
        send(
                request("/api/2.0/mlflow-artifacts/artifacts/" + path)
                        .header("Content-Type", "application/octet-stream")
                        .PUT(HttpRequest.BodyPublishers.ofFile(file)),
                patience);
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create(address + path));
        authorization.ifPresent(text -> request.header("Authorization", text));
        return request;
    }

    /** The time is that of the whole answer: the client's own ends with the headers. */
    private JsonNode send(HttpRequest.Builder request, Duration patience) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request.build(), info -> new Bounded());
        try {
            return read(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + patience.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ConnectException) {
                throw new IOException("no connection", e);
            }
            throw e.getCause() instanceof IOException cause
                    ? new IOException(Reason.of(cause), e)
                    : new IOException(e.getCause().toString(), e);
        } finally {
            answer.cancel(true);
        }
    }

    private static JsonNode read(HttpResponse<byte[]> answer) throws IOException {
        int status = answer.statusCode();
        JsonNode body;
        try {
            body = JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            if (status == 200) {
                throw new RefusedException("its answer is not JSON: is it an MLflow server?", "");
            }
            body = JSON.createObjectNode();
        }
        if (status == 200) {
            return body;
        }
        String message = body.path("message").asText("");
        String sentence = "HTTP " + status + (message.isEmpty() ? "" : ", " + firstLine(message));
        if (status >= 500 || status == 408 || status == 429) {
            throw new IOException(sentence);
        }
        throw new RefusedException(sentence, body.path("error_code").asText(""));
    }

    private static String firstLine(String message) {
        String line = message.lines().findFirst().orElse("");
        return line.substring(0, Math.min(line.length(), 300)).replaceAll("\\p{Cntrl}", " ");
    }

    /** The bytes of an answer, unless there are too many. */
    private static final class Bounded implements HttpResponse.BodySubscriber<byte[]> {
        private static final int MOST = 1 << 20;

        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            this.subscription = subscription;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (bytes.size() + (long) buffer.remaining() > MOST) {
                    subscription.cancel();
                    body.completeExceptionally(new IOException("an answer of more than " + MOST + " bytes"));
                    return;
                }
                byte[] part = new byte[buffer.remaining()];
                buffer.get(part);
                bytes.writeBytes(part);
            }
        }

        @Override
        public void onError(Throwable e) {
            body.completeExceptionally(e);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
