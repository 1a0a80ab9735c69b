package dev.tidemark.lab.storm;

import dev.tidemark.example.orderhistory.local.TcpProxy;

/** A store on this machine, reached through a proxy that can fail. For any number of threads. */
public interface Server extends AutoCloseable {
  /** {@code dynamodb} or {@code mongodb}. */
  String store();

  /** What it is, to be told once. */
  String origin();

  /** Stands between the clients and the store. */
  TcpProxy proxy();

  /** Lets another server become the primary; false where there is none that could. */
  boolean stepDown();

  /** How many requests the clients sent, those included that they repeated by themselves. */
  long requests();

  @Override
  void close();
}
