package dev.tidemark.lab.orders;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What goes wrong while a carrier brings events. */
enum Fault {
  /** Nothing: messages come twice and out of order, as they do on any day. */
  NONE,
  /** Consumers die by SIGKILL after they wrote and before they said so. */
  KILL,
  /** What the messages come from is stopped, and started again with what it had stored. */
  BROKER_RESTART,
  /** The store refuses connections for a while. */
  STORE_REFUSED,
  /** The store takes connections and never answers, for a while. */
  STORE_BLACK_HOLE,
  /** The store does what it is asked to, and its reply is lost, now and then. */
  LOST_REPLIES,
  /** Many messages that nobody can read stand between the others. */
  POISON,
  /** Consumers are replaced, each running beside its successor until SIGTERM ends it. */
  ROLLING,
  /** Work takes longer than the transport waits for it, so others get the same messages. */
  SLOW_WORK,
  /** All messages come again. */
  REPLAY;

  /** What {@code --faults} runs if nothing is said. */
  static List<Fault> all() {
    return Arrays.stream(values()).filter(fault -> fault != NONE).toList();
  }

  /** The fault's name on the command line and in results. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it can happen to a carrier: a change stream does not wait for anybody's work. */
  boolean happensTo(String carrier) {
    return this != SLOW_WORK || !carrier.equals("change-stream");
  }

  /** Whether the run waits most of the time, so that others can run beside it. */
  boolean waits() {
    return this == STORE_REFUSED || this == STORE_BLACK_HOLE;
  }
}
