/**
 * What single runs leave behind, and how it is shown: {@link io.polder.study.RunSnapshot} of a run's directory, {@link io.polder.study.RunReport} and
 * {@link io.polder.study.RunsPage} for one and several. Beside them what the reports of runs and of studies share:
 * {@link io.polder.study.page.Html} and {@link io.polder.study.NumberText} for pages and texts, {@link io.polder.study.NumbersAndTimes} for
 * JSON. Nothing here trains a network or touches the engine.
 *
 * <p>Studies are in the packages below: {@code search} says what is trained, {@code trial} trains it, {@code results} judges and shows it.
 * {@code ./polder compare} is one of them.
 */
package io.polder.study;
