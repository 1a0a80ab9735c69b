package dev.tidemark.example.orderhistory.local;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lies in wait in a {@link TcpProxy} for a certain request, and acts at that moment: the request or
 * its reply is lost then. Once; for any number of threads.
 */
public final class Trap {
  /** When it acts. */
  public enum Moment {
    /** The server has not seen the request. */
    BEFORE,
    /** The server has replied, and the client does not know. */
    AFTER
  }

  private final List<String> texts;
  private final AtomicInteger left;
  private final Moment moment;
  private final Runnable action;

  /**
   * A trap.
   *
   * @param texts of which a request has one
   * @param number of the request among those, from 1 on
   * @param moment when to act
   * @param action what to do
   */
  public Trap(List<String> texts, int number, Moment moment, Runnable action) {
    this.texts = List.copyOf(texts);
    this.left = new AtomicInteger(number);
    this.moment = moment;
    this.action = action;
  }

  /** Whether these bytes are of the request that it waits for. */
  boolean catches(byte[] bytes, int length) {
    String request = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    return texts.stream().anyMatch(request::contains) && left.decrementAndGet() == 0;
  }

  boolean isBefore() {
    return moment == Moment.BEFORE;
  }

  void act() {
    action.run();
  }
}
