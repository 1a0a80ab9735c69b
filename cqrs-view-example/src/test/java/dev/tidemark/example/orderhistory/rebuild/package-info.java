@NullMarked
package dev.tidemark.example.orderhistory.rebuild;

import org.jspecify.annotations.NullMarked;
