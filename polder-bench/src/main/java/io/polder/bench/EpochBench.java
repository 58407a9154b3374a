package io.polder.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A whole epoch as users run it. */
@Command(
        name = "epoch",
        sortOptions = false,
        description =
                "WRN-10-1 on CIFAR-10 as JPEG in class folders, AutoAugment and CutMix, batches of 128, evaluation included: ./polder train beside PyTorch with torchvision"
                        + " and a DataLoader of two workers. The second epoch counts, which is as all later ones are.")
final class EpochBench implements Callable<Integer> {
    @Mixin
    private Bench.Common common;

    @Option(
            names = "--data",
            required = true,
            paramLabel = "ZIP",
            description =
                    "A zip with train/CLASS/*.jpg and test/CLASS/*.jpg. For PyTorch it is unpacked below polder-bench/target.")
    private Path data;

    @Override
    public Integer call() throws IOException, InterruptedException {
        common.validate();
        String machine = Bench.machine(common.turns);
        System.out.println(machine);
        double[] polder = new double[common.turns];
        double[] pytorch = new double[common.turns];
        for (int turn = 0; turn < common.turns; turn++) {
            System.err.println("turn " + (turn + 1) + " of " + common.turns);
            polder[turn] = polder();
            if (common.peers != null) {
                pytorch[turn] = secondEpoch(List.of(
                        Side.python(common.peers),
                        Side.script("torch_epoch.py", Bench.home()),
                        unpacked().toString(),
                        "" + common.threads));
            }
        }
        var table = new Table("", "s an epoch", "by Polder's");
        table.add("./polder train", Interval.of(polder).text(2), "");
        if (common.peers != null) {
            Interval ratio = Interval.ofRatios(pytorch, polder);
            table.add(
                    "PyTorch, torchvision",
                    Interval.of(pytorch).text(2),
                    ratio.text(2) + ratio.doubt().map(", "::concat).orElse(""));
        }
        System.out.println(table);
        Bench.save(common.json, machine, List.of(Map.of("polder", polder, "pytorch", pytorch)));
        return 0;
    }

    private double polder() throws IOException, InterruptedException {
        Path run = Files.createTempDirectory("polder-bench");
        List<String> command =
                new ArrayList<>(List.of(Bench.home().resolve("polder").toString(), "train", "quick-cifar10"));
        for (String field : new String[] {
            "model.name=wrn-10-1",
            "data.name=image-folder",
            "data.augment.name=autoaugment-cifar",
            "data.mix=cutmix",
            "data.batch=128",
            "data.images=null",
            "epochs=2",
            "evaluateEvery=1"
        }) {
            command.addAll(List.of("-s", field));
        }
        command.addAll(List.of(
                "--data",
                data.toString(),
                "--threads",
                "" + common.threads,
                "--json",
                "--out",
                run.resolve("run").toString()));
        try {
            return secondEpoch(command);
        } finally {
            Program.delete(run);
        }
    }

    /** From the end of the first to the end of the second: both print a line of JSON for each, with the moment. */
    private static double secondEpoch(List<String> command) throws IOException, InterruptedException {
        List<Double> ends = new ArrayList<>();
        for (String line : Program.linesOf(command)) {
            JsonNode said = new ObjectMapper().readTree(line);
            if (said.path("kind").asText().equals("epoch")) {
                ends.add(said.path("time").asDouble());
            }
        }
        return ends.get(1) - ends.get(0);
    }

    private Path unpacked() throws IOException, InterruptedException {
        Path directory = Bench.home().resolve("polder-bench/target").resolve(data.getFileName() + ".unpacked");
        if (!Files.isDirectory(directory)) {
            Path part = directory.resolveSibling(directory.getFileName() + ".part");
            Program.linesOf(
                    List.of(Side.python(common.peers), "-m", "zipfile", "-e", data.toString(), part.toString()));
            Files.move(part, directory);
        }
        return directory;
    }
}
