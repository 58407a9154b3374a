package io.polder.tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;

/** Loads the native engine and holds what is global in it: the number of threads, the version, the devices it sees. */
public final class Engine {
    /** Whether MKL is used where it is there: {@code -Dpolder.mkl=false} for OpenBLAS all the same. */
    private static final String MKL = System.getProperty("polder.mkl", "true");

    private Engine() {}

    /**
     * Loads the native libraries if they are not loaded yet: about two seconds, five when they must first be unpacked into
     * the user's cache.
     */
    public static void load() {
        Loaded.ensure();
    }

    /**
     * How many threads one operation may use: the one place that tells all who compute. Convolutions and loops go by OpenMP's
     * number, products of matrices by that of MKL, or of OpenBLAS, which keeps threads of its own. A BLAS that is neither goes
     * on with what it was started with.
     *
     * <p>The same number gives the same bits; another one sums in another order. It holds for the whole process, but for
     * threads that have computed already: set it before they start.
     */
    public static void setThreads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + ": it must be at least 1");
        }
        load();
        torch.set_num_threads(threads);
        Loaded.multiplyWith(threads);
    }

    public static int threads() {
        load();
        return torch.get_num_threads();
    }

    /** The engine's own version and what multiplies matrices, as far as both can change a result: {@code 2.10.0 with MKL}. */
    public static String version() {
        load();
        return ownVersion() + (Loaded.multipliesByMkl ? " with MKL" : "");
    }

    private static String ownVersion() {
        var matcher = Pattern.compile("TORCH_VERSION=([^,\\s]+)")
                .matcher(torch.show_config().getString());
        return matcher.find() ? matcher.group(1) : "unknown";
    }

    /** Where the native libraries are unpacked to, once: the user's {@code .javacpp/cache} unless Java is told otherwise. */
    public static Path libraries() throws IOException {
        return Loader.getCacheDir().toPath();
    }

    /** Gives back to the system what the allocator keeps for later: the process is then as large as what it uses. */
    public static void releaseFreeMemory() {
        load();
        Pointer.trimMemory();
    }

    /** How many CUDA devices the engine can use; 0 when it was not built for them. */
    static long cudaDevices() {
        load();
        return torch.cuda_is_available() ? torch.cuda_device_count() : 0;
    }

    /** Class initialisation is the lock: the first thread loads, the others wait. */
    private static final class Loaded {
        private static boolean multipliesByMkl;
        private static int multipliesWith;

        static {
            // JavaCPP's own limits count resident memory against the Java heap and call System.gc() over and over when
            // a
            // network needs more than that. Scopes free what is to be freed, so the limits are lifted unless the user
            // set them.
            for (String limit :
                    new String[] {"org.bytedeco.javacpp.maxBytes", "org.bytedeco.javacpp.maxPhysicalBytes"}) {
                if (System.getProperty(limit) == null) {
                    System.setProperty(limit, "0");
                }
            }
            loadOneProcessAtATime();
            forkOneAtATime();
            multiplyWith(torch.get_num_threads());
        }

        /**
         * The number of threads of products, which is one for the process. MKL loads its parts when it is first told; and each time JavaCPP looks
         * through all libraries for the function that tells it, in an order of the system's locks that makes the process hang if another thread
         * loads a library meanwhile. So it is told while the engine is loaded, then only of another number, and by one thread at a time.
         */
        private static synchronized void multiplyWith(int threads) {
            if (threads != multipliesWith) {
                openblas_nolapack.blas_set_num_threads(threads);
                multipliesWith = threads;
            }
        }

        /**
         * Processes that start side by side on a new machine would unpack over what another has loaded already, and crash it: they wait for each
         * other here. Where there can be no such file, they are on their own.
         */
        private static void loadOneProcessAtATime() {
            try (var file = FileChannel.open(
                            Loader.getCacheDir().toPath().resolve("polder.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
                    var lock = file.lock()) {
                multiplyByMkl();
                Loader.load(torch.class);
            } catch (IOException e) {
                multiplyByMkl();
                Loader.load(torch.class);
            }
        }

        /**
         * Where MKL is on the class path it multiplies matrices instead of OpenBLAS: its symbols are there for all before the engine looks
         * for those that it needs. It finds its other parts beside itself, and shares the engine's own threads. JavaCPP has a property for this
         * too ({@code org.bytedeco.openblas.load}), but that exchanges files in the cache which other processes may be loading.
         */
        private static void multiplyByMkl() {
            String folder = "/org/bytedeco/mkl/" + Loader.getPlatform() + "/libmkl_";
            if (Engine.class.getResource(folder + "rt.so.2") == null || !Boolean.parseBoolean(MKL)) {
                return;
            }
            try {
                for (String part : List.of("core", "intel_lp64", "gnu_thread", "def", "mc3", "avx2", "avx512")) {
                    Loader.cacheResource(folder + part + ".so.2");
                }
                Loader.load(Loader.class);
                Loader.loadGlobal(Loader.cacheResource(folder + "rt.so.2").getPath());
                multipliesByMkl = true;
            } catch (IOException e) {
                throw new UncheckedIOException("MKL could not be unpacked into JavaCPP's cache", e);
            }
        }

        /** Only what a TorchScript program forks runs beside it, by default on as many threads as there are processors. */
        private static void forkOneAtATime() {
            try {
                torch.set_num_interop_threads(1);
            } catch (RuntimeException e) {
                // It can be said once: a program that used libtorch before Polder has said it.
            }
        }

        static void ensure() {}
    }
}
