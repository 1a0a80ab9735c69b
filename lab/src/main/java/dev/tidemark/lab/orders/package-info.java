/**
 * The order history under hard conditions: servers on this machine, deliveries that are repeated
 * and cut short on purpose, and a comparison of every row with the truth. Start at {@link
 * dev.tidemark.lab.orders.Demo}.
 */
@NullMarked
package dev.tidemark.lab.orders;

import org.jspecify.annotations.NullMarked;
