/** Two classes whose rows stand in one table. */
@NullMarked
package dev.tidemark.spring.single;

import org.jspecify.annotations.NullMarked;
