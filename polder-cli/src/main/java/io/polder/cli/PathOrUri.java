package io.polder.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * What an option names: a path on this machine, or a place on a file system of another kind, like {@code hdfs://host/path}.
 *
 * @param path empty for other places
 * @param uri empty for paths
 */
record PathOrUri(Optional<Path> path, Optional<URI> uri) {
    /** Of two letters and more: one is a drive of Windows. */
    private static final Pattern URI_OF_A_PLACE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*");

    /** For picocli. */
    static final class Converter implements ITypeConverter<PathOrUri> {
        @Override
        public PathOrUri convert(String text) {
            if (!URI_OF_A_PLACE.matcher(text).matches()) {
                return new PathOrUri(Optional.of(Main.path(text)), Optional.empty());
            }
            try {
                return new PathOrUri(Optional.empty(), Optional.of(new URI(text)));
            } catch (URISyntaxException e) {
                throw new TypeConversionException("'" + text + "' is no URI (" + e.getReason() + ")");
            }
        }
    }

    /** @throws ParameterException where what an option names is no path; nothing if it names nothing */
    static void requirePath(CommandSpec command, String option, PathOrUri place) {
        if (place != null && place.uri().isPresent()) {
            throw new ParameterException(
                    command.commandLine(),
                    option + " is " + place
                            + ": only nodes of --executor spark reach such places, here it must be a path");
        }
    }

    @Override
    public String toString() {
        return uri.map(URI::toString).orElseGet(() -> path.orElseThrow().toString());
    }
}
