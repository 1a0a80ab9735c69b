package dev.tidemark.spring.roots;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;

/** A class whose subclass inherits the annotation alone. */
@Tracked
@InTable("accounts")
public class Account extends Row {
  public static class Savings extends Account {}
}
