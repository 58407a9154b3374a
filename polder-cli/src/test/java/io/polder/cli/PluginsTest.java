package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.cli.PolderProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar of somebody else's, compiled here, as a user names it. */
class PluginsTest {
    private static final String SOURCE = """
            package %s;

            import io.polder.config.*;
            import io.polder.data.KnownDataset;
            import io.polder.data.augment.Augmentation;
            import io.polder.data.source.Datasets;
            import io.polder.models.ResidualNetwork;
            import io.polder.nn.Network;
            import io.polder.optim.*;
            import io.polder.penalty.GradientScheme;
            import io.polder.recipe.*;
            import io.polder.tensor.RandomStreams;
            import java.util.*;

            public final class Mine implements Plugin {
                @Override
                public List<Class<? extends Record>> records() {
                    return List.of(Scaled.class, Plain.class, Small.class, Few.class, Inverted.class);
                }

                @Called(value = "scaled", about = "The gradient, times a number.")
                public record Scaled(
                        @Field(about = "The number.", above = 0) double factor,
                        @Field(about = "Another kind of r.", fallback = "[1, 2]", max = 9) List<Integer> r)
                        implements SchemeRecipe {
                    @Override
                    public GradientScheme scheme(long stepsPerEpoch, long steps, RandomStreams streams) {
                        return (pass, parameters, step) -> {
                            var gradient = GradientScheme.standard().computeGradient(pass, parameters, step);
                            parameters.gradient().scale(factor);
                            return gradient;
                        };
                    }
                }

                @Called(value = "plain", about = "Steps as they come.")
                public record Plain() implements OptimizerRecipe {
                    @Override
                    public Optimizer optimizer() {
                        return new io.polder.optim.Sgd(0, false);
                    }
                }

                @Called(value = "small", about = "One block.")
                public record Small(@Field(about = "Its channels.", fallback = "4", min = 1, max = 64) int width)
                        implements PluggedNetwork {
                    @Override
                    public Network build(int channels, int image, int classes, RandomStreams streams) {
                        return new ResidualNetwork(channels, List.of(width), 2, classes, streams);
                    }
                }

                @Called(value = "few", about = "The bundled images by another name.")
                record Few() implements PluggedDataset {
                    @Override
                    public KnownDataset dataset() {
                        return new KnownDataset("few", "few images", "nothing", List.of(), Map.of(), 2_000, 10_000,
                                (path, options) ->
                                        Datasets.named("fashion-mnist-2000").open(Optional.empty(), options));
                    }
                }

                @Called(value = "inverted", about = "Some images in negative.")
                record Inverted(@Field(about = "How many of them.", fallback = "0.5", min = 0, max = 1) double share)
                        implements PluggedAugmentation {
                    @Override
                    public Augmentation augmentation() {
                        return (image, shape, random) -> {
                            if (random.nextDouble() < share) {
                                for (int i = 0; i < image.length; i++) {
                                    image[i] = (byte) ~image[i];
                                }
                            }
                        };
                    }
                }
            }
            """;

    private static final String RECIPE = """
            name: mine
            steps: 4
            model: { name: small, width: 2 }
            data: { name: few, images: 64, batch: 16, validation: 100, evaluateOn: validation, augment: { name: inverted, share: 0.25 } }
            scheme: { name: scaled, factor: 0.5 }
            optimizer: plain
            learningRate: { schedule: constant, base: 0.1 }
            """;

    @TempDir
    private static Path jars;

    private static Path jar;

    @TempDir
    private Path folder;

    @BeforeAll
    static void compile() throws IOException {
        jar = jar("mine", SOURCE.formatted("mine"), "mine.Mine");
    }

    @Test
    @Tag("slow")
    void whatAPluginAddsIsTrainedAndUsedAfterwards() throws Exception {
        Path recipe = Files.writeString(folder.resolve("mine.yaml"), RECIPE);
        Path run = folder.resolve("run");
        Outcome trained = polder("train", recipe.toString(), "--out", run.toString());
        assertThat(trained.exitCode()).as(trained.errors()).isZero();
        assertThat(run.resolve("recipe.yaml"))
                .content()
                .contains("  name: small\n", "  width: 2\n")
                .contains("    name: inverted\n    share: 0.25\n")
                .contains("scheme:\n  name: scaled\n  factor: 0.5\n  r:\n    - 1\n    - 2\n")
                .contains("optimizer:\n  name: plain\n");
        Outcome evaluated = polder("evaluate", run.toString());
        assertThat(evaluated.exitCode()).as(evaluated.errors()).isZero();
        Outcome without = PolderProcess.run(folder, "evaluate", run.toString());
        assertThat(without.exitCode()).isEqualTo(1);
        assertThat(without.errors()).contains("model.width: there is no such field", "name by --plugins");
    }

    /** Its trials are processes of their own. */
    @Test
    void aStudyComparesASchemeOfAPlugin() throws Exception {
        Files.writeString(folder.resolve("mine.yaml"), RECIPE);
        Path study = Files.writeString(folder.resolve("study.yaml"), """
                name: s
                base: mine.yaml
                methods: [standard, { method: standard, set: { scheme: { name: scaled, factor: 0.01 } } }]
                seeds: 1
                """);
        Path out = folder.resolve("out");
        Outcome outcome = polder("study", study.toString(), "--out", out.toString());
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.errors()).contains("[2/2]");
        try (Stream<Path> files = Files.walk(out)) {
            List<Path> recipes =
                    files.filter(file -> file.endsWith("recipe.yaml")).toList();
            assertThat(recipes).hasSize(2);
            assertThat(recipes).anySatisfy(file -> assertThat(file).content().contains("  factor: 0.01\n"));
            assertThat(recipes).anySatisfy(file -> assertThat(file).content().contains("  name: standard\n"));
        }
    }

    @Test
    void pluginsAreListedAndPrinted() throws Exception {
        assertThat(polder("models").output().lines()).last().asString().matches("small +One block\\.");
        assertThat(polder("models", "small", "--image", "28").output()).contains("small: ", "28×28");
        assertThat(polder("recipes").output().lines().toList())
                .anyMatch(line -> line.matches("scheme: scaled +The gradient, times a number\\."))
                .anyMatch(line -> line.matches("optimizer: plain +Steps as they come\\."));
        assertThat(polder("datasets").output())
                .containsPattern("(?m)^few +The bundled images by another name\\.\n  images +2,000 to train on, 10,000")
                .containsPattern("(?m)^ *inverted +Some images in negative\\.$");
        assertThat(polder("recipes", "--schema").output().replaceAll("\\s+", " "))
                .contains("\"const\" : \"small\"", "\"description\" : \"Its channels.\"")
                .contains("\"const\" : \"scaled\"", "\"const\" : \"inverted\"", "\"const\" : \"few\"");
    }

    @Test
    void aDataSetOfAPluginIsCheckedLikeAnyOther() throws Exception {
        Path out = folder.resolve("out");
        Outcome outcome =
                polder("datasets", "check", "few", "--quick", "--augment", "inverted", "--out", out.toString());
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output()).containsPattern("T-shirt.* 200 +1,000\n").containsPattern("All +2,000 +10,000\n");
        assertThat(out.resolve("contact-sheet.png")).isNotEmptyFile();
        assertThat(polder("datasets", "check", "fwe").errors())
                .startsWith("polder: data set is \"fwe\": there is none of that name; did you mean few");
    }

    @Test
    void mistakesInFieldsOfPluginsAreToldWithTheirLines() throws Exception {
        Path recipe = Files.writeString(
                folder.resolve("mine.yaml"),
                RECIPE.replace("width: 2", "widht: 2, image: 0")
                        .replace("factor: 0.5", "factor: 0, r: [1, 10]")
                        .replace("share: 0.25", "share: 2"));
        Outcome outcome = polder("recipes", recipe.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        String file = "polder: " + recipe;
        assertThat(outcome.errors().lines())
                .containsExactlyInAnyOrder(
                        file + ":3: model.image: is \"0\"; it must be a whole number of at least 1, or null",
                        file + ":3: model.widht: small has no such field; did you mean width?",
                        file + ":4: data.augment.share: is \"2\"; it must be a number of at least 0 and at most 1",
                        file + ":5: scheme.factor: is \"0\"; it must be a number above 0",
                        file + ":5: scheme.r[1]: is \"10\"; it must be a whole number of at most 9");
    }

    @Test
    void theHashOfARecipeHasTheFieldsOfItsPlugins() throws Exception {
        Path recipe = Files.writeString(folder.resolve("mine.yaml"), RECIPE);
        String hash = hash(polder("recipes", recipe.toString()));
        assertThat(hash(polder("recipes", recipe.toString()))).isEqualTo(hash);
        assertThat(hash(polder("recipes", recipe.toString(), "-s", "model.width=3")))
                .isNotEqualTo(hash);
        assertThat(hash(polder("recipes", recipe.toString(), "-s", "data.augment.share=0.3")))
                .isNotEqualTo(hash);
    }

    @Test
    void aPluginThatCannotBeUsedIsToldInOneSentence() throws Exception {
        Path other = jar("other", SOURCE.formatted("other"), "other.Mine");
        assertThat(PolderProcess.run(folder, "--plugins", jar + ":" + other, "recipes")
                        .errors())
                .startsWith("polder: both mine.Mine$")
                .contains(" and other.Mine$", "leave out one of the plug-ins")
                .hasLineCount(1);
        Path broken = jar("broken", null, "broken.Missing");
        Outcome outcome = PolderProcess.run(folder, "--plugins", broken.toString(), "models");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .startsWith("polder: a plug-in cannot be loaded (")
                .contains("broken.Missing")
                .hasLineCount(1);
        String nameless = "package odd; public final class Mine implements io.polder.config.Plugin {"
                + " public record R() {} public java.util.List<Class<? extends Record>> records() {"
                + " return java.util.List.of(R.class); } }";
        Path odd = jar("odd", nameless, "odd.Mine");
        assertThat(PolderProcess.run(folder, "--plugins", odd.toString(), "models")
                        .errors())
                .isEqualTo("polder: the plug-in odd.Mine lists odd.Mine$R, which has no @Called that says its name:"
                        + " mend it or leave the plug-in out\n");
        assertThat(PolderProcess.run(folder, "--plugins", "no.jar", "models").errors())
                .isEqualTo("polder: there is no plug-in at no.jar: name a jar\n");
    }

    private Outcome polder(String... arguments) throws Exception {
        String[] all = Stream.concat(Stream.of("--plugins", jar.toString()), Stream.of(arguments))
                .toArray(String[]::new);
        return PolderProcess.run(folder, all);
    }

    private static String hash(Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome.output().lines().findFirst().orElseThrow();
    }

    /** @param source null: there is no class in it */
    private static Path jar(String name, String source, String service) throws IOException {
        Path classes = Files.createDirectories(jars.resolve(name + "/classes"));
        if (source != null) {
            Path file = Files.writeString(jars.resolve(name).resolve("Mine.java"), source);
            int code = ToolProvider.getSystemJavaCompiler()
                    .run(
                            null,
                            null,
                            null,
                            "-proc:none",
                            "-d",
                            classes.toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            file.toString());
            assertThat(code).isZero();
        }
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("io.polder.config.Plugin"), service + "\n");
        Path jar = jars.resolve(name + ".jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }
}
