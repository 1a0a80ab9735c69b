/** An application's own classes, as a scan finds them. */
@NullMarked
package dev.tidemark.spring.shop;

import org.jspecify.annotations.NullMarked;
