package io.polder.sharpness;

import io.polder.sharpness.Spectrum.Eigenpair;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What can be measured of a network by name. */
public enum Measure {
    /** ‖∇L‖ over all examples, and over a batch as training sees it. */
    GRADIENT_NORM("loss, gradient norm over all images and over a batch") {
        @Override
        public Reading read(FixedLoss loss, Effort effort) {
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("measuredLoss", loss.gradient());
            figures.put("fullGradientNorm", loss.parameters().gradient().norm());
            figures.put("batchGradientNorm", loss.batchGradientNorm());
            return Reading.of(figures);
        }
    },
    /** The largest eigenvalues of the Hessian, each with its residual, and the lowest that was met. */
    EIGENVALUES("largest eigenvalues of the Hessian") {
        @Override
        public Reading read(FixedLoss loss, Effort effort) {
            try (var hessian = loss.hessian();
                    var spectrum = Spectrum.of(
                            hessian,
                            like(loss),
                            new Spectrum.Wanted(effort.eigenvalues(), effort.tolerance(), effort.products()),
                            new RandomStreams(effort.seed()))) {
                Eigenpair top = spectrum.largest().get(0);
                Map<String, Double> figures = new LinkedHashMap<>();
                figures.put("topEigenvalue", top.value());
                figures.put("topEigenvalueResidual", top.residual());
                figures.put("lowestEigenvalue", spectrum.lowest().value());
                Map<String, List<Double>> series = new LinkedHashMap<>();
                series.put(
                        "eigenvalues",
                        spectrum.largest().stream().map(Eigenpair::value).toList());
                series.put(
                        "residuals",
                        spectrum.largest().stream().map(Eigenpair::residual).toList());
                return new Reading(figures, series);
            }
        }
    },
    /** The sum of all eigenvalues, with its standard error. */
    TRACE("trace of the Hessian") {
        @Override
        public Reading read(FixedLoss loss, Effort effort) {
            try (var hessian = loss.hessian()) {
                Trace trace = Trace.of(hessian, like(loss), effort.draws(), new RandomStreams(effort.seed()));
                Map<String, Double> figures = new LinkedHashMap<>();
                figures.put("trace", trace.value());
                figures.put("traceError", trace.standardError());
                return Reading.of(figures);
            }
        }
    },
    /** How all eigenvalues lie. */
    DENSITY("density of the Hessian's eigenvalues") {
        @Override
        public Reading read(FixedLoss loss, Effort effort) {
            try (var hessian = loss.hessian()) {
                var density = SpectralDensity.of(
                        hessian,
                        like(loss),
                        effort.densityDraws(),
                        effort.densitySteps(),
                        new RandomStreams(effort.seed()));
                var nodes = density.nodes();
                Map<String, List<Double>> series = new LinkedHashMap<>();
                series.put(
                        "nodes", nodes.stream().map(SpectralDensity.Node::value).toList());
                series.put(
                        "weights",
                        nodes.stream().map(SpectralDensity.Node::weight).toList());
                return new Reading(Map.of("negativeShare", density.share(0)), series);
            }
        }
    },
    /** SAM's: the rise of the loss within rho by one and by several steps; and the paper's local Lipschitz constant there. */
    SHARPNESS("rise of the loss within a radius, local Lipschitz constant") {
        @Override
        public Reading read(FixedLoss loss, Effort effort) {
            Ascent ascent = Ascent.of(loss, effort.rho(), 1 + effort.ascentSteps(), Ascent.Distance.L2);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("samSharpness", ascent.oneStep());
            figures.put("samSharpnessSteps", ascent.sharpness());
            figures.put("lipschitz", ascent.lipschitz());
            return Reading.of(figures);
        }
    },
    /** SAM's, for each m examples by themselves. */
    M_SHARPNESS("rise of the loss for each few images by themselves") {
        @Override
        public Reading read(FixedLoss loss, Effort effort) {
            return Reading.of(Map.of("mSharpness", loss.mSharpness(effort.m(), effort.rho())));
        }
    },
    /** In units of each weight's size: rescaled layers count the same. */
    ADAPTIVE_SHARPNESS("rise of the loss within a radius in units of each weight") {
        @Override
        public Reading read(FixedLoss loss, Effort effort) {
            Ascent ascent = Ascent.of(loss, effort.adaptiveRho(), 1, Ascent.Distance.ADAPTIVE);
            return Reading.of(Map.of("adaptiveSharpness", ascent.oneStep()));
        }
    };

    private final String label;

    Measure(String label) {
        this.label = label;
    }

    /** What it tells, for a bar. */
    public String label() {
        return label;
    }

    /** As options, recipes and files have it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Leaves the network as it was, but for its gradient buffer. */
    public abstract Reading read(FixedLoss loss, Effort effort);

    private static FlatVector like(FixedLoss loss) {
        return loss.parameters().values();
    }
}
