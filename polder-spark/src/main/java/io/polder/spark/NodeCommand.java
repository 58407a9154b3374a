package io.polder.spark;

import io.polder.study.trial.TrialCommand;
import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The command of a trial's or a worker's process on a node of the cluster: the Java that runs the Spark executor, and the jars that it has. Those of
 * the application come first: Spark's own libraries may be of other versions.
 */
final class NodeCommand implements TrialOnNode.Command {
    private static final long serialVersionUID = 1;

    /** Those of the driver's user: the nodes' own environment knows nothing of them. */
    private final ArrayList<String> options = new ArrayList<>(TrialCommand.userOptions());

    @Override
    public TrialCommand get() {
        return TrialCommand.withClassPath(classPath(Thread.currentThread().getContextClassLoader()), options);
    }

    /** Of a program of this module's. */
    TrialCommand of(Class<?> main) {
        return TrialCommand.of(main, classPath(Thread.currentThread().getContextClassLoader()), options);
    }

    static String classPath(ClassLoader loader) {
        Set<String> entries = new LinkedHashSet<>();
        for (ClassLoader at = loader; at != null; at = at.getParent()) {
            // Spark hands out the application's jars, and those of --jars and --packages, through such loaders.
            if (at instanceof URLClassLoader urls) {
                for (URL url : urls.getURLs()) {
                    if (url.getProtocol().equals("file")) {
                        entries.add(path(url));
                    }
                }
            }
        }
        entries.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, entries);
    }

    private static String path(URL url) {
        try {
            return Path.of(url.toURI()).toString();
        } catch (URISyntaxException e) {
            return url.getPath(); // a space that was not escaped, for example
        }
    }
}
