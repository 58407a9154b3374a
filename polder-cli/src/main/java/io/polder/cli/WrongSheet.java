package io.polder.cli;

import io.polder.image.Area;
import io.polder.image.Sheet;
import io.polder.run.Examination;
import java.util.List;
import java.util.Locale;

/**
 * The pictures that a network was surest of and wrong, as it saw them, for people to look at: some will be hard, some hardly what their
 * folder says.
 */
final class WrongSheet {
    static final int MOST = 24;

    private static final int COLUMNS = 6;
    private static final int CELL = 128;
    private static final int GAP = 22;
    private static final int MARGIN = 28;
    private static final int HEADING = 44;
    private static final int CAPTION = 54;
    private static final int CAPITAL = 9;
    private static final int SMALL = 7;
    private static final int PAPER = 0xfcfcfa;
    private static final int INK = 0x22252b;
    private static final int FAINT = 0x7a808c;
    private static final int MISTAKE = 0xb3261e;

    private final Examination found;

    WrongSheet(Examination found) {
        this.found = found;
    }

    byte[] png() {
        List<Examination.Wrong> wrong = found.wrong();
        int columns = Math.min(COLUMNS, Math.max(3, wrong.size()));
        int rows = (wrong.size() - 1) / COLUMNS + 1;
        int width = 2 * MARGIN + columns * (CELL + GAP) - GAP;
        var sheet = new Sheet(2 * MARGIN + HEADING + rows * (CELL + CAPTION) - GAP, width, PAPER);
        sheet.text("Most confidently wrong", MARGIN, MARGIN + 12, 12, INK);
        for (int i = 0; i < wrong.size(); i++) {
            int x = MARGIN + i % COLUMNS * (CELL + GAP);
            int y = MARGIN + HEADING + i / COLUMNS * (CELL + CAPTION);
            Examination.Wrong each = wrong.get(i);
            sheet.image(
                    each.pixels(),
                    found.shape().height(),
                    found.shape().width(),
                    found.shape().channels(),
                    new Area(y, x, CELL, CELL));
            String guess = String.format(Locale.ROOT, "%s %.0f %%", each.guess(), 100 * each.probability());
            sheet.text(fitted(guess, CAPITAL), x, y + CELL + 14, CAPITAL, MISTAKE);
            sheet.text(fitted("is " + each.className(), SMALL), x, y + CELL + 27, SMALL, INK);
            String file = each.name().substring(each.name().lastIndexOf('/') + 1);
            sheet.text(fitted(file, SMALL), x, y + CELL + 39, SMALL, FAINT);
        }
        return sheet.png();
    }

    /** As much of it as is no wider than a picture. */
    private static String fitted(String text, int capital) {
        String fitted = text;
        for (int kept = text.length() - 1; kept > 0 && Sheet.textWidth(fitted, capital) > CELL; kept--) {
            fitted = text.substring(0, kept) + "..";
        }
        return fitted;
    }
}
