package dev.tidemark.outbox;

/**
 * A listener that is told when one cluster sends the messages of another. A takeover is the sign of
 * an outage: an alarm on takeovers tells that a cluster does not send. The listener is called on
 * the relay's thread, so it must not block; an exception of the listener is dropped.
 */
@FunctionalInterface
public interface ClusterListener {
  /**
   * Takes note of messages that this cluster has sent, since the one that published them did not.
   *
   * @param records the name of the clustered records, as their relay's passes have it
   * @param origin the cluster that published them
   * @param messages how many
   */
  void tookOver(String records, String origin, int messages);

  /**
   * Takes note of messages of this cluster that were taken off without being sent, since another
   * cluster had sent them.
   *
   * @param records the name of the clustered records, as their relay's passes have it
   * @param messages how many
   */
  default void prevented(String records, int messages) {}
}
