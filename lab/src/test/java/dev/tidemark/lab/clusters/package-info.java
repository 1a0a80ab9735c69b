@NullMarked
package dev.tidemark.lab.clusters;

import org.jspecify.annotations.NullMarked;
