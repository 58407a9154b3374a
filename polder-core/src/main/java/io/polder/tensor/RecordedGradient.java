package io.polder.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The gradient of a loss together with the record of how it was computed, which can be differentiated again: H·v = ∇(∇L·v), exact but
 * for rounding. Holds the memory of two passes until it is closed. The network must stand at the same parameters meanwhile.
 */
public final class RecordedGradient implements AutoCloseable {
    /** The engine's words, with the operation's name. */
    private static final Pattern NOT_TWICE = Pattern.compile("derivative for '?(?:aten::)?(\\w+)'? is not implemented");

    private final FlatParameters parameters;
    private final List<Tensor> ofNetwork;

    /** By parameter; null where the loss does not depend on it. */
    private final List<Tensor> gradients = new ArrayList<>();

    RecordedGradient(FlatParameters parameters, List<Tensor> ofNetwork, Tensor loss) {
        this.parameters = parameters;
        this.ofNetwork = ofNetwork;
        try (var scope = Scope.open()) {
            TensorVector found = grad(new TensorVector(loss), new TensorVector(), true, true);
            for (int i = 0; i < ofNetwork.size(); i++) {
                Tensor gradient = found.get(i);
                gradients.add(gradient.defined() ? Scope.outliving(new Tensor(gradient)) : null);
            }
        }
    }

    /**
     * to ← to + factor · H·direction
     *
     * @param again whether this will be called once more; if not, memory is freed on the way
     * @throws UnsupportedOperationException naming an operation of the network that has no second derivative
     */
    public void addProduct(FlatVector direction, double factor, FlatVector to, boolean again) {
        try (var scope = Scope.open()) {
            var outputs = new TensorVector();
            var weights = new TensorVector();
            var along = parameters.byName(direction).values().iterator();
            for (Tensor gradient : gradients) {
                Tensor weight = along.next();
                if (gradient != null && gradient.requires_grad()) { // else it is the same everywhere
                    outputs.push_back(gradient);
                    weights.push_back(weight);
                }
            }
            if (outputs.size() == 0) {
                return;
            }
            TensorVector products = grad(outputs, weights, again, false);
            try (var writing = Scope.withoutGradient()) {
                var sums = parameters.byName(to).values().iterator();
                for (int i = 0; i < ofNetwork.size(); i++) {
                    Tensor sum = sums.next();
                    if (products.get(i).defined()) {
                        sum.add_(products.get(i), new Scalar(factor));
                    }
                }
            }
        }
    }

    private TensorVector grad(TensorVector of, TensorVector weights, boolean again, boolean record) {
        try {
            var parameters = new TensorVector(ofNetwork.toArray(Tensor[]::new));
            return torch.grad(of, parameters, weights, new BoolOptional(again), record, true);
        } catch (RuntimeException e) {
            Matcher found = NOT_TWICE.matcher(String.valueOf(e.getMessage()));
            if (found.find()) {
                throw new UnsupportedOperationException(
                        "the network computes with " + found.group(1).replaceFirst("_backward$", "")
                                + ", which has no second derivative: products with the Hessian need a network without it",
                        e);
            }
            throw e;
        }
    }

    @Override
    public void close() {
        gradients.forEach(gradient -> {
            if (gradient != null) {
                gradient.close();
            }
        });
    }
}
