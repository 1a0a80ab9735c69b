package dev.tidemark.intake;

/**
 * Keeps messages that cannot be handled, with the reason, for a person.
 *
 * @param <M> the carrier's messages
 */
@FunctionalInterface
public interface DeadLetters<M> {
  /**
   * Keeps one message. It is acknowledged once this method has returned, so it has to be durable by
   * then. A message may come several times: after a crash, and from each intake that it comes to
   * while something before it in its lane is not done.
   *
   * @param message as it came
   * @param reason why it is here
   * @throws Exception if it is not kept; the message then comes again
   */
  void keep(M message, Reason reason) throws Exception;

  /**
   * Why a message is not handled.
   *
   * @param text an exception's class, and its text as far as that quotes no values: without keys or
   *     payloads
   * @param undecodable whether it cannot be read; false if it was parked after many tries
   * @param tries how often it failed in the instance that gives it up, at least 1
   */
  record Reason(String text, boolean undecodable, int tries) {}
}
