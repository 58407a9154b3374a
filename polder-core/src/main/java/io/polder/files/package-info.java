/**
 * Files that survive a crash. {@link io.polder.files.WholeFile} replaces one file whole or not at all,
 * {@link io.polder.files.Sync} waits until the disk has what was written, and {@link io.polder.files.Reason} says in words
 * why it has not.
 *
 * <p>And what the system says of itself in files: {@link io.polder.files.Machine}.
 *
 * <p>The lowest layer: nothing here knows what is in a file.
 */
package io.polder.files;
