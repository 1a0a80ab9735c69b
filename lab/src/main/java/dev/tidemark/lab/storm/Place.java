package dev.tidemark.lab.storm;

import dev.tidemark.marks.MarkCache;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store on this machine, reached through a proxy that can fail. For any number of threads. */
interface Place extends Server {
  /** Another process that uses the ledgers. */
  Node node(Clock clock, @Nullable MarkCache cache);

  /** All ledgers that are not deleted, read past the library and the proxy. */
  List<Ledger> ledgers();
}
