package io.polder.train;

import io.polder.data.Batch;
import io.polder.data.Normalization;
import io.polder.tensor.Device;
import io.polder.tensor.Images;
import org.bytedeco.pytorch.Tensor;

/** A batch of the loader as the network takes it. Belongs to the scope it was made in, and to the batch's life. */
record BatchTensors(Tensor images, Tensor targets) {
    static BatchTensors of(Batch batch, Normalization normalization, Device device) {
        var shape = batch.shape();
        Tensor images = Images.normalized(
                batch.pixels(),
                batch.size(),
                shape.channels(),
                shape.height(),
                shape.width(),
                normalization.mean(),
                normalization.deviation(),
                device);
        return new BatchTensors(images, Images.targets(batch.targets(), batch.size(), batch.classes(), device));
    }
}
