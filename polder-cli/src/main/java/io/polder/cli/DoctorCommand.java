package io.polder.cli;

import io.polder.data.KnownDataset;
import io.polder.data.OpenOptions;
import io.polder.data.source.Datasets;
import io.polder.files.Machine;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polder doctor}: what there is to compute with here, what makes it slow, and what to do. */
@Command(
        name = "doctor",
        description = {
            "Says what there is to compute with here: Java, the engine, processor, memory, disks, data; and what is slow here"
                    + " and what to do about it. Changes nothing.",
            ""
        },
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private static final double GIBIBYTE = 1 << 30;

    /** A small training with its images; less, and the system begins to swap. */
    private static final long LITTLE_MEMORY = 2L << 30;

    /** The engine unpacks half of it, and a few checkpoints of a large network take the rest. */
    private static final long LITTLE_DISK = 1L << 30;

    /** In the order of what they are worth to the engine. */
    private static final List<String> FEATURES =
            List.of("avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16");

    @Spec
    private CommandSpec spec;

    private final List<String> advice = new ArrayList<>();
    private boolean broken;

    @Override
    public Integer call() throws IOException {
        PrintWriter screen = spec.commandLine().getOut();
        line("Polder", Main.Version.number());
        line(
                "Java",
                Runtime.version().feature() + " (" + System.getProperty("java.vendor") + "), heap of "
                        + gibibytes(Runtime.getRuntime().maxMemory()) + " at most");
        engine();
        processor();
        memory();
        disks();
        data();
        screen.println();
        if (advice.isEmpty()) {
            screen.println("Nothing is wrong or slow here, as far as this can tell.");
        }
        advice.forEach(sentence -> screen.println("- " + sentence));
        screen.flush();
        return broken ? Main.FAILED : 0;
    }

    private void engine() {
        try {
            long begun = System.nanoTime();
            String version = Engine.version();
            line(
                    "Engine",
                    String.format(
                            Locale.ROOT, "libtorch %s, loaded in %.1f s", version, (System.nanoTime() - begun) * 1e-9));
            line("Native libraries", Engine.libraries() + " (unpacked once)");
            String device = Device.parse(Device.AUTO).toString();
            line("GPU", device.equals("cpu") ? "none that the engine sees" : device);
        } catch (LinkageError | IOException | RuntimeException e) {
            broken = true;
            line("Engine", "cannot be loaded");
            advice.add(Main.sentence(e));
        }
        if (System.getenv("MALLOC_TRIM_THRESHOLD_") == null) {
            advice.add(
                    "Java was not started by the launcher: bin/polder and ./polder set what the engine's speed depends on"
                            + " (tools/engine.sh), worth 7 to 13 % of a step.");
        }
    }

    private void processor() {
        var machine = new Machine();
        int cores = Runtime.getRuntime().availableProcessors();
        Set<String> flags = machine.processorFlags();
        String features = FEATURES.stream().filter(flags::contains).collect(Collectors.joining(" "));
        line("Processor", machine.processor() + (features.isEmpty() ? "" : ", " + features));
        line("Threads", cores + " by default, one for each core that Java may use");
        if (!flags.contains("avx2") && System.getProperty("os.arch").equals("amd64")) {
            advice.add("The processor has no AVX2: training takes several times as long as on one that has.");
        }
        CoreLoad load = CoreLoad.now();
        if (load.load() > 0) {
            line("Load", String.format(Locale.ROOT, "%.1f processes want a core, over the last minute", load.load()));
        }
        if (load.isHigh()) {
            advice.add(load.advice());
        }
    }

    private void memory() {
        OptionalLong free = new Machine().available();
        line(
                "Memory",
                free.isPresent() ? gibibytes(free.getAsLong()) + " can be had without swapping" : "not known here");
        if (free.isPresent() && free.getAsLong() < LITTLE_MEMORY) {
            advice.add(
                    "There is little memory: close other programs, or train with -s microBatch=auto, which takes what is there.");
        }
    }

    private void disks() throws IOException {
        disk("Runs", Path.of("runs").toAbsolutePath());
        disk("Cache", OpenOptions.DEFAULT.cache().toAbsolutePath());
    }

    private void disk(String what, Path path) throws IOException {
        Path there = path;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        long free = Files.getFileStore(there).getUsableSpace();
        line(what, path + ", " + gibibytes(free) + " free");
        if (!Files.isWritable(there)) {
            advice.add(there + " cannot be written to: give " + (what.equals("Runs") ? "--out" : "POLDER_CACHE")
                    + " another directory.");
        }
        if (free < LITTLE_DISK) {
            advice.add("There is little room at " + there + ": checkpoints may not fit.");
        }
    }

    private void data() {
        List<String> found = Datasets.all().stream()
                .filter(known -> !known.isBundled())
                .flatMap(known -> known.places().stream()
                        .filter(Files::exists)
                        .limit(1)
                        .map(place -> known.name() + " (" + place + ")"))
                .toList();
        String bundled = Datasets.all().stream()
                .filter(KnownDataset::isBundled)
                .map(KnownDataset::name)
                .findFirst()
                .orElseThrow();
        line("Data", Stream.concat(Stream.of(bundled), found.stream()).collect(Collectors.joining(", ")));
    }

    private void line(String name, String value) {
        spec.commandLine().getOut().printf("%-17s %s%n", name, value);
    }

    private static String gibibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / GIBIBYTE);
    }
}
