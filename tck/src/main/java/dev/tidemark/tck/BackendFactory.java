package dev.tidemark.tck;

/**
 * Makes the backend of a suite: its class, with a constructor without parameters, is named by the
 * configuration parameter {@code tidemark.backend}.
 */
@FunctionalInterface
public interface BackendFactory {

  /**
   * Connects to the store and makes its tables. Called once per suite; the backend is closed after
   * the last contract.
   *
   * @return the configuration to be tested
   */
  Backend open();
}
