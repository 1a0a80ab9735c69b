package dev.tidemark.example.orderhistory.demo;

/**
 * One consumer with the connections that were made for it.
 *
 * @param run carries until stopped, on the thread that calls it
 * @param stop lets it return once the batch in hand is done
 * @param close closes the connections
 */
record Carrying(Runnable run, Runnable stop, Runnable close) {}
