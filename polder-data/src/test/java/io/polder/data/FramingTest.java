package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.polder.image.Area;
import io.polder.image.Frame;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FramingTest {
    private static final int DRAWS = 20_000;

    /** torchvision: Resize(256) of 375 x 500 is 256 x 341, CenterCrop(224) of that begins at (16, 58). */
    @Test
    void centredIsTorchvisionsResizeAndCentreCrop() {
        Frame frame = Framing.centred(256, 224).frame(375, 500, new SplittableRandom(0));
        assertThat(frame).isEqualTo(new Frame(Area.of(375, 500), 256, 341, new Area(16, 58, 224, 224), false));
        assertThat(Framing.centred(32, 32).frame(64, 64, null).window()).isEqualTo(Area.of(32, 32));
    }

    @Test
    void asIsTakesOneSizeOnly() {
        Framing framing = Framing.asIs(32, 24);
        assertThat(framing.frame(32, 24, null)).isEqualTo(Frame.of(Area.of(32, 24), 32, 24, false));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> framing.frame(24, 32, null))
                .withMessageStartingWith("is 24 x 32 pixels where 32 x 24 are wanted");
    }

    /**
     * Of a square image every draw of the ratios 3/4 to 4/3 fits up to an area of 3/4, so below that the area is uniform:
     * a share of (x - 0.08) / 0.92 of all first draws. Few draws are drawn again, so the mean is near that of the uniform.
     */
    @Test
    void randomCropsHaveTheAreasAndRatiosTheyShould() {
        Framing framing = Framing.randomResizedCrop(224, true);
        var random = new SplittableRandom(1);
        int flips = 0;
        int small = 0;
        double logRatio = 0;
        for (int i = 0; i < DRAWS; i++) {
            Frame frame = framing.frame(1000, 1000, random);
            Area crop = frame.crop();
            double area = crop.height() * crop.width() / 1e6;
            double ratio = (double) crop.width() / crop.height();
            assertThat(area).isBetween(0.079, 1.0);
            assertThat(ratio).isBetween(0.745, 1.342);
            assertThat(crop.top() + crop.height()).isLessThanOrEqualTo(1000);
            assertThat(crop.left() + crop.width()).isLessThanOrEqualTo(1000);
            flips += frame.mirrored() ? 1 : 0;
            small += area < 0.54 ? 1 : 0;
            logRatio += Math.log(ratio);
        }
        // Half of the first draws are below 0.54; those drawn again raise the share, by less than a fifth.
        assertThat(small / (double) DRAWS).isBetween(0.5, 0.6);
        // Five deviations of a fair coin, and of a mean of logs uniform in ±log(4/3).
        assertThat(flips / (double) DRAWS).isCloseTo(0.5, within(5 * 0.5 / Math.sqrt(DRAWS)));
        assertThat(logRatio / DRAWS).isCloseTo(0, within(5 * 0.17 / Math.sqrt(DRAWS)));
    }

    @Test
    void cropsAreEverywhereEquallyOften() {
        // Always half the side: 11 places in each direction.
        Framing framing = new RandomResizedCrop(4, 0.25, 0.25, 1, 1, false);
        int[][] times = new int[11][11];
        var random = new SplittableRandom(2);
        int draws = 121 * 200;
        for (int i = 0; i < draws; i++) {
            Area crop = framing.frame(20, 20, random).crop();
            assertThat(crop.height()).isEqualTo(10);
            times[crop.top()][crop.left()]++;
        }
        for (int[] row : times) {
            for (int count : row) {
                assertThat(count).isBetween(200 - 75, 200 + 75); // five deviations
            }
        }
    }

    /** torchvision's fallback: the middle, as large as the ratios allow. */
    @Test
    void whatNeverFitsIsTheMiddle() {
        Framing framing = Framing.randomResizedCrop(8, false);
        assertThat(framing.frame(2, 1000, new SplittableRandom(3)).crop().height())
                .isBetween(1, 2);
        Framing whole = new RandomResizedCrop(8, 1, 1, 3.0 / 4, 4.0 / 3, false);
        assertThat(whole.frame(30, 100, new SplittableRandom(3)).crop()).isEqualTo(new Area(0, 30, 30, 40));
        assertThat(whole.frame(100, 30, new SplittableRandom(3)).crop()).isEqualTo(new Area(30, 0, 40, 30));
    }

    @Test
    void anySizeGivesAFrameOfTheRightSize() {
        var random = new SplittableRandom(4);
        Framing[] framings = {
            Framing.centred(40, 32), Framing.stretched(7, 9), Framing.randomResizedCrop(24, true), Framing.centred(5, 5)
        };
        for (int i = 0; i < 5000; i++) {
            int height = 1 + random.nextInt(i % 2 == 0 ? 5 : 3000);
            int width = 1 + random.nextInt(i % 3 == 0 ? 5 : 3000);
            for (Framing framing : framings) {
                Frame frame = framing.frame(height, width, random);
                assertThat(frame.window().height()).isEqualTo(framing.height());
                assertThat(frame.window().width()).isEqualTo(framing.width());
                assertThat(frame.crop().top() + frame.crop().height()).isLessThanOrEqualTo(height);
                assertThat(frame.crop().left() + frame.crop().width()).isLessThanOrEqualTo(width);
            }
        }
    }

    @Test
    void imagesOfOneSizeCanBeFramedOrServedAsTheyAre() throws IOException {
        var images = new ImagesInMemory(new ImageShape(1, 2, 2), 1, new byte[] {16, 32, 48, 64}, new int[] {0});
        assertThat(images.framed(Framing.asIs(2, 2))).isSameAs(images);
        ImageSource one = images.framed(Framing.stretched(1, 1));
        assertThat(one.shape()).isEqualTo(new ImageShape(1, 1, 1));
        byte[] pixel = new byte[1];
        one.read(0, pixel);
        assertThat(pixel).containsExactly(40);
        byte[] large = new byte[16];
        images.framed(Framing.stretched(4, 4)).read(0, large);
        // Linear interpolation between the centres, as OpenCV and Pillow place them.
        assertThat(large).containsExactly(16, 20, 28, 32, 24, 28, 36, 40, 40, 44, 52, 56, 48, 52, 60, 64);
    }

    @Test
    void whatIsFramedCanBeFramedAgain() throws IOException {
        byte[] pixels = new byte[8 * 8];
        new SplittableRandom(5).nextBytes(pixels);
        var images = new ImagesInMemory(new ImageShape(1, 8, 8), 1, pixels, new int[] {0});
        ImageSource half = images.framed(Framing.stretched(4, 6));
        byte[] between = new byte[4 * 6];
        half.read(0, between);
        byte[] expected = new byte[5 * 3];
        new ImagesInMemory(half.shape(), 1, between, new int[] {0})
                .framed(Framing.stretched(5, 3))
                .read(0, expected);
        byte[] found = new byte[5 * 3];
        half.framed(Framing.stretched(5, 3)).read(0, found);
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void wrongNumbersAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Framing.centred(200, 224))
                .withMessage("resize is 200: it must be at least the side that is kept, 224");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomResizedCrop(8, 0, 1, 1, 1, false))
                .withMessage("area is 0.0 to 1.0: it must be a range above 0 and at most 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RandomResizedCrop(8, 0.1, 1, Double.NaN, 1, false))
                .withMessageStartingWith("ratio is NaN to 1.0");
    }
}
