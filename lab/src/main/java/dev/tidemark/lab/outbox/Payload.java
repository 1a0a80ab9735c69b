package dev.tidemark.lab.outbox;

/**
 * What a message says.
 *
 * @param entity the order
 * @param number among what the order published
 * @param cents by which the order changed
 * @param ordered whether it has to come after those before it
 * @param poison whether the broker takes it only once it is told to
 */
record Payload(String entity, long number, long cents, boolean ordered, boolean poison) {
  String text() {
    return entity + " " + number + " " + cents + " " + ordered + " " + poison;
  }

  static Payload of(String text) {
    String[] words = text.split(" ", -1);
    return new Payload(
        words[0],
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Boolean.parseBoolean(words[3]),
        Boolean.parseBoolean(words[4]));
  }
}
