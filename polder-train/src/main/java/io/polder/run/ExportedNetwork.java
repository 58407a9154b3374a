package io.polder.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The {@code polder.json} inside a TorchScript file: what the program takes and gives, for whoever uses it without Polder.
 *
 * @param model the name of its architecture; null for a network that came as a TorchScript file
 * @param step so many steps had it been trained
 * @param classes by the numbers of the outputs
 * @param probabilities what makes probabilities of the outputs, which are logits
 */
record ExportedNetwork(String model, long step, Input input, List<String> classes, String probabilities) {
    /** Inside the archive, where {@code _extra_files} of {@code torch.jit.load} finds it. */
    static final String NAME = "polder.json";

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * A batch of images, (n, channels, height, width), with pixels between 0 and 1.
     *
     * @param normalized whether the program itself takes the mean and divides by the deviation; else it wants that done
     */
    record Input(int channels, int height, int width, float[] mean, float[] deviation, boolean normalized) {}

    static ExportedNetwork of(
            String model, long step, RunInfo.Images images, boolean severalLabels, boolean normalized) {
        var normalization = images.normalization();
        return new ExportedNetwork(
                model,
                step,
                new Input(
                        images.channels(),
                        images.height(),
                        images.width(),
                        normalization.mean(),
                        normalization.deviation(),
                        normalized),
                images.classNames(),
                severalLabels ? "sigmoid" : "softmax");
    }

    String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
