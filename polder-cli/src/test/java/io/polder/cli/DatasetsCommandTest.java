package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.polder.data.KnownDataset;
import io.polder.data.load.Pipeline;
import io.polder.data.source.Datasets;
import io.polder.image.Encoder;
import io.polder.image.ImageHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetsCommandTest {
    @TempDir
    private Path directory;

    @Test
    void theListHasEveryDataSetItsChecksumsAndEveryPipeline() {
        var outcome = run("datasets");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output())
                .contains(Datasets.all().stream().map(KnownDataset::name).toList())
                .contains(Pipeline.names())
                .contains("c32a1d4ab5d03f1284b67883e8d87530  cifar-10-binary.tar.gz")
                .contains("03b5dce01913d631647c71ecec9e9cb8  cifar-100-binary.tar.gz");
    }

    /** From a server that has another file under that name. */
    @Test
    void fetchGetsAFileAndVerifiesIt() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/mirror/cifar-10-binary.tar.gz", exchange -> {
            exchange.sendResponseHeaders(200, 4);
            exchange.getResponseBody().write(new byte[4]);
            exchange.close();
        });
        server.start();
        try {
            String from = "http://127.0.0.1:" + server.getAddress().getPort() + "/mirror/";
            var outcome = run("datasets", "fetch", "cifar10", "--from", from, "--to", directory.toString());
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.errors())
                    .contains(
                            "polder: " + from + "cifar-10-binary.tar.gz has MD5 f1d3ff8443297732862df21dc4e57262 where"
                                    + " c32a1d4ab5d03f1284b67883e8d87530 was published");
            assertThat(directory).isEmptyDirectory();
        } finally {
            server.stop(0);
        }
        assertThat(run("datasets", "fetch", "mnist").errors()).startsWith("polder: mnist cannot be fetched");
        assertThat(run("datasets", "fetch", "cifar10", "--from", "ftp://a").errors())
                .startsWith("polder: --from is ftp://a: it must begin with http:// or https://");
    }

    @Test
    void checkCountsTheImagesOfEachClassAndDrawsAContactSheet() throws IOException {
        Path out = directory.resolve("out");
        var outcome = run("datasets", "check", "image-folder", folder().toString(), "--out", out.toString());
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output())
                .containsPattern("Class +Training +Test\n")
                .containsPattern("ant +3 +1\n")
                .containsPattern("bee +3 +1\n")
                .containsPattern("All +6 +2\n")
                .contains("Every image can be decoded.")
                .contains("Contact sheet: " + out.resolve("contact-sheet.png"));
        byte[] sheet = Files.readAllBytes(out.resolve("contact-sheet.png"));
        ImageHeader header = ImageHeader.of("sheet", sheet, sheet.length);
        assertThat(header.format()).isEqualTo(ImageHeader.Format.PNG);
        assertThat(header.width()).isGreaterThan(12 * 64);
    }

    @Test
    void theSameSeedDrawsTheSameSheetAndAnotherAnother() throws IOException {
        String path = folder().toString();
        byte[][] sheets = new byte[3][];
        for (int i = 0; i < 3; i++) {
            Path out = directory.resolve("out" + i);
            run("datasets", "check", "image-folder", path, "--seed", i < 2 ? "5" : "6", "--out", out.toString());
            sheets[i] = Files.readAllBytes(out.resolve("contact-sheet.png"));
        }
        assertThat(sheets[1]).isEqualTo(sheets[0]);
        assertThat(sheets[2]).isNotEqualTo(sheets[0]);
    }

    @Test
    void brokenImagesAreNamedAndTheExitCodeIs1() throws IOException {
        Path folder = folder();
        Files.writeString(folder.resolve("train/bee/0.png"), "no image");
        var outcome = run(
                "datasets",
                "check",
                "image-folder",
                folder.toString(),
                "--out",
                directory.resolve("o").toString());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).contains("cannot be decoded: train/bee/0.png");
        assertThat(outcome.errors())
                .isEqualTo("polder: 1 images cannot be decoded: mend or remove them, or say data.onBadImage: skip\n");
    }

    @Test
    void aWrongChecksumAndWrongCountsAreTold() throws IOException {
        for (int batch = 1; batch <= 5; batch++) {
            Files.write(directory.resolve("data_batch_" + batch + ".bin"), new byte[3073]);
        }
        Files.write(directory.resolve("test_batch.bin"), new byte[3073]);
        String out = directory.resolve("o").toString();
        var outcome = run("datasets", "check", "cifar10", directory.toString(), "--out", out);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .contains("cifar10 has 5 training images where the official set has 50,000")
                .contains("cifar10 has 1 test images where the official set has 10,000");
        Path archive = Files.write(directory.resolve("cifar-10-binary.tar.gz"), new byte[10]);
        outcome = run("datasets", "check", "cifar10", archive.toString(), "--out", out);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .startsWith("polder: " + archive + " has MD5 a63c90cc3684ad8b0a2176a6a8fe9005 where c32a1d4a")
                .contains(archive + " is no gzip file")
                .hasLineCount(2);
    }

    @Test
    void wrongUseIsOneSentence() throws IOException {
        assertThat(run("datasets", "check", "cifar-10").errors())
                .startsWith("polder: data set is \"cifar-10\": there is none of that name; did you mean cifar10");
        Path out = directory.resolve("o");
        var outcome = run(
                "datasets", "check", "image-folder", folder().toString(), "--augment", "bsic", "--out", out.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors()).startsWith("polder: augment is \"bsic\"").contains("basic");
        assertThat(out).as("nothing is left").doesNotExist();
    }

    private Path folder() throws IOException {
        Path root = directory.resolve("folder");
        for (String name : new String[] {"ant", "bee"}) {
            for (int i = 0; i < 4; i++) {
                byte[] pixels = new byte[3 * 32 * 32];
                new SplittableRandom(i + name.hashCode()).nextBytes(pixels);
                Path file = root.resolve((i < 3 ? "train/" : "test/") + name + "/" + i + ".png");
                Files.createDirectories(file.getParent());
                Files.write(file, Encoder.png(pixels, 32, 32));
            }
        }
        return root;
    }

    private static PolderProcess.Outcome run(String... arguments) {
        return PolderProcess.here(arguments);
    }
}
