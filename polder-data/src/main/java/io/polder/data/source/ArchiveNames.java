package io.polder.data.source;

import java.util.Arrays;

/** Names in archives, which may have been chosen to do harm. */
final class ArchiveNames {
    private ArchiveNames() {}

    /** Whether it could be unpacked below a directory of one's choice and nowhere else. */
    static boolean staysInside(String name) {
        boolean absolute = name.startsWith("/") || name.startsWith("\\") || name.matches("[A-Za-z]:.*");
        return !absolute && !Arrays.asList(name.split("[/\\\\]")).contains("..");
    }

    static boolean isLegible(String name) {
        return !name.isEmpty() && name.chars().noneMatch(Character::isISOControl);
    }
}
