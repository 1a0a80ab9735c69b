package dev.tidemark.kafka;

/** Says of a message that its producer sends nothing any more, so that it has to be replaced. */
final class DeadProducerException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  DeadProducerException(String text, Throwable cause) {
    super(text, cause);
  }
}
