import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.repository.zoo.Criteria;
import ai.djl.translate.NoopTranslator;
import java.nio.file.Path;

/** A TorchScript file in DJL, as its documentation has it: FILE CHANNELS SIDE prints the logits of two images, sin(i/7) for element i. */
public final class DjlForward {
    public static void main(String[] arguments) throws Exception {
        int channels = Integer.parseInt(arguments[1]);
        int side = Integer.parseInt(arguments[2]);
        var criteria = Criteria.builder()
                .setTypes(NDList.class, NDList.class)
                .optModelPath(Path.of(arguments[0]))
                .optEngine("PyTorch")
                .optTranslator(new NoopTranslator())
                .build();
        float[] pixels = new float[2 * channels * side * side];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (float) Math.sin(i / 7.0);
        }
        try (var model = criteria.loadModel();
                var predictor = model.newPredictor();
                var manager = model.getNDManager().newSubManager()) {
            NDArray images = manager.create(pixels, new Shape(2, channels, side, side));
            for (float logit : predictor.predict(new NDList(images)).head().toFloatArray()) {
                System.out.println(logit);
            }
        }
    }
}
