package io.polder.models;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.Scope;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.bytedeco.pytorch.Node;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * How large a network is: its trainable parameters, and the multiply-adds of one image through its convolutions, dense layers and
 * attention, which is where the time goes.
 */
public record ModelCost(long parameters, long multiplyAdds) {
    /** Sends one image through the network and reads the graph that autograd records of it. */
    public static ModelCost of(Network network, int channels, int image) {
        try (var scope = Scope.open()) {
            long parameters = network.parametersByName().values().stream()
                    .mapToLong(Tensor::numel)
                    .sum();
            Tensor logits = network.forward(torch.zeros(1, channels, image, image), Forward.INFERENCE);
            return new ModelCost(parameters, multiplyAdds(logits.grad_fn()));
        }
    }

    /** The graph is walked backwards from the logits; each node is named for the derivative of its operation. */
    private static long multiplyAdds(Node logits) {
        long total = 0;
        Set<Long> seen = new HashSet<>();
        Deque<Node> open = new ArrayDeque<>();
        open.push(logits);
        while (!open.isEmpty()) {
            Node node = open.pop();
            total += ofNode(node);
            for (long i = 0; i < node.num_outputs(); i++) {
                var edge = node.next_edge(i);
                if (edge.is_valid() && seen.add(edge.function().address())) {
                    open.push(edge.function());
                }
            }
        }
        return total;
    }

    private static long ofNode(Node node) {
        String name = node.name().getString();
        if (name.startsWith("Convolution")) {
            long[] weight = input(node, 1);
            return product(output(node)) * product(weight) / weight[0];
        }
        if (name.startsWith("Addmm")) {
            return product(output(node)) * input(node, 2)[0];
        }
        if (name.startsWith("Mm")) {
            return product(output(node)) * input(node, 1)[0];
        }
        if (name.startsWith("Bmm")) {
            return product(output(node)) * input(node, 1)[1];
        }
        if (name.startsWith("ScaledDotProduct")) {
            // Queries with keys, then weights with values: each as many products as there are tokens for every output.
            return 2 * product(output(node)) * output(node)[2];
        }
        return 0;
    }

    /** The shape of what the operation gave: that of the gradient which flows into its derivative. */
    private static long[] output(Node node) {
        return node.input_metadata(0).zeros_like().shape();
    }

    /** The shape of what the operation was given. */
    private static long[] input(Node node, long index) {
        var edge = node.next_edge(index);
        return edge.function().input_metadata(edge.input_nr()).zeros_like().shape();
    }

    private static long product(long[] shape) {
        long product = 1;
        for (long length : shape) {
            product *= length;
        }
        return product;
    }
}
