/** What was measured of minima, as tables, files and figures: {@link io.polder.sharpness} measures it. */
package io.polder.study.sharpness;
