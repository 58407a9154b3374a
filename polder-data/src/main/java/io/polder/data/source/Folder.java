package io.polder.data.source;

import io.polder.data.BadImagePolicy;
import io.polder.image.ImageHeader;
import java.io.IOException;
import java.util.Set;

/**
 * Where the images of a set lie.
 *
 * @param badImages gets those that cannot be read, of all splits; any number of threads add to it
 * @param asShown whether pictures are turned as the camera noted and laid on white, rather than taken as they are stored
 */
record Folder(FileTree tree, BadImagePolicy onBadImage, Set<String> badImages, boolean asShown) {
    ImageHeader header(String name, FileBytes file) throws IOException {
        return asShown
                ? ImageHeader.asShown(name, file.bytes(), file.length())
                : ImageHeader.of(name, file.bytes(), file.length());
    }
}
