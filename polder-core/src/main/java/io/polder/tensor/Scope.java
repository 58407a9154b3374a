package io.polder.tensor;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Frees, when it closes, every tensor made by this thread while it was open. Scopes nest; open one around each step.
 *
 * <pre>{@code
 * try (var scope = Scope.open()) {
 *     loss(network.forward(images, forward)).backward();
 * }
 * }</pre>
 */
public final class Scope implements AutoCloseable {
    private final PointerScope pointers;
    private final NoGradGuard noGradient;

    private Scope(boolean gradient) {
        Engine.load();
        pointers = new PointerScope();
        noGradient = gradient ? null : new NoGradGuard();
    }

    /** A scope in which gradients are recorded as usual. */
    public static Scope open() {
        return new Scope(true);
    }

    /** A scope whose tensors record no history: for evaluation, and for writing to parameters. */
    public static Scope withoutGradient() {
        return new Scope(false);
    }

    /** Takes a tensor out of the innermost scope: from now on it lives until it is closed by whoever holds it. */
    static Tensor outliving(Tensor tensor) {
        tensor.retainReference();
        PointerScope innermost = PointerScope.getInnerScope();
        if (innermost != null) {
            innermost.detach(tensor);
        }
        return tensor;
    }

    @Override
    public void close() {
        if (noGradient != null) {
            noGradient.close();
        }
        pointers.close();
    }
}
