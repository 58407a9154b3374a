package io.polder.cli;

import io.polder.data.BadImagePolicy;
import io.polder.data.Dataset;
import io.polder.data.ImageSource;
import io.polder.data.KnownDataset;
import io.polder.data.OpenOptions;
import io.polder.data.load.Pipeline;
import io.polder.files.OutputDirectory;
import io.polder.recipe.DataRecipe;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder datasets check}: whether data is whole, what is in it, and what a network would see of it. */
@Command(
        name = "check",
        description = {
            "Opens a data set, verifies its checksum and counts, decodes every image, prints how many there are of each"
                    + " class, and writes contact-sheet.png: samples as the network sees them.",
            ""
        },
        mixinStandardHelpOptions = true)
final class DatasetsCheckCommand implements Callable<Integer> {
    private static final int MOST_LISTED = 20;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "A name that 'polder datasets' lists.")
    private String name;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "PATH",
            description = "Where the data is; by default where it is looked for.")
    private Path path;

    @Option(
            names = "--augment",
            paramLabel = "PIPELINE",
            description = "What is done to the images on the contact sheet; by default what is usual: basic, pad-crop"
                    + " for mnist, imagenet and photos for those of their names.")
    private String augment;

    @Option(
            names = "--side",
            paramLabel = "N",
            description = "The side images are resized to, where they differ in size.")
    private Integer side;

    @Option(names = "--seed", paramLabel = "N", description = "The seed of the augmentation; default ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--quick", description = "Do not decode every image.")
    private boolean quick;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where contact-sheet.png goes; default ${DEFAULT-VALUE}.")
    private Path out = Path.of("polder-datasets");

    private boolean faulty;

    @Override
    public Integer call() throws IOException {
        PrintWriter screen = spec.commandLine().getOut();
        DataRecipe recipe = Main.typed(spec, () -> DataRecipe.named(name, augment == null ? usual() : augment));
        KnownDataset known = recipe.dataset();
        try (var directory = OutputDirectory.prepare(out)) {
            checkSum(known, screen);
            // Broken images are to be counted, not to be stopped at.
            var options = OpenOptions.DEFAULT.withOnBadImage(BadImagePolicy.SKIP);
            try (Dataset dataset = known.open(Optional.ofNullable(path), options)) {
                Pipeline pipeline = pipeline(recipe, dataset);
                checkCounts(known, dataset, screen);
                if (!quick) {
                    checkImages(dataset, pipeline, screen);
                }
                screen.flush();
                Path sheet = out.resolve("contact-sheet.png");
                Files.write(sheet, new ContactSheet(dataset, pipeline, new RandomStreams(seed)).png());
                directory.keep();
                screen.println();
                screen.println("Contact sheet: " + sheet);
            }
        }
        screen.flush();
        return faulty ? Main.FAILED : 0;
    }

    /** Told at once: what comes after may fail because of it. */
    private void fault(String sentence) {
        spec.commandLine().getErr().println("polder: " + sentence);
        faulty = true;
    }

    private String usual() {
        return switch (name) {
            case "mnist" -> "pad-crop"; // a mirrored digit is another one
            case "imagenet" -> "imagenet";
            case "photos" -> "photos";
            default -> "basic";
        };
    }

    private Pipeline pipeline(DataRecipe recipe, Dataset dataset) {
        OptionalInt resized = side == null ? OptionalInt.empty() : OptionalInt.of(side);
        return Main.typed(spec, () -> recipe.augment().pipeline(dataset.natural(), resized));
    }

    private void checkSum(KnownDataset known, PrintWriter screen) throws IOException {
        Optional<Path> file = path != null
                ? Optional.of(path)
                : known.places().stream().filter(Files::exists).findFirst();
        if (known.md5().isEmpty() || file.isEmpty() || !Files.isRegularFile(file.get())) {
            return;
        }
        String published = known.md5().values().iterator().next();
        String found = md5(file.get());
        if (found.equals(published)) {
            screen.println("MD5 " + found + ", as published");
        } else {
            fault("%s has MD5 %s where %s was published: it is another file or damaged, fetch it again"
                    .formatted(file.get(), found, published));
        }
    }

    private void checkCounts(KnownDataset known, Dataset dataset, PrintWriter screen) {
        int[] train = perClass(dataset.train());
        int[] test = perClass(dataset.test());
        int wide = Math.max(
                5, dataset.classNames().stream().mapToInt(String::length).max().orElse(0));
        String row = "%-" + wide + "s %10s %10s%n";
        screen.printf(row, "Class", "Training", "Test");
        for (int label = 0; label < train.length; label++) {
            screen.printf(row, dataset.classNames().get(label), number(train[label]), number(test[label]));
        }
        screen.printf(
                row,
                "All",
                number(dataset.train().size()),
                number(dataset.test().size()));
        compare("training", dataset.train().size(), known.training());
        compare("test", dataset.test().size(), known.test());
    }

    private void compare(String what, int found, int official) {
        if (official > 0 && found != official) {
            fault("%s has %s %s images where the official set has %s: it is a part of it or another one"
                    .formatted(name, number(found), what, number(official)));
        }
    }

    /** On every core: it is what takes long. */
    private void checkImages(Dataset dataset, Pipeline pipeline, PrintWriter screen) throws IOException {
        for (ImageSource pictures : List.of(dataset.train(), dataset.test())) {
            var images = pictures.framed(pipeline.evaluation());
            ThreadLocal<byte[]> buffer =
                    ThreadLocal.withInitial(() -> new byte[images.shape().bytes()]);
            try {
                IntStream.range(0, images.size()).parallel().forEach(index -> {
                    try {
                        images.read(index, buffer.get());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        int bad = dataset.badImages().size();
        if (bad == 0) {
            screen.println("Every image can be decoded.");
            return;
        }
        fault("%s images cannot be decoded: mend or remove them, or say data.onBadImage: skip".formatted(number(bad)));
        dataset.badImages().stream().limit(MOST_LISTED).forEach(file -> screen.println("cannot be decoded: " + file));
        if (bad > MOST_LISTED) {
            screen.println("... and " + number(bad - MOST_LISTED) + " more");
        }
    }

    private static int[] perClass(ImageSource pictures) {
        int[] images = new int[pictures.classes()];
        for (int index = 0; index < pictures.size(); index++) {
            for (int label : pictures.labels(index)) {
                images[label]++;
            }
        }
        return images;
    }

    private static String number(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String md5(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
        try (InputStream stream = new DigestInputStream(Files.newInputStream(file), digest)) {
            stream.transferTo(java.io.OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
