package dev.tidemark.dynamodb;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Revision;
import dev.tidemark.tck.View;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

@DisplayName("A request by a template is the one that would be written without it")
final class TemplateTest {
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);
  private static final EntityKey KEY = key("view");
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final Pattern PLACEHOLDER = Pattern.compile("[#:]\\w+");

  /** What a store of one tracking writes. */
  private record Store(
      Tracking tracking, Writes<View> writes, NativeEdits<View> natives, AtomicLong seconds) {
    static Store of(Tracking tracking) {
      Mapping<View> mapping = new Mapping<>(VIEWS, tracking, true);
      return new Store(
          tracking,
          new Writes<>("views", mapping, false),
          new NativeEdits<>("views", mapping),
          new AtomicLong());
    }

    /** A write of a message, a second after the one before. */
    Marking marking(Message message) {
      return new Marking(
          List.of(message),
          KEY,
          tracking,
          Names.flat(tracking),
          NOW.plusSeconds(seconds.getAndIncrement()),
          Revision.newToken());
    }

    UpdateItemRequest form(Marking marking, Edit edit) {
      return (UpdateItemRequest)
          writes.form(new Request<>(marking, null, new Effect.Own<View>(edit)));
    }

    void assertSame(Message message, DynamoDbNativeUpdate update) {
      Marking marking = marking(message);
      Edit edit = natives.edit(update, KEY);
      assertEquals(said(form(marking, withoutTemplate(edit))), said(form(marking, edit)));
    }
  }

  static Stream<DynamoDbNativeUpdate> updates() {
    DynamoDbNativeUpdate plain =
        DynamoDbNativeUpdate.of("SET #t0 = :t1 ADD total :n")
            .name("#t0", "status")
            .value(":t1", "PAID")
            .value(":n", 17);
    return Stream.of(
        plain,
        plain.createIfMissing(),
        plain.onlyIf("total < :n OR attribute_not_exists(#t0)"),
        plain.onlyIf("attribute_exists(#e)").name("#e", "events.Order.any"),
        plain.onlyIf("attribute_exists(#e)").name("#e", "events.Order.anyone"),
        plain.retire(Source.of("Order", "1")));
  }

  private static List<SourceEvent> events() {
    return Stream.of("0", "1", "17", "18", "1" + "0".repeat(33))
        .map(BigInteger::new)
        .map(number -> new SourceEvent(Source.of("Order", "o." + number), Position.of(number)))
        .toList();
  }

  static Stream<IdPolicy> policies() {
    return Stream.of(
        IdPolicy.forEver(),
        IdPolicy.forEver().compact(),
        IdPolicy.last(100),
        IdPolicy.keptFor(Duration.ofHours(1)),
        IdPolicy.keptFor(Duration.ofDays(7)).compact(),
        IdPolicy.keptFor(Duration.ofHours(1)).maxSkew(Duration.ZERO));
  }

  /** UUIDs of several versions, the last of which tells that it is older than an hour. */
  private static List<MessageId> ids() {
    return Stream.of(
            "3f0f1c3e-7b2e-4c0e-9d0e-1f1c3e7b2e4c",
            "00000000-0000-0000-0000-000000000000",
            "15 bytes of it.",
            "Order-17",
            "018bcfe5-6800-7000-8000-000000000000")
        .map(MessageId::of)
        .toList();
  }

  /** The same under a condition that is always true, which no template has. */
  private static Edit withoutTemplate(Edit edit) {
    return Edit.of(edit.rules(), edit.own(), Condition.always(), List.of(), edit.template());
  }

  /** An expression with what is behind its placeholders. */
  private static String resolved(String expression, UpdateItemRequest request) {
    return PLACEHOLDER
        .matcher(expression)
        .replaceAll(
            found -> {
              String name = request.expressionAttributeNames().get(found.group());
              AttributeValue value = request.expressionAttributeValues().get(found.group());
              return "<" + Objects.requireNonNullElse(name, String.valueOf(value)) + ">";
            });
  }

  private static List<Object> said(UpdateItemRequest request) {
    return List.of(
        resolved(request.updateExpression(), request),
        resolved(request.conditionExpression(), request),
        new TreeSet<>(request.expressionAttributeNames().values()),
        request.expressionAttributeValues().size(),
        request.key(),
        request.returnValues());
  }

  @ParameterizedTest
  @MethodSource("updates")
  @DisplayName("for every position, of the same and of another source")
  void same(DynamoDbNativeUpdate update) {
    Store store = Store.of(Tracking.defaults());
    events().forEach(event -> store.assertSame(event, update));
  }

  @Test
  @DisplayName("for events of carriers")
  void carriers() {
    Store store = Store.of(Tracking.defaults());
    for (SourceEvent event :
        List.of(
            SourceEvent.kafka("orders", 0, 42),
            SourceEvent.kafka("eu", "orders", 0, 42),
            SourceEvent.sqsFifo("orders", "g", "42"),
            SourceEvent.dynamoDbStreams("orders", "k", "42"),
            SourceEvent.kinesis("orders", "k", "42", 0))) {
      updates().forEach(update -> store.assertSame(event, update));
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  @DisplayName("for every message ID, at every time, beside events")
  void sameById(IdPolicy policy) {
    Store store = Store.of(Tracking.defaults().messageIds(policy));
    updates()
        .forEach(
            update -> {
              ids().forEach(id -> store.assertSame(id, update));
              events().forEach(event -> store.assertSame(event, update));
              ids().forEach(id -> store.assertSame(id, update));
            });
  }

  @Test
  @DisplayName("and asks for the item only where something of it is wanted")
  void asks() {
    SourceEvent event = events().get(2);
    DynamoDbNativeUpdate update = updates().findFirst().orElseThrow();
    Store store = Store.of(Tracking.defaults());
    Marking marking = store.marking(event);
    while (new Request<>(marking, null, new Effect.Own<View>(Edit.NOTHING)).tells()) {
      marking = store.marking(event);
    }
    Function<DynamoDbNativeUpdate, ReturnValue> wanted = wants(store, marking);
    assertEquals(ReturnValue.NONE, wanted.apply(update));
    assertNotEquals(ReturnValue.NONE, wanted.apply(update.returning()));
    assertNotEquals(ReturnValue.NONE, wanted.apply(update.createIfMissing()));
  }

  private static Function<DynamoDbNativeUpdate, ReturnValue> wants(Store store, Marking marking) {
    return update -> store.form(marking, store.natives().edit(update, KEY)).returnValues();
  }
}
