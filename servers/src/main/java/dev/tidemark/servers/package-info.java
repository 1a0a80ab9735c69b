/** Servers that tests and demonstrations start on this machine. */
@NullMarked
package dev.tidemark.servers;

import org.jspecify.annotations.NullMarked;
