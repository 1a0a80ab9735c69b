package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.Outcome;
import dev.tidemark.dynamodb.TidemarkExtension.TrackedClass;
import dev.tidemark.marks.Marks;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.AssertionFailedError;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClientExtension;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbExtensionContext;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.ReadModification;
import software.amazon.awssdk.enhanced.dynamodb.extensions.WriteModification;
import software.amazon.awssdk.enhanced.dynamodb.internal.extensions.DefaultDynamoDbExtensionContext;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Breaks the extension on purpose; each time the tests that are there for it must go red. */
@DisplayName("The tests catch a wrong extension")
@SuppressWarnings("NullAway") // which does not see @Nullable of type arguments in class files
final class ExtensionMutantsTest {
  private static final String MARKS = "marks";
  private static final TrackedClass TRACKED = TrackedClass.of(TableSchema.fromBean(Account.class));

  /** Writes with an item of the mutant's choice, or gives one when it is read. */
  private record Wrong(
      DynamoDbEnhancedClientExtension sound,
      UnaryOperator<Map<String, AttributeValue>> written,
      UnaryOperator<Map<String, AttributeValue>> read)
      implements DynamoDbEnhancedClientExtension {

    @Override
    public WriteModification beforeWrite(DynamoDbExtensionContext.BeforeWrite context) {
      return sound.beforeWrite(
          DefaultDynamoDbExtensionContext.builder()
              .items(written.apply(context.items()))
              .operationContext(context.operationContext())
              .operationName(context.operationName())
              .tableMetadata(context.tableMetadata())
              .tableSchema(context.tableSchema())
              .build());
    }

    @Override
    public ReadModification afterRead(DynamoDbExtensionContext.AfterRead context) {
      Map<String, AttributeValue> item = sound.afterRead(context).transformedItem();
      return ReadModification.builder().transformedItem(read.apply(item)).build();
    }
  }

  private static Map<String, AttributeValue> with(Map<String, AttributeValue> item, Marks marks) {
    Map<String, AttributeValue> changed = new HashMap<>(item);
    changed.put(MARKS, new MarksConverter().transformFrom(marks));
    return changed;
  }

  /** A write is conditional on what is stored now: it overwrites what it has never seen. */
  private static ExtensionSubject unconditional() {
    return new ExtensionSubject() {
      @Override
      DynamoDbEnhancedClientExtension extension(DynamoDbClient client, TidemarkExtension sound) {
        return new Wrong(sound, item -> with(item, stored(client, item)), item -> item);
      }
    };
  }

  private static Marks stored(DynamoDbClient client, Map<String, AttributeValue> item) {
    Map<String, AttributeValue> found =
        client
            .getItem(
                get ->
                    get.tableName(ExtensionGuardsTest.table())
                        .key(Map.of("id", item.get("id")))
                        .consistentRead(true))
            .item();
    return Objects.requireNonNull(
        TRACKED.mapping().marks(TRACKED.mapping().collapse(found, false)::get));
  }

  /** Partial marks are taken for all that the item has. */
  private static ExtensionSubject partialIsWhole() {
    return new ExtensionSubject() {
      @Override
      DynamoDbEnhancedClientExtension extension(DynamoDbClient client, TidemarkExtension sound) {
        return new Wrong(
            sound,
            item -> item,
            item -> {
              Marks marks = Objects.requireNonNull(TRACKED.mapping().marks(item::get));
              return with(item, Marks.of(marks.attributes()));
            });
      }
    };
  }

  /** A tombstone whose time is over is taken for an entity. */
  private static ExtensionSubject tombstoneIsLive() {
    return new ExtensionSubject() {
      @Override
      DynamoDbEnhancedClientExtension extension(DynamoDbClient client, TidemarkExtension sound) {
        return new Wrong(
            sound,
            item -> {
              Marks read = Objects.requireNonNull(TRACKED.mapping().marks(item::get));
              Map<String, Object> live = new HashMap<>(read.attributes());
              live.remove(TRACKED.names().tombstone());
              return with(item, Marks.of(live));
            },
            item -> item);
      }
    };
  }

  /** A put brings back messages that are no longer stored. */
  private static ExtensionSubject bringsBackWhatWasSent() {
    return new ExtensionSubject() {
      @Override
      DynamoDbEnhancedClientExtension extension(DynamoDbClient client, TidemarkExtension sound) {
        return new DynamoDbEnhancedClientExtension() {
          @Override
          public WriteModification beforeWrite(DynamoDbExtensionContext.BeforeWrite context) {
            WriteModification write = sound.beforeWrite(context);
            return WriteModification.builder()
                .transformedItem(write.transformedItem())
                .updateExpression(write.updateExpression())
                .additionalConditionalExpression(
                    orSent(Objects.requireNonNull(write.additionalConditionalExpression())))
                .build();
          }

          @Override
          public ReadModification afterRead(DynamoDbExtensionContext.AfterRead context) {
            return sound.afterRead(context);
          }
        };
      }
    };
  }

  private static Expression orSent(Expression sound) {
    String text = sound.expression();
    for (Map.Entry<String, String> name : sound.expressionNames().entrySet()) {
      if (name.getValue().equals(TRACKED.names().outbox())) {
        text =
            text.replaceAll(
                name.getKey() + " = (:\\w+)",
                "($0 OR attribute_not_exists(" + name.getKey() + "))");
      }
    }
    return Expression.builder()
        .expression(text)
        .expressionNames(sound.expressionNames())
        .expressionValues(sound.expressionValues())
        .build();
  }

  /** An entity without marks is taken for a new one. */
  private static ExtensionSubject nullIsNone() {
    return new ExtensionSubject() {
      @Override
      DynamoDbEnhancedClientExtension extension(DynamoDbClient client, TidemarkExtension sound) {
        return new Wrong(
            sound,
            item -> TRACKED.mapping().marks(item::get) == null ? with(item, Marks.none()) : item,
            item -> item);
      }
    };
  }

  /** A store answers for a write that was not made under its tracking, and makes it again. */
  private static ExtensionSubject anyStoreAnswers() {
    return new ExtensionSubject() {
      @Override
      Outcome<Account> outcome(
          DynamoDbEntityStore<Account> store,
          ConditionalCheckFailedException refused,
          Account entity) {
        try {
          return super.outcome(store, refused, entity);
        } catch (IllegalArgumentException notItsOwn) {
          Processing processing = Objects.requireNonNull(entity.getProcessing());
          return store.update(
              processing.message(),
              key(Objects.requireNonNull(entity.getId())),
              change().createIfMissing().set("total", entity.getTotal()));
        }
      }
    };
  }

  private static Arguments caught(
      String mutant, ExtensionSubject subject, String test, Consumer<ExtensionGuardsTest> scene) {
    return Arguments.of(mutant, test, subject, scene);
  }

  static Stream<Arguments> mutants() {
    return Stream.of(
        caught("an update overwrites", unconditional(), "stale", ExtensionGuardsTest::stale),
        caught("an update overwrites", unconditional(), "unread", ExtensionGuardsTest::unread),
        caught(
            "partial marks are whole",
            partialIsWhole(),
            "updatedNew",
            ExtensionGuardsTest::updatedNew),
        caught("a put overwrites", unconditional(), "projection", ExtensionGuardsTest::projection),
        caught(
            "an expired tombstone is an entity",
            tombstoneIsLive(),
            "expiredTombstone",
            ExtensionGuardsTest::expiredTombstone),
        caught(
            "a put brings back what was sent",
            bringsBackWhatWasSent(),
            "sent",
            ExtensionGuardsTest::sent),
        caught("null marks are none", nullIsNone(), "noMarks", ExtensionGuardsTest::noMarks),
        caught(
            "any store answers",
            anyStoreAnswers(),
            "otherTracking",
            ExtensionGuardsTest::otherTracking),
        caught(
            "any store answers", anyStoreAnswers(), "unwritten", ExtensionGuardsTest::unwritten));
  }

  @BeforeAll
  static void open() {
    ExtensionGuardsTest.open();
  }

  @AfterAll
  static void close() {
    ExtensionGuardsTest.close();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("mutants")
  void caught(
      String mutant, String test, ExtensionSubject subject, Consumer<ExtensionGuardsTest> scene) {
    assertThrows(
        AssertionFailedError.class, () -> scene.accept(ExtensionGuardsTest.of(subject)), mutant);
    assertDoesNotThrow(() -> scene.accept(new ExtensionGuardsTest()), test);
  }
}
