package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.TidemarkException;

/** What the dead letters are told of messages that no attempt will ever handle. */
public final class Poison {
  private Poison() {}

  /**
   * A fault as a reason.
   *
   * @param fault what handling the message threw
   * @return its class, and its text as far as it quotes no values
   */
  public static String reason(Exception fault) {
    String type = fault.getClass().getSimpleName();
    return fault instanceof TidemarkException || fault instanceof IllegalArgumentException
        ? type + ": " + fault.getMessage()
        : type;
  }
}
