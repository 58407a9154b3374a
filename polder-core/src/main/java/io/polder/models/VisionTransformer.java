package io.polder.models;

import static org.bytedeco.pytorch.global.torch.cat;
import static org.bytedeco.pytorch.global.torch.gelu;
import static org.bytedeco.pytorch.global.torch.scaled_dot_product_attention;
import static org.bytedeco.pytorch.global.torch.upsample_bicubic2d;

import io.polder.nn.DropPath;
import io.polder.nn.Dropout;
import io.polder.nn.Forward;
import io.polder.nn.LayerNorm;
import io.polder.nn.Network;
import io.polder.nn.OtherNames;
import io.polder.nn.SameConv2d;
import io.polder.nn.Script;
import io.polder.nn.Weights;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The vision transformer (Dosovitskiy et al., ICLR 2021): the image as a sequence of patches after a class token, learned
 * positions, twelve pre-norm blocks (or another number) of attention and a multilayer perceptron, layer norm, and a dense head on the class token.
 *
 * <p>As the method's authors have it (GELU in its tanh form, ε of 1e-6 in layer norm), or as torchvision and timm do (GELU in its exact
 * form), but without dropout on the attention weights, which the engine's fused attention would draw from its own generator. Names are
 * timm's, but for query, key and value, which are layers of their own ({@code blocks.0.attn.q}) where timm stacks them; weights of both are
 * taken under their names.
 */
public final class VisionTransformer extends Network {
    /**
     * How large. The paper's Base, and the Small and Tiny of DeiT, have twelve layers; heads are 64 wide in all.
     *
     * @param layers how many blocks there are
     * @param width of a token, a multiple of 64
     */
    public record Size(int layers, int width) {
        public static final Size TINY = new Size(12, 192);
        public static final Size SMALL = new Size(12, 384);
        public static final Size BASE = new Size(12, 768);

        public Size {
            if (layers < 1) {
                throw new IllegalArgumentException("layers is " + layers + ": it must be at least 1");
            }
            if (width < 1 || width % HEAD_WIDTH != 0) {
                throw new IllegalArgumentException("width is " + width + ": it must be a multiple of " + HEAD_WIDTH);
            }
        }

        private int heads() {
            return width / HEAD_WIDTH;
        }
    }

    /** GELU's forms, by the engine's names. They differ by up to 5e-4, so that weights trained with one give other logits with the other. */
    public enum Gelu {
        /** The method authors'. */
        TANH("tanh"),
        /** torchvision's and timm's, by the error function. */
        EXACT("none");

        private final String name;

        Gelu(String name) {
            this.name = name;
        }
    }

    /**
     * What to build.
     *
     * @param patch the side of a patch in pixels
     * @param image the side of the images in pixels, a multiple of the patch
     * @param dropout after the positions, after attention and after both layers of the perceptron
     * @param dropPath how often the last block's branches are dropped for an image; from 0 at the first block it grows evenly to this
     * @param gelu how the perceptrons' activation is computed
     */
    public record Settings(
            Size size, int patch, int image, int classes, Dropout dropout, DropPath dropPath, Gelu gelu) {
        public Settings {
            if (patch < 1) {
                throw new IllegalArgumentException("patch is " + patch + ": it must be at least 1");
            }
            if (image < patch || image % patch != 0) {
                throw new IllegalArgumentException(
                        "image is " + image + ": it must be a multiple of the patch, which is " + patch);
            }
            if (classes < 1) {
                throw new IllegalArgumentException("classes is " + classes + ": it must be at least 1");
            }
        }

        /** With the authors' dropout of 0.1, and no drop path. */
        public static Settings of(Size size, int patch, int image, int classes) {
            return new Settings(size, patch, image, classes, new Dropout(0.1), new DropPath(0), Gelu.TANH);
        }

        /** As torchvision and timm have it: GELU in its exact form, and no dropout. */
        public static Settings imageNet(Size size, int patch, int image, int classes) {
            return new Settings(size, patch, image, classes, new Dropout(0), new DropPath(0), Gelu.EXACT);
        }

        public Settings withDropout(double probability) {
            return new Settings(size, patch, image, classes, new Dropout(probability), dropPath, gelu);
        }

        public Settings withDropPath(double probability) {
            return new Settings(size, patch, image, classes, dropout, new DropPath(probability), gelu);
        }

        Settings withImage(int side) {
            return new Settings(size, patch, side, classes, dropout, dropPath, gelu);
        }

        private int grid() {
            return image / patch;
        }
    }

    private static final int HEAD_WIDTH = 64;

    private final Settings settings;
    private final Tensor classToken;
    private final Tensor positions;
    private final PatchEmbedding patches;
    private final Dropout dropout;
    private final Blocks blocks;
    private final LayerNorm norm;
    private final LinearImpl head;

    public VisionTransformer(Settings settings, RandomStreams streams) {
        this.settings = settings;
        int width = settings.size().width;
        classToken = torch.zeros(1, 1, width);
        positions = torch.zeros(1, 1 + (long) settings.grid() * settings.grid(), width);
        register_parameter("cls_token", classToken);
        register_parameter("pos_embed", positions);
        patches = register_module("patch_embed", new PatchEmbedding(settings.patch(), width));
        dropout = settings.dropout();
        blocks = register_module("blocks", new Blocks(settings));
        norm = register_module("norm", new LayerNorm(width));
        head = register_module("head", new LinearImpl(width, settings.classes()));
        drawFirstWeights(streams);
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        if (images.size(2) != settings.image() || images.size(3) != settings.image()) {
            throw new IllegalArgumentException("image is " + images.size(2) + "×" + images.size(3) + ": it must be "
                    + settings.image() + "×" + settings.image()
                    + "; give images of that size, or train on from its weights with another model.image");
        }
        Tensor first = classToken.expand(images.size(0), -1, -1);
        Tensor x = cat(new TensorVector(first, patches.forward(images)), 1).add_(positions);
        x = blocks.forward(dropout.forward(x, forward), forward);
        return head.forward(norm.forward(x.select(1, 0)));
    }

    @Override
    public Optional<Script> script() {
        return Optional.of(Script.of(
                        "VisionTransformer",
                        "assert x.size(2) == %1$d and x.size(3) == %1$d, \"the images must be %1$d x %1$d\""
                                .formatted(settings.image()),
                        "first = self.cls_token.expand([x.size(0), -1, -1])",
                        "x = torch.cat([first, self.patch_embed(x)], 1) + self.pos_embed",
                        "return self.head(self.norm(self.blocks(x).select(1, 0)))")
                .with("patch_embed", patches.script())
                .with("blocks", blocks.script())
                .with("norm", norm.script())
                .with("head", Script.linear()));
    }

    /** A network like this one for the images that weights in a file are for, of which its positions tell; this one where they are the same. */
    public VisionTransformer likeThatOf(Path weights, RandomStreams streams) throws IOException {
        try (var file = SafeTensors.open(weights)) {
            String name = Weights.otherNames(this, weights)
                    .map(names -> names.places().get("pos_embed").name())
                    .orElse("pos_embed");
            var stored = file.entries().get(name);
            long patches = stored == null || stored.shape().size() != 3
                    ? 0
                    : stored.shape().get(1) - 1;
            int grid = (int) Math.round(Math.sqrt(patches));
            return grid < 1 || grid == settings.grid() || (long) grid * grid != patches
                    ? this
                    : new VisionTransformer(settings.withImage(grid * settings.patch()), streams);
        }
    }

    /** timm's and torchvision's, which stack query, key and value in one layer. */
    @Override
    public Optional<OtherNames> otherNames(Set<String> stored) throws IOException {
        boolean timm = stored.contains("blocks.0.attn.qkv.weight");
        boolean torchvision = stored.contains("encoder.pos_embedding");
        if (!timm && !torchvision) {
            return Optional.empty();
        }
        if (settings.gelu() != Gelu.EXACT) {
            throw new IOException(
                    "has weights of " + (timm ? "timm" : "torchvision")
                            + ", whose GELU is the exact one, and this network's is not: choose one whose name ends in -imagenet");
        }
        Map<String, OtherNames.Place> places = new LinkedHashMap<>();
        for (String name : parametersByName().keySet()) {
            String layer = name.replaceFirst("\\.[qkv]\\.(weight|bias)$", ".qkv.$1");
            int part = layer.equals(name) ? 0 : "qkv".indexOf(name.charAt(name.lastIndexOf('.') - 1));
            String theirs = timm ? layer : torchvision(layer, stored);
            places.put(name, layer.equals(name) ? new OtherNames.Place(theirs) : new OtherNames.Place(theirs, part, 3));
        }
        return Optional.of(new OtherNames(timm ? "timm" : "torchvision", places));
    }

    /** @param name timm's */
    private static String torchvision(String name, Set<String> stored) {
        String theirs = switch (name) {
            case "cls_token" -> "class_token";
            case "pos_embed" -> "encoder.pos_embedding";
            default ->
                name.replaceFirst("^patch_embed\\.proj\\.", "conv_proj.")
                        .replaceFirst("^norm\\.", "encoder.ln.")
                        .replaceFirst("^head\\.", "heads.head.")
                        .replaceFirst("^blocks\\.", "encoder.layers.encoder_layer_")
                        .replace(".norm1.", ".ln_1.")
                        .replace(".norm2.", ".ln_2.")
                        .replace(".attn.qkv.", ".self_attention.in_proj_")
                        .replace(".attn.proj.", ".self_attention.out_proj.")
                        .replace(".mlp.fc1.", ".mlp.0.")
                        .replace(".mlp.fc2.", ".mlp.3.");
        };
        // Files of its first versions have names in the perceptron where later ones have numbers.
        return stored.contains(theirs)
                ? theirs
                : theirs.replace(".mlp.0.", ".mlp.linear_1.").replace(".mlp.3.", ".mlp.linear_2.");
    }

    /** Copies the weights of a network for images of another size, with its positions stretched to the grid of this one. */
    public void takeWeightsOf(VisionTransformer other) {
        try (var scope = Scope.withoutGradient()) {
            var weights = other.parametersByName();
            weights.put("pos_embed", resizedPositions(other.positions, settings.grid()));
            parametersByName().forEach((name, parameter) -> parameter.copy_(weights.get(name)));
        }
    }

    /**
     * Learned positions for another grid of patches, by bicubic interpolation; that of the class token, which comes first, stays.
     *
     * @param positions (1, 1 + old grid², width), of a square grid
     * @return (1, 1 + grid², width)
     */
    static Tensor resizedPositions(Tensor positions, int grid) {
        long patches = positions.size(1) - 1;
        long old = Math.round(Math.sqrt(patches));
        if (old * old != patches) {
            throw new IllegalArgumentException("positions has " + patches
                    + " patches: it must have a square number of them, besides the class token");
        }
        if (old == grid) {
            return positions.clone();
        }
        Tensor map = positions.narrow(1, 1, patches).transpose(1, 2).unflatten(2, old, old);
        Tensor resized = upsample_bicubic2d(map, new long[] {grid, grid}, false);
        Tensor sequence = resized.flatten(2, -1).transpose(1, 2);
        return cat(new TensorVector(positions.narrow(1, 0, 1), sequence), 1);
    }

    /**
     * Dense layers Xavier uniform, within ±√(6 / (inputs + outputs)); the biases of the perceptrons normal with deviation 1e-6, all
     * others zero; positions normal with deviation 0.02; class token and head zero. The patches' convolution is normal
     * with deviation 1/√inputs; the authors' library cuts that distribution off at two deviations, this does not.
     */
    private void drawFirstWeights(RandomStreams streams) {
        try (var scope = Scope.withoutGradient()) {
            var generator = new GeneratorOptional(streams.generator("initial weights"));
            parametersByName().forEach((name, parameter) -> {
                long[] shape = parameter.shape();
                if (name.equals("pos_embed")) {
                    parameter.normal_(0, 0.02, generator);
                } else if (name.equals("cls_token") || name.startsWith("head.")) {
                    parameter.zero_();
                } else if (shape.length == 4) {
                    parameter.normal_(0, 1 / Math.sqrt(shape[1] * shape[2] * shape[3]), generator);
                } else if (shape.length == 2) {
                    double bound = Math.sqrt(6.0 / (shape[0] + shape[1]));
                    parameter.uniform_(-bound, bound, generator);
                } else if (name.contains(".mlp.")) {
                    parameter.normal_(0, 1e-6, generator);
                } else if (name.endsWith("bias")) {
                    parameter.zero_();
                }
            });
        }
    }

    /** Image to (n, patches, width): a convolution whose stride is its size. */
    private static final class PatchEmbedding extends Module {
        private final SameConv2d projection;

        PatchEmbedding(int patch, int width) {
            projection = register_module("proj", new SameConv2d(3, width, patch, patch, true));
        }

        Tensor forward(Tensor images) {
            return projection.forward(images).flatten(2, -1).transpose(1, 2);
        }

        Script script() {
            return Script.of("PatchEmbedding", "return self.proj(x).flatten(2).transpose(1, 2)")
                    .with("proj", projection.script());
        }
    }

    /** softmax(q·kᵀ/√d)·v for each head, the heads side by side, then a dense layer. */
    private static final class Attention extends Module {
        private final int heads;
        private final LinearImpl query;
        private final LinearImpl key;
        private final LinearImpl value;
        private final LinearImpl output;

        Attention(int width, int heads) {
            this.heads = heads;
            query = register_module("q", new LinearImpl(width, width));
            key = register_module("k", new LinearImpl(width, width));
            value = register_module("v", new LinearImpl(width, width));
            output = register_module("proj", new LinearImpl(width, width));
        }

        Tensor forward(Tensor x) {
            Tensor mixed = scaled_dot_product_attention(
                    byHead(query.forward(x)), byHead(key.forward(x)), byHead(value.forward(x)));
            return output.forward(mixed.transpose(1, 2).flatten(2, -1));
        }

        /** (n, tokens, width) to (n, heads, tokens, width of a head). */
        private Tensor byHead(Tensor x) {
            return x.unflatten(2, heads, -1).transpose(1, 2);
        }

        Script script() {
            Script script = Script.of(
                    "Attention",
                    byHeadInScript("q"),
                    byHeadInScript("k"),
                    byHeadInScript("v"),
                    "mixed = torch.scaled_dot_product_attention(q, k, v)",
                    "return self.proj(mixed.transpose(1, 2).flatten(2))");
            List.of("q", "k", "v", "proj").forEach(name -> script.with(name, Script.linear()));
            return script;
        }

        /** In numbers that are known, as far as they are: ONNX wants them. */
        private String byHeadInScript(String name) {
            return "%1$s = self.%1$s(x).reshape([x.size(0), x.size(1), %2$d, %3$d]).transpose(1, 2)"
                    .formatted(name, heads, HEAD_WIDTH);
        }
    }

    /** To four times the width, GELU, and back; dropout after both. */
    private static final class Perceptron extends Module {
        private final LinearImpl dense1;
        private final LinearImpl dense2;
        private final Dropout dropout;
        private final Gelu gelu;

        Perceptron(int width, Dropout dropout, Gelu gelu) {
            dense1 = register_module("fc1", new LinearImpl(width, 4L * width));
            dense2 = register_module("fc2", new LinearImpl(4L * width, width));
            this.dropout = dropout;
            this.gelu = gelu;
        }

        Tensor forward(Tensor x, Forward forward) {
            x = dropout.forward(gelu(dense1.forward(x), gelu.name), forward);
            return dropout.forward(dense2.forward(x), forward);
        }

        Script script() {
            return Script.of(
                            "Perceptron", "return self.fc2(torch.gelu(self.fc1(x), approximate=\"" + gelu.name + "\"))")
                    .with("fc1", Script.linear())
                    .with("fc2", Script.linear());
        }
    }

    /** x + attention(norm(x)), then x + perceptron(norm(x)). */
    private static final class Block extends Module {
        private final LayerNorm norm1;
        private final Attention attention;
        private final LayerNorm norm2;
        private final Perceptron perceptron;
        private final Dropout dropout;
        private final DropPath dropPath;

        Block(Settings settings, DropPath dropPath) {
            Size size = settings.size();
            norm1 = register_module("norm1", new LayerNorm(size.width));
            attention = register_module("attn", new Attention(size.width, size.heads()));
            norm2 = register_module("norm2", new LayerNorm(size.width));
            perceptron = register_module("mlp", new Perceptron(size.width, settings.dropout(), settings.gelu()));
            this.dropout = settings.dropout();
            this.dropPath = dropPath;
        }

        Tensor forward(Tensor x, Forward forward) {
            Tensor attended = dropout.forward(attention.forward(norm1.forward(x)), forward);
            x = x.add(dropPath.forward(attended, forward));
            return x.add(dropPath.forward(perceptron.forward(norm2.forward(x), forward), forward));
        }

        Script script() {
            return Script.of("Block", "x = x + self.attn(self.norm1(x))", "return x + self.mlp(self.norm2(x))")
                    .with("norm1", norm1.script())
                    .with("attn", attention.script())
                    .with("norm2", norm2.script())
                    .with("mlp", perceptron.script());
        }
    }

    private static final class Blocks extends Module {
        private final List<Block> blocks = new ArrayList<>();

        Blocks(Settings settings) {
            int layers = settings.size().layers;
            for (int i = 0; i < layers; i++) {
                var dropPath = new DropPath(settings.dropPath().probability() * i / Math.max(1, layers - 1));
                blocks.add(register_module("" + i, new Block(settings, dropPath)));
            }
        }

        Tensor forward(Tensor x, Forward forward) {
            for (Block block : blocks) {
                x = block.forward(x, forward);
            }
            return x;
        }

        Script script() {
            return Script.inTurn("Blocks", blocks.stream().map(Block::script).toList());
        }
    }
}
