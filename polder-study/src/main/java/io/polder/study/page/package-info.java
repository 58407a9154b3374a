/**
 * What pages and figures are made of: the frame of a page ({@link io.polder.study.page.Html}, with {@code report.css} and
 * {@code report.js}, which every page has) and charts. What is shown, {@code io.polder.study} and {@code io.polder.study.results} say.
 *
 * <p>Read in this order: {@link io.polder.study.page.Chart} describes a chart and {@code Axis} its ticks; {@code ChartFrame} draws it with a
 * {@code Pen}. {@link io.polder.study.page.ChartHtml} takes the pen for pages, which writes SVG elements that the page's style colours;
 * {@link io.polder.study.page.ChartFiles} the one for files, whose shapes become SVG and PNG.
 *
 * <p>The charts are our own because XChart, which once drew the files, has nothing for pages: SVG in the page's colours by day and by
 * night, letters legible on a phone, values read off by the pointer, a gap where there is no number. With axes, ticks and curves there
 * already, files take one pen more, about as long as what styled XChart, and a chart looks the same in both.
 */
package io.polder.study.page;
