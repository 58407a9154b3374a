package io.polder.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is asked for, by the head of an HTTP request; a body is never read.
 *
 * @param path as it was sent, without what follows a question mark
 * @param hosts each {@code Host} header's value
 */
record Request(String method, String path, List<String> hosts) {
    private static final Pattern FIRST_LINE = Pattern.compile("([A-Z]+) ([!-~]+) HTTP/1\\.[01]");
    private static final Pattern HEADER = Pattern.compile("([!-9;-~]+):[ \t]*(.*?)[ \t]*");

    /** Empty where it is no request of HTTP 1. */
    static Optional<Request> of(String head) {
        String[] lines = head.split("\r\n");
        Matcher first = FIRST_LINE.matcher(lines[0]);
        if (!first.matches()) {
            return Optional.empty();
        }
        List<String> hosts = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            Matcher header = HEADER.matcher(lines[i]);
            if (!header.matches()) {
                return Optional.empty();
            }
            if (header.group(1).equalsIgnoreCase("Host")) {
                hosts.add(header.group(2));
            }
        }
        return Optional.of(new Request(first.group(1), first.group(2).split("\\?", 2)[0], List.copyOf(hosts)));
    }
}
