package dev.tidemark.example.orderhistory.store;

/** Which generation has a role, such as to serve. For one thread. */
public final class GenerationNumber {
  /** The role. */
  public String id = "";

  /** The generation. */
  public int number;
}
