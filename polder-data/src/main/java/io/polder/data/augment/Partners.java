package io.polder.data.augment;

import io.polder.data.Batch;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;

/**
 * Mixes each image of a batch with a partner, in place.
 *
 * <p>The partners are a random permutation of the batch, so everyone is a partner once. Going round its cycles, each image
 * is written only after the one before it has read it, but for the first of the cycle, which is kept: three images are
 * all the memory it takes, however large the batch.
 */
final class Partners {
    /** Changes an image by its partner, which it leaves alone. */
    @FunctionalInterface
    interface Blend {
        void mix(byte[] image, byte[] partner);
    }

    private static final class Sample {
        final byte[] image;
        final float[] target;

        Sample(Batch batch) {
            image = new byte[batch.shape().bytes()];
            target = new float[batch.classes()];
        }

        void load(ByteBuffer images, FloatBuffer targets, int position) {
            images.get(position * image.length, image);
            targets.get(position * target.length, target);
        }

        void store(ByteBuffer images, FloatBuffer targets, int position) {
            images.put(position * image.length, image);
            targets.put(position * target.length, target);
        }
    }

    /** For each thread one, kept: a batch makes no garbage to speak of. */
    private static final ThreadLocal<Partners> SCRATCH = new ThreadLocal<>();

    private static final int MIXED = -1;

    private final Sample current;
    private final Sample partner;
    private final Sample firstOfCycle;
    private int[] partners = new int[0];

    private Partners(Batch batch) {
        current = new Sample(batch);
        partner = new Sample(batch);
        firstOfCycle = new Sample(batch);
    }

    /** @param share what is left of an image's own target; the rest is its partner's */
    static void mix(Batch batch, double share, Blend images, SplittableRandom random) {
        Partners scratch = SCRATCH.get();
        if (scratch == null || !scratch.fits(batch)) {
            scratch = new Partners(batch);
            SCRATCH.set(scratch);
        }
        if (scratch.partners.length < batch.size()) {
            scratch.partners = new int[batch.size()];
        }
        permute(scratch.partners, batch.size(), random);
        scratch.mixAll(batch, share, images);
    }

    /** Fisher and Yates, from the inside out: every permutation is equally likely. */
    static void permute(int[] permutation, int size, SplittableRandom random) {
        for (int i = 0; i < size; i++) {
            int j = random.nextInt(i + 1);
            permutation[i] = permutation[j];
            permutation[j] = i;
        }
    }

    private boolean fits(Batch batch) {
        return current.image.length == batch.shape().bytes() && current.target.length == batch.classes();
    }

    private void mixAll(Batch batch, double share, Blend blend) {
        ByteBuffer images = batch.pixels();
        FloatBuffer targets = batch.targets();
        for (int first = 0; first < batch.size(); first++) {
            if (partners[first] != MIXED && partners[first] != first) {
                mixCycle(images, targets, first, share, blend);
            }
        }
    }

    private void mixCycle(ByteBuffer images, FloatBuffer targets, int first, double share, Blend blend) {
        firstOfCycle.load(images, targets, first);
        int position = first;
        do {
            int next = partners[position];
            partners[position] = MIXED;
            current.load(images, targets, position);
            if (next != first) {
                partner.load(images, targets, next);
            }
            Sample other = next == first ? firstOfCycle : partner;
            blend.mix(current.image, other.image);
            average(current.target, other.target, share);
            current.store(images, targets, position);
            position = next;
        } while (position != first);
    }

    private static void average(float[] target, float[] other, double share) {
        for (int c = 0; c < target.length; c++) {
            target[c] = (float) (share * target[c] + (1 - share) * other[c]);
        }
    }
}
