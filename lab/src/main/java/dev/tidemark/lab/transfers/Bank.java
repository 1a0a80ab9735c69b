package dev.tidemark.lab.transfers;

import dev.tidemark.lab.storm.Server;
import java.util.Map;

/** A store with accounts. For any number of threads. */
interface Bank extends Server {
  /** Makes transfers as one process of a consumer does. For any number of threads. */
  @FunctionalInterface
  interface Teller {
    Transfer.Told bring(Transfer transfer);
  }

  /**
   * Another process, with a client of its own.
   *
   * @param claims whether it claims messages of the inbox before it handles them
   */
  Teller teller(boolean claims);

  /** What all rows have come to, by their ids, read past the library and the proxy. */
  Map<String, Account> rows();
}
