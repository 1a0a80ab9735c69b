package dev.tidemark.tck;

/** The promises that contracts are grouped by; rows of the page of guarantees. */
public enum Law {
  /** Change, guard and mark are one conditional write. */
  ONE_WRITE("1", "One write"),
  /** What a delivery did is a value. */
  OUTCOMES("2", "Outcomes are values; faults are exceptions"),
  /** Marks judge before the caller's condition, existence too. */
  MARK_FIRST("3", "Mark before rule; existence before rule"),
  /** A lost reply is not mistaken for another's write. */
  LOST_REPLY("4", "Own lost reply"),
  /** Contention is retried, then raised. */
  CONTENTION("5", "Contention is never a duplicate"),
  /** Marks compare by value. */
  COMPARISON("6", "Marks compare right"),
  /** Names are encoded. */
  NAMES("7", "Names cannot collide or inject"),
  /** What is kept has a bound. */
  BOUNDED("8", "Bounded by choice, stated"),
  /** Disorder is answered as the policy says. */
  LATE("9", "Late is not lost unless chosen"),
  /** Tombstones. */
  DELETES("10", "Deletes keep their mark"),
  /** Everything written is collected some day. */
  LEFTOVERS("12", "No leftovers"),
  /** Values stay out of messages. */
  LEAKS("13", "Nothing leaks"),
  /** Answers rest on what every node reads. */
  DURABLE("14", "Answers rest on durable state"),
  /** Subscribers keep their marks apart. */
  SUBSCRIBERS("", "Subscribers apply an event once each"),
  /** Messages recorded without a change. */
  SKIPPING("", "Consuming without a change"),
  /** Reads that have to have seen a message. */
  FRESHNESS("", "Reads no older than a message"),
  /** Operations and conditions mean the same on every store. */
  CHANGES("", "Changes mean the same on every store"),
  /** Pure functions over an entity. */
  APPLY("", "Functions lose no update"),
  /** Native guards are held to the judge. */
  GUARDS("", "Native guards judge as the kernel does"),
  /** One entity under several policies. */
  POLICIES("", "An entity outlives its policy"),
  /** The format on disk. */
  STORAGE("", "Records are stored as documented"),
  /** Many messages in one call. */
  BATCHES("", "A batch means what its messages mean alone"),
  /** Answers without a request. */
  CACHE("", "A cache of marks answers nothing that the store would not"),
  /** Effects that happen once per idempotency key. */
  EXECUTIONS("11", "Effects under a key happen once, by one owner"),
  /** Outgoing messages. */
  OUTBOX("", "Messages leave with the change, and none is lost"),
  /** What went wrong elsewhere. */
  PEERS("", "Defects of other libraries stay theirs");

  private final String number;
  private final String title;

  Law(String number, String title) {
    this.number = number;
    this.title = title;
  }

  /**
   * The law's number.
   *
   * @return empty for promises beside the numbered laws
   */
  public String number() {
    return number;
  }

  /**
   * The law in a few words.
   *
   * @return its title
   */
  public String title() {
    return title;
  }
}
