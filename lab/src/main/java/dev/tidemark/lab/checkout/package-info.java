/**
 * Checkouts at the example's service, asked for twice and at once, while its processes are killed
 * at every step and its store is cut off. The payment provider counts what was charged. Start at
 * {@link dev.tidemark.lab.checkout.CheckoutCommand}.
 */
@NullMarked
package dev.tidemark.lab.checkout;

import org.jspecify.annotations.NullMarked;
