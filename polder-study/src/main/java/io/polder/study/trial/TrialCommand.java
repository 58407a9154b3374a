package io.polder.study.trial;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a process for a trial is started: Java, its options, and the environment that the engine's measurements call for, as
 * {@code tools/engine.sh} has them for the command line.
 *
 * @param words the program and its arguments, to which those of the trial are added
 * @param environment besides what is inherited; what is set already stays as it is
 */
public record TrialCommand(List<String> words, Map<String, String> environment) implements Serializable {
    /** The reasons are in {@code tools/engine.sh}. */
    static final List<String> ENGINE_OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Djava.awt.headless=true",
            "-Dorg.bytedeco.javacpp.maxBytes=0",
            "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
            "-Dsun.stdout.encoding=UTF-8",
            "-Dsun.stderr.encoding=UTF-8",
            "-Dstdout.encoding=UTF-8",
            "-Dstderr.encoding=UTF-8");

    static final Map<String, String> ENGINE_ENVIRONMENT = Map.of(
            "MALLOC_MMAP_THRESHOLD_", "33554432",
            "MALLOC_TRIM_THRESHOLD_", "8589934592",
            "MALLOC_TOP_PAD_", "67108864",
            "GOMP_SPINCOUNT", "10000",
            "OPENCV_LOG_LEVEL", "SILENT");

    /** The system property that has Polder's version, for the record. */
    public static final String VERSION = "polder.version";

    /** From this Java on native libraries want leave to load, or a warning is printed. */
    private static final int ASKS_FOR_NATIVE_ACCESS = 22;

    public TrialCommand {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** With the Java and the class path of this process. */
    public static TrialCommand likeThisProcess() {
        return of(TrialMain.class, System.getProperty("java.class.path"));
    }

    /** With the Java of this process. */
    public static TrialCommand withClassPath(String classPath) {
        return of(TrialMain.class, classPath);
    }

    static TrialCommand of(Class<?> main, String classPath) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ENGINE_OPTIONS);
        if (Runtime.version().feature() >= ASKS_FOR_NATIVE_ACCESS) {
            words.add("--enable-native-access=ALL-UNNAMED");
        }
        words.add("-D" + VERSION + "=" + System.getProperty(VERSION, ""));
        words.addAll(List.of("-cp", classPath, main.getName()));
        return new TrialCommand(words, new LinkedHashMap<>(ENGINE_ENVIRONMENT));
    }
}
