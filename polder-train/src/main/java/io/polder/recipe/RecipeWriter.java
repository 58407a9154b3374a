package io.polder.recipe;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The canonical text of a recipe. */
final class RecipeWriter {
    /** Begins what is hashed. To be changed when the meaning of a field is, so that old hashes do not name new results. */
    private static final String FORMAT = "polder recipe 1\n";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9._/-]*");
    private static final Pattern READ_OTHERWISE = Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n");

    private final StringBuilder text = new StringBuilder();
    private final boolean onlyWhatDeterminesTheResult;

    private RecipeWriter(boolean onlyWhatDeterminesTheResult) {
        this.onlyWhatDeterminesTheResult = onlyWhatDeterminesTheResult;
    }

    static String text(Values recipe) {
        var writer = new RecipeWriter(false);
        writer.group(recipe, "");
        return writer.text.toString();
    }

    static String hashed(Values recipe) {
        var writer = new RecipeWriter(true);
        writer.text.append(FORMAT);
        writer.group(recipe, "");
        if (recipe.get("onDivergence.action", DivergenceRecipe.Action.class) == DivergenceRecipe.Action.RESTORE) {
            // How far a run goes back is then up to when it was saved.
            for (String time : List.of("checkpoint.everyEpochs", "checkpoint.everySteps")) {
                writer.text
                        .append(time)
                        .append(": ")
                        .append(recipe.get(time, Object.class))
                        .append('\n');
            }
        }
        return writer.text.toString();
    }

    private void group(Values values, String indent) {
        for (Part part : values.group().parts()) {
            Object value = values.get(part.name(), Object.class);
            if (!onlyWhatDeterminesTheResult || (part.field().determinesResult() && value != null)) {
                text.append(indent).append(part.name()).append(':');
                value(value, part.shape(), indent + "  ");
            }
        }
    }

    private void value(Object value, Shape shape, String indent) {
        if (value instanceof Values values) {
            text.append('\n');
            if (shape instanceof Shape.Choice choice) {
                tag(choice, values, indent);
            }
            group(values, indent);
        } else if (value instanceof Amount.Constant constant) {
            line(number(constant.base()));
        } else if (value instanceof Amount amount) {
            Values schedule = Values.of((Record) amount);
            text.append('\n');
            tag(((Shape.NumberOrSchedule) shape).schedules(), schedule, indent);
            group(schedule, indent);
        } else if (value instanceof Named named) {
            line(quoted(named.text()));
        } else if (value instanceof Double decimal) {
            line(number(decimal));
        } else if (value instanceof String string) {
            line(quoted(string));
        } else {
            line(String.valueOf(value));
        }
    }

    private void tag(Shape.Choice choice, Values values, String indent) {
        text.append(indent)
                .append(choice.key())
                .append(": ")
                .append(values.group().tag())
                .append('\n');
    }

    private void line(String value) {
        text.append(' ').append(value).append('\n');
    }

    /** The shortest text that reads back to the same number. */
    static String number(double value) {
        return Double.toString(value).toLowerCase(Locale.ROOT);
    }

    /** In quotes unless every reader of YAML takes it for this very text without. */
    private static String quoted(String string) {
        if (PLAIN.matcher(string).matches() && !READ_OTHERWISE.matcher(string).matches()) {
            return string;
        }
        return '"' + string.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
