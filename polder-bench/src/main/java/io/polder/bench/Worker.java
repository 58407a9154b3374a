package io.polder.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.files.Machine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that makes steps when it is asked to, and sleeps on its input otherwise, so that the cores are those of whoever has the turn.
 *
 * <p>It first says in a line of JSON what it is ({@link Hello}). After that each line it is sent names steps to make, and each answer is a
 * line with an array of {@link Step}. It ends with its input.
 */
final class Worker implements AutoCloseable {
    /** @param multiplyAdds of one image through the network; 0 from those who do not count them */
    record Hello(String engine, long parameters, List<String> steps, long multiplyAdds) {}

    /**
     * What one step took, in milliseconds.
     *
     * @param passes the part of it that was forward and backward, or null where that cannot be told
     */
    record Step(double ms, Double passes) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final BufferedReader answers;
    private final Path errors;
    private final Hello hello;

    /** @throws IOException if it does not come up; the message is the last line that it had to say of that */
    Worker(List<String> command) throws IOException {
        errors = Files.createTempFile("polder-bench", ".log");
        var builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1"); // nothing beside the sources
        process = builder.start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        try {
            hello = JSON.readValue(answer(), Hello.class);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    Hello hello() {
        return hello;
    }

    List<Step> make(List<String> steps) throws IOException {
        try {
            process.outputWriter().append(String.join(" ", steps)).append('\n').flush();
        } catch (IOException e) {
            // It has ended, and why is in what it said: below.
        }
        return JSON.readValue(answer(), new TypeReference<>() {});
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            List<String> said = new ArrayList<>(Files.readAllLines(errors));
            said.removeIf(String::isBlank);
            throw new IOException(said.isEmpty() ? "it ended without a word" : said.get(said.size() - 1));
        }
        return line;
    }

    /** The most memory that it has had, in bytes; 0 where the system does not tell. */
    long peak() {
        return new Machine().peakOf(process.pid()).orElse(0);
    }

    @Override
    public void close() throws IOException {
        try {
            process.outputWriter().close();
        } catch (IOException e) {
            // It has ended before.
        }
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(errors);
    }
}
