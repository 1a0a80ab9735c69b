/** The contracts, one class or a few for each law; their names are what a suite reports. */
@NullMarked
package dev.tidemark.tck.contract;

import org.jspecify.annotations.NullMarked;
