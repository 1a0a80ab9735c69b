package dev.tidemark.tck;

/** One suite's run of the contracts against one backend. */
record Run(Backend backend) implements AutoCloseable {

  static Run start(BackendFactory factory) {
    return new Run(factory.open());
  }

  @Override
  public void close() {
    backend.close();
  }
}
