package dev.tidemark.tck;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A world for the tests of carriers: logs in lanes that may be created anew, a decoder, a handler
 * and dead letters that fail in every way, and a judge that knows nothing of intakes. It looks at
 * what a carrier was told to acknowledge: nothing that the handler has not named done and that is
 * not among the dead letters; of a lane nothing behind such a thing; and in the end all of it. The
 * handler's entities take each event once and drop late ones, so an event that was overtaken is
 * missing there. Everything is drawn by a seed. For one thread.
 */
public final class CarrierWorld {
  private static final int ENTITIES = 3;

  /** Without it the first draws of near seeds agree. */
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** One in so many messages can never be decoded, and as many can never be handled. */
  private static final int POISON = 15;

  /**
   * A message.
   *
   * @param lane its lane
   * @param life of the lane: which creation
   * @param offset its place in that life of the lane
   * @param entity of that lane alone
   * @param version of the entity, one more than that of the message before
   * @param kind {@code good}, {@code unreadable} or {@code failing}
   */
  public record Mail(String lane, int life, long offset, String entity, long version, String kind) {
    /**
     * Reads what {@link #text()} has written.
     *
     * @param text a message's text
     * @return the message
     */
    public static Mail of(String text) {
      String[] parts = text.split("/", -1);
      return new Mail(
          parts[0],
          Integer.parseInt(parts[1]),
          Long.parseLong(parts[2]),
          parts[3],
          Long.parseLong(parts[4]),
          parts[5]);
    }

    /**
     * The message as a text.
     *
     * @return all of it
     */
    public String text() {
      return String.join("/", lane, "" + life, "" + offset, entity, "" + version, kind);
    }
  }

  private record Row(String id, String versions) {}

  private static final class RowMapper implements ReferenceMapper<Row> {
    @Override
    public Map<String, Object> attributes(Row row) {
      return Map.of("versions", row.versions());
    }

    @Override
    public Row entity(EntityKey key, Map<String, Object> attributes) {
      return new Row(
          key.parts().get(0).toString(), attributes.getOrDefault("versions", "").toString());
    }

    @Override
    public EntityKey key(Row row) {
      return EntityKey.key(row.id());
    }

    @Override
    public void check(Operation operation) {}
  }

  private final Random random;
  private final ReferenceStore<Row> rows =
      ReferenceStore.of(new RowMapper(), Tracking.defaults(), new MovableClock());
  private final Map<String, List<Mail>> logs;
  private final Map<String, Integer> lives;
  private final Map<String, Long> versions;
  private final Set<Mail> named = new HashSet<>();
  private final Set<Mail> dead = new HashSet<>();
  private final Set<Mail> acknowledged = new HashSet<>();
  private final boolean inOrder;
  private boolean isWild = true;

  private final Projector<Row> projector =
      Projector.into(rows)
          .on(
              Mail.class,
              mail -> key(mail.entity()),
              () -> new Row("", ""),
              (row, mail) -> {
                if (mail.kind().equals("failing") || happens(12)) {
                  throw new NullPointerException("a function has failed");
                }
                return new Row(row.id(), row.versions() + mail.version() + " ");
              })
          .build();

  /**
   * A world of empty lanes.
   *
   * @param seed draws all that happens
   * @param lanes how many
   * @param inOrder whether the carrier keeps the order of a lane, so that events are known by their
   *     versions, and late ones dropped; else by IDs
   */
  public CarrierWorld(long seed, int lanes, boolean inOrder) {
    this(new Random(seed * MIX), inOrder, new TreeMap<>(), new HashMap<>(), new HashMap<>());
    for (int i = 0; i < lanes; i++) {
      logs.put("lane" + i, new ArrayList<>());
    }
  }

  private CarrierWorld(
      Random random,
      boolean inOrder,
      Map<String, List<Mail>> logs,
      Map<String, Integer> lives,
      Map<String, Long> versions) {
    this.random = random;
    this.inOrder = inOrder;
    this.logs = logs;
    this.lives = lives;
    this.versions = versions;
  }

  /**
   * A second consumer of the same lanes: with a handler, dead letters and a judge of its own. It is
   * as wild as this world until it is told to be calm itself.
   *
   * @return what the second consumer sees
   */
  public CarrierWorld twin() {
    return new CarrierWorld(random, inOrder, logs, lives, versions);
  }

  /**
   * The dice.
   *
   * @return for what a carrier draws itself
   */
  public Random random() {
    return random;
  }

  /**
   * Whether something that goes wrong once in so many times goes wrong now.
   *
   * @param once how rarely
   * @return false once the world is {@linkplain #calm calm}
   */
  public boolean happens(int once) {
    return isWild && random.nextInt(once) == 0;
  }

  /** From now on nothing goes wrong but what a message itself has. */
  public void calm() {
    isWild = false;
  }

  /**
   * The lanes.
   *
   * @return their names
   */
  public List<String> lanes() {
    return List.copyOf(logs.keySet());
  }

  /**
   * The messages of a lane.
   *
   * @param lane its name
   * @return those of its present life, in order
   */
  public List<Mail> log(String lane) {
    return Collections.unmodifiableList(logs.getOrDefault(lane, List.of()));
  }

  /**
   * Puts messages into lanes.
   *
   * @param count how many
   * @return those that were put
   */
  public List<Mail> send(int count) {
    List<Mail> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String lane = lanes().get(random.nextInt(logs.size()));
      List<Mail> log = logs.getOrDefault(lane, new ArrayList<>());
      String entity = lane + "-" + random.nextInt(ENTITIES);
      int dice = random.nextInt(POISON);
      String kind = dice == 0 ? "unreadable" : dice == 1 ? "failing" : "good";
      Mail mail =
          new Mail(
              lane,
              lives.getOrDefault(lane, 0),
              log.size(),
              entity,
              versions.merge(entity, 1L, Long::sum),
              kind);
      log.add(mail);
      sent.add(mail);
    }
    return sent;
  }

  /**
   * Deletes a lane, with what is in it, and creates it anew.
   *
   * @param lane its name
   */
  public void createAnew(String lane) {
    logs.put(lane, new ArrayList<>());
    lives.merge(lane, 1, Integer::sum);
  }

  /**
   * The decoder.
   *
   * @param text a message's text
   * @return its delivery
   * @throws IOException if it can never be decoded
   * @throws UncheckedIOException if it cannot be decoded now
   */
  public Delivery decode(String text) throws IOException {
    Mail mail = Mail.of(text);
    if (mail.kind().equals("unreadable")) {
      throw new IOException("unreadable");
    }
    if (happens(25)) {
      throw new UncheckedIOException(new IOException("the registry is away"));
    }
    return inOrder
        ? Delivery.of(SourceEvent.of("Mail", mail.entity(), mail.version()), mail)
        : Delivery.of(MessageId.of(text), mail);
  }

  /**
   * The handler: at times it throws, before or after its work, leaves deliveries out, turns their
   * order, or hands on others of the same messages.
   *
   * @param deliveries what an intake has
   * @return what the handler says of them
   */
  public BatchOutcome<?> handle(List<Delivery> deliveries) {
    List<Delivery> given = new ArrayList<>(deliveries);
    if (happens(8)) {
      throw new IllegalStateException("the handler has failed before its work");
    }
    if (happens(8)) {
      String left = "-" + random.nextInt(ENTITIES); // whole entities: a handler keeps their order
      given.removeIf(delivery -> ((Mail) delivery.event()).entity().endsWith(left));
    }
    if (happens(8)) {
      given.replaceAll(delivery -> Delivery.of(delivery.message(), delivery.event()));
    }
    if (happens(8)) {
      Collections.shuffle(given, random);
    }
    BatchOutcome<?> outcome = projector.handle(given);
    if (happens(8)) {
      throw new IllegalStateException("the handler has failed after its work");
    }
    for (int i = 0; i < given.size(); i++) {
      if (outcome.results().get(i).isDone()) {
        named.add((Mail) given.get(i).event());
      }
    }
    return outcome;
  }

  /**
   * The dead letters.
   *
   * @param text a message's text
   * @throws IOException if they do not keep it
   */
  public void keep(String text) throws IOException {
    if (happens(3)) {
      throw new IOException("the dead letters are away");
    }
    dead.add(Mail.of(text));
  }

  /**
   * Looks at what a carrier was told to acknowledge one by one.
   *
   * @param mails all that were told together
   */
  public void acknowledged(Collection<Mail> mails) {
    List<Mail> fresh = mails.stream().filter(mail -> !acknowledged.contains(mail)).toList();
    for (Mail mail : fresh) {
      if (!named.contains(mail) && !dead.contains(mail)) {
        throw new AssertionError("acknowledged, and neither named done nor kept: " + mail);
      }
    }
    acknowledged.addAll(fresh);
    if (inOrder) {
      fresh.forEach(this::requireInOrder);
    }
  }

  private void requireInOrder(Mail mail) {
    List<Mail> log = log(mail.lane());
    boolean isPast = log.isEmpty() || log.get(0).life() != mail.life();
    for (int i = 0; i < mail.offset() && !isPast; i++) {
      if (!acknowledged.contains(log.get(i))) {
        throw new AssertionError(mail + " is acknowledged before " + log.get(i));
      }
    }
  }

  /**
   * Looks at a commit of all that is before an offset.
   *
   * @param lane its name
   * @param offset the first one that is not committed
   */
  public void committed(String lane, long offset) {
    List<Mail> log = log(lane);
    if (offset > log.size()) {
      throw new AssertionError(offset + " of " + log.size() + " are committed in " + lane);
    }
    acknowledged(log.subList(0, (int) offset));
  }

  /**
   * Whether everything is acknowledged that is still in a lane.
   *
   * @return true at the end of each run
   */
  public boolean isOver() {
    return logs.values().stream().allMatch(acknowledged::containsAll);
  }

  /**
   * The end: everything is acknowledged, and has had its effect once and in order, but for what is
   * among the dead letters, or has gone with a lane.
   */
  public void judge() {
    if (!isOver()) {
      Stream<Mail> left = logs.values().stream().flatMap(List::stream);
      throw new AssertionError(
          "left for ever: " + left.filter(mail -> !acknowledged.contains(mail)).toList());
    }
    for (String entity : versions.keySet()) {
      List<Long> had =
          Stream.of(rows.find(key(entity)).map(Row::versions).orElse("").split(" "))
              .filter(version -> !version.isEmpty())
              .map(Long::parseLong)
              .toList();
      List<Long> once = had.stream().distinct().toList();
      if (!had.equals(inOrder ? once.stream().sorted().toList() : once)) {
        throw new AssertionError(entity + " has had " + had);
      }
      List<Mail> missing =
          logs.values().stream()
              .flatMap(List::stream)
              .filter(mail -> mail.entity().equals(entity))
              .filter(mail -> !had.contains(mail.version()) && !dead.contains(mail))
              .collect(Collectors.toList());
      if (!missing.isEmpty()) {
        throw new AssertionError("lost: " + missing);
      }
    }
  }
}
