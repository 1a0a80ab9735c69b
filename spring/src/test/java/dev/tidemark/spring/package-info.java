@NullMarked
package dev.tidemark.spring;

import org.jspecify.annotations.NullMarked;
