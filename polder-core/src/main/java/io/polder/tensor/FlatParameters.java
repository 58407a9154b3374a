package io.polder.tensor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * All trainable parameters of a network as one vector θ, and all their gradients as another.
 *
 * <p>Every parameter becomes a view into {@link #values()} and its gradient a view into {@link #gradient()}: the network goes on
 * using its own tensors, while perturb, mix, clip and step are one or two native calls each over the whole.
 * Convolution weights lie channels-last inside the vector, which is how the convolutions want them. Costs one copy of the
 * parameters besides the gradients; the network's original storage is freed.
 *
 * <p>The network must not replace its parameters afterwards ({@code to(device)}, {@code zero_grad}). Whoever made it closes it,
 * after the last use of the network.
 */
public final class FlatParameters implements AutoCloseable {
    /** Where a parameter lies in the vector: its name, as PyTorch's {@code state_dict} has it, shape and first element. */
    public record Slice(String name, List<Long> shape, long offset, long length) {
        /** Biases and normalisation's scales and shifts: what many recipes leave out of weight decay. */
        public boolean isVector() {
            return shape.size() < 2;
        }
    }

    /** Parameters and gradients, and for each parameter of the network its views of both. */
    private record Place(FlatVector values, FlatVector gradient, List<Tensor> valueViews, List<Tensor> gradientViews) {
        void close() {
            valueViews.forEach(Tensor::close);
            gradientViews.forEach(Tensor::close);
            values.close();
            gradient.close();
        }
    }

    private final List<Slice> slices;
    private final List<Tensor> ofNetwork = new ArrayList<>();
    private final Place home;
    private Place away;
    private Place here;

    private FlatParameters(List<Slice> slices, Collection<Tensor> ofNetwork, FlatVector values, FlatVector gradient) {
        this.slices = List.copyOf(slices);
        ofNetwork.forEach(parameter -> this.ofNetwork.add(Scope.outliving(new Tensor(parameter))));
        home = place(values, gradient);
        standAt(home);
    }

    /**
     * Moves the parameters, in the map's order, into one vector. They must share a precision and a device.
     *
     * @throws IllegalArgumentException if there are none or they differ in precision
     */
    public static FlatParameters of(Map<String, Tensor> named) {
        List<Slice> slices = new ArrayList<>();
        long length = 0;
        torch.ScalarType precision = null;
        for (var entry : named.entrySet()) {
            Tensor parameter = entry.getValue();
            torch.ScalarType its = parameter.scalar_type().intern(); // only interned enumeration values compare by ==
            if (precision != null && precision != its) {
                throw new IllegalArgumentException("parameter " + entry.getKey() + " is " + its
                        + " but those before it are " + precision + ": use one precision for the whole network");
            }
            precision = its;
            List<Long> shape = new ArrayList<>();
            for (long size : parameter.shape()) {
                shape.add(size);
            }
            slices.add(new Slice(entry.getKey(), List.copyOf(shape), length, parameter.numel()));
            length += parameter.numel();
        }
        if (length == 0) {
            throw new IllegalArgumentException("the network has no trainable parameters: there is nothing to train");
        }

        Tensor any = named.values().iterator().next();
        Tensor values = torch.zeros(new long[] {length}, any.options().requires_grad(new BoolOptional(false)));
        Tensor gradient = torch.zeros_like(values);
        try (var scope = Scope.withoutGradient()) {
            slices.forEach(slice -> view(values, slice).copy_(named.get(slice.name())));
        }
        return new FlatParameters(slices, named.values(), new FlatVector(values), new FlatVector(gradient));
    }

    private Place place(FlatVector values, FlatVector gradient) {
        return new Place(values, gradient, views(values), views(gradient));
    }

    private List<Tensor> views(FlatVector vector) {
        try (var scope = Scope.withoutGradient()) {
            return slices.stream()
                    .map(slice -> Scope.outliving(view(vector.tensor(), slice)))
                    .toList();
        }
    }

    private void standAt(Place place) {
        try (var scope = Scope.withoutGradient()) {
            for (int i = 0; i < ofNetwork.size(); i++) {
                ofNetwork.get(i).set_data(place.valueViews().get(i));
                ofNetwork.get(i).mutable_grad().put(place.gradientViews().get(i));
            }
        }
        here = place;
    }

    /** While it is open the network stands at other parameters; closing it takes the network back to θ. */
    public final class Excursion implements AutoCloseable {
        private Excursion() {}

        /** Where the network stands. */
        public FlatVector values() {
            return away.values();
        }

        /** What a pass adds to there. */
        public FlatVector gradient() {
            return away.gradient();
        }

        @Override
        public void close() {
            standAt(home);
        }
    }

    /**
     * Lets the network use another pair of vectors, which {@link #values()} and {@link #gradient()} then are, until the excursion is
     * closed. Nobody writes to θ and its gradient meanwhile, so there is nothing to restore and nothing to round. What is in the other pair
     * at the start is of no meaning: the caller fills the values, a pass the gradient. Costs two copies of the parameters, made the first
     * time and then kept, and no copying.
     */
    public Excursion excursion() {
        if (here != home) {
            throw new IllegalStateException("the network is away from its parameters: close that excursion first");
        }
        if (away == null) {
            away = place(home.values().zerosLike(), home.gradient().zerosLike());
        }
        standAt(away);
        return new Excursion();
    }

    /**
     * ∇L with the record of how it was computed, to be differentiated again while the network stands where it does. The caller closes it.
     *
     * @param loss of a forward pass of the network, with gradients recorded
     */
    public RecordedGradient differentiate(Tensor loss) {
        return new RecordedGradient(this, ofNetwork, loss);
    }

    /** The slice in the parameter's own shape; four dimensions lie channels-last. */
    private static Tensor view(Tensor flat, Slice slice) {
        long[] shape = slice.shape().stream().mapToLong(Long::longValue).toArray();
        Tensor part = flat.narrow(0, slice.offset(), slice.length());
        if (shape.length != 4) {
            return part.view(shape);
        }
        return part.view(shape[0], shape[2], shape[3], shape[1]).permute(0, 3, 1, 2);
    }

    /** θ; during an excursion the parameters that the network uses instead */
    public FlatVector values() {
        return here.values();
    }

    /** The gradient buffer: what a backward pass adds to, and what the optimizer steps with. */
    public FlatVector gradient() {
        return here.gradient();
    }

    /** In the precision of the parameters, in the caller's scope: the tensor itself where it has it. */
    public Tensor inOwnPrecision(Tensor tensor) {
        return tensor.to(home.values().tensor().scalar_type());
    }

    public long size() {
        return home.values().size();
    }

    /** Where each parameter lies, in order. */
    public List<Slice> slices() {
        return slices;
    }

    /** A vector of one number for each parameter, such as an optimizer's, as tensors by parameter: views, in the caller's scope. */
    public Map<String, Tensor> byName(FlatVector vector) {
        Map<String, Tensor> views = new LinkedHashMap<>();
        slices.forEach(slice -> views.put(slice.name(), view(vector.tensor(), slice)));
        return views;
    }

    /** A new vector that is 1 at the elements of the chosen slices and 0 elsewhere. The caller closes it. */
    public FlatVector mask(Predicate<Slice> chosen) {
        return vector(slice -> chosen.test(slice) ? 1 : 0);
    }

    /** A new vector with one number for all elements of a slice. The caller closes it. */
    public FlatVector vector(ToDoubleFunction<Slice> number) {
        FlatVector vector = home.values().zerosLike();
        slices.forEach(slice -> vector.fill(slice.offset(), slice.length(), number.applyAsDouble(slice)));
        return vector;
    }

    /**
     * How far two vectors point the same way, parameter by parameter: a new vector with max(0, cosine) of their slices for all elements of a
     * slice, 0 where one of them has no direction. Costs a few native calls for each parameter and reads nothing back. The caller closes it.
     */
    public FlatVector agreement(FlatVector a, FlatVector b) {
        FlatVector agreement = home.values().zerosLike();
        try (var scope = Scope.withoutGradient()) {
            for (Slice slice : slices) {
                Tensor cosine = torch.cosine_similarity(part(a, slice), part(b, slice), 0, Float.MIN_NORMAL);
                part(agreement, slice).copy_(cosine.clamp_min(new Scalar(0)));
            }
        }
        return agreement;
    }

    private static Tensor part(FlatVector vector, Slice slice) {
        return vector.tensor().narrow(0, slice.offset(), slice.length());
    }

    @Override
    public void close() {
        home.close();
        if (away != null) {
            away.close();
        }
        ofNetwork.forEach(Tensor::close);
    }
}
