package dev.tidemark.kafka;

import java.util.List;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** The errors after which a producer sends nothing any more. */
final class FatalStates {
  private static final List<Class<? extends Exception>> FATAL =
      List.of(
          ApplicationRecoverableException.class, // such as ProducerFencedException
          ClusterAuthorizationException.class,
          TransactionalIdAuthorizationException.class,
          UnsupportedVersionException.class);

  /** What a producer says that was closed, for which Kafka has no class. */
  private static final Set<String> CLOSED =
      Set.of(
          "Cannot perform operation after producer has been closed",
          "Kafka producer has been closed",
          "Producer closed while send in progress",
          "Producer closed while allocating memory",
          "Producer is closed forcefully.");

  private FatalStates() {}

  /** The error of a message; says what to do where the producer is of no use any more. */
  static Exception told(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (isFatal(e)) {
        return new DeadProducerException(
            "the Kafka producer is of no use after "
                + e.getClass().getSimpleName()
                + ": close it, and give a new one to a new KafkaSender",
            error);
      }
    }
    return error instanceof Exception e ? e : new IllegalStateException("not sent to Kafka", error);
  }

  private static boolean isFatal(Throwable error) {
    boolean mayBeClosed = error instanceof IllegalStateException || error instanceof KafkaException;
    return FATAL.stream().anyMatch(type -> type.isInstance(error))
        || (mayBeClosed && CLOSED.contains(String.valueOf(error.getMessage())));
  }
}
