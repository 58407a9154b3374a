package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class ImagesTest {
    private static final float[] MEAN = {0.5f, 0.25f};
    private static final float[] DEVIATION = {0.5f, 0.125f};

    @Test
    void bytesBecomeNormalisedChannelsLastFloats() {
        // Two images of 1×3 pixels with two channels.
        ByteBuffer pixels = ByteBuffer.allocateDirect(12);
        pixels.put(new byte[] {0, 0, (byte) 255, (byte) 255, 51, 102, 1, 2, 3, 4, 5, (byte) 200});
        try (var scope = Scope.open()) {
            var images = Images.normalized(pixels, 2, 2, 1, 3, MEAN, DEVIATION, Device.CPU);
            assertThat(images.shape()).containsExactly(2, 2, 1, 3);
            assertThat(images.is_contiguous(torch.MemoryFormat.ChannelsLast)).isTrue();
            assertThat(at(images, 0, 0, 0)).isCloseTo(-1, within(1e-6));
            assertThat(at(images, 0, 1, 1)).isCloseTo(6, within(1e-5));
            assertThat(at(images, 0, 1, 2)).isCloseTo((102 / 255.0 - 0.25) / 0.125, within(1e-5));
            assertThat(at(images, 1, 1, 2)).isCloseTo((200 / 255.0 - 0.25) / 0.125, within(1e-5));
        }
        assertThat(pixels.get(2)).isEqualTo((byte) 255);
    }

    @Test
    void bufferThatIsTooSmallOrOnTheHeapIsRefusedBeforeTheEngineReadsIt() {
        assertThatThrownBy(
                        () -> Images.normalized(ByteBuffer.allocateDirect(11), 2, 2, 1, 3, MEAN, DEVIATION, Device.CPU))
                .hasMessage("a batch needs a direct buffer of 12 elements, this one has 11");
        assertThatThrownBy(() -> Images.normalized(ByteBuffer.allocate(12), 2, 2, 1, 3, MEAN, DEVIATION, Device.CPU))
                .hasMessageContaining("is not direct");
        var floats =
                ByteBuffer.allocateDirect(20).order(ByteOrder.nativeOrder()).asFloatBuffer();
        assertThatThrownBy(() -> Images.targets(floats, 2, 3, Device.CPU)).hasMessageContaining("6 elements");
    }

    @Test
    void devicesAreCheckedByName() {
        assertThat(Device.parse("cpu")).isEqualTo(Device.CPU);
        assertThat(Device.parse("auto")).hasToString(Engine.cudaDevices() == 0 ? "cpu" : "cuda:0");
        assertThat(Device.requireName("cuda:99")).isEqualTo("cuda:99"); // it may be there on another machine
        assertThatThrownBy(() -> Device.parse("gpu"))
                .hasMessage("device is \"gpu\": it must be auto, cpu, cuda or cuda:N");
        assertThatThrownBy(() -> Device.parse("cuda:99")).hasMessageContaining("is not there");
    }

    private static double at(org.bytedeco.pytorch.Tensor images, int image, int channel, int column) {
        return images.get(image).get(channel).get(0).get(column).item_double();
    }
}
