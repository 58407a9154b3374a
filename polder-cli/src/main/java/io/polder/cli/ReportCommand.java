package io.polder.cli;

import io.polder.files.WholeFile;
import io.polder.study.results.StudyJson;
import io.polder.study.results.StudyReport;
import io.polder.study.results.StudyResult;
import io.polder.study.results.StudyText;
import io.polder.study.search.StudyDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder report}: what a study has come to, at any moment. Trains nothing and does not load the engine. */
@Command(
        name = "report",
        description = {
            "Prints what a study has come to, also while it runs: its table, which differences are more than the noise"
                    + " between seeds, and what its search chose.",
            "",
            "As html it writes report.html, one page that needs no network, and figures as SVG and PNG into the directory"
                    + " figures beside it.",
            ""
        },
        mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "STUDY", description = "The directory that the study was given with --out.")
    private Path study;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private Format format = Format.text;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where it goes; default: the screen, and for html STUDY/report.html.")
    private Path out;

    @Option(names = "--json", description = "The same as --format json: print one JSON object, for programs.")
    private boolean json;

    /** In lower case, as they are typed. */
    enum Format {
        text,
        markdown,
        latex,
        csv,
        json,
        html
    }

    @Override
    public Integer call() throws IOException {
        if (json && format != Format.text && format != Format.json) {
            throw new ParameterException(
                    spec.commandLine(), "--json and --format " + format + " contradict each other: leave out one");
        }
        format = json ? Format.json : format;
        StudyDirectory directory = StudyDirectory.open(study);
        StudyResult result = directory.result();
        directory.store().complaints().forEach(spec.commandLine().getErr()::println);
        if (format == Format.html) {
            Path file = out == null ? study.resolve("report.html") : out;
            Path figures = file.toAbsolutePath().resolveSibling("figures");
            StudyReport.write(result, file, figures);
            say("Report: " + file + ", figures: " + file.resolveSibling("figures"));
            return 0;
        }
        String text = switch (format) {
            case text -> StudyText.text(result);
            case markdown -> StudyText.markdown(result);
            case latex -> StudyText.latex(result);
            case csv -> StudyText.csv(result);
            case json -> Json.document(StudyJson.fields(result));
            case html -> throw new AssertionError("written above");
        };
        if (out == null) {
            PrintWriter screen = spec.commandLine().getOut();
            screen.print(text);
            screen.flush();
        } else {
            WholeFile.write(out, text);
            say("Report: " + out);
        }
        return 0;
    }

    private void say(String line) {
        PrintWriter screen = spec.commandLine().getOut();
        screen.println(line);
        screen.flush();
    }
}
