package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.TooLargeException;
import dev.tidemark.Write;
import dev.tidemark.intake.Intake;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

@DisplayName("What DynamoDB or the class cannot take is refused by name")
final class InputTest {
  private static final TableSchema<Bill> SCHEMA = TableSchema.fromBean(Bill.class);
  private static DynamoDbClient client;
  private static String table;
  private static DynamoDbEntityStore<Bill> bills;

  private final EntityKey key = EntityKey.key("secret-" + UUID.randomUUID());

  /** A class that stores one property under another name. */
  @DynamoDbBean
  public static final class Bill {
    private @Nullable String id;
    private @Nullable String status;
    private @Nullable Long total;
    private @Nullable Map<String, String> address;

    /** {@return the key} */
    @DynamoDbPartitionKey
    public @Nullable String getId() {
      return id;
    }

    /** Sets the key. */
    public void setId(@Nullable String id) {
      this.id = id;
    }

    /** {@return a renamed property} */
    @DynamoDbAttribute("st")
    public @Nullable String getStatus() {
      return status;
    }

    /** Sets a renamed property. */
    public void setStatus(@Nullable String status) {
      this.status = status;
    }

    /** {@return a number} */
    public @Nullable Long getTotal() {
      return total;
    }

    /** Sets a number. */
    public void setTotal(@Nullable Long total) {
      this.total = total;
    }

    /** {@return a nested map} */
    public @Nullable Map<String, String> getAddress() {
      return address;
    }

    /** Sets a nested map. */
    public void setAddress(@Nullable Map<String, String> address) {
      this.address = address;
    }
  }

  /** A class with sets. */
  @DynamoDbBean
  public static final class Tagged {
    private @Nullable String id;
    private @Nullable Set<String> tags;
    private @Nullable Map<String, Set<Integer>> days;

    /** {@return the key} */
    @DynamoDbPartitionKey
    public @Nullable String getId() {
      return id;
    }

    /** Sets the key. */
    public void setId(@Nullable String id) {
      this.id = id;
    }

    /** {@return a set} */
    public @Nullable Set<String> getTags() {
      return tags;
    }

    /** Sets a set. */
    public void setTags(@Nullable Set<String> tags) {
      this.tags = tags;
    }

    /** {@return sets in a map} */
    public @Nullable Map<String, Set<Integer>> getDays() {
      return days;
    }

    /** Sets sets in a map. */
    public void setDays(@Nullable Map<String, Set<Integer>> days) {
      this.days = days;
    }
  }

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    table = DynamoDbTables.create(client, SCHEMA);
    bills = DynamoDbEntityStore.of(client, table, SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static void refused(
      Class<? extends RuntimeException> as, Executable use, String... said) {
    String message = String.valueOf(assertThrows(as, use).getMessage());
    for (String part : said) {
      assertTrue(message.contains(part), message);
    }
    assertFalse(message.contains("secret"), message);
  }

  private void refused(Change change, String... said) {
    Change creating = change.createIfMissing();
    refused(IllegalArgumentException.class, () -> bills.update(message(), key, creating), said);
    Result<Bill> result = bills.writeAll(List.of(Write.update(message(), key, creating))).get(0);
    assertTrue(result instanceof Result.Failed<Bill>, result::toString);
    assertTrue(bills.find(key).isEmpty(), "written");
  }

  @Test
  @DisplayName("a name that the class does not map is refused, and what it maps is said")
  void names() {
    refused(change().set("stauts", "PAID"), "'stauts'", "Bill", "[address, id, st, total]");
    refused(change().set("status", "PAID"), "'status'", "stored as 'st'");
    refused(change().remove("stauts"), "'stauts'");
    refused(change().add("totl", 1), "'totl'");
    refused(change().set("total", 1).onlyIf(attribute("status").isMissing()), "stored as 'st'");
    refused(
        change().set("total", 1).onlyIf(attribute("totl").is(1).not().or(attribute("st").exists())),
        "'totl'");
    assertTrue(
        bills.update(message(), key, change().set("st", "PAID").createIfMissing()).isApplied());
  }

  @Test
  @DisplayName("a store that is told so takes names that the class does not map")
  void unmapped() {
    DynamoDbEntityStore<Bill> open =
        DynamoDbEntityStore.builder(client, table, SCHEMA).unmappedAttributes().build();
    assertTrue(
        open.update(
                message(),
                key,
                change().set("expireAt", 5).createIfMissing().onlyIf(attribute("x").isMissing()))
            .isApplied());
  }

  @Test
  @DisplayName("a path without a parent is named")
  void parents() {
    bills.update(message(), key, change().set("total", 1).createIfMissing()).entity();
    refused(
        InvalidChangeException.class,
        () -> bills.update(message(), key, change().set("address.city", "secret")),
        "'address.city'",
        "set the parent first");
  }

  @Test
  @DisplayName("a value without a form, an empty set and a set of several kinds name the attribute")
  void values() {
    DynamoDbEntityStore<Bill> open =
        DynamoDbEntityStore.builder(client, table, SCHEMA).unmappedAttributes().build();
    for (Object value : List.of(new Thread("secret"), Set.of(), Set.of("secret", 1))) {
      refused(
          IllegalArgumentException.class,
          () -> open.update(message(), key, change().set("x", value).createIfMissing()),
          "attribute 'x' is given");
    }
  }

  @Test
  @DisplayName("an empty set that a function leaves names the attribute, and null removes a set")
  void emptySets() {
    DynamoDbEntityStore<Tagged> store =
        DynamoDbEntityStore.of(client, table, TableSchema.fromBean(Tagged.class));
    Write<Tagged> first =
        Write.apply(message(), key, Tagged::new, tagged -> tagged(tagged, Set.of("a"), Map.of()));
    assertTrue(store.write(first).isApplied());
    refused(
        InvalidChangeException.class,
        () -> store.apply(message(), key, tagged -> tagged(tagged, Set.of(), Map.of())),
        "'tags'",
        "leave null");
    refused(
        InvalidChangeException.class,
        () -> store.apply(message(), key, all -> tagged(all, null, Map.of("mo", Set.of()))),
        "'days.mo'");
    List<Result<Tagged>> batch =
        store.writeAll(
            List.of(
                Write.apply(message(), key, tagged -> tagged(tagged, Set.of(), Map.of())),
                Write.apply(message(), key, tagged -> tagged(tagged, null, Map.of()))));
    assertTrue(batch.get(0) instanceof Result.Failed<Tagged>, batch::toString);
    assertTrue(batch.get(1).outcomeIfJudged().orElseThrow().isApplied(), batch::toString);
    assertNull(store.find(key).orElseThrow().getTags());
  }

  /** A class that begins with an empty set, which older items do not have. */
  @DynamoDbBean
  public static final class Newer {
    private @Nullable String id;
    private @Nullable Long total;
    private Set<String> tags = new HashSet<>();

    /** {@return the key} */
    @DynamoDbPartitionKey
    public @Nullable String getId() {
      return id;
    }

    /** Sets the key. */
    public void setId(@Nullable String id) {
      this.id = id;
    }

    /** {@return a number} */
    public @Nullable Long getTotal() {
      return total;
    }

    /** Sets a number. */
    public void setTotal(@Nullable Long total) {
      this.total = total;
    }

    /** {@return a set} */
    public Set<String> getTags() {
      return tags;
    }

    /** Sets a set. */
    public void setTags(Set<String> tags) {
      this.tags = tags;
    }
  }

  @Test
  @DisplayName("an empty set that the class begins with is no fault of a function")
  void newSets() {
    DynamoDbEntityStore<Newer> store =
        DynamoDbEntityStore.of(client, table, TableSchema.fromBean(Newer.class));
    assertTrue(
        store.update(message(), key, change().set("total", 1).createIfMissing()).isApplied());
    assertTrue(
        store
            .apply(
                message(),
                key,
                newer -> {
                  newer.setTotal(2L);
                  return newer;
                })
            .isApplied());
    assertEquals(2L, store.find(key).orElseThrow().getTotal());
  }

  private static Tagged tagged(
      Tagged tagged, @Nullable Set<String> tags, Map<String, Set<Integer>> days) {
    tagged.setTags(tags);
    tagged.setDays(days);
    return tagged;
  }

  @Test
  @DisplayName("an item that is too large says which limit it met")
  void tooLarge() {
    refused(
        TooLargeException.class,
        () ->
            bills.update(message(), key, change().set("st", "x".repeat(410_000)).createIfMissing()),
        "409,600 bytes");
    refused(
        TooLargeException.class,
        () ->
            bills.update(
                message(), key, change().set("st", "x".repeat(3_000_000)).createIfMissing()),
        "2 MB");
    assertInstanceOf(
        TooLargeException.class,
        Faults.of(DynamoDbException.builder().statusCode(413).build(), key));
  }

  @Test
  @DisplayName("a table that is not there is named")
  void noTable() {
    DynamoDbEntityStore<Bill> lost = DynamoDbEntityStore.of(client, "no-such-table", SCHEMA);
    refused(
        IllegalStateException.class,
        () -> lost.update(message(), key, change().createIfMissing()),
        "'no-such-table'");
    refused(IllegalStateException.class, () -> lost.find(key), "'no-such-table'");
    assertEquals(
        "DynamoDbEntityStore[no-such-table, Bill, " + lost.tracking() + "]", lost.toString());
  }

  @Test
  @DisplayName("and an intake tells why")
  void told() {
    assertTold(change().set("missing", "secret"), "'missing' is not mapped");
    assertTold(change().set("total", "secret"), "'total' is Long");
    assertTold(change().append("total", "secret"), "not a list to append to");
    assertTold(change().set("address.city", new Object()), "'address.city' is");
  }

  private void assertTold(Change change, String text) {
    Projector<Bill> projector =
        Projector.into(bills).updating(String.class, event -> key, event -> change).build();
    Intake<String> intake =
        Intake.<String>builder(
                event -> event, event -> Delivery.of(message(), event), projector::handle)
            .build();
    String reason = intake.take(List.of("it")).fates().get(0).reason();
    assertTrue(reason.startsWith("UnfitChangeException: ") && reason.contains(text), reason);
    assertFalse(reason.contains("secret"), reason);
  }
}
