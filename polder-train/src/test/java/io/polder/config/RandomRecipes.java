package io.polder.config;

import io.polder.recipe.ModelRecipe;
import io.polder.recipe.Recipe;
import io.polder.recipe.ScheduledNumber;
import io.polder.recipe.SchemeRecipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Recipes of every shape, by a seed: each field random within its range, then whatever contradicts is tried again. */
public final class RandomRecipes {
    /** The fields of which a group has exactly one. */
    private static final Map<Class<?>, List<String>> EITHER = Map.of(
            Recipe.class, List.of("epochs", "steps"),
            ModelRecipe.class, List.of("name", "torchscript"),
            SchemeRecipe.GradientNormPenalty.class, List.of("alpha", "lambda"));

    private final Random random;

    public RandomRecipes(long seed) {
        this.random = new Random(seed);
    }

    public Recipe next() {
        while (true) {
            try {
                return (Recipe) record(Schema.group(Recipe.class));
            } catch (IllegalArgumentException contradiction) {
                // Most random recipes contradict themselves somewhere.
            }
        }
    }

    private Record record(Schema.Group group) {
        Values values = new Values(group);
        List<String> excludesItself = EITHER.getOrDefault(group.type(), List.of("", ""));
        String absent = excludesItself.get(random.nextInt(2));
        for (Part part : group.parts()) {
            boolean isNull = excludesItself.contains(part.name())
                    ? part.name().equals(absent)
                    : part.mayBeNull() && random.nextInt(3) > 0;
            Object value = part.field().beside() ? beside(group, part, values) : isNull ? null : value(part);
            values.put(part, value);
        }
        return values.build();
    }

    /** The fields of what the group's name is that of, where it has some. */
    private Record beside(Schema.Group group, Part part, Values values) {
        String name = values.get(group.shorthand(), String.class);
        return ((Schema.Choice) part.schema()).group(name).map(this::record).orElse(null);
    }

    /** Small where large ones would nearly always contradict another field. */
    private Object value(Part part) {
        return switch (part.name()) {
            case "microBatch" -> random.nextBoolean() ? Field.WORD : 1 + random.nextInt(8);
            case "replicas" -> 1 << random.nextInt(3);
            case "batch" -> 8 * (1 + random.nextInt(64));
            case "images" -> 512 + random.nextInt(10_000);
            case "epochs", "warmupEpochs" ->
                part.schema() instanceof Schema.Whole
                        ? (Object) (5 + random.nextInt(1000))
                        : (Object) (0.01 + 5 * random.nextDouble());
            case "name" ->
                part.component().getDeclaringRecord() == ModelRecipe.class ? "vit-s-4" : value(part.schema());
            default -> value(part.schema());
        };
    }

    private Object value(Schema schema) {
        if (schema instanceof Schema.Group group) {
            return record(group);
        } else if (schema instanceof Schema.Choice choice) {
            return record(choice.groups().get(random.nextInt(choice.groups().size())));
        } else if (schema instanceof Schema.NumberOrSpan amount) {
            return random.nextBoolean() ? ScheduledNumber.of(number(amount.range())) : value(amount.spans());
        } else if (schema instanceof Schema.Items items) {
            return List.of(value(items.item()), value(items.item()));
        } else if (schema instanceof Schema.Text text) {
            return text.pattern() == null ? text() : "run-" + random.nextInt(1000);
        } else if (schema instanceof Schema.Whole whole) {
            double value = Math.rint(number(whole.range()));
            return whole.isLong() ? (Object) (long) value : (Object) (int) value;
        } else if (schema instanceof Schema.Decimal decimal) {
            return number(decimal.range());
        } else if (schema instanceof Schema.Flag) {
            return random.nextBoolean();
        } else if (schema instanceof Schema.Word word) {
            return List.copyOf(word.values().values())
                    .get(random.nextInt(word.values().size()));
        }
        throw new AssertionError(schema + " is no kind of field that recipes have");
    }

    /** Everything that could be mistaken for something else by a reader of YAML. */
    private String text() {
        List<String> odd = List.of(
                "null",
                "true",
                "no",
                "~",
                "1e-3",
                "0x10",
                "a: b",
                "# c",
                " lead",
                "trail ",
                "\"q\"",
                "it's",
                "[x]",
                "{y}",
                "&a",
                "*b",
                "!t",
                "back\\slash",
                "Zoë/é",
                "日本",
                "-",
                "- x",
                "?",
                "%",
                "@",
                "|",
                ">",
                "a#b",
                "a #b",
                "C:\\data",
                "😀",
                "12:30");
        List<String> parts = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            parts.add(odd.get(random.nextInt(odd.size())));
        }
        return String.join(random.nextBoolean() ? "" : " ", parts);
    }

    /** Of any magnitude, ends included where they belong to the range. */
    private double number(Range range) {
        while (true) {
            double value = switch (random.nextInt(6)) {
                case 0 -> range.min();
                case 1 -> range.max();
                case 2 -> random.nextInt(40);
                case 3 -> random.nextDouble();
                case 4 -> random.nextGaussian() * Math.pow(10, random.nextInt(24) - 12);
                default -> -random.nextDouble();
            };
            if (range.contains(value)) {
                return value;
            }
        }
    }
}
