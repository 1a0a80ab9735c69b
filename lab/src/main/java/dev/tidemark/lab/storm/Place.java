package dev.tidemark.lab.storm;

import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.marks.MarkCache;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store on this machine, reached through a proxy that can fail. For any number of threads. */
interface Place extends AutoCloseable {
  /** {@code dynamodb} or {@code mongodb}. */
  String store();

  /** What it is, to be told once. */
  String origin();

  /** Another process that uses the ledgers. */
  Node node(Clock clock, @Nullable MarkCache cache);

  /** Stands between the clients and the store. */
  TcpProxy proxy();

  /** Lets another server become the primary; false where there is none that could. */
  boolean stepDown();

  /** How many requests the clients sent, those included that they repeated by themselves. */
  long requests();

  /** All ledgers that are not deleted, read past the library and the proxy. */
  List<Ledger> ledgers();

  @Override
  void close();
}
