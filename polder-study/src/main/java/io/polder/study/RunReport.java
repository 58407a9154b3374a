package io.polder.study;

import static io.polder.study.page.Html.escape;

import io.polder.files.WholeFile;
import io.polder.metrics.MetricsFollower;
import io.polder.metrics.RunRecord;
import io.polder.study.page.Html;
import io.polder.train.EpochMetrics;
import io.polder.train.Figure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code report.html} of one run, from what its directory has: {@code run.json}, {@code recipe.yaml} and {@code metrics.jsonl},
 * each of which may be missing. It is one page that needs nothing but itself. A run rewrites it after
 * each epoch; its size does not grow with the run. Not for several threads.
 */
public final class RunReport {
    private static final int LARGEST_RECIPE = 1 << 17;
    private static final int MOST_EVENTS = 100;
    private static final int MOST_RECORDS = 50_000;

    /** What of {@code run.json} is shown, in this order and by these names. */
    private static final Map<String, String> ENVIRONMENT = named(
            "version", "Polder",
            "gitRevision", "Revision",
            "engine", "Engine",
            "device", "Device",
            "threads", "Threads",
            "processor", "Processor",
            "cores", "Cores",
            "java", "Java",
            "system", "System");

    private static final Map<String, String> RUN = named(
            "started", "Started",
            "seed", "Seed",
            "epochs", "Epochs",
            "stoppedEarly", "Stopped early",
            "stepsPerEpoch", "Steps per epoch",
            "trainImages", "Training images",
            "testImages", "Test images",
            "classes", "Classes",
            "parameters", "Parameters",
            "recipeHash", "Recipe’s hash");

    private final Path directory;
    private final MetricsFollower metrics;

    /** The report of the run in a directory, for a program that writes it again and again: metrics are read but once. */
    public RunReport(Path runDirectory) {
        directory = runDirectory;
        metrics = new MetricsFollower(runDirectory.resolve("metrics.jsonl"), MOST_RECORDS);
    }

    /** Writes {@code report.html} into the directory, whole or not at all. */
    public void write() throws IOException {
        write("");
    }

    /** @param further sections of the page, as HTML */
    private void write(String further) throws IOException {
        metrics.poll();
        var run = RunSnapshot.of(directory, LenientRunInfo.read(directory), metrics.history());
        WholeFile.write(
                directory.resolve("report.html"),
                html(run, recipe(directory), ExaminationSection.of(directory) + further, Instant.now()));
    }

    /** The report as it stands now. */
    public static void write(Path runDirectory) throws IOException {
        new RunReport(runDirectory).write();
    }

    /** @param further sections of the page, as HTML */
    public static void write(Path runDirectory, String further) throws IOException {
        new RunReport(runDirectory).write(further);
    }

    static String html(RunSnapshot run, String recipe, String further, Instant now) {
        String content = """
                %s%s<p class="note">Training figures are those of single batches, test figures of all test images. Where a line has a band, a point \
                of it is the mean of a stretch of measurements, and the band reaches from the lowest to the highest.%s</p>
                %s%s%s<div class="facts">
                %s%s</div>
                %s""".formatted(
                        figures(run),
                        RunCharts.html(List.of(run)),
                        damage(run),
                        further,
                        events(run),
                        verbatim("Recipe", withoutNulls(recipe).strip()),
                        Html.facts("Run", shown(run.facts(), RUN)),
                        Html.facts("Environment", shown(run.facts(), ENVIRONMENT)),
                        verbatim("Command", run.facts().get("command")));
        return Html.report(run.name(), lead(run, now), content);
    }

    private static String lead(RunSnapshot run, Instant now) {
        String method = run.method();
        String epochs = "epoch " + run.epochsDone()
                + (run.epochsPlanned().isPresent()
                        ? " of " + run.epochsPlanned().getAsLong()
                        : "");
        String start = method.isEmpty() ? "E" + epochs.substring(1) : method + ": " + epochs;
        Figure judge = run.judge();
        Optional<EpochMetrics> last = run.lastTested();
        Optional<EpochMetrics> best = run.bestTested();
        String state = run.state(now).text() + (run.facts().get("stoppedEarly").isEmpty() ? "" : " early");
        if (last.isEmpty()) {
            return start + ", " + state + ". No test " + judge.label() + " yet.";
        }
        String unit = NumberText.unit(judge, " %");
        String value = "The test " + judge.label() + " is " + NumberText.value(judge, run.judged(last)) + unit;
        boolean lastIsBest = best.isPresent() && !judge.isBetter(run.judged(best), run.judged(last));
        return start + ", " + state + ". " + value
                + (lastIsBest
                        ? ", the " + NumberText.best(judge) + " so far."
                        : best.map(epoch -> "; at epoch " + epoch.epoch() + " it was "
                                        + NumberText.value(judge, run.judged(best)) + unit + ".")
                                .orElse("."));
    }

    private static String figures(RunSnapshot run) {
        List<String[]> figures = new ArrayList<>();
        Figure judge = run.judge();
        String test = NumberText.heading("test", judge);
        figures.add(new String[] {NumberText.value(judge, run.judged(run.lastTested())), test});
        figures.add(new String[] {
            NumberText.value(judge, run.judged(run.bestTested())),
            NumberText.best(judge) + " " + test
                    + run.bestTested().map(best -> ", epoch " + best.epoch()).orElse("")
        });
        for (Figure figure : run.facts().figures().training()) {
            double value =
                    run.lastEpoch().map(epoch -> epoch.figure(figure.name())).orElse(Double.NaN);
            figures.add(new String[] {NumberText.value(figure, value), NumberText.heading("training", figure)});
        }
        figures.add(new String[] {NumberText.whole(run.imagesPerSecond()), "images a second"});
        figures.add(new String[] {NumberText.duration(run.trainingSeconds()), "of training"});
        return figures.stream()
                .map(figure -> "<li><b>%s</b> <small>%s</small></li>\n".formatted(figure[0], escape(figure[1])))
                .collect(Collectors.joining("", "<ul class=\"figures\">\n", "</ul>\n"));
    }

    private static String damage(RunSnapshot run) {
        int damaged = run.history().damagedLines();
        return damaged == 0 ? "" : " Damaged lines of metrics.jsonl that were passed over: " + damaged + ".";
    }

    /** The latest; checkpoints, which come by the hundred, are left out. */
    private static String events(RunSnapshot run) {
        List<RunRecord.Event> events = run.history().events().stream()
                .filter(event -> !event.what().equals("checkpoint"))
                .toList();
        if (events.isEmpty()) {
            return "";
        }
        List<RunRecord.Event> latest = events.subList(Math.max(0, events.size() - MOST_EVENTS), events.size());
        return Html.section(
                "Events",
                latest.stream()
                        .map(event -> "<li><b>%s</b> <small>%s, after %,d steps</small> %s</li>\n"
                                .formatted(
                                        escape(event.what()),
                                        time(event.time()),
                                        event.step(),
                                        escape(event.message())))
                        .collect(Collectors.joining("", "<ul class=\"events\">\n", "</ul>\n")));
    }

    private static String time(double seconds) {
        return Double.isFinite(seconds) ? Html.date(Instant.ofEpochMilli((long) (1000 * seconds))) : NumberText.UNKNOWN;
    }

    private static String verbatim(String heading, String text) {
        return text.isEmpty() ? "" : Html.section(heading, "<pre><code>" + escape(text) + "</code></pre>\n");
    }

    /** What a recipe leaves out says nothing to a reader. */
    private static String withoutNulls(String recipe) {
        return recipe.lines().filter(line -> !line.matches("\\s*\\w+: null")).collect(Collectors.joining("\n"));
    }

    private static Map<String, String> shown(LenientRunInfo facts, Map<String, String> names) {
        Map<String, String> shown = new LinkedHashMap<>();
        names.forEach((key, name) -> {
            String value = facts.get(key);
            if (!value.isEmpty()) {
                shown.put(name, key.equals("started") ? date(value) : grouped(key, value));
            }
        });
        return shown;
    }

    private static String date(String iso) {
        try {
            return Html.date(Instant.parse(iso));
        } catch (DateTimeException e) {
            return iso;
        }
    }

    /** Thousands are set apart where they count something. */
    private static String grouped(String key, String value) {
        return !key.equals("seed") && value.matches("\\d{4,18}")
                ? String.format(Locale.ROOT, "%,d", Long.parseLong(value))
                : value;
    }

    private static String recipe(Path runDirectory) throws IOException {
        Path recipe = runDirectory.resolve("recipe.yaml");
        if (!Files.isRegularFile(recipe)) { // a pipe would be waited for
            return "";
        }
        try (var file = Files.newInputStream(recipe)) {
            return new String(file.readNBytes(LARGEST_RECIPE), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private static Map<String, String> named(String... keysAndNames) {
        Map<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < keysAndNames.length; i += 2) {
            names.put(keysAndNames[i], keysAndNames[i + 1]);
        }
        return names;
    }
}
