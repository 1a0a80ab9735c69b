package dev.tidemark.tck;

/** One suite's run of the contracts against one backend. */
record SuiteRun(Backend backend, Report report, boolean isOwner) implements AutoCloseable {

  /** A run of a backend of its own, whose findings are held against the page of guarantees. */
  static SuiteRun start(BackendFactory factory) {
    return new SuiteRun(factory.open(), new Report(), true);
  }

  @Override
  public void close() {
    if (isOwner) {
      backend.close();
      Guarantees.check(backend, report);
    }
  }
}
