package io.polder.train;

import io.polder.data.Normalization;
import io.polder.data.load.Loader;
import io.polder.tensor.Device;
import io.polder.tensor.Images;
import java.util.Iterator;

/** The images of a loader, normalised, with the probabilities of their classes as targets. The loader stays the caller's to close. */
public record ImageBatches(Loader loader, Normalization normalization) implements Batches {
    @Override
    public int perEpoch() {
        return loader.batchesPerEpoch();
    }

    @Override
    public Epoch epoch(int epoch, int first) {
        var served = loader.epoch(epoch, first);
        Iterator<io.polder.data.Batch> images = served.iterator();
        return new Epoch() {
            private int next = first;

            @Override
            public boolean hasNext() {
                return images.hasNext();
            }

            @Override
            public Batch next() {
                int whole = loader.sizeOf(next++);
                return new Normalized(images.next(), whole, loader.share().first(whole), normalization);
            }

            @Override
            public void close() {
                served.close();
            }
        };
    }

    private record Normalized(io.polder.data.Batch images, int whole, int first, Normalization normalization)
            implements Batch {
        @Override
        public int size() {
            return images.size();
        }

        @Override
        public Examples on(Device device) {
            var shape = images.shape();
            return new Examples(
                    Images.normalized(
                            images.pixels(),
                            images.size(),
                            shape.channels(),
                            shape.height(),
                            shape.width(),
                            normalization.mean(),
                            normalization.deviation(),
                            device),
                    Images.targets(images.targets(), images.size(), images.classes(), device));
        }
    }
}
