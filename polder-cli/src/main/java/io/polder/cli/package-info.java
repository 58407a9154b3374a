/**
 * The {@code polder} command: one class for each subcommand, which reads its options, calls the library and shows what came of
 * it. {@link io.polder.cli.Main} has what they share: exit codes and how errors are told.
 *
 * <p>Nothing here touches the engine before a command needs it: {@code --help} answers at once.
 */
package io.polder.cli;
