package dev.tidemark;

import java.util.List;

/**
 * An ordered source of events: an aggregate, by type and id, or a topic's partition. A source may
 * carry a generation, which is compared before the position: raise it where positions start again,
 * as for a topic that was created anew or an aggregate restored from a backup. An entity keeps one
 * mark per source, that of its highest generation.
 *
 * @param type the aggregate's type, or the topic; policies can be chosen by it
 * @param id the aggregate's id, or the partition
 * @param generation 0 where positions never started again
 */
public record Source(String type, String id, long generation) {
  /**
   * Checks the parts.
   *
   * @param type the aggregate's type, or the topic; policies can be chosen by it
   * @param id the aggregate's id, or the partition
   * @param generation 0 where positions never started again
   * @throws IllegalArgumentException if type or id has a lone surrogate, or the generation is
   *     negative
   */
  public Source {
    Text.wellFormed("source type", type);
    Text.wellFormed("source id", id);
    if (generation < 0) {
      throw new IllegalArgumentException("source generation must be 0 or more, was " + generation);
    }
  }

  /**
   * A source of generation 0.
   *
   * @param type the aggregate's type, or the topic
   * @param id the aggregate's id, or the partition
   * @return the source
   */
  public static Source of(String type, String id) {
    return new Source(type, id, 0);
  }

  /**
   * A partition of a Kafka topic in one cluster: type is the topic, id names cluster and partition.
   *
   * @param cluster a stable name of the cluster, so that a failover to a mirror, where offsets
   *     differ, is another source; empty where there is only ever one
   * @param topic the topic
   * @param partition 0 or more
   * @return the source
   * @throws IllegalArgumentException if the topic is empty or the partition negative
   */
  public static Source kafka(String cluster, String topic, int partition) {
    Text.wellFormed("Kafka cluster", cluster);
    Text.notEmpty("Kafka topic", topic);
    if (partition < 0) {
      throw new IllegalArgumentException("Kafka partition must be 0 or more, was " + partition);
    }
    String number = Integer.toString(partition);
    return of(topic, cluster.isEmpty() ? number : Text.join(List.of(cluster, number)));
  }

  /**
   * The same source in another generation.
   *
   * @param generation 0 or more; a higher one starts a new mark, a lower one is stale
   * @return the source
   */
  public Source generation(long generation) {
    return generation == this.generation ? this : new Source(type, id, generation);
  }

  /** Names the source, type and id cut at 64 characters each. */
  @Override
  public String toString() {
    String at = generation == 0 ? "" : ", generation " + generation;
    return "Source[" + Text.shown(type) + ", " + Text.shown(id) + at + "]";
  }
}
