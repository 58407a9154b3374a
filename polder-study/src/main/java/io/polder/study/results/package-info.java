/**
 * What a study came to, and how it is judged and shown. {@link io.polder.study.results.StudyResult} is made by the search from the
 * store; everything else here renders it, and none of it trains or touches the engine.
 *
 * <p>Read in this order: {@code Spread}, {@code RowSummary} and {@code MethodTest} are the numbers, {@code SignedRanks}, {@code Holm}
 * and {@code RelativeGain} the statistics that {@code PairedTest} lacks, {@code Findings} the sentences and
 * {@link io.polder.study.results.PaperResults} what was published. {@link io.polder.study.results.StudyText} and
 * {@link io.polder.study.results.StudyReport} are the ways out: text, Markdown, LaTeX and CSV by {@code StudyTable} and
 * {@code StudyCsv}; the page, with {@code TrialsForScript} for its script; and figures, which {@code StudyCharts} thinks up and
 * {@link io.polder.study.page} draws.
 */
package io.polder.study.results;
