package io.polder.data.source;

import io.polder.data.BadImagePolicy;
import io.polder.data.Framing;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.KeptText;
import io.polder.data.Normalization;
import io.polder.data.OpenOptions;
import io.polder.data.SplitChoice;
import io.polder.files.Sha256;
import io.polder.fuzz.Fuzz;
import io.polder.image.Encoder;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged data sets: images, or one sentence that names the file. */
@Tag("slow")
class DataFuzzTest {
    private static final int IMAGES = 6;
    private static final int SIDE = 12;

    @TempDir
    private Path directory;

    private Path root;

    @BeforeEach
    void real() throws IOException {
        root = directory.toRealPath();
    }

    /** No checksum: any image is as good as another. */
    @Test
    void idx() throws Exception {
        Path images = root.resolve("images");
        Path labels = Files.write(root.resolve("labels"), idxLabels());
        Fuzz.of("IDX images", idxImages(), TarWriter.gzip(idxImages()))
                .naming(root)
                .run(bytes -> contents(Idx.read(Files.write(images, bytes), labels)));
        Files.write(images, idxImages());
        Fuzz.of("IDX labels", idxLabels(), TarWriter.gzip(idxLabels()))
                .naming(root)
                .run(bytes -> contents(Idx.read(images, Files.write(labels, bytes))));
    }

    /** What is found in the cache names trials: it is what was kept there, or nothing, and the folder is read again. */
    @Test
    void knownContents() throws Exception {
        var known = new KeptText(root.resolve("contents"));
        String key = Sha256.of("names, sizes and times");
        known.keep(key, Sha256.of("images") + "\n");
        Path file = root.resolve("contents").resolve(key + ".txt");
        Fuzz.of("known contents", Files.readAllBytes(file)).sameOrRefused().run(bytes -> {
            Files.write(file, bytes);
            return known.of(key).orElseThrow(() -> new IOException("it counts as none"));
        });
    }

    /** The damage is inside, so that the sum of the gzip fits. */
    @Test
    void idxInSoundGzip() throws Exception {
        Path images = root.resolve("images.gz");
        Path labels = Files.write(root.resolve("labels"), idxLabels());
        Fuzz.of("IDX images in gzip", idxImages())
                .naming(root)
                .run(bytes -> contents(Idx.read(Files.write(images, TarWriter.gzip(bytes)), labels)));
    }

    @Test
    void idxWhereGzipMustFit() throws Exception {
        Path images = root.resolve("images.gz");
        Path labels = Files.write(root.resolve("labels"), idxLabels());
        byte[] good = TarWriter.gzip(idxImages());
        Fuzz.of("gzip of IDX", good).sameOrRefused().naming(root).run(bytes -> {
            // Without its two first bytes a gzip file is a plain one, which has no sum.
            if (bytes.length < 2 || bytes[0] != good[0] || bytes[1] != good[1]) {
                throw new IOException(root + " is not what this test is about");
            }
            return contents(Idx.read(Files.write(images, bytes), labels));
        });
    }

    /** No checksum, but labels that must be those of classes. */
    @Test
    void cifarFiles() throws Exception {
        Path file = root.resolve("test_batch.bin");
        Fuzz.of("CIFAR-10 file", cifar(1, 10)).naming(root).run(bytes -> {
            Files.write(file, bytes);
            return contents(Cifar.ten(root, Cifar.Split.TEST));
        });
        Path hundred = root.resolve("test.bin");
        Fuzz.of("CIFAR-100 file", cifar(2, 20)).naming(root).run(bytes -> {
            Files.write(hundred, bytes);
            return contents(Cifar.hundred(root, Cifar.Split.TEST, Cifar.Labels.FINE));
        });
    }

    @Test
    void cifarArchives() throws Exception {
        Path file = root.resolve("cifar-10-binary.tar.gz");
        var tar = new TarWriter()
                .entry("cifar-10-batches-bin/", '5', 0, new byte[0])
                .file("cifar-10-batches-bin/batches.meta.txt", "airplane\n".getBytes(StandardCharsets.UTF_8))
                .file("cifar-10-batches-bin/test_batch.bin", cifar(1, 10));
        Fuzz.of("tar.gz", tar.tarGz())
                .sameOrRefused()
                .naming(root)
                .run(bytes -> contents(Cifar.ten(Files.write(file, bytes), Cifar.Split.TEST)));
        Fuzz.of("tar in sound gzip", tar.tar())
                .naming(root)
                .run(bytes -> contents(Cifar.ten(Files.write(file, TarWriter.gzip(bytes)), Cifar.Split.TEST)));
        Fuzz.of("tar with sound headers", tar.tar()).naming(root).run(bytes -> {
            for (int block = 0; block + TarWriter.BLOCK <= bytes.length; block += TarWriter.BLOCK) {
                if (new String(bytes, block + 257, 5, StandardCharsets.ISO_8859_1).equals("ustar")) {
                    TarWriter.seal(bytes, block);
                }
            }
            return contents(Cifar.ten(Files.write(file, TarWriter.gzip(bytes)), Cifar.Split.TEST));
        });
    }

    @Test
    void labelsOfFolders() throws Exception {
        for (String name : List.of("a.png", "b.png", "c, d.png")) {
            Files.write(root.resolve(name), png(1));
        }
        Path labels = root.resolve("labels.csv");
        byte[] columns =
                "file,split,sun,\"the \"\"sea\"\"\"\r\na.png,train,1,1\r\nb.png,test,0,1\r\n\"c, d.png\",test,1,0\r\n"
                        .getBytes(StandardCharsets.UTF_8);
        byte[] list = "file,split,labels\na.png,train,sun; the sea\nb.png,test,the sea\n\"c, d.png\",test,\n"
                .getBytes(StandardCharsets.UTF_8);
        Fuzz.of("labels", columns, list).naming(root).run(bytes -> {
            Files.write(labels, bytes);
            try (var folder = Datasets.named("labelled-folder").open(root, OpenOptions.DEFAULT)) {
                return folder.train().size()
                        + folder.test().size()
                        + folder.classNames().toString();
            }
        });
    }

    /** Each file in it has a checksum, and its list must be whole: no image is lost, none is another. */
    @Test
    void zipsOfImages() throws Exception {
        Path file = root.resolve("images.zip");
        Fuzz.of("zip", zip()).sameOrRefused().naming(root).run(bytes -> folder(Files.write(file, bytes)));
    }

    /** Pages have no checksum that writers fill in: any image is as good as another. */
    @Test
    void parquet() throws Exception {
        Path samples = Path.of("src/test/resources/parquet");
        parquet(samples.resolve("second"), "train.parquet", "test.parquet");
        parquet(samples.resolve("snappy/data"), "train-00001-of-00002.parquet", "test-00000-of-00001.parquet");
        parquet(samples.resolve("plain"), "train-00000-of-00001.parquet", "validation-00000-of-00001.parquet");
    }

    private void parquet(Path sample, String train, String test) throws Exception {
        Path folder = Files.createDirectory(root.resolve(sample.getFileName()));
        Files.copy(sample.resolve(test), folder.resolve("test.parquet"));
        Path file = folder.resolve("train.parquet");
        var skipping = OpenOptions.DEFAULT.withCache(folder.resolve("cache")).withOnBadImage(BadImagePolicy.SKIP);
        Fuzz.of("Parquet, " + sample.getFileName(), Files.readAllBytes(sample.resolve(train)))
                .oneCaseOf(2)
                .naming(root)
                .run(bytes -> {
                    Files.write(file, bytes);
                    try (var dataset = Datasets.named("parquet").open(folder, skipping)) {
                        return List.of(pixels(dataset.train()), dataset.classNames());
                    }
                });
    }

    @Test
    void tarShards() throws Exception {
        Path file = root.resolve("train-0.tar");
        Files.write(root.resolve("test-0.tar"), shard());
        var skipping = OpenOptions.DEFAULT.withCache(root.resolve("cache")).withOnBadImage(BadImagePolicy.SKIP);
        Fuzz.of("tar shard", shard()).naming(root).run(bytes -> {
            Files.write(file, bytes);
            try (var dataset = Datasets.named("webdataset").open(root, skipping)) {
                return List.of(pixels(dataset.train()), dataset.classNames());
            }
        });
    }

    private static byte[] shard() {
        byte[] note = "19 path=long/0.cls\n".getBytes(StandardCharsets.UTF_8);
        return new TarWriter()
                .file("long/0.png", png(0))
                .entry("note", 'x', note.length, note)
                .file("x", new byte[] {'0'})
                .file("1.json", "{\"label\": 1}".getBytes(StandardCharsets.UTF_8))
                .file("1.png", png(1))
                .tar();
    }

    /** As files on a disc have no checksum, what is in them may be another image. */
    @Test
    void filesOfAFolder() throws Exception {
        Path picture = write("train/ant/0.png", png(0));
        write("train/ant/1.png", png(1));
        write("train/bee/0.png", png(2));
        write("test/ant/0.png", png(3));
        Fuzz.of("image in a folder", png(0), jpeg(0)).oneCaseOf(2).naming(root).run(bytes -> {
            Files.write(picture, bytes);
            return folder(root);
        });
    }

    @Test
    void classIndexOfAFolder() throws Exception {
        write("train/ant/0.png", png(0));
        write("train/bee/0.png", png(1));
        write("test/ant/0.png", png(2));
        Path index = root.resolve("imagenet_class_index.json");
        Fuzz.of(
                        "class index",
                        "{\"0\": [\"ant\", \"Ameise\"], \"1\": [\"bee\", \"Biene\"]}".getBytes(StandardCharsets.UTF_8))
                .naming(root)
                .run(bytes -> {
                    Files.write(index, bytes);
                    try (var folder = Datasets.named("image-folder").open(root, OpenOptions.DEFAULT)) {
                        return folder.classNames();
                    }
                });
    }

    /** Whatever happens to a pack, the images are the same. */
    @Test
    void packs() throws Exception {
        writeFolder();
        Path cache = directory.resolve("cache");
        var options = OpenOptions.DEFAULT.withCache(cache).withPackedSide(8);
        packed(options);
        List<Path> packs;
        try (var files = Files.list(cache.resolve("packed"))) {
            packs = files.sorted().toList();
        }
        Path larger = packs.get(Files.size(packs.get(0)) > Files.size(packs.get(1)) ? 0 : 1);
        Fuzz.of("pack", Files.readAllBytes(larger))
                .oneCaseOf(4)
                .sameOrRefused()
                .refusedBy()
                .run(bytes -> {
                    Files.delete(larger); // it may still be mapped: never cut what is
                    Files.write(larger, bytes);
                    return packed(options);
                });
    }

    /** A damaged normalisation is computed anew: it is always the same. */
    @Test
    void normalizations() throws Exception {
        writeFolder();
        normalization();
        Path file;
        try (var files = Files.list(root.resolve("cache/normalization"))) {
            file = files.findFirst().orElseThrow();
        }
        Fuzz.of("normalisation", Files.readAllBytes(file))
                .sameOrRefused()
                .refusedBy()
                .run(bytes -> {
                    Files.write(file, bytes);
                    return normalization();
                });
    }

    private Normalization normalization() throws IOException {
        Framing framing = Framing.centred(4, 4);
        var options = OpenOptions.DEFAULT.withCache(root.resolve("cache"));
        try (var dataset = Datasets.named("image-folder").open(root.resolve("folder"), options)) {
            return dataset.splits(framing, framing, SplitChoice.test(), new RandomStreams(1))
                    .normalization();
        }
    }

    private static List<Object> packed(OpenOptions options, Path root) throws IOException {
        try (var dataset = Datasets.named("image-folder").open(root, options)) {
            return List.of(pixels(dataset.train()), pixels(dataset.test()), dataset.classNames());
        }
    }

    private List<Object> packed(OpenOptions options) throws IOException {
        return packed(options, root.resolve("folder"));
    }

    private static List<Object> folder(Path path) throws IOException {
        try (var folder = Datasets.named("image-folder").open(path, OpenOptions.DEFAULT)) {
            return List.of(pixels(folder.train()), pixels(folder.test()), folder.classNames());
        }
    }

    private static List<Object> pixels(ImageSource pictures) throws IOException {
        List<Object> all = new ArrayList<>();
        var framed = pictures.framed(Framing.centred(8, 8));
        byte[] pixels = new byte[framed.shape().bytes()];
        for (int i = 0; i < framed.size(); i++) {
            framed.read(i, pixels);
            all.add(framed.label(i) + " " + Arrays.hashCode(pixels));
        }
        return all;
    }

    private static List<Object> contents(ImagesInMemory images) throws IOException {
        byte[] pixels = new byte[images.shape().bytes()];
        List<Object> all = new ArrayList<>(List.of(images.shape(), images.size()));
        for (int i = 0; i < images.size(); i++) {
            images.read(i, pixels);
            all.add(images.label(i) + " " + Arrays.hashCode(pixels));
        }
        return all;
    }

    private void writeFolder() throws IOException {
        for (int i = 0; i < IMAGES; i++) {
            write("folder/" + (i < 4 ? "train/" : "test/") + (i % 2 == 0 ? "ant/" : "bee/") + i + ".png", png(i));
        }
    }

    private Path write(String name, byte[] bytes) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        return file;
    }

    private static byte[] zip() {
        var zip = new ZipWriter().directory("train").directory("train/ant");
        for (int i = 0; i < IMAGES; i++) {
            String name = (i < 4 ? "train/" : "test/") + (i % 2 == 0 ? "ant/" : "bee/") + i + ".png";
            zip = i % 3 == 0 ? zip.stored(name, png(i)) : zip.file(name, png(i));
        }
        return zip.zip();
    }

    private static byte[] png(int seed) {
        return Encoder.png(pixels(seed, 3 * SIDE * SIDE), SIDE, SIDE);
    }

    private static byte[] jpeg(int seed) {
        return Encoder.jpeg(pixels(seed, 3 * SIDE * SIDE), SIDE, SIDE, 90);
    }

    private static byte[] pixels(int seed, int length) {
        byte[] pixels = new byte[length];
        new Random(seed).nextBytes(pixels);
        return pixels;
    }

    private static byte[] idxImages() {
        return ByteBuffer.allocate(16 + 5 * 4 * IMAGES)
                .putInt(0x803)
                .putInt(IMAGES)
                .putInt(5)
                .putInt(4)
                .put(pixels(1, 5 * 4 * IMAGES))
                .array();
    }

    private static byte[] idxLabels() {
        return ByteBuffer.allocate(8 + IMAGES)
                .putInt(0x801)
                .putInt(IMAGES)
                .put(new byte[] {0, 1, 2, 3, 0, 1})
                .array();
    }

    private static byte[] cifar(int labels, int classes) {
        byte[] file = new byte[3 * (labels + 3072)];
        for (int i = 0; i < 3; i++) {
            file[i * (labels + 3072)] = (byte) (i % classes);
            System.arraycopy(pixels(i, 3072), 0, file, i * (labels + 3072) + labels, 3072);
        }
        return file;
    }
}
