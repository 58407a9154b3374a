package io.polder.study.trial;

import io.polder.config.Plugins;
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
            "MALLOC_ARENA_MAX", "1",
            "GOMP_SPINCOUNT", "10000",
            "MKL_DYNAMIC", "FALSE",
            "ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16",
            "ONEDNN_PRIMITIVE_CACHE_CAPACITY", "8192",
            "OPENCV_LOG_LEVEL", "SILENT");

    /** The system property that has Polder's version, for the record. */
    public static final String VERSION = "polder.version";

    private static final String USER_OPTIONS = "POLDER_JAVA_OPTIONS";

    /** From this Java on native libraries want leave to load, or a warning is printed. */
    private static final int ASKS_FOR_NATIVE_ACCESS = 22;

    public TrialCommand {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** With the Java, the class path, the plug-ins and the user's options of this process. */
    public static TrialCommand likeThisProcess() {
        return of(TrialMain.class, Plugins.with(System.getProperty("java.class.path")), userOptions());
    }

    /** With the Java of this process. */
    public static TrialCommand withClassPath(String classPath, List<String> options) {
        return of(TrialMain.class, classPath, options);
    }

    /** What the user wants Java to be started with: the words of {@value #USER_OPTIONS}, as the launcher takes them. */
    public static List<String> userOptions() {
        String words = System.getenv().getOrDefault(USER_OPTIONS, "").strip();
        return words.isEmpty() ? List.of() : List.of(words.split("\\s+"));
    }

    /** Of another program of Polder's that computes. */
    public static TrialCommand of(Class<?> main, String classPath, List<String> options) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ENGINE_OPTIONS);
        if (Runtime.version().feature() >= ASKS_FOR_NATIVE_ACCESS) {
            words.add("--enable-native-access=ALL-UNNAMED");
        }
        words.add("-D" + VERSION + "=" + System.getProperty(VERSION, ""));
        words.addAll(options);
        words.addAll(List.of("-cp", classPath, main.getName()));
        return new TrialCommand(words, new LinkedHashMap<>(ENGINE_ENVIRONMENT));
    }
}
