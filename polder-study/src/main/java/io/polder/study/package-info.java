/**
 * What a study of training methods leaves behind, and how it is judged and shown. Here are pure data and text: nothing
 * in this part trains a network or touches the engine.
 *
 * <p>Read in this order: {@link io.polder.study.EpochRecord}, {@link io.polder.study.TrialRecord} and
 * {@link io.polder.study.Comparison} hold what was measured; {@link io.polder.study.MethodSummary},
 * {@code PairedTest} and {@link io.polder.study.Verdict} say what it means, and what it does not;
 * {@link io.polder.study.ResultsTable}, {@link io.polder.study.ResultsJson} and {@link io.polder.study.HtmlReport} show
 * it to a terminal, to a program and to a reader.
 *
 * <p>A single run is a {@link io.polder.study.RunSnapshot} of its directory; {@link io.polder.study.RunReport} and
 * {@link io.polder.study.RunsPage} show one and several.
 */
package io.polder.study;
