package io.polder.config;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Text to {@link Node}s. One document; anchors, aliases and tags are
 * refused, so nothing can be made of a file but its own text, and no small file can grow into a large one.
 */
final class YamlTree {
    /** A recipe is four deep, a study that has one in it six. */
    private static final int DEEPEST = 16;

    /** Ends the reading after a mistake that leaves no sense in the rest. */
    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Origin origin;

        Unreadable(Origin origin, String sentence) {
            super(sentence, null, false, false);
            this.origin = origin;
        }
    }

    private final IntFunction<Origin> origins;
    private final String noun;
    private final Mistakes mistakes;
    private final Iterator<Event> events;
    private int depth;

    private YamlTree(String text, IntFunction<Origin> origins, String noun, Mistakes mistakes) {
        this.origins = origins;
        this.noun = noun;
        this.mistakes = mistakes;
        var settings =
                LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build(); // whoever calls has a limit
        this.events = new Parse(settings).parseString(text).iterator();
    }

    /**
     * Notes its mistakes, and returns what there is without them.
     *
     * @param origins from lines, which count from 1
     * @param noun what it is that the text has in it, for messages
     */
    static Optional<Node> parse(String text, IntFunction<Origin> origins, String noun, Mistakes mistakes) {
        try {
            return new YamlTree(text, origins, noun, mistakes).document();
        } catch (Unreadable e) {
            mistakes.add(e.origin, "", e.getMessage());
        } catch (MarkedYamlEngineException e) {
            Origin origin = origins.apply(
                    e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1);
            mistakes.add(origin, "", "is no YAML: " + oneLine(e.getProblem()));
        } catch (ReaderException e) {
            int end = Math.min(e.getPosition(), text.length());
            int line = 1 + (int) text.substring(0, end).lines().count();
            mistakes.add(
                    origins.apply(Math.max(1, end == 0 || text.charAt(end - 1) == '\n' ? line : line - 1)),
                    "",
                    "is no YAML: it has the character U+%04X, which cannot be printed".formatted(e.getCodePoint()));
        } catch (YamlEngineException e) {
            mistakes.add(origins.apply(1), "", "is no YAML: " + oneLine(e.getMessage()));
        }
        return Optional.empty();
    }

    private Optional<Node> document() {
        Node node = null;
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof StreamStartEvent
                    || event instanceof DocumentEndEvent
                    || (event instanceof DocumentStartEvent && node == null)) {
                continue;
            }
            if (event instanceof DocumentStartEvent) {
                throw new Unreadable(origin(event), "a second document begins here; a file has one " + noun);
            }
            if (event instanceof NodeEvent) {
                node = node(event);
            }
        }
        return Optional.ofNullable(node);
    }

    private Node node(Event event) {
        refuseReferences(event);
        if (event instanceof ScalarEvent scalar) {
            return new Node.Scalar(origin(event), scalar.getValue(), scalar.isPlain());
        }
        if (++depth > DEEPEST) {
            throw new Unreadable(
                    origin(event), "is nested deeper than " + DEEPEST + " levels, which no " + noun + " is");
        }
        Node node = event instanceof MappingStartEvent ? mapping(origin(event)) : listing(origin(event));
        depth--;
        return node;
    }

    private void refuseReferences(Event event) {
        if (event instanceof AliasEvent) {
            throw new Unreadable(
                    origin(event), "has an alias (*); a " + noun + " is written out, so that it means what it says");
        }
        if (((NodeEvent) event).getAnchor().isPresent()) {
            throw new Unreadable(
                    origin(event), "has an anchor (&); a " + noun + " is written out, so that it means what it says");
        }
        Optional<String> tag = Optional.empty();
        if (event instanceof ScalarEvent scalar) {
            tag = scalar.getTag();
        } else if (event instanceof MappingStartEvent mapping) {
            tag = mapping.getTag();
        } else if (event instanceof SequenceStartEvent sequence) {
            tag = sequence.getTag();
        }
        if (tag.isPresent()) {
            throw new Unreadable(
                    origin(event), "has the tag " + Mistakes.quote(tag.get()) + "; a " + noun + " has no tags (!)");
        }
    }

    private Node mapping(Origin origin) {
        var mapping = Node.Mapping.empty(origin);
        for (Event event = events.next(); !(event instanceof MappingEndEvent); event = events.next()) {
            Origin at = origin(event);
            Node key = node(event);
            Node value = node(events.next());
            if (!(key instanceof Node.Scalar name)) {
                mistakes.add(at, "", "has a list or a mapping where the name of a field belongs");
            } else if (mapping.entries().containsKey(name.text())) {
                mistakes.add(
                        at,
                        "",
                        "has " + Mistakes.quote(name.text()) + " a second time; the first is at "
                                + mapping.entries().get(name.text()).origin());
            } else {
                mapping.put(name.text(), at, value);
            }
        }
        return mapping;
    }

    private Node listing(Origin origin) {
        List<Node> items = new ArrayList<>();
        for (Event event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
            items.add(node(event));
        }
        return new Node.Listing(origin, items);
    }

    private Origin origin(Event event) {
        return origins.apply(event.getStartMark().map(Mark::getLine).orElse(0) + 1);
    }

    private static String oneLine(String text) {
        return text == null ? "it cannot be read" : text.lines().findFirst().orElse("it cannot be read");
    }
}
