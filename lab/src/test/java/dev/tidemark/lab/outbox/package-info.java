@NullMarked
package dev.tidemark.lab.outbox;

import org.jspecify.annotations.NullMarked;
