/** The page in a real browser, against the service as {@code ./demo --serve} starts it. */
@NullMarked
package dev.tidemark.lab.browser;

import org.jspecify.annotations.NullMarked;
