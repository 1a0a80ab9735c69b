package dev.tidemark.lab.checkout;

import dev.tidemark.store.RecordStore;
import java.util.Map;

/** A store on this machine with the records of one run. */
interface Place extends AutoCloseable {
  /** Its name in the result. */
  String store();

  /** What it is, to be told once. */
  String origin();

  /** Where it listens, on this machine. */
  int port();

  /** What a service is told, by environment variables, that reaches it through this port. */
  Map<String, String> environment(int through);

  /** The records, past all trouble. */
  RecordStore records();

  @Override
  void close();
}
