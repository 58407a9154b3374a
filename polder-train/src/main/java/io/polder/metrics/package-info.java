/**
 * What a run leaves behind about its course, for programs and for people.
 *
 * <p>{@link io.polder.metrics.MetricsLog} watches a run and writes {@code metrics.jsonl}: one JSON object a line, a
 * {@link io.polder.metrics.RunRecord} each. {@link io.polder.metrics.MetricsHistory} reads it back, also while the run goes
 * on, and {@link io.polder.metrics.MetricsFollower} keeps up with it.
 * {@link io.polder.metrics.TensorBoardEvents} writes the same figures as TensorBoard reads them.
 *
 * <h2>A line of metrics.jsonl</h2>
 *
 * <pre>
 * {"checksum":"0d4f1a9b","kind":"step","step":0,"epoch":1,"loss":2.3,"gradientNorm":1.2,"mixedNorm":1.4,"parameterNorm":20.1,
 *  "learningRate":0.1,"alpha":0.8,"error":0.9,"r":0.1,"imagesPerSecond":900.0,"time":1763200000.123}
 * {"checksum":"9c27e065","kind":"epoch","epoch":1,"step":32,"steps":32,"loss":1.9,"error":0.7,"gradientNorm":1.1,"parameterNorm":20.0,
 *  "learningRate":0.1,"imagesPerSecond":910.0,"seconds":2.2,
 *  "testError":0.6,"testLoss":1.8,"testTop5Error":0.1,"testImages":10000,"time":1763200002.5}
 * {"checksum":"51b80c3e","kind":"event","what":"resumed","step":32,"message":"…","time":1763200100.0}
 * </pre>
 *
 * <p>{@code step} of a step counts from 0; of an epoch and of an event it is how many steps were done by then. {@code epoch}
 * counts from 1 everywhere. {@code gradientNorm} is ‖g1‖, {@code mixedNorm} ‖g‖. Any other number is a figure: of a step those of its task and its scheme, of an epoch those
 * of its task, with {@code test} before their names those of an evaluation, with {@code probe} what was measured of the network at its end. Errors are fractions. {@code time} is in
 * seconds since 1970. An epoch without an evaluation has no {@code test…} fields. JSON has no NaN and no infinity: both are
 * null, and null is read as NaN. A reader must skip kinds and fields it does not know. {@code checksum} is of the rest of the line
 * ({@link io.polder.files.CheckedJson}): a line that does not match it is damaged and passed over. Older versions wrote none.
 *
 * <p>Nothing here touches the engine.
 */
package io.polder.metrics;
