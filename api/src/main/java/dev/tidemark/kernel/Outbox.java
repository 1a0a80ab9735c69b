package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The section of a record that has the messages that wait to be sent: a list of them, and beside it
 * what an index finds the record by, which exists only while something is there to be found. What
 * publishes has no guard of its own, but for the bound on what waits.
 */
public final class Outbox {
  /** The members of a stored message. */
  private static final String ID = "id";

  private static final String TOPIC = "topic";
  private static final String PAYLOAD = "payload";
  private static final String KEY = "key";
  private static final String TYPE = "type";
  private static final String HEADERS = "headers";
  private static final String STORED_AT = "at";
  private static final String UNORDERED = "unordered";
  private static final String FROM = "from";

  /**
   * How much later than its time a tombstone expires on which messages wait, in seconds: so long
   * that no store collects it. Whoever sends the last of them takes it off.
   */
  public static final long WAITING = 100_000_000_000L;

  private Outbox() {}

  /**
   * A message in its stored form, where there is one cluster.
   *
   * @param message with its ID
   * @param now when it is stored
   * @return its members
   */
  public static Map<String, Object> stored(OutgoingMessage message, Instant now) {
    return stored(message, now, "");
  }

  /**
   * A message in its stored form.
   *
   * @param message with its ID
   * @param now when it is stored
   * @param cluster where it is published; empty where there is one cluster
   * @return its members
   */
  public static Map<String, Object> stored(OutgoingMessage message, Instant now, String cluster) {
    Map<String, Object> stored = new LinkedHashMap<>();
    stored.put(ID, message.id().orElseThrow());
    stored.put(TOPIC, message.topic());
    stored.put(
        PAYLOAD,
        message.text().<Object>map(t -> t).orElseGet(() -> ByteBuffer.wrap(message.bytes())));
    message.key().ifPresent(key -> stored.put(KEY, key));
    message.type().ifPresent(type -> stored.put(TYPE, type));
    if (!message.headers().isEmpty()) {
      List<Object> headers = new ArrayList<>();
      message
          .headers()
          .forEach(
              (name, value) -> {
                headers.add(name);
                headers.add(value);
              });
      stored.put(HEADERS, headers);
    }
    stored.put(STORED_AT, now.toEpochMilli());
    if (!message.isOrdered()) {
      stored.put(UNORDERED, true);
    }
    if (!cluster.isEmpty()) {
      stored.put(FROM, cluster);
    }
    return stored;
  }

  /**
   * The message of a stored form.
   *
   * @param stored its members
   * @return with its ID
   * @throws CorruptRecordException if it is none
   */
  public static OutgoingMessage message(Object stored) {
    try {
      Map<?, ?> members = (Map<?, ?>) stored;
      OutgoingMessage message =
          of(given(members, TOPIC), Objects.requireNonNull(members.get(PAYLOAD)));
      message = message.id(given(members, ID));
      message = members.get(KEY) instanceof String key ? message.key(key) : message;
      message = members.get(TYPE) instanceof String type ? message.type(type) : message;
      List<?> headers = members.get(HEADERS) instanceof List<?> list ? list : List.of();
      for (int i = 0; i + 1 < headers.size(); i += 2) {
        message = message.header((String) headers.get(i), (String) headers.get(i + 1));
      }
      return Boolean.TRUE.equals(members.get(UNORDERED)) ? message.unordered() : message;
    } catch (ClassCastException | IllegalArgumentException | NullPointerException e) {
      throw new CorruptRecordException(
          "a stored outgoing message cannot be read", null, Faults.silent(e));
    }
  }

  private static OutgoingMessage of(String topic, Object payload) {
    return payload instanceof String text
        ? OutgoingMessage.to(topic, text)
        : OutgoingMessage.to(topic, bytes((ByteBuffer) payload));
  }

  private static String given(Map<?, ?> members, String name) {
    return (String) Objects.requireNonNull(members.get(name), name);
  }

  /**
   * When a stored message was stored.
   *
   * @param stored its members
   * @return milliseconds since 1970; 0 if that is not told
   */
  public static long storedAt(Object stored) {
    return stored instanceof Map<?, ?> members && members.get(STORED_AT) instanceof Number at
        ? at.longValue()
        : 0;
  }

  /**
   * In which cluster a stored message was published.
   *
   * @param stored its members
   * @return the cluster's name; empty if that is not told
   */
  public static String origin(Object stored) {
    return stored instanceof Map<?, ?> members && members.get(FROM) instanceof String from
        ? from
        : "";
  }

  /**
   * The cluster in which a transaction publishes a record of its own.
   *
   * @param outbox that of the outbox's tracking; empty if it names none
   * @param entities those of the tracked writes beside it
   * @return the one that is named; empty if none is
   * @throws IllegalArgumentException if they name several
   */
  public static String cluster(String outbox, Collection<String> entities) {
    Set<String> named = new TreeSet<>(entities);
    named.add(outbox);
    named.remove("");
    if (named.size() > 1) {
      throw new IllegalArgumentException(
          "a transaction publishes in one cluster; its stores and its outbox name "
              + named
              + ": give all of them one Tracking.cluster()");
    }
    return String.join("", named);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /**
   * The shard of an entity.
   *
   * @param key the entity
   * @param shards how many there are
   * @return 0 to {@code shards - 1}
   */
  public static int shard(EntityKey key, int shards) {
    MessageDigest digest = sha256();
    key.parts().forEach(part -> add(digest, part));
    return Math.floorMod(ByteBuffer.wrap(digest.digest()).getInt(), shards);
  }

  /**
   * The shard of a record that the index has already, of those that relays look at: there may have
   * been more once.
   *
   * @param stored its place in the index: -1 less the shard where all messages are parked
   * @param shards how many there are
   * @return 0 to {@code shards - 1}
   */
  public static int shard(long stored, int shards) {
    return Math.floorMod(shard(stored), shards);
  }

  /**
   * The shard of a record that the index has already, of those that there were once.
   *
   * @param stored its place in the index: -1 less the shard where all messages are parked
   * @return not negative
   */
  public static long shard(long stored) {
    return stored < 0 ? -1 - stored : stored;
  }

  /**
   * The ID of a message that a handler publishes: the same at every try, and another for every
   * entity, subscriber and name of a store. It must stay the same over versions: what is
   * redelivered after an upgrade would be published anew. So neither account nor region can join
   * it.
   *
   * @param store the name of the table or collection
   * @param subscriber who handles it
   * @param key the entity
   * @param handled the message that is handled
   * @param place among what is published with it
   * @return a UUID
   */
  public static String id(
      String store, String subscriber, EntityKey key, Message handled, int place) {
    MessageDigest digest = sha256();
    add(digest, store);
    add(digest, subscriber);
    add(digest, (long) key.parts().size());
    key.parts().forEach(part -> add(digest, part));
    if (handled instanceof SourceEvent event) {
      add(digest, event.source().type());
      add(digest, event.source().id());
      add(digest, event.source().generation());
      add(digest, Positions.stored(event.position()));
    } else {
      add(digest, ((MessageId) handled).value());
    }
    add(digest, (long) place);
    return Ids.uuid(digest.digest()).toString();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) { // which every Java has
      throw new AssertionError(e);
    }
  }

  /** Adds a value so that different lists of values never come to the same bytes. */
  private static void add(MessageDigest digest, Object value) {
    boolean binary = value instanceof ByteBuffer;
    byte[] bytes =
        binary ? bytes((ByteBuffer) value) : value.toString().getBytes(StandardCharsets.UTF_8);
    char kind = binary ? 'b' : value instanceof Number ? 'n' : value instanceof String ? 's' : 'o';
    digest.update((byte) kind);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    digest.update(bytes);
  }

  /** That so many more messages fit. */
  static Condition room(int more, Tracking tracking, Names names) {
    int most = tracking.maxWaiting();
    Condition.Test below =
        new Condition.Test(
            names.path(names.outbox()),
            Condition.Operator.SIZE_BELOW,
            Math.max(0, most + 1 - more));
    Condition.Test list =
        new Condition.Test(below.path(), Condition.Operator.OF_KIND, Condition.Kind.LIST);
    return more > most
        ? Condition.never()
        : Condition.attribute(below.path()).isMissing().or(list.and(below));
  }

  /**
   * Requires that they fit beside what waits.
   *
   * @param gathered how many the same request publishes for the messages before this one
   * @param more how many this message publishes
   * @throws ContentionException if they fit once a relay has sent some of those that wait: that is
   *     no message's fault
   * @throws TooLargeException if they never fit
   */
  static void requireRoom(
      int gathered, int more, Map<String, Object> marks, Tracking tracking, Names names) {
    Object waiting = marks.get(names.outbox());
    if (waiting != null && !(waiting instanceof List<?>)) {
      throw Faults.ofType(names.outbox(), waiting, "the list of messages that wait");
    }
    int before = gathered + (waiting instanceof List<?> list ? list.size() : 0);
    if (before + more > tracking.maxWaiting()) {
      String text =
          ("%d outgoing messages wait in the entity, %d more are published, and maxWaiting is %d;"
                  + " run a relay that sends them, or raise the bound by Tracking.outbox()")
              .formatted(before, more, tracking.maxWaiting());
      throw more > tracking.maxWaiting()
          ? new TooLargeException(text, null, null)
          : new ContentionException(text, null, null);
    }
  }

  /**
   * What it means that a record would have too many bytes.
   *
   * @param fault that of a record in which no message waits
   * @param waits whether messages wait in it, which make room once a relay has sent them
   * @param parked whether messages are parked in it
   * @return the same, with what makes room, or a {@link ContentionException} in its place
   */
  public static RuntimeException full(TooLargeException fault, boolean waits, boolean parked) {
    if (parked && !waits) {
      return new TooLargeException(
          fault.getMessage()
              + "; parked messages are in it, which make room once they are dropped, or released"
              + " and sent",
          fault.key().orElse(null),
          fault.getCause());
    }
    return waits
        ? new ContentionException(
            fault.getMessage()
                + "; outgoing messages wait in it, which make room once a relay has sent them",
            fault.key().orElse(null),
            fault.getCause())
        : fault;
  }

  /** What stores messages behind those that wait, and lets the index find them. */
  static List<Operation> operations(
      List<Map<String, Object>> messages,
      EntityKey key,
      Tracking tracking,
      Names names,
      Instant now) {
    long shard = shard(key, tracking.outboxShards());
    return List.of(
        new Operation(Operation.Kind.APPEND_ALL, names.path(names.outbox()), List.copyOf(messages)),
        Operation.assign(names.path(names.outboxShard()), shard),
        Operation.assignIfAbsent(names.path(names.outboxDue()), now.toEpochMilli()));
  }

  /** Whether messages are stored that were not sent, be it that they are parked. */
  static boolean keeps(Map<String, Object> marks, Names names) {
    return marks.containsKey(names.outbox()) || marks.containsKey(names.outboxParked());
  }

  /** The expiry of a tombstone, by what it keeps. */
  static long expiry(long seconds, Map<String, Object> marks, Names names) {
    return keeps(marks, names) ? seconds + WAITING : seconds;
  }
}
