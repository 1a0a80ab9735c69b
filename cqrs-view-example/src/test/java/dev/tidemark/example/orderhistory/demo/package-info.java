/**
 * The order history under hard conditions: servers on this machine, deliveries that are repeated
 * and cut short on purpose, and a comparison of every row with the truth. Start at {@link
 * dev.tidemark.example.orderhistory.demo.Demo}.
 */
@NullMarked
package dev.tidemark.example.orderhistory.demo;

import org.jspecify.annotations.NullMarked;
