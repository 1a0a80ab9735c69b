@NullMarked
package dev.tidemark.lab.transfers;

import org.jspecify.annotations.NullMarked;
