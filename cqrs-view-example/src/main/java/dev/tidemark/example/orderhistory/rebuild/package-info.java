/** The command that rebuilds the views from the topics' start: the way out of a wrong projector. */
@NullMarked
package dev.tidemark.example.orderhistory.rebuild;

import org.jspecify.annotations.NullMarked;
