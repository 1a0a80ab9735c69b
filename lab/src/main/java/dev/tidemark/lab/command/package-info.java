/** What the laboratory's commands have in common. */
@NullMarked
package dev.tidemark.lab.command;

import org.jspecify.annotations.NullMarked;
