package io.polder.bench;

import io.polder.tensor.RandomStreams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** A batch of noise, its classes in turns: what a step costs does not depend on what the images show. */
record NoiseBatch(ByteBuffer pixels, FloatBuffer targets) {
    static NoiseBatch of(int images, int bytesOfAnImage, int classes, RandomStreams streams) {
        var random = streams.random("pixels");
        ByteBuffer pixels = ByteBuffer.allocateDirect(images * bytesOfAnImage);
        while (pixels.hasRemaining()) {
            pixels.put((byte) random.nextInt(256));
        }
        var targets = ByteBuffer.allocateDirect(images * classes * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        for (int i = 0; i < images; i++) {
            targets.put(i * classes + i % classes, 1);
        }
        return new NoiseBatch(pixels, targets);
    }
}
