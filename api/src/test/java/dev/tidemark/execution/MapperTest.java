package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import dev.tidemark.execution.StoredExecution.State;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The mapper of executions")
final class MapperTest extends ExecutionScene {
  /** What the stored text could make anything of. */
  record AnyObject(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object value) {}

  /** The same in a list. */
  record AnyElement(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) List<Object> values) {}

  /** The same in a map, by a shorter name. */
  record AnyEntry(@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS) Map<String, ?> values) {}

  /** The same by an interface of the JDK. */
  record AnySerializable(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Serializable value) {}

  /** The same by another one. */
  record AnyRunnable(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Runnable value) {}

  /** A type whose classes are the user's own. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Shape {}

  /** One of them. */
  record Circle(int radius) implements Shape {}

  /** Has what may be one of them. */
  record Drawn(Shape shape) {}

  /** Has what Jackson reads by a module alone. */
  record Dated(Instant at) {}

  /** The same, somewhere in it. */
  record Listed(List<Map<String, Dated[]>> all) {}

  /** The same, and itself. */
  record Node(List<Node> nodes, Optional<String> name) {}

  /** Itself, and nothing else. */
  record Tree(List<Tree> trees) {}

  /** A mapper that cannot be copied. */
  static final class Odd extends ObjectMapper {
    private static final long serialVersionUID = 1L;
  }

  @Test
  @DisplayName("is the one that was given, however it is changed later")
  void changedLater() {
    ObjectMapper mapper = new ObjectMapper();
    Executions executions = builder().mapper(mapper).build();
    mapper.activateDefaultTyping(
        BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
        ObjectMapper.DefaultTyping.NON_FINAL);
    executions.run("1", null, Map.class, steps -> Map.of("a", 1));
    assertEquals(new ExecutionRecord.Stored("java.util.Map", "{\"a\":1}"), only().result());
    assertEquals(
        new Execution.Replayed<>(Map.of("a", 1)),
        executions.run("1", null, Map.class, steps -> Map.of()));
  }

  /** A result of a library's own. */
  record Own(int theNumber, String theText) implements MapperIndependent {}

  /** A request of a library's own. */
  static final class OwnRequest extends ArrayList<String> implements MapperIndependent {
    private static final long serialVersionUID = 1L;

    OwnRequest(String text) {
      super(List.of(text));
    }
  }

  /** Names properties otherwise, and writes each text and each UUID as the same. */
  static ObjectMapper masking() {
    SimpleModule masks = new SimpleModule();
    ToStringSerializerBase mask =
        new ToStringSerializerBase(Object.class) {
          private static final long serialVersionUID = 1L;

          @Override
          public String valueToString(Object value) {
            return "***";
          }
        };
    masks.addSerializer(String.class, mask).addSerializer(UUID.class, mask);
    return new ObjectMapper()
        .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
        .registerModule(masks);
  }

  @Test
  @DisplayName("has no say in what a library stores that does not depend on it")
  void independent() {
    Executions executions = builder().mapper(masking()).build();
    Own own = new Own(1, "text");
    assertEquals(
        new Execution.Executed<>(own),
        executions.run("1", new OwnRequest("a"), Own.class, steps -> own));
    assertEquals(
        "{\"theNumber\":1,\"theText\":\"text\"}", Objects.requireNonNull(only().result()).json());
    assertEquals(
        new Execution.Replayed<>(own),
        executions.run("1", new OwnRequest("a"), Own.class, steps -> new Own(2, "")));
    assertInstanceOf(
        Execution.KeyReused.class,
        executions.run("1", new OwnRequest("b"), Own.class, steps -> own));
    assertEquals(
        orders.run("2", new OwnRequest("a"), Own.class, steps -> own),
        executions.run("3", new OwnRequest("a"), Own.class, steps -> own));
    assertEquals(
        1, records.stored.values().stream().map(ExecutionRecord::fingerprint).distinct().count());
  }

  /** Methods whose request is a library's own. */
  interface Payments {
    @Idempotent
    int pay(@Idempotent.Key String key, Own request);
  }

  @Test
  @DisplayName("has no say in how requests of a flow or a method are compared that do not either")
  void independentRequests() {
    Executions executions = builder().mapper(masking()).build();
    dev.tidemark.execution.Flow<Own, Integer> flow =
        executions.flow("pay", Own.class, Integer.class, (request, steps) -> 1);
    Payments payments = executions.proxy(Payments.class, (key, request) -> 1);
    for (String text : List.of("a", "a", "b")) {
      boolean isOther = text.equals("b");
      Own request = new Own(1, text);
      assertEquals(isOther, flow.run("1", request) instanceof Execution.KeyReused);
      if (isOther) {
        assertThrows(NotExecutedException.class, () -> payments.pay("1", request));
      } else {
        assertEquals(1, payments.pay("1", request));
      }
    }
  }

  @Test
  @DisplayName("lets no stored text choose among all classes, which is refused before the work")
  void openTypes() {
    BasicPolymorphicTypeValidator any =
        BasicPolymorphicTypeValidator.builder()
            .allowIfBaseType(Object.class)
            .allowIfSubType(Object.class)
            .build();
    ObjectMapper trusting = new ObjectMapper();
    trusting.setPolymorphicTypeValidator(any);
    for (Executions executions : List.of(orders, builder().mapper(trusting).build())) {
      for (Class<?> open :
          List.of(
              AnyObject.class,
              AnyElement.class,
              AnyEntry.class,
              AnySerializable.class,
              AnyRunnable.class)) {
        assertRefused(executions, open);
        assertEquals(0, records.requests);
      }
      Drawn drawn = new Drawn(new Circle(1));
      assertEquals(
          new Execution.Executed<>(drawn), executions.run("2", null, Drawn.class, s -> drawn));
      assertTrue(executions.forget("2"));
      records.requests = 0;
    }
  }

  private static <T> void assertRefused(Executions executions, Class<T> open) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> executions.run("1", null, open, steps -> never(open)));
    assertTrue(String.valueOf(refused.getMessage()).contains(open.getName()), refused::toString);
    assertThrows(
        IllegalArgumentException.class,
        () -> executions.flow("f", open, String.class, (request, steps) -> never(String.class)));
    assertThrows(
        IllegalArgumentException.class,
        () -> executions.flow("f", String.class, open, (request, steps) -> never(open)));
  }

  private static <R> R never(Class<R> type) {
    throw new AssertionError("the work ran, and gives a " + type);
  }

  @Test
  @DisplayName("lets no step store what could be read as any class, and the step does not act")
  void openSteps() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            orders.run(
                "1",
                null,
                Integer.class,
                s -> s.step("a", AnyObject.class, k -> never(AnyObject.class)) == null ? 1 : 2));
    assertEquals(StoredExecution.State.RELEASED, only().state());
    assertTrue(only().points().isEmpty());
  }

  @Test
  @DisplayName("can be copied, and writes JSON, or there are no executions")
  void unfit() {
    assertThrows(IllegalArgumentException.class, () -> builder().mapper(new Odd()).build());
    JsonFactory other =
        new JsonFactory() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getFormatName() {
            return "CSV";
          }

          @Override
          public JsonFactory copy() {
            return this;
          }
        };
    assertThrows(
        IllegalArgumentException.class, () -> builder().mapper(new JsonMapper(other)).build());
  }

  @Test
  @DisplayName(
      "has the modules that a type needs, or the work does not begin, and the jar is named")
  void missingModules() {
    for (Class<?> type : List.of(Instant.class, Dated.class, Listed.class, Node.class)) {
      IllegalArgumentException refused = refused(type);
      String jar = type == Node.class ? "jackson-datatype-jdk8" : "jackson-datatype-jsr310";
      assertTrue(String.valueOf(refused.getMessage()).contains(jar), refused::toString);
      assertTrue(records.stored.isEmpty());
    }
    for (Object request : List.of(Instant.EPOCH, List.of(new Dated(Instant.EPOCH)))) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> orders.run("1", request, Tree.class, steps -> never(Tree.class)));
      assertTrue(String.valueOf(refused.getMessage()).contains("jsr310"), refused::toString);
    }
    Tree tree = new Tree(List.of(new Tree(List.of())));
    assertEquals(new Execution.Executed<>(tree), orders.run("1", null, Tree.class, s -> tree));
  }

  private <R> IllegalArgumentException refused(Class<R> type) {
    return assertThrows(
        IllegalArgumentException.class, () -> orders.run("1", null, type, s -> never(type)));
  }

  /** What nobody can make of JSON. */
  abstract static class Vague {
    abstract String name();
  }

  /** The same, since its constructor has no names. */
  static final class Closed {
    final String name;

    Closed(String name, int number) {
      this.name = name + number;
    }
  }

  /** The same, since it is another one's. */
  @SuppressWarnings("ClassCanBeStatic") // which Jackson cannot make
  final class Inner {}

  /** Is made by its own method. */
  static final class Made {
    private final String text;

    private Made(String text) {
      this.text = text;
    }

    @JsonCreator
    static Made of(String text) {
      return new Made(text);
    }

    @JsonValue
    String text() {
      return text;
    }
  }

  /** Is made of a decimal. */
  static final class Price {
    private final BigDecimal amount;

    @JsonCreator
    Price(BigDecimal amount) {
      this.amount = amount;
    }

    @JsonValue
    BigDecimal amount() {
      return amount;
    }
  }

  /** Has a default implementation. */
  @JsonDeserialize(as = Named.class)
  interface HasName {}

  /** The implementation. */
  record Named(String name) implements HasName {}

  @Test
  @DisplayName("can make a result of the type, or the work does not begin")
  void unmade() {
    for (Class<?> type :
        List.of(
            Runnable.class,
            Vague.class,
            Closed.class,
            Inner.class,
            Void.class,
            CompletableFuture.class,
            Future.class,
            Flow.Publisher.class)) {
      assertRefused(orders, type);
    }
    assertEquals(0, records.requests);
    for (Object made :
        List.of(
            1,
            "text",
            State.DONE,
            Made.of("m").text(),
            new Circle(1),
            new byte[] {1},
            List.of(1),
            Map.of("a", 1),
            UUID.randomUUID())) {
      stored(made.getClass().getName(), Object.class, made);
    }
    stored("made", Made.class, Made.of("m"));
    stored("price", Price.class, new Price(BigDecimal.ONE));
    stored("as", HasName.class, new Named("n"));
    stored("shape", Shape.class, new Circle(1));
    stored("enum", State.class, State.DONE);
    stored("text", CharSequence.class, "text");
    stored("number", Number.class, 7);
    stored("all", Iterable.class, List.of(1));
    stored("tree", JsonNode.class, new ObjectMapper().createArrayNode());
    stored("thrown", Exception.class, new IllegalStateException("no"));
  }

  private <R> void stored(String key, Class<R> type, R value) {
    assertTrue(orders.run(key, null, type, steps -> value).isDone(), key);
  }

  /** Is made by a handler of the mapper's. */
  static final class Coded {
    public final String text;

    Coded(String text, int number) {
      this.text = text + number;
    }
  }

  @Test
  @DisplayName("may make a result of a type by a handler of problems")
  void problemHandler() {
    DeserializationProblemHandler making =
        new DeserializationProblemHandler() {
          @Override
          public Object handleMissingInstantiator(
              DeserializationContext context,
              Class<?> type,
              ValueInstantiator maker,
              JsonParser parser,
              String message)
              throws IOException {
            while (parser.currentToken() != JsonToken.END_OBJECT) {
              parser.nextToken();
            }
            return new Coded("c", 1);
          }
        };
    Executions made = builder().mapper(JsonMapper.builder().addHandler(making).build()).build();
    assertTrue(made.run("1", null, Coded.class, steps -> new Coded("c", 1)).isDone());
  }
}
