package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.carrier.Carrier;

/**
 * One consumer with the connections that were made for it.
 *
 * @param carrier runs once
 * @param close closes the connections
 */
record Carrying(Carrier carrier, Runnable close) {}
