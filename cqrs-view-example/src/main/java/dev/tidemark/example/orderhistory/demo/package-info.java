/**
 * The order history under hard conditions: everything that it runs on in one process, deliveries
 * that are repeated and cut short on purpose, and a comparison of every view with the truth.
 */
@NullMarked
package dev.tidemark.example.orderhistory.demo;

import org.jspecify.annotations.NullMarked;
