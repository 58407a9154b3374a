package io.polder.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.StepMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Event files as TensorBoard has them. Two tests need a Python with {@code tensorboard}: {@code python3}, or the one that the
 * variable {@code POLDER_PYTHON} names.
 */
class TensorBoardEventsTest {
    private static final String PYTHON = System.getenv().getOrDefault("POLDER_PYTHON", "python3");

    /** Each tag with its steps and values, as TensorBoard itself keeps them. */
    private static final String READ = """
            import sys
            from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
            events = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
            events.Reload()
            for tag in sorted(events.Tags()["scalars"]):
                print(tag, *("%d:%.6g" % (e.step, e.value) for e in events.Scalars(tag)))
            """;

    /** Four events written by RecordWriter and event_pb2 of tensorboard 2.21.0. */
    private static final String WRITTEN_BY_TENSORBOARD = """
            1800000000000000a37f4b2209000010001346da411a0d627261696e2e4576656e743a3231c2893a
            2100000000000000017becf609000020001346da4110ac022a130a110a0a747261696e2f6c6f73731500002040c76c9376
            0f000000000000006d532b0909000040001346da4110073a0208017ef006a1
            1e00000000000000d9dc123209000040001346da412a130a110a0a746573742f6572726f72150000003f6d16de8f
            """;

    @TempDir
    private Path folder;

    @Test
    void theBytesAreThoseThatTensorBoardWrites() {
        var bytes = new ByteArrayOutputStream();
        for (byte[] event : List.of(
                EventMessage.fileVersion(1763200000.25),
                EventMessage.scalars(1763200000.5, 300, List.of(new TensorBoardEvents.Scalar("train/loss", 2.5))),
                EventMessage.sessionStart(1763200001, 7),
                EventMessage.scalars(1763200001, 0, List.of(new TensorBoardEvents.Scalar("test/error", 0.5))))) {
            bytes.writeBytes(TfRecord.framed(event));
        }
        assertThat(HexFormat.of().formatHex(bytes.toByteArray()))
                .isEqualTo(WRITTEN_BY_TENSORBOARD.replaceAll("\\s", ""));
    }

    /** RFC 3720, B.4: the checksum of 32 zeros is 8a9136aa. Turned right by 15 bits it is 6d551522; plus a282ead8, 0fd7fffa. */
    @Test
    void theMaskedChecksumIsTheOneWorkedOutByHand() {
        assertThat(TfRecord.maskedChecksum(new byte[40], 32)).isEqualTo(0x0fd7fffa);
    }

    @Test
    void aLaterFileComesLaterByNameWhateverTheClockSays() throws IOException {
        var clock = Clock.fixed(Instant.ofEpochSecond(1_763_200_000), ZoneOffset.UTC);
        var earlier = Clock.fixed(Instant.ofEpochSecond(1_763_100_000), ZoneOffset.UTC);
        TensorBoardEvents.open(folder, 1, 0, TensorBoardEventsTest::fail, clock).close();
        TensorBoardEvents.open(folder, 1, 0, TensorBoardEventsTest::fail, earlier)
                .close();
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "events.out.tfevents.1763200000.polder", "events.out.tfevents.1763200001.polder");
        }
    }

    @Test
    void wrongNumbersAreRefused() {
        assertThatThrownBy(() -> TensorBoardEvents.create(folder, 0, TensorBoardEventsTest::fail))
                .hasMessage("every is 0: it must be at least 1");
        assertThatThrownBy(() -> TensorBoardEvents.resume(folder, 1, -1, TensorBoardEventsTest::fail))
                .hasMessage("steps is -1: it must be at least 0");
    }

    @Test
    void tensorBoardReadsEveryFigure() throws Exception {
        requireTensorBoard();
        try (var events = TensorBoardEvents.create(folder, 2, TensorBoardEventsTest::fail)) {
            play(events, 0, 5);
            events.onEpoch(epoch(Optional.empty()));
            play(events, 5, 6);
            events.onEpoch(
                    epoch(Optional.of(new Evaluation(Map.of("loss", 1.5, "error", 0.25, "top5Error", 0.125), 50))));
        }
        assertThat(python(READ, folder)).isEqualTo("""
                speed/images_per_second 0:900 2:902 4:904
                test/error 5:0.25
                test/loss 5:1.5
                test/top5_error 5:0.125
                train/alpha 0:0.75 2:0.75 4:0.75
                train/error 0:0.5 2:0.5 4:0.5
                train/gradient_norm 0:3 2:5 4:7
                train/learning_rate 0:0.0625 2:0.0625 4:0.0625
                train/loss 0:1 2:0.333333 4:0.2
                train/parameter_norm 0:20 2:22 4:24
                train/r 0:0.125 2:0.125 4:0.125
                """);
    }

    @Test
    void tensorBoardForgetsWhatAResumedRunDoesAgain() throws Exception {
        requireTensorBoard();
        try (var events = TensorBoardEvents.create(folder, 1, TensorBoardEventsTest::fail)) {
            play(events, 0, 4);
            events.onEpoch(epoch(Optional.of(new Evaluation(Map.of("loss", 1.0, "error", 0.5, "top5Error", 0.0), 50))));
            play(events, 4, 9);
        }
        // Half a record, as a kill leaves it.
        Path first = file();
        byte[] bytes = Files.readAllBytes(first);
        Files.write(first, Arrays.copyOf(bytes, bytes.length - 10));
        try (var events = TensorBoardEvents.resume(folder, 1, 4, TensorBoardEventsTest::fail)) {
            play(events, 4, 6);
        }
        assertThat(python(READ, folder))
                .contains("train/gradient_norm 0:3 1:4 2:5 3:6 4:7 5:8\n")
                .contains("test/error 3:0.5\n");
    }

    private static void play(TensorBoardEvents events, int from, int to) {
        for (int i = from; i < to; i++) {
            events.onStep(new StepMetrics(
                    i,
                    0,
                    1.0 / (i + 1),
                    3 + i,
                    2,
                    20 + i,
                    0.0625,
                    Map.of("error", 0.5, "r", 0.125, "alpha", 0.75),
                    900 + i));
        }
    }

    private static EpochMetrics epoch(Optional<Evaluation> test) {
        return new EpochMetrics(1, 5, 1, Map.of("error", 0.5), 1, 20, 0.05, 900, 2, test);
    }

    private Path file() throws IOException {
        try (var files = Files.list(folder)) {
            return files.findFirst().orElseThrow();
        }
    }

    private static void requireTensorBoard() throws InterruptedException {
        boolean there;
        try {
            there = !python("import tensorboard").startsWith("exit");
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, PYTHON + " lacks tensorboard: pip install tensorboard, or set POLDER_PYTHON");
    }

    /** What the script prints; "exit" and why if it fails. */
    private static String python(String script, Path... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(PYTHON, "-c", script));
        for (Path argument : arguments) {
            command.add(argument.toString());
        }
        Path errors = Files.createTempFile("polder-python", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? output : "exit " + process.exitValue() + ": " + Files.readString(errors);
        } finally {
            Files.delete(errors);
        }
    }

    private static void fail(String warning) {
        throw new AssertionError(warning);
    }
}
