package io.polder.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * A Spark standalone cluster of real processes on this machine, from the Maven artifacts alone: a master and some workers, at ports of
 * the system's choice. Closing it ends every process that it has led to.
 */
final class StandaloneCluster implements AutoCloseable {
    /** Processes of Java start slowly on a machine that has other things to do. */
    private static final long SECONDS_TO_START = 300;

    private static final Pattern MASTER = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final Pattern REGISTERED = Pattern.compile("Successfully registered with master");

    private static final Pattern NOT_SPARK = Pattern.compile(
            "/(polder-[^/]*|picocli[^/]*|snakeyaml[^/]*"
                    + "|junit[^/]*|assertj[^/]*|opentest4j[^/]*|byte-buddy[^/]*|hadoop-client-minicluster[^/]*)$|/org/bytedeco/");

    /** These processes do little: starting them is most of their work. */
    private static final List<String> QUICK_START =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private final Path home;
    private final List<Process> workers = new ArrayList<>();
    private final Set<ProcessHandle> all = new LinkedHashSet<>();
    private final int coresEach;
    private final String master;

    private StandaloneCluster(Path home, int workers, int coresEach) throws IOException, InterruptedException {
        this.home = home;
        this.coresEach = coresEach;
        boolean started = false;
        try {
            Path jars = Files.createDirectories(home.resolve("jars"));
            for (Path jar : sparkJars()) {
                Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
            }
            Files.createDirectories(home.resolve("conf"));
            start("master", "org.apache.spark.deploy.master.Master", List.of("--host", "127.0.0.1", "--port", "0"));
            master = await("master", MASTER).group(1);
            for (int i = 0; i < workers; i++) {
                beginWorker();
            }
            for (int i = 0; i < workers; i++) {
                await("worker-" + i, REGISTERED);
            }
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /** @param name of the directory in {@code target} where its logs are kept */
    static StandaloneCluster start(String name, int workers, int coresEach) throws IOException, InterruptedException {
        Path parent = Files.createDirectories(Path.of("target", "clusters").toAbsolutePath());
        return new StandaloneCluster(Files.createTempDirectory(parent, name + "-"), workers, coresEach);
    }

    /** Like {@code spark://127.0.0.1:40001}. */
    String master() {
        return master;
    }

    /** For a driver in this process; nodes find Polder's classes where this process has them. */
    SparkConf configuration() {
        return new SparkConf(false)
                .setMaster(master)
                .setAppName("test")
                .setJars(new String[0])
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.extraJavaOptions", String.join(" ", QUICK_START))
                .set("spark.executor.memory", "512m")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1");
    }

    /** The environment and the directory in which Spark's own commands find this Spark. */
    Path home() {
        return home;
    }

    private void beginWorker() throws IOException {
        String name = "worker-" + workers.size();
        String directory = home.resolve(name).toString();
        String cores = Integer.toString(coresEach);
        workers.add(start(
                name,
                "org.apache.spark.deploy.worker.Worker",
                List.of("--host", "127.0.0.1", "--cores", cores, "--memory", "1g", "--work-dir", directory, master)));
    }

    /** Kills a worker and all that runs on it, at once, as a power cut does. */
    void cutPower(int worker) {
        tree(worker).forEach(ProcessHandle::destroyForcibly);
    }

    /**
     * Cuts the power of a worker at a moment of one's choice: its processes stand still while it is looked at, and go on if this is not
     * yet the moment.
     *
     * @param isTheMoment is given the command lines of its processes
     * @return whether it was
     */
    boolean cutPowerIf(int worker, Moment isTheMoment) throws IOException, InterruptedException {
        List<ProcessHandle> tree = tree(worker);
        signal("STOP", tree);
        boolean isNow = false;
        try {
            isNow = isTheMoment.test(
                    tree.stream().flatMap(process -> words(process).stream()).collect(Collectors.joining(" ")));
        } finally {
            if (isNow) {
                tree.forEach(ProcessHandle::destroyForcibly);
            } else {
                signal("CONT", tree);
            }
        }
        return isNow;
    }

    /** Of a worker's processes. */
    interface Moment {
        boolean test(String commands) throws IOException;
    }

    private List<ProcessHandle> tree(int worker) {
        Process process = workers.get(worker);
        List<ProcessHandle> tree = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.addAll(tree);
        return tree;
    }

    /** One of them may have ended: that the command then fails is no matter. */
    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("kill", "-" + name));
        processes.forEach(process -> words.add(Long.toString(process.pid())));
        new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** The command line of a process. From the system: Java tells only of short ones. */
    static List<String> words(ProcessHandle process) {
        try {
            return List.of(Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .split("\0"));
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }

    /** The processes that a worker has led to. */
    List<ProcessHandle> descendants(int worker) {
        return workers.get(worker).descendants().toList();
    }

    /** A command of Spark's, to be run on this Spark. */
    ProcessBuilder command(String mainClass, List<String> arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
        words.addAll(QUICK_START);
        words.addAll(List.of("-Xmx512m", "-cp", home.resolve("conf") + File.pathSeparator + home.resolve("jars/*")));
        words.add(mainClass);
        words.addAll(arguments);
        var builder = new ProcessBuilder(words).directory(home.toFile()).redirectErrorStream(true);
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("SPARK_MASTER_WEBUI_PORT", "0");
        builder.environment().put("SPARK_WORKER_WEBUI_PORT", "0");
        return builder;
    }

    private Process start(String name, String mainClass, List<String> arguments) throws IOException {
        Process process =
                command(mainClass, arguments).redirectOutput(log(name).toFile()).start();
        all.add(process.toHandle());
        return process;
    }

    private Path log(String name) {
        return home.resolve(name + ".log");
    }

    private Matcher await(String name, Pattern line) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_START);
        while (System.nanoTime() < end) {
            Matcher matcher = line.matcher(Files.readString(log(name)));
            if (matcher.find()) {
                return matcher;
            }
            Thread.sleep(100);
        }
        throw new IOException(name + " of the Spark cluster did not start:\n" + Files.readString(log(name)));
    }

    @Override
    public void close() {
        workers.forEach(worker -> worker.descendants().forEach(all::add));
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        try {
            tidy();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves the logs: workers have copies of large jars. */
    private void tidy() throws IOException {
        List<Path> files;
        try (Stream<Path> each = Files.walk(home)) {
            files = each.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (Files.isDirectory(file) ? file.toFile().list().length == 0 : !name.matches(".*\\.log|stderr")) {
                Files.delete(file);
            }
        }
    }

    /** The class path of the tests without Polder and what it brings: about what a Spark distribution has in {@code jars}. */
    private static List<Path> sparkJars() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry ->
                        entry.endsWith(".jar") && !NOT_SPARK.matcher(entry).find())
                .map(Path::of)
                .toList();
    }
}
