# Sourced by whatever starts Java on the engine: the environment and the options that its measurements call for.

# glibc hands large blocks back to the kernel as soon as they are free, and every step of training pays to get them again: let it
# keep them (32 MiB is the largest threshold it accepts). Worth 7 % on small networks, 13 % on larger ones.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-33554432}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-8589934592}"
export MALLOC_TOP_PAD_="${MALLOC_TOP_PAD_:-67108864}"

# Every thread but a process's first has an arena of its own, of heaps of 64 MiB, and Java's code runs on none but the others: what does
# not fit into such a heap comes from the kernel anew each time. With one arena for all it comes from what was freed. VGG16's largest
# gradient alone is 64 MiB, or 16,000 pages, in each pass.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"

# A thread of the engine that waits for the others spins 10,000 turns, then sleeps. The default of 300,000 gains nothing on idle cores (a
# step of the small network with two threads: 8.0 ms either way, 16.7 if it sleeps at once) and takes the cores from whatever else runs
# (the same step beside another training: 78 ms, against 460).
export GOMP_SPINCOUNT="${GOMP_SPINCOUNT:-10000}"

# MKL would leave processors unused that share a core with another, which the engine's other loops do not: all go by one number.
export MKL_DYNAMIC="${MKL_DYNAMIC:-FALSE}"

# On a processor with AMX this build of the engine ends the process at the first product in bf16 (an illegal instruction): let oneDNN
# take the next best, which float32 is computed with in any case.
export ONEDNN_MAX_CPU_ISA="${ONEDNN_MAX_CPU_ISA:-AVX512_CORE_FP16}"

# oneDNN compiles a kernel for each shape that it meets, and keeps 1,024. A step of PyramidNet-164 asks for 976, many of which hold another
# inside: nine in ten were not found when they were wanted again, and compiled anew in every step.
export ONEDNN_PRIMITIVE_CACHE_CAPACITY="${ONEDNN_PRIMITIVE_CACHE_CAPACITY:-8192}"

# What OpenCV has to say of a broken image, Polder says in a sentence.
export OPENCV_LOG_LEVEL="${OPENCV_LOG_LEVEL:-SILENT}"

# Java takes the names of files and its arguments by the locale's characters; in the locale C, or one that is not installed, those are ASCII,
# and any other name an error. C.UTF-8 is the same locale with all characters; where there is no such locale nothing changes.
case $(locale charmap 2>/dev/null || true) in
  ANSI_X3.4-1968 | US-ASCII | 646 | '') export LC_ALL=C.UTF-8 ;;
esac

# The serial collector: Java's own heap stays small, and a parallel one would take cores from training. The two limits of JavaCPP's
# compare native memory with the Java heap and would call the collector all the time. UTF-8 for α, ± and ×.
engine_options="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Djava.awt.headless=true
  -Dorg.bytedeco.javacpp.maxBytes=0 -Dorg.bytedeco.javacpp.maxPhysicalBytes=0
  -Dsun.stdout.encoding=UTF-8 -Dsun.stderr.encoding=UTF-8 -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8"
# From Java 22 on the engine's native libraries want leave to load, or a warning is printed.
[ "${version:-17}" -lt 22 ] || engine_options="$engine_options --enable-native-access=ALL-UNNAMED"
