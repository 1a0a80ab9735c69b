/** The service as it runs: its HTTP API, health, meters and logs, with real stores and brokers. */
@NullMarked
package dev.tidemark.example.orderhistory.host;

import org.jspecify.annotations.NullMarked;
