package dev.tidemark.dynamodb;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
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
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
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
  private static final Tracking TRACKING = Tracking.defaults();
  private static final Pattern PLACEHOLDER = Pattern.compile("[#:]\\w+");

  private final Mapping<View> mapping = new Mapping<>(VIEWS, TRACKING, true);
  private final Writes<View> writes = new Writes<>("views", mapping, false);
  private final NativeEdits<View> natives = new NativeEdits<>("views", mapping);

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
        plain.retire(Source.of("Order", "1")));
  }

  private static List<SourceEvent> events() {
    return Stream.of("0", "1", "17", "18", "1" + "0".repeat(33))
        .map(BigInteger::new)
        .map(number -> new SourceEvent(Source.of("Order", "o." + number), Position.of(number)))
        .toList();
  }

  private UpdateItemRequest form(Marking marking, Edit edit) {
    return (UpdateItemRequest)
        writes.form(new Request<>(marking, null, new Effect.Own<View>(edit)));
  }

  private static Marking marking(SourceEvent event) {
    ByteBuffer token = Revision.newToken();
    return new Marking(List.of(event), KEY, TRACKING, Names.flat(TRACKING), Instant.EPOCH, token);
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
    for (SourceEvent event : events()) {
      Marking marking = marking(event);
      Edit edit = natives.edit(update, KEY);
      assertEquals(said(form(marking, withoutTemplate(edit))), said(form(marking, edit)));
    }
  }

  @Test
  @DisplayName("and asks for the item only where something of it is wanted")
  void asks() {
    SourceEvent event = events().get(2);
    DynamoDbNativeUpdate update = updates().findFirst().orElseThrow();
    Marking marking = marking(event);
    while (new Request<>(marking, null, new Effect.Own<View>(Edit.NOTHING)).tells()) {
      marking = marking(event);
    }
    assertEquals(ReturnValue.NONE, form(marking, natives.edit(update, KEY)).returnValues());
    assertNotEquals(
        ReturnValue.NONE, form(marking, natives.edit(update.returning(), KEY)).returnValues());
    assertNotEquals(
        ReturnValue.NONE,
        form(marking, natives.edit(update.createIfMissing(), KEY)).returnValues());
  }
}
