package dev.tidemark.lab.orders;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** How producers send what they have: more than once, and not always in order. */
final class Sending {
  private static final int LATEST_REPEAT = 200;

  private Sending() {}

  /**
   * What a producer sends that does not trust its acknowledgements: everything in turn, and one in
   * five once more, at once or up to 200 messages later.
   */
  static <M> List<M> withRepeats(List<M> messages, long seed) {
    Random random = new Random(seed);
    List<List<M>> later = new ArrayList<>();
    for (int i = 0; i < messages.size() + LATEST_REPEAT; i++) {
      later.add(new ArrayList<>());
    }
    List<M> sent = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      sent.add(messages.get(i));
      sent.addAll(later.get(i));
      if (random.nextInt(5) == 0) {
        int distance = random.nextBoolean() ? 0 : random.nextInt(LATEST_REPEAT - 1);
        later.get(i + 1 + distance).add(messages.get(i));
      }
    }
    later.subList(messages.size(), later.size()).forEach(sent::addAll);
    return sent;
  }

  /** The same messages, none moved by more than so many places. */
  static <M> List<M> disordered(List<M> messages, int places, long seed) {
    Random random = new Random(seed);
    double[] place = new double[messages.size()];
    for (int i = 0; i < place.length; i++) {
      place[i] = i + random.nextDouble() * places;
    }
    return IntStream.range(0, place.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> place[i]))
        .map(messages::get)
        .toList();
  }
}
