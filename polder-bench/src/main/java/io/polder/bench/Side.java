package io.polder.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Who is measured, and the command that starts its worker.
 *
 * @param command to which network, batch and threads are appended
 */
record Side(String name, List<String> command) {
    /** This class path, on a Java like this one: with the options of tools/engine.sh, by which the launcher starts trainings. */
    static final Side POLDER = new Side(
            "Polder",
            java(
                    ManagementFactory.getRuntimeMXBean().getInputArguments(),
                    System.getProperty("java.class.path"),
                    StepWorker.class.getName()));

    private static final String FOR_SPEED = "channels-last";

    static Side pytorchForSpeed(Path peers, Path home) throws IOException {
        return pytorch("PyTorch channels-last", FOR_SPEED, peers, home).asInstalled(home);
    }

    /** Everybody there is. A worker that cannot do a network says so, and is left out of that case. */
    static List<Side> all(Path peers, Path home) throws IOException {
        List<Side> sides = new ArrayList<>(List.of(POLDER));
        if (peers == null) {
            return sides;
        }
        sides.add(pytorchForSpeed(peers, home));
        sides.add(pytorch("PyTorch channels-last, Polder's environment", FOR_SPEED, peers, home));
        sides.add(pytorch("PyTorch NCHW", "nchw", peers, home).asInstalled(home));
        sides.add(pytorch("SAM wrapper in PyTorch", "sam", peers, home).asInstalled(home));
        sides.add(new Side("JAX, jitted", List.of(python(peers), script("jax_steps.py", home))).asInstalled(home));
        Path djl = home.resolve("polder-bench/peers/djl/target");
        if (Files.exists(djl.resolve("classpath"))) {
            String classes = djl.resolve("classes") + ":" + Files.readString(djl.resolve("classpath"));
            sides.add(new Side("DJL", java(List.of(), classes, "DjlSteps")).asInstalled(home));
        }
        return sides;
    }

    /** In the environment of its users, without what tools/engine.sh sets for Polder. */
    private Side asInstalled(Path home) throws IOException {
        List<String> bare = new ArrayList<>(List.of("env"));
        Pattern.compile("^export (\\w+)=", Pattern.MULTILINE)
                .matcher(Files.readString(home.resolve("tools/engine.sh")))
                .results()
                .forEach(found -> bare.addAll(List.of("-u", found.group(1))));
        bare.addAll(command);
        return new Side(name, bare);
    }

    static String python(Path peers) {
        return peers.resolve("bin/python").toString();
    }

    static String script(String name, Path home) {
        return home.resolve("polder-bench/peers").resolve(name).toString();
    }

    private static Side pytorch(String name, String form, Path peers, Path home) {
        return new Side(name, List.of(python(peers), script("torch_steps.py", home), form));
    }

    private static List<String> java(List<String> options, String classPath, String main) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        return command;
    }

    Worker start(String model, int batch, int threads) throws IOException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of(model, Integer.toString(batch), Integer.toString(threads)));
        return new Worker(whole);
    }
}
