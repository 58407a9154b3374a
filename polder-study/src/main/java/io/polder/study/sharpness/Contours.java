package io.polder.study.sharpness;

import io.polder.sharpness.Landscape;
import io.polder.study.NumberText;
import io.polder.study.page.Chart;
import io.polder.study.page.Style;
import java.util.ArrayList;
import java.util.List;

/** Lines of equal loss in a plane, by marching squares: straight pieces through the cells of the grid. */
final class Contours {
    /** As many as there are colours besides the baseline's grey. */
    private static final int LEVELS = 7;

    private final Landscape plane;

    private Contours(Landscape plane) {
        this.plane = plane;
    }

    /** The lowest first. Spaced by the logarithm of the height above the lowest point: minima are flat near their bottom. */
    static List<Chart.Series> of(Landscape plane) {
        double[] range = plane.range();
        List<Chart.Series> series = new ArrayList<>();
        for (int i = 1; i <= LEVELS; i++) {
            double level = range[0] + (range[1] - range[0]) * Math.pow(2, i - LEVELS) * 0.9;
            series.add(new Chart.Series(
                    "loss " + NumberText.significant(level), Style.of(i), new Contours(plane).pieces(level)));
        }
        return series;
    }

    private List<Chart.Point> pieces(double level) {
        List<Chart.Point> points = new ArrayList<>();
        for (int row = 0; row + 1 < plane.up().length; row++) {
            for (int column = 0; column + 1 < plane.across().length; column++) {
                // Around the cell: where the level is crossed between two corners is an end of a piece.
                int[][] corners = {{row, column}, {row, column + 1}, {row + 1, column + 1}, {row + 1, column}};
                List<Chart.Point> ends = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    crossing(corners[i], corners[(i + 1) % 4], level, ends);
                }
                for (int i = 0; i + 1 < ends.size(); i += 2) { // two, or in a saddle four
                    points.add(ends.get(i));
                    points.add(ends.get(i + 1));
                    points.add(Chart.Point.at(ends.get(i).x(), Double.NaN));
                }
            }
        }
        return points;
    }

    private void crossing(int[] from, int[] to, double level, List<Chart.Point> ends) {
        double low = plane.losses()[from[0]][from[1]];
        double high = plane.losses()[to[0]][to[1]];
        boolean crosses = (low < level) != (high < level) && Double.isFinite(low) && Double.isFinite(high);
        if (crosses) {
            double share = (level - low) / (high - low);
            double x = plane.across()[from[1]] + share * (plane.across()[to[1]] - plane.across()[from[1]]);
            double y = plane.up()[from[0]] + share * (plane.up()[to[0]] - plane.up()[from[0]]);
            ends.add(Chart.Point.at(x, y));
        }
    }
}
