@NullMarked
package dev.tidemark.lab.storm;

import org.jspecify.annotations.NullMarked;
