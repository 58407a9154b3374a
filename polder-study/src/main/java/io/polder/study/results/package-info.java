/**
 * What a study came to, and how it is shown. {@link io.polder.study.results.StudyResult} is made by the search from the store;
 * everything else here renders it.
 */
package io.polder.study.results;
