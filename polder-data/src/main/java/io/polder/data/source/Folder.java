package io.polder.data.source;

import io.polder.data.BadImagePolicy;
import java.util.Set;

/**
 * Where the images of a set lie.
 *
 * @param badImages gets those that cannot be read, of all splits; any number of threads add to it
 */
record Folder(FileTree tree, BadImagePolicy onBadImage, Set<String> badImages) {}
