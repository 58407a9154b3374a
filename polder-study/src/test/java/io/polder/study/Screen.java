package io.polder.study;

import java.util.Locale;

/** What pages are looked at on. */
public enum Screen {
    PHONE_LIGHT(360, 740, "light"),
    PHONE_DARK(360, 740, "dark"),
    DESKTOP_LIGHT(1200, 900, "light"),
    DESKTOP_DARK(1200, 900, "dark");

    final int width;
    final int height;
    final String scheme;

    Screen(int width, int height, String scheme) {
        this.width = width;
        this.height = height;
        this.scheme = scheme;
    }

    boolean isPhone() {
        return this == PHONE_LIGHT || this == PHONE_DARK;
    }

    boolean isDark() {
        return scheme.equals("dark");
    }

    /** As in the name of a picture: {@code phone-light}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
