/**
 * {@code polder watch}: a page on this machine that shows runs while they go on.
 *
 * <p>{@code RequestReader} takes requests, {@link io.polder.watch.WatchServer} answers them, {@code WatchedRuns} follows the run directories, and what a
 * browser gets is the page of {@link io.polder.study.RunsPage}, sent anew by server-sent events when something changed.
 *
 * <h2>Who may see it</h2>
 *
 * The server listens on 127.0.0.1 alone, and every address begins with 128 random bits, which only the terminal shows: another
 * user of the machine, or a page of some web site open in the same browser, does not know them. The {@code Host} header must
 * name this machine, so that no foreign name can be made to point here (DNS rebinding). There is nothing to send: only GET is
 * answered. No path of a request ever becomes a path of the disk; there are four fixed pages. The content policy allows
 * nothing from elsewhere, and no inline script or style. Who only begins to ask, a thousand times over, keeps nobody else from an answer.
 */
package io.polder.watch;
