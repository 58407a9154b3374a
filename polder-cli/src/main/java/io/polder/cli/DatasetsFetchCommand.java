package io.polder.cli;

import io.polder.data.KnownDataset;
import io.polder.data.source.Datasets;
import io.polder.data.source.Download;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder datasets fetch}: a data set from its publisher. */
@Command(
        name = "fetch",
        description = {
            "Fetches cifar10 or cifar100 from its publisher to where it is looked for, and verifies its checksum."
                    + " What was fetched before a stop is gone on from.",
            ""
        },
        mixinStandardHelpOptions = true)
final class DatasetsFetchCommand implements Callable<Integer> {
    private static final int LINES = 10;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "cifar10 or cifar100.")
    private String name;

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "The directory it goes to; by default $POLDER_DATA, or data.")
    private Path to;

    @Option(
            names = "--from",
            paramLabel = "URL",
            description = "Another address of a directory that has the file, such as a mirror's.")
    private String from;

    private long linesPrinted;

    @Override
    public Integer call() throws IOException {
        KnownDataset known = Main.typed(spec, () -> Datasets.named(name));
        Download file = Datasets.download(name)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        name + " cannot be fetched, but cifar10 and cifar100 can: it expects " + known.expects()));
        Download source = from == null ? file : Main.typed(spec, () -> file.from(address()));
        Path directory = to == null ? known.places().get(0).toAbsolutePath().getParent() : to;
        try {
            boolean fetched = source.fetch(directory, this::progress);
            endLine();
            spec.commandLine()
                    .getOut()
                    .println(directory.resolve(file.file()) + (fetched ? ", MD5 as published" : " is there already"));
            spec.commandLine().getOut().flush();
            return 0;
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted: the same command goes on");
        } finally {
            endLine();
        }
    }

    private URI address() {
        URI address = URI.create(from);
        if (!List.of("http", "https")
                        .contains(String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT))
                || address.getHost() == null) {
            throw new IllegalArgumentException("--from is " + from + ": it must begin with http:// or https://");
        }
        return address;
    }

    /** On a terminal one line that changes; elsewhere one for each tenth. */
    private void progress(long bytes, long all) {
        PrintWriter screen = spec.commandLine().getErr();
        String text = String.format(Locale.ROOT, "%,d of %s bytes", bytes, all == 0 ? "?" : "%,d".formatted(all));
        if (Terminal.isThere()) {
            screen.print("\r" + Terminal.cut(text, Terminal.usableColumns()));
            screen.flush();
            linesPrinted = 1;
        } else if (all > 0 && LINES * bytes / all > linesPrinted) {
            linesPrinted = LINES * bytes / all;
            screen.println(text);
        }
    }

    private void endLine() {
        if (Terminal.isThere() && linesPrinted > 0) {
            spec.commandLine().getErr().println();
            linesPrinted = 0;
        }
    }
}
