package io.polder.study.trial;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import java.io.IOException;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

/**
 * A curve that is read from its JSON when somebody looks at it. Most of an outcome is its curve, and most of those who read thousands of
 * outcomes want none of them. A checksum must vouch for it before: whoever looks at a curve cannot do anything about a damaged one.
 */
final class LazyCurve extends AbstractList<EpochPoint> {
    private final byte[] json;
    private List<EpochPoint> points;

    private LazyCurve(byte[] json) {
        this.json = json;
    }

    /** @throws IllegalArgumentException if it is no curve, on the first look */
    private synchronized List<EpochPoint> points() {
        if (points == null) {
            try {
                points = List.of(OutcomeJson.CURVES.<EpochPoint[]>readValue(json));
            } catch (IOException e) {
                throw new IllegalArgumentException("its curve is none", e);
            }
        }
        return points;
    }

    @Override
    public EpochPoint get(int index) {
        return points().get(index);
    }

    @Override
    public int size() {
        return points().size();
    }

    /** Cuts the JSON out; that it is JSON is seen to. */
    static final class Deserializer extends JsonDeserializer<List<EpochPoint>> {
        @Override
        public List<EpochPoint> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.currentToken() != JsonToken.START_ARRAY
                    || !(parser.currentLocation().contentReference().getRawContent() instanceof byte[] all)) {
                return context.reportInputMismatch(List.class, "a curve must be an array");
            }
            int start = (int) parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            int end = (int) parser.currentLocation().getByteOffset();
            return new LazyCurve(Arrays.copyOfRange(all, start, end));
        }
    }
}
