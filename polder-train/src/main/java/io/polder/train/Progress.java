package io.polder.train;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Where a run stands between two steps. With the weights and what the optimizer remembers this is all that a checkpoint needs:
 * random draws have no state, they are functions of the seed and of these counters.
 *
 * @param step so many steps are done
 * @param epoch so many epochs are done, evaluation included
 * @param batch so many batches of the next epoch are done; all of them when only its evaluation is missing
 * @param sums of the steps of that epoch
 * @param norms the gradient norms so far
 * @param learningRateScale what the plan's learning rate is multiplied by: 1, until a diverged run goes back and takes smaller steps
 * @param restarts how often the run went back
 * @param best the best evaluation so far; null before the first
 */
public record Progress(
        long step,
        int epoch,
        int batch,
        EpochSums sums,
        NormHistory norms,
        double learningRateScale,
        int restarts,
        Best best) {
    /**
     * @param epoch counts from 1
     * @param value of the figure that judges; {@code error} in checkpoints of before there were tasks
     */
    public record Best(int epoch, @JsonAlias("error") double value) {}

    public Progress {
        Objects.requireNonNull(sums, "sums");
        Objects.requireNonNull(norms, "norms");
        if (step < 0 || epoch < 0 || batch < 0 || restarts < 0) {
            throw new IllegalArgumentException("step is " + step + ", epoch " + epoch + ", batch " + batch
                    + " and restarts " + restarts + ": they must be at least 0");
        }
    }

    public static final Progress START = new Progress(0, 0, 0, EpochSums.NONE, NormHistory.NONE, 1, 0, null);

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    Progress afterStep(EpochSums sums, NormHistory norms) {
        return new Progress(step + 1, epoch, batch + 1, sums, norms, learningRateScale, restarts, best);
    }

    Progress afterEpoch(Best best) {
        return new Progress(step, epoch + 1, 0, EpochSums.NONE, norms, learningRateScale, restarts, best);
    }

    /** The same place, once more, with smaller steps. */
    Progress again(int restarts, double learningRateScale) {
        return new Progress(step, epoch, batch, sums, norms, learningRateScale, restarts, best);
    }

    /** Numbers are written so that they read back to the same bits. */
    void write(Path file) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(this) + "\n");
    }

    static Progress read(Path file) throws IOException {
        Progress progress = null;
        Exception cause = null;
        try {
            progress = JSON.readValue(Files.readString(file), Progress.class);
        } catch (JsonProcessingException | CharacterCodingException e) {
            cause = e;
        }
        if (progress == null) { // which the word null is, too
            throw new IOException(file + " does not say where the run stands: use an older checkpoint", cause);
        }
        return progress;
    }
}
