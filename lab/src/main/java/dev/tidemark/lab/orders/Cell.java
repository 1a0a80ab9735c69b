package dev.tidemark.lab.orders;

/** One carrier, one store, and what goes wrong between them. */
record Cell(String carrier, String store, Fault fault) {
  /** Tells its topics, queues, tables and databases from those of others. */
  String name() {
    return carrier + "-" + store + "-" + fault.label();
  }
}
