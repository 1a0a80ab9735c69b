package dev.tidemark.tck;

/** One suite's run of the contracts against one backend. */
record Run(Backend backend, Report report) implements AutoCloseable {

  static Run start(BackendFactory factory) {
    return new Run(factory.open(), new Report());
  }

  @Override
  public void close() {
    backend.close();
  }
}
