package example;

import io.polder.sharpness.BatchStatistics;
import io.polder.sharpness.FixedLoss;
import io.polder.sharpness.Spectrum;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.train.Batches;
import io.polder.train.Task;
import io.polder.train.Trainer;
import java.util.Locale;

/**
 * The sharpest curvature where a training ended, of any task.
 *
 * @param residual the eigenvalue is at most so far from one of the Hessian
 */
record Flatness(double topEigenvalue, double residual) {
    /** On some of the examples that the network was trained on, to 1 %. */
    static Flatness of(Trainer trainer, Task task, Batches examples, RandomStreams streams) {
        var some = new FixedLoss.Settings(64, BatchStatistics.EVALUATION, 0, false);
        Flatness[] found = new Flatness[1];
        trainer.inspect((network, parameters) -> {
            try (var loss =
                            new FixedLoss(network, parameters, task.loss(), examples, Device.CPU, some, streams, () -> {});
                    var hessian = loss.hessian();
                    var spectrum =
                            Spectrum.of(hessian, parameters.values(), new Spectrum.Wanted(1, 0.01, 50), streams)) {
                Spectrum.Eigenpair top = spectrum.largest().get(0);
                found[0] = new Flatness(top.value(), top.residual());
            }
        });
        return found[0];
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "top eigenvalue %.3g, residual %.1g", topEigenvalue, residual);
    }
}
