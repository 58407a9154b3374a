package io.polder.tensor;

import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.global.torch;

/**
 * While it is open attention is computed by plain products: the engine's fused kernels are faster and have no second derivative. It is
 * for the whole process, so that other threads are slower meanwhile, and may round otherwise.
 */
public final class MathAttention implements AutoCloseable {
    private static int open;
    private static boolean flash;
    private static boolean efficient;

    public MathAttention() {
        synchronized (MathAttention.class) {
            Context engine = torch.globalContext();
            if (open++ == 0) {
                flash = engine.userEnabledFlashSDP();
                efficient = engine.userEnabledMemEfficientSDP();
                engine.setSDPUseFlash(false);
                engine.setSDPUseMemEfficient(false);
            }
        }
    }

    @Override
    public void close() {
        synchronized (MathAttention.class) {
            if (--open == 0) {
                torch.globalContext().setSDPUseFlash(flash);
                torch.globalContext().setSDPUseMemEfficient(efficient);
            }
        }
    }
}
