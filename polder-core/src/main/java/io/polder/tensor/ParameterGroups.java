package io.polder.tensor;

import io.polder.text.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What holds for some parameters and not for others, by their names. Of several groups that match a parameter the last that says something
 * of a matter counts.
 *
 * <p>A parameter that is frozen is none any more: it is not in {@link FlatParameters}, so it has no gradient, no share in a norm, is not
 * perturbed and does not decay. Factors cost a vector each, where any is not 1, and nothing where all are.
 */
public record ParameterGroups(List<Group> groups) {
    public static final ParameterGroups NONE = new ParameterGroups(List.of());

    /**
     * @param names a parameter's name, as PyTorch's {@code state_dict} has it; {@code *} stands for any letters, dots too
     * @param learningRateFactor what the learning rate is multiplied by; null: nothing is said of it
     * @param decayFactor what weight decay is multiplied by; likewise
     * @param frozen whether they stay as they are; likewise
     */
    public record Group(String names, Double learningRateFactor, Double decayFactor, Boolean frozen) {
        public Group {
            if (learningRateFactor != null
                    && !(learningRateFactor > 0 && learningRateFactor < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "learningRateFactor is " + learningRateFactor + ": it must be a finite number above 0");
            }
            if (decayFactor != null && !(decayFactor >= 0 && decayFactor < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "decayFactor is " + decayFactor + ": it must be a finite number of at least 0");
            }
        }

        boolean matches(String name) {
            String pattern = Pattern.compile("*", Pattern.LITERAL)
                    .splitAsStream(names + "\0") // so that an end is none that is left out
                    .map(part -> part.replace("\0", ""))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*"));
            return name.matches(pattern);
        }
    }

    public ParameterGroups {
        groups = List.copyOf(groups);
    }

    private <T> Optional<T> last(String name, Function<Group, T> matter) {
        T found = null;
        for (Group group : groups) {
            if (matter.apply(group) != null && group.matches(name)) {
                found = matter.apply(group);
            }
        }
        return Optional.ofNullable(found);
    }

    public boolean isFrozen(String name) {
        return last(name, Group::frozen).orElse(false);
    }

    public double learningRateFactor(String name) {
        return last(name, Group::learningRateFactor).orElse(1.0);
    }

    public double decayFactor(String name) {
        return last(name, Group::decayFactor).orElse(1.0);
    }

    /** A new vector of the factors of each parameter; null where all are 1. The caller closes it. */
    public FlatVector learningRates(FlatParameters parameters) {
        return factors(parameters, this::learningRateFactor);
    }

    private static FlatVector factors(FlatParameters parameters, ToDoubleFunction<String> factor) {
        return parameters.slices().stream().allMatch(slice -> factor.applyAsDouble(slice.name()) == 1)
                ? null
                : parameters.vector(slice -> factor.applyAsDouble(slice.name()));
    }

    /** Likewise, of the decay. */
    public FlatVector decays(FlatParameters parameters) {
        return factors(parameters, this::decayFactor);
    }

    /**
     * Takes the parameters that are frozen out of those that are trained. Before they are made flat.
     *
     * @param parameters of a network, by name
     * @throws IllegalArgumentException if a group matches none of them, or nothing is left to train; then all are as they were
     */
    public void freeze(Map<String, Tensor> parameters) {
        for (int i = 0; i < groups.size(); i++) {
            requireMatch(i, parameters.keySet());
        }
        if (!parameters.isEmpty() && parameters.keySet().stream().allMatch(this::isFrozen)) {
            throw new IllegalArgumentException(
                    "parameters freezes every parameter of the network: leave one to train, such as the last layer");
        }
        try (var scope = Scope.withoutGradient()) {
            parameters.forEach((name, parameter) -> {
                if (isFrozen(name)) {
                    if (parameter.dim() == 4) { // as the others lie
                        parameter.set_data(parameter.contiguous(torch.MemoryFormat.ChannelsLast));
                    }
                    parameter.set_requires_grad(false);
                }
            });
        }
    }

    private void requireMatch(int index, Collection<String> names) {
        String wanted = groups.get(index).names();
        if (names.stream().noneMatch(groups.get(index)::matches)) {
            throw new IllegalArgumentException(
                    "parameters[%d].names is \"%s\", and no parameter of the network is called so%s"
                            .formatted(
                                    index,
                                    wanted,
                                    Nearest.to(wanted, patterns(names))
                                            .map(near -> ": did you mean \"" + near + "\"?")
                                            .orElse(": their names are such as "
                                                    + names.stream().limit(5).collect(Collectors.joining(", ")))));
        }
    }

    /** What would match some: names, layers and what is alike in all layers. */
    private static Set<String> patterns(Collection<String> names) {
        Set<String> patterns = new LinkedHashSet<>();
        for (String name : names) {
            patterns.add(name);
            List<Integer> dots = new ArrayList<>();
            for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
                dots.add(dot);
            }
            for (int dot : dots) {
                patterns.add(name.substring(0, dot) + ".*");
                patterns.add("*" + name.substring(dot));
            }
        }
        return patterns;
    }
}
