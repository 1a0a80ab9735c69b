@NullMarked
package dev.tidemark.opentelemetry;

import org.jspecify.annotations.NullMarked;
