/** The project that docs/start.md makes, as tests that run. */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
