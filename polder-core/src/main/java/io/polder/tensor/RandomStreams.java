package io.polder.tensor;

import java.util.SplittableRandom;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.global.torch;

/**
 * Every random draw of a run, as a function of one seed, a name and counters.
 *
 * <p>A stream is named for what it decides ({@code "shuffle"}, {@code "augment"}, {@code "forward"}) and counted by what it
 * decides it for (epoch, sample, step, worker). Asking twice gives the same draws, so the order of asking, the number of
 * threads that ask, and a stop and resume in between change nothing; there is no state to save. The engine's global
 * generator is never used.
 *
 * @param seed the run's seed; every value is a good one
 */
public record RandomStreams(long seed) {
    /** Draws on the Java side: shuffling, augmentation. Cheap enough to make one for each image. */
    public SplittableRandom random(String name, long... counters) {
        return new SplittableRandom(seedOf(name, counters));
    }

    /** Draws on the engine's side, for what is made on the CPU whatever it is used on: initial weights. The caller's scope frees it. */
    public Generator generator(String name, long... counters) {
        return generator(Device.CPU, name, counters);
    }

    /** Draws on the device that uses them, as masks are; other kinds of devices draw other numbers. The caller's scope frees it. */
    public Generator generator(Device device, String name, long... counters) {
        // A copy of the device's own, which stays as it is: there is no other way to make one for any kind of device.
        Generator generator =
                torch.globalContext().defaultGenerator(device.toEngine()).clone();
        generator.set_current_seed(seedOf(name, counters));
        return generator;
    }

    /** The 64 bits a stream starts from: FNV-1a over the name, then each counter mixed in. */
    public long seedOf(String name, long... counters) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        hash = mix(hash ^ mix(seed));
        for (long counter : counters) {
            hash = mix(hash + 0x9e3779b97f4a7c15L + counter);
        }
        return hash;
    }

    /** The finaliser of SplitMix64: a bijection in which every input bit reaches every output bit. */
    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
