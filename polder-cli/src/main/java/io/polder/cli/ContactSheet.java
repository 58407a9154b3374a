package io.polder.cli;

import io.polder.data.Dataset;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.load.Pipeline;
import io.polder.image.Area;
import io.polder.image.Sheet;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Samples of a data set as the network sees them, for people to look at: a row for each class; first two images as they are
 * evaluated, then training images after augmentation, of which the first two are the same two.
 */
final class ContactSheet {
    private static final int PLAIN = 2;
    private static final int AUGMENTED = 10;
    private static final int MOST_ROWS = 20;
    private static final int CELL = 64;
    private static final int GAP = 6;
    private static final int BREAK = 22;
    private static final int MARGIN = 28;
    private static final int CAPITAL = 9;
    private static final int SMALL = 8;
    private static final int PAPER = 0xfcfcfa;
    private static final int INK = 0x22252b;
    private static final int FAINT = 0x7a808c;
    private static final int RULE = 0xdadde3;

    private final Dataset dataset;
    private final Pipeline pipeline;
    private final RandomStreams streams;

    ContactSheet(Dataset dataset, Pipeline pipeline, RandomStreams streams) {
        this.dataset = dataset;
        this.pipeline = pipeline;
        this.streams = streams;
    }

    byte[] png() throws IOException {
        ImageSource plain = dataset.train().framed(pipeline.evaluation());
        ImageSource training = dataset.train().framed(pipeline.training());
        List<Integer> classes = shownClasses(plain);
        int cell = cell(pipeline.shape());
        int names = classes.stream()
                .mapToInt(label -> Sheet.textWidth(name(label), CAPITAL))
                .max()
                .orElse(0);
        int first = MARGIN + names + 18;
        int second = first + PLAIN * (cell + GAP) + BREAK;
        int width = second + AUGMENTED * (cell + GAP) - GAP + MARGIN;
        int top = MARGIN + 58;
        int height = top + classes.size() * (cell + GAP) - GAP + MARGIN;
        var canvas = new Sheet(height, width, PAPER);
        heading(canvas, first, second, width, training.size(), classes.size());
        for (int row = 0; row < classes.size(); row++) {
            int y = top + row * (cell + GAP);
            String name = name(classes.get(row));
            canvas.text(name, first - 18 - Sheet.textWidth(name, CAPITAL), y + (cell + CAPITAL) / 2, CAPITAL, INK);
            int[] images = imagesOf(plain, classes.get(row));
            for (int column = 0; column < Math.min(PLAIN, images.length); column++) {
                byte[] image = new byte[plain.shape().bytes()];
                plain.read(images[column], image);
                place(canvas, image, new Area(y, first + column * (cell + GAP), cell, cell));
            }
            for (int column = 0; column < Math.min(AUGMENTED, images.length); column++) {
                place(
                        canvas,
                        augmented(training, images[column]),
                        new Area(y, second + column * (cell + GAP), cell, cell));
            }
        }
        return canvas.png();
    }

    private void heading(Sheet canvas, int first, int second, int width, int images, int rows) {
        canvas.text(dataset.name() + ", " + pipeline.name(), MARGIN, MARGIN + 12, 12, INK);
        ImageShape shape = pipeline.shape();
        String facts = String.format(
                java.util.Locale.ROOT,
                "%,d training images, %d classes%s, %d x %d%s",
                images,
                dataset.classNames().size(),
                rows < dataset.classNames().size() ? " (" + rows + " shown)" : "",
                shape.height(),
                shape.width(),
                shape.channels() == 1 ? ", grey" : "");
        canvas.text(facts, width - MARGIN - Sheet.textWidth(facts, SMALL), MARGIN + 12, SMALL, FAINT);
        canvas.fill(new Area(MARGIN + 22, MARGIN, 1, width - 2 * MARGIN), RULE);
        canvas.text("evaluation", first, MARGIN + 46, SMALL, FAINT);
        canvas.text("training, augmented in epoch 0", second, MARGIN + 46, SMALL, FAINT);
    }

    /** The random choices are those a training with this seed makes in its first epoch. */
    private byte[] augmented(ImageSource training, int index) throws IOException {
        byte[] image = new byte[training.shape().bytes()];
        var random = streams.random("augment", 0, index);
        training.read(index, image, random);
        pipeline.augmentation().apply(image, training.shape(), random);
        return image;
    }

    private void place(Sheet canvas, byte[] image, Area area) {
        ImageShape shape = pipeline.shape();
        canvas.image(image, shape.height(), shape.width(), shape.channels(), area);
    }

    /** Small images are shown larger by a whole number, large ones smaller. */
    private static int cell(ImageShape shape) {
        int side = Math.max(shape.height(), shape.width());
        return side > CELL ? 2 * CELL : Math.max(1, CELL / side) * side;
    }

    private String name(int label) {
        String name = dataset.classNames().get(label).replace('_', ' ');
        return name.length() > 24 ? name.substring(0, 22) + ".." : name;
    }

    /** Those that have images; of many, some evenly spread. */
    private static List<Integer> shownClasses(ImageSource images) {
        int[] all = IntStream.range(0, images.size())
                .flatMap(i -> IntStream.of(images.labels(i)))
                .distinct()
                .sorted()
                .toArray();
        int rows = Math.min(MOST_ROWS, all.length);
        return IntStream.range(0, rows)
                .mapToObj(row -> all[(int) ((long) row * all.length / rows)])
                .toList();
    }

    private static int[] imagesOf(ImageSource images, int label) {
        return IntStream.range(0, images.size())
                .filter(i -> IntStream.of(images.labels(i)).anyMatch(each -> each == label))
                .limit(AUGMENTED)
                .toArray();
    }
}
