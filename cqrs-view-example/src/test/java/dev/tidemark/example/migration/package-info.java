/** The migrations of docs/migrations.md, each over records that the old version wrote. */
@NullMarked
package dev.tidemark.example.migration;

import org.jspecify.annotations.NullMarked;
