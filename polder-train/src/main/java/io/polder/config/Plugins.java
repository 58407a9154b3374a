package io.polder.config;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The records of {@link Plugin}s: of jars that were named, and of those on the class path. */
public final class Plugins {
    private static final List<Path> JARS = new ArrayList<>();
    private static ClassLoader loader = Plugins.class.getClassLoader();
    private static List<Class<? extends Record>> records;

    private Plugins() {}

    /**
     * From now on their plug-ins are known in this process.
     *
     * @throws IllegalArgumentException if one is not there, or a plug-in cannot be loaded
     */
    public static synchronized void add(List<Path> jars) {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            if (!Files.isReadable(jar)) {
                throw new IllegalArgumentException("there is no plug-in at " + jar + ": name a jar");
            }
            try {
                urls.add(jar.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(jar + " cannot be read: name a jar on a disk", e);
            }
            JARS.add(jar.toAbsolutePath());
        }
        loader = new URLClassLoader(urls.toArray(URL[]::new), loader); // open for as long as its classes are used
        records = null;
        Schema.forget();
        records();
    }

    /** Those that were added, for processes that shall know them too. */
    public static synchronized List<Path> jars() {
        return List.copyOf(JARS);
    }

    /** A class path with the jars that were added. */
    public static String with(String classPath) {
        return Stream.concat(Stream.of(classPath), jars().stream().map(Path::toString))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The names, with a sentence each, of the plug-ins of a kind. */
    public static List<Called> called(Class<?> kind) {
        return of(kind).map(type -> type.getAnnotation(Called.class)).toList();
    }

    static Stream<Class<? extends Record>> of(Class<?> kind) {
        return records().stream().filter(kind::isAssignableFrom);
    }

    private static synchronized List<Class<? extends Record>> records() {
        if (records == null) {
            List<Class<? extends Record>> found = new ArrayList<>();
            try {
                for (Plugin plugin : ServiceLoader.load(Plugin.class, loader)) {
                    for (Class<? extends Record> type : plugin.records()) {
                        require(plugin, type);
                        found.add(type);
                    }
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                throw new IllegalArgumentException(
                        "a plug-in cannot be loaded (" + e.getMessage() + "): mend its jar or leave it out", e);
            }
            records = List.copyOf(found);
        }
        return records;
    }

    private static void require(Plugin plugin, Class<?> type) {
        String wrong = null;
        if (!type.isRecord()) {
            wrong = "is no record";
        } else if (!type.isAnnotationPresent(Called.class)) {
            wrong = "has no @Called that says its name";
        } else if (!isOfAKind(type)) {
            wrong = "implements nothing that a recipe names, such as SchemeRecipe";
        } else {
            wrong = Arrays.stream(type.getRecordComponents())
                    .filter(component -> Part.field(component).isEmpty())
                    .map(component -> "has no @Field on " + component.getName())
                    .findFirst()
                    .orElse(null);
        }
        if (wrong != null) {
            throw new IllegalArgumentException(
                    "the plug-in " + plugin.getClass().getName() + " lists " + type.getName() + ", which " + wrong
                            + ": mend it or leave the plug-in out");
        }
    }

    private static boolean isOfAKind(Class<?> type) {
        return Arrays.stream(type.getInterfaces())
                .anyMatch(kind -> (kind.isAnnotationPresent(ByName.class) && !kind.isSealed()) || isOfAKind(kind));
    }
}
