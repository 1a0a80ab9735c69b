package dev.tidemark.outbox;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster's relays have seen of a shard, and its text, which is a string in JSON: the place
 * of the next look, times of looks, and for each time the messages that were first seen then, as
 * eleven characters each. Where all room is taken, what could not be sent makes room for others. A
 * text that is none of these says nothing. For one thread.
 */
final class SightingsText {
  private static final String FORM = "1";
  private static final int RADIX = 36;

  /** The signs of messages that could not be sent: there in the present look, and not. */
  private static final String TRIED = "!~";

  /** The signs of all others. */
  private static final String UNTRIED = "+-";

  /** The characters of a message. */
  private static final int WIDTH = 11;

  /** What all but the messages takes, and a time for every few of them. */
  private static final int REST = 1_000;

  /** How many times of looks are kept. */
  private static final int LOOKS = 20;

  long next = Long.MIN_VALUE;
  final NavigableSet<Long> looks = new TreeSet<>();
  private final Map<Long, Sighting> messages = new LinkedHashMap<>();

  /** Those that could not be sent, and make room for others. */
  private final Set<Long> tried = new LinkedHashSet<>();

  /** Since when a message was seen, and whether it was in the present look at everything. */
  private record Sighting(long since, boolean isThere) {}

  /** How many messages a text of so many bytes has room for. */
  static int room(int bytes) {
    return (bytes - REST) * 2 / 3 / WIDTH;
  }

  @Nullable Long since(long hash) {
    Sighting known = messages.get(hash);
    return known == null ? null : known.since();
  }

  boolean isFull(int room) {
    return messages.size() >= room;
  }

  boolean hasRoom(int room) {
    return !isFull(room) || !tried.isEmpty();
  }

  /** Notes that a message could not be sent; false if that, or the message, is not news. */
  boolean tried(long hash) {
    return messages.containsKey(hash) && tried.add(hash);
  }

  void note(long hash) {
    messages.computeIfPresent(hash, (same, known) -> new Sighting(known.since(), true));
  }

  /** Adds a message, if need be in place of one that was tried; false if it was known. */
  boolean put(long hash, long since, int room) {
    if (messages.containsKey(hash) || !hasRoom(room)) {
      return false;
    }
    if (isFull(room)) {
      remove(tried.iterator().next());
    }
    messages.put(hash, new Sighting(since, true));
    return true;
  }

  boolean remove(long hash) {
    tried.remove(hash);
    return messages.remove(hash) != null;
  }

  /** Adds a look, and forgets those of a clock that was ahead, and those that say no more. */
  boolean look(long now, long delay) {
    boolean isChanged = looks.removeIf(time -> time > now + delay);
    Long last = looks.isEmpty() ? null : looks.last();
    if (last != null && now - last < delay / 8) {
      return isChanged;
    }
    looks.add(now);
    while (looks.size() > LOOKS) {
      looks.pollFirst();
    }
    return true;
  }

  boolean endCycle() {
    boolean isChanged = messages.values().removeIf(known -> !known.isThere());
    tried.retainAll(messages.keySet());
    messages.replaceAll((hash, known) -> new Sighting(known.since(), false));
    return isChanged;
  }

  String toText() {
    StringBuilder text = new StringBuilder("\"" + FORM + ";" + number(next) + ";");
    looks.forEach(time -> text.append(number(time)).append(','));
    Map<String, StringBuilder> groups = new HashMap<>();
    messages.forEach(
        (hash, known) ->
            groups
                .computeIfAbsent(group(hash, known), group -> new StringBuilder())
                .append(name(hash)));
    groups.forEach((group, names) -> text.append(';').append(group).append(':').append(names));
    return text.append('"').toString();
  }

  private String group(long hash, Sighting known) {
    String signs = tried.contains(hash) ? TRIED : UNTRIED;
    return signs.charAt(known.isThere() ? 0 : 1) + number(known.since());
  }

  private static String number(long number) {
    return Long.toString(number, RADIX);
  }

  private static String name(long hash) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(hash).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** What a text says; nothing if it is none. */
  static SightingsText of(@Nullable String json) {
    SightingsText read = new SightingsText();
    try {
      return json != null && read.takes(json) ? read : new SightingsText();
    } catch (RuntimeException e) { // what is not of this form says nothing
      return new SightingsText();
    }
  }

  private boolean takes(String json) {
    String[] parts = json.substring(1, json.length() - 1).split(";", -1);
    if (parts.length < 3 || !parts[0].equals(FORM)) {
      return false;
    }
    next = Long.parseLong(parts[1], RADIX);
    for (String time : parts[2].isEmpty() ? new String[0] : parts[2].split(",")) {
      looks.add(Long.parseLong(time, RADIX));
    }
    for (int part = 3; part < parts.length; part++) {
      take(parts[part]);
    }
    return true;
  }

  private void take(String group) {
    int names = group.indexOf(':') + 1;
    String sign = group.substring(0, 1);
    boolean isThere = TRIED.startsWith(sign) || UNTRIED.startsWith(sign);
    long since = Long.parseLong(group.substring(1, names - 1), RADIX);
    for (int at = names; at + WIDTH <= group.length(); at += WIDTH) {
      byte[] bytes = Base64.getUrlDecoder().decode(group.substring(at, at + WIDTH));
      long hash = ByteBuffer.wrap(bytes).getLong();
      messages.put(hash, new Sighting(since, isThere));
      if (TRIED.contains(sign)) {
        tried.add(hash);
      }
    }
  }
}
