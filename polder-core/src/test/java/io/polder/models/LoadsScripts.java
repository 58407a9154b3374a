package io.polder.models;

import io.polder.fuzz.Mutator;
import io.polder.nn.Forward;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.global.torch;

/**
 * A process that damages and loads TorchScript files, as the engine may end it. It writes a line before each case and one after: the
 * number, then what became of it.
 */
final class LoadsScripts {
    private LoadsScripts() {}

    /** @param arguments a good file, where damaged ones go, the seed, the first case, the end of them */
    public static void main(String[] arguments) throws IOException {
        byte[] good = Files.readAllBytes(Path.of(arguments[0]));
        Path file = Path.of(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        int end = Integer.parseInt(arguments[4]);
        for (int i = Integer.parseInt(arguments[3]); i < end; i++) {
            System.out.println(i);
            System.out.println(outcome(Files.write(file, damaged(good, seed, i))));
        }
        // Not by return: the engine's threads may outlive a damaged program.
        System.exit(0);
    }

    static byte[] damaged(byte[] good, long seed, int number) {
        return Mutator.mutated(List.of(good), new SplittableRandom(seed + number));
    }

    static String outcome(Path file) {
        try (var scope = Scope.withoutGradient()) {
            TorchScriptNetwork network = TorchScriptNetwork.load(file);
            network.parametersByName();
            network.requireFit(1, 8, 8, 4);
            return "read "
                    + network.forward(torch.ones(1, 1, 8, 8), Forward.INFERENCE)
                            .sum()
                            .item_double();
        } catch (IOException e) {
            return "refused " + String.valueOf(e.getMessage()).replace('\n', '?');
        } catch (Throwable e) {
            return "fault " + e.toString().lines().findFirst().orElse("");
        }
    }
}
