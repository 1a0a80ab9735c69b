/** The snippets of README and docs, as tests that run. */
@NullMarked
package dev.tidemark.example.readme;

import org.jspecify.annotations.NullMarked;
