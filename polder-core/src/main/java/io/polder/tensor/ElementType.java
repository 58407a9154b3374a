package io.polder.tensor;

import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What the numbers of a stored tensor are, under the names that safetensors has for them.
 *
 * <p>In the order in which tensors are laid out in a file, which is the reference implementation's: wide ones first, so that
 * every number lies at a multiple of its own size.
 */
public enum ElementType {
    I64(torch.ScalarType.Long, 8, false),
    F64(torch.ScalarType.Double, 8, true),
    F32(torch.ScalarType.Float, 4, true),
    I32(torch.ScalarType.Int, 4, false),
    BF16(torch.ScalarType.BFloat16, 2, true),
    F16(torch.ScalarType.Half, 2, true),
    I16(torch.ScalarType.Short, 2, false),
    I8(torch.ScalarType.Char, 1, false),
    U8(torch.ScalarType.Byte, 1, false),
    BOOL(torch.ScalarType.Bool, 1, false);

    private final torch.ScalarType engine;
    private final int bytes;
    private final boolean floating;

    ElementType(torch.ScalarType engine, int bytes, boolean floating) {
        this.engine = engine;
        this.bytes = bytes;
        this.floating = floating;
    }

    /**
     * @param name of the tensor, for the message
     * @throws IllegalArgumentException if files have no such type
     */
    public static ElementType of(String name, Tensor tensor) {
        torch.ScalarType its = tensor.scalar_type().intern(); // only interned enumeration values compare by ==
        for (ElementType type : values()) {
            if (type.engine == its) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "the type of tensor " + name + " is " + its + ": it must be one of " + Arrays.toString(values()));
    }

    torch.ScalarType toEngine() {
        return engine;
    }

    /** The size of one number. */
    public int bytes() {
        return bytes;
    }

    /** Whether it is a precision, rather than a kind of integer or truth. */
    public boolean isFloating() {
        return floating;
    }
}
