package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.data.BadImagePolicy;
import io.polder.data.Dataset;
import io.polder.data.Framing;
import io.polder.data.ImageSource;
import io.polder.data.OpenOptions;
import io.polder.data.SplitChoice;
import io.polder.data.augment.Mixup;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.image.Encoder;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabelledFolderTest {
    private static final int SIDE = 8;
    private static final String COLUMNS = """
            file,split,sun,sea
            c.png,train,1,1
            a.png,train,0,0
            b/deep.png,train,1,0
            d.png,train,0,1
            t.png,test,0,1
            """;

    @TempDir
    private Path directory;

    private final Map<String, byte[]> files = new TreeMap<>();

    @BeforeEach
    void pictures() {
        int level = 0;
        for (String name : List.of("a", "b/deep", "c", "d", "t")) {
            files.put(name + ".png", picture(level += 20));
        }
        labels(COLUMNS);
    }

    @Test
    void aColumnForEachLabelSaysWhatAnImageHas() throws IOException {
        try (Dataset set = open(written())) {
            assertThat(set.hasSeveralLabels()).isTrue();
            assertThat(set.classNames()).containsExactly("sun", "sea");
            assertThat(labels(set.train())).isEqualTo("a [] b [0] c [0, 1] d [1]".replaceAll("[a-d] ", ""));
            assertThat(labels(set.test())).isEqualTo("[1]");
            assertThat(read(set.train(), 2)).isEqualTo((byte) 60); // c.png, by the order of names
        }
    }

    @Test
    void aListOfLabelsSaysTheSame() throws IOException {
        String expected = contents();
        labels("""
                file,labels,split
                a.png,,train
                b/deep.png,sun,train
                c.png,sun sea,train
                d.png,sea,train
                t.png,sea,test
                """);
        try (Dataset set = open(written())) {
            assertThat(set.classNames()).containsExactly("sea", "sun"); // by their names
            assertThat(labels(set.train())).isEqualTo("[] [1] [0, 1] [0]");
        }
        labels(COLUMNS.replace("sun,sea", "sun,Sea at dusk"));
        String renamed = contents();
        assertThat(renamed).isNotEqualTo(expected);
    }

    @Test
    void oneSemicolonMakesSpacesPartsOfNames() throws IOException {
        labels("""
                file,labels,split
                a.png,low sun,train
                c.png,low sun; sea,train
                t.png,sea,test
                """);
        try (Dataset set = open(written())) {
            assertThat(set.classNames()).containsExactly("low sun", "sea");
            assertThat(labels(set.train())).isEqualTo("[0] [0, 1]");
        }
    }

    @Test
    void directoriesForTrainAndTestNeedNoColumn() throws IOException {
        files.clear();
        files.put("train/a.png", picture(1));
        files.put("train/unnamed.png", picture(2));
        files.put("val/a.png", picture(3));
        files.put("train/labels.csv", text("file,sun\na.png,1\n"));
        files.put("val/labels.csv", text("sun,file\n1,a.png\n"));
        try (Dataset set = open(written())) {
            assertThat(set.train().size()).isEqualTo(1);
            assertThat(read(set.test(), 0)).isEqualTo((byte) 3);
        }
    }

    @Test
    void aZipGivesTheSameAsTheDirectoryAlsoWithADirectoryAtItsTop() throws IOException {
        String expected = contents();
        for (String top : List.of("", "top/")) {
            try (Dataset set = open(zipped(top))) {
                assertThat(set.contents()).isEqualTo(expected);
                assertThat(labels(set.train())).isEqualTo("[] [0] [0, 1] [1]");
            }
        }
    }

    @Test
    void contentsChangeWithALabelAndNotWithTheOrderOfLines() throws IOException {
        String before = contents();
        List<String> lines = COLUMNS.lines().toList();
        labels(String.join("\r\n", lines.get(0), lines.get(5), lines.get(4), lines.get(1), lines.get(3), lines.get(2)));
        assertThat(contents()).isEqualTo(before);
        labels(COLUMNS.replace("a.png,train,0,0", "a.png,train,0,1"));
        assertThat(contents()).isNotEqualTo(before);
    }

    @Test
    void batchesHaveAOneForEachLabelAndMixLinearly() throws IOException {
        try (Dataset set = open(written())) {
            var streams = new RandomStreams(1);
            try (var loader = new Loader(set.train(), LoaderOptions.evaluation(4), streams);
                    var epoch = loader.epoch(0)) {
                assertThat(row(epoch.iterator().next().targets())).containsExactly(0, 0, 1, 0, 1, 1, 0, 1);
            }
            var mixing = LoaderOptions.evaluation(4).withMixing(new Mixup(1.0));
            try (var loader = new Loader(set.train(), mixing, streams);
                    var epoch = loader.epoch(0)) {
                float[] mixed = row(epoch.iterator().next().targets());
                double sun = mixed[0] + mixed[2] + mixed[4] + mixed[6];
                assertThat(sun).isCloseTo(2, org.assertj.core.api.Assertions.within(1e-6)); // each is a partner once
                assertThat(mixed).isNotEqualTo(new float[] {0, 0, 1, 0, 1, 1, 0, 1});
            }
        }
    }

    @Test
    void aSplitKeepsRareLabelsAndThoseWithoutAnyInProportion() throws IOException {
        var csv = new StringBuilder("file,split,common,rare\n");
        files.clear();
        for (int i = 0; i < 40; i++) {
            files.put("p%02d.png".formatted(i), picture(i));
            csv.append("p%02d.png,%s,%d,%d\n"
                    .formatted(i, i < 36 ? "train" : "test", i % 3 == 0 ? 0 : 1, i % 9 == 1 ? 1 : 0));
        }
        labels(csv.toString());
        try (Dataset set = open(written())) {
            Framing framing = Framing.asIs(SIDE, SIDE);
            var split = set.splits(framing, framing, SplitChoice.validation(9), new RandomStreams(5));
            assertThat(having(split.evaluation(), 1)).isEqualTo(1); // of 4, all of which are common too
            assertThat(having(split.train(), 1)).isEqualTo(3);
            assertThat(IntStream.range(0, 9)
                            .filter(i -> split.evaluation().labels(i).length == 0)
                            .count())
                    .isEqualTo(3); // of 12
        }
    }

    @Test
    void aBrokenImageIsReplacedByOneWithTheSameLabels() throws IOException {
        labels(COLUMNS.replace("a.png,train,0,0", "a.png,train,1,1"));
        files.put("c.png", text("no image"));
        var options = OpenOptions.DEFAULT.withCache(directory.resolve("cache")).withOnBadImage(BadImagePolicy.SKIP);
        Path path = written();
        try (Dataset set = Datasets.named("labelled-folder").open(path, options)) {
            assertThat(read(set.train(), 2)).isEqualTo((byte) 20);
            assertThat(set.badImages()).containsExactly("c.png");
        }
        labels(COLUMNS);
        try (Dataset set = Datasets.named("labelled-folder").open(written(), options)) {
            assertThatThrownBy(() -> read(set.train(), 2))
                    .hasMessage(path.resolve("labels.csv")
                            + " (train) has no image of class sun and sea that can be read: put some there");
        }
    }

    @Test
    void packedImagesOfBothSplitsAreTheSameAsThoseOfTheFolder() throws IOException {
        var options = OpenOptions.DEFAULT.withCache(directory.resolve("cache")).withPackedSide(SIDE);
        for (int time = 0; time < 2; time++) {
            try (Dataset set = Datasets.named("labelled-folder").open(written(), options)) {
                assertThat(read(set.train(), 0)).isEqualTo((byte) 20);
                assertThat(read(set.test(), 0)).isEqualTo((byte) 100);
                assertThat(labels(set.train())).isEqualTo("[] [0] [0, 1] [1]");
                assertThat(directory.resolve("cache/packed")).isDirectoryContaining("glob:**.pack");
            }
        }
        try (var packs = Files.list(directory.resolve("cache/packed"))) {
            assertThat(packs).hasSize(2);
        }
    }

    @Test
    void everyMistakeIsASentenceWithFileAndLine() throws IOException {
        String at = "labels.csv, line ";
        assertRefused("", "labels.csv is empty: it must have a first line with the names of its columns");
        assertRefused("file,split,sun\n", "labels.csv has no images: give each a line");
        assertRefused("name,split,sun\n", at + "1, has no column file: name the column of the images so");
        assertRefused("file,sun\na.png,1\n", at + "1, has no column split: ");
        assertRefused("file,split\n", at + "1, has no labels: ");
        assertRefused("file,split,sun,sun\n", at + "1, has two columns sun: ");
        assertRefused("file,split,\n", at + "1, has a column without a name: ");
        assertRefused("file,split,labels,sun\n", at + "1, has other columns beside labels: ");
        assertRefused(COLUMNS + "a.png,test,1,1\n", at + "7, has a.png again, after line 3: remove one of the two");
        assertRefused(COLUMNS + "e.png,test,1,1\n", at + "7, has e.png, and there is no such file: ");
        assertRefused(COLUMNS + "../a.png,test,1,1\n", at + "7, has the file '../a.png': it must be a name below");
        assertRefused(COLUMNS + "/a.png,test,1,1\n", at + "7, has the file '/a.png': ");
        assertRefused(COLUMNS + "\"a\0.png\",test,1,1\n", at + "7, has the file 'a?.png': ");
        assertRefused(COLUMNS + ",test,1,1\n", at + "7, has the file '': ");
        assertRefused(COLUMNS + "e.png,test,1\n", at + "7, has 3 cells where the first line has 4: ");
        assertRefused(COLUMNS.replace("test", "tst"), at + "6, has the split 'tst': it must be train or test");
        assertRefused(COLUMNS.replace("test", "train"), "labels.csv has no line whose split is test: ");
        assertRefused(
                COLUMNS.replace("sea", "width").replace("train,0,1", "train,0,640"),
                at + "5, has '640' for width: it must be 0 or 1, or the column is no label and must be removed");
        assertRefused(
                COLUMNS.replaceAll("train,.,", "train,0,"),
                "labels.csv (train) has no image to train on with the label sun: ");
        assertRefused(COLUMNS.replace("test,0,1", "test,0,0"), "labels.csv (test) has no image with a label: ");
        assertRefused("file,split,labels\na.png,train,\nc.png,test,\n", "labels.csv (train) has no image with a label");
        assertRefused("file,split,labels\na.png,train,x y x\nc.png,test,x\n", at + "2, has a label twice: ");
        assertRefused(
                "file,split,labels\na.png,train,sun\nc.png,test,snu\n",
                at + "3, has the label 'snu', which no image to train on has: correct or remove it");
        assertRefused(
                COLUMNS.replace("sun,", "\"s\nun\","),
                "labels.csv (train) has the label 's?un': it must have at most 200");
        files.put("labels.csv", new byte[] {'f', (byte) 0xFF});
        assertThatThrownBy(() -> open(written())).hasMessageContaining(at + "1, is not UTF-8");
        files.remove("labels.csv");
        assertThatThrownBy(() -> open(written())).hasMessageContaining(" has no labels.csv, nor one in train: ");
        files.put("train/labels.csv", text("file,sun\nx.png,1\n"));
        assertThatThrownBy(() -> open(written())).hasMessageContaining(" has no test or val with a labels.csv beside");
        files.put("train/x.png", picture(1));
        files.put("test/x.png", picture(1));
        files.put("test/labels.csv", text("file,moon\nx.png,1\n"));
        assertThatThrownBy(() -> open(written()))
                .hasMessageContaining("test/labels.csv has the columns [moon] where ")
                .hasMessageEndingWith("train/labels.csv has [sun]: both must have the same in the same order");
        files.put("test/labels.csv", text("file,split,sun\nx.png,test,1\n"));
        assertThatThrownBy(() -> open(written())).hasMessageContaining("line 1, has a column split, and the directory");
    }

    private void assertRefused(String csv, String sentence) throws IOException {
        labels(csv);
        Path path = written();
        assertThatThrownBy(() -> open(path))
                .as(csv)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(path + "/" + sentence)
                .message()
                .doesNotContain("\n");
    }

    private void labels(String csv) {
        files.put("labels.csv", text(csv));
    }

    private String contents() throws IOException {
        try (Dataset set = open(written())) {
            return set.contents();
        }
    }

    private Dataset open(Path path) throws IOException {
        return Datasets.named("labelled-folder").open(path, OpenOptions.DEFAULT.withCache(directory.resolve("cache")));
    }

    private Path written() throws IOException {
        Path root = directory.resolve("set");
        if (Files.exists(root)) {
            try (var old = Files.walk(root)) {
                for (Path path : old.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        for (var file : files.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        return root;
    }

    private Path zipped(String top) throws IOException {
        Path zip = directory.resolve("set.zip");
        try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (var file : files.entrySet()) {
                out.putNextEntry(new ZipEntry(top + file.getKey()));
                out.write(file.getValue());
                out.closeEntry();
            }
        }
        return zip;
    }

    private static long having(ImageSource images, int label) {
        return IntStream.range(0, images.size())
                .filter(i -> Arrays.stream(images.labels(i)).anyMatch(each -> each == label))
                .count();
    }

    private static String labels(ImageSource images) {
        return String.join(
                " ",
                IntStream.range(0, images.size())
                        .mapToObj(i -> Arrays.toString(images.labels(i)))
                        .toList());
    }

    private static byte read(ImageSource images, int index) throws IOException {
        byte[] pixels = new byte[3 * SIDE * SIDE];
        images.framed(Framing.asIs(SIDE, SIDE)).read(index, pixels);
        return pixels[0];
    }

    private static float[] row(FloatBuffer targets) {
        float[] row = new float[targets.remaining()];
        targets.get(row);
        return row;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] picture(int level) {
        byte[] pixels = new byte[3 * SIDE * SIDE];
        Arrays.fill(pixels, (byte) level);
        return Encoder.png(pixels, SIDE, SIDE);
    }
}
