/** Words for people: what to say of a name that nobody has, commands that can be pasted, lines that fit a terminal. The lowest layer, beside {@link io.polder.files}. */
package io.polder.text;
