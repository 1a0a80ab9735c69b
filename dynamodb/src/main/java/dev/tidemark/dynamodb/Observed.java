package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.StoreObserver;
import dev.tidemark.metrics.MarkCost;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.metrics.StoreCall;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.metrics.CoreMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The requests of one call, counted and measured: a transport around the store's, since the calls
 * of an asynchronous client interleave on its threads.
 *
 * @param transport the store's
 * @param observation is told of requests and items; null where nobody listens
 * @param pressure is told of throttling
 */
record Observed(
    Transport transport,
    @Nullable Observation observation,
    Pressure pressure,
    Keys keys,
    Names names)
    implements Transport {

  /** Makes a call and tells of it when it has ended. */
  static <R> CompletableFuture<R> tell(
      StoreObserver observer,
      StoreCall.Method method,
      Function<Observation, CompletableFuture<R>> call) {
    Observation observation = observer.start(method);
    try (Ongoing.Scope unused = observation.enter()) {
      return Transport.start(() -> call.apply(observation))
          .whenComplete(
              (result, error) -> {
                if (error == null) {
                  observation.ended(result);
                } else {
                  observation.failed(Errors.unwrap(error));
                }
              });
    }
  }

  /** What became of the attempts that the SDK made for one request. */
  private static final class Attempts implements MetricPublisher {
    private final List<MetricCollection> attempts = new CopyOnWriteArrayList<>();

    @Override
    public void publish(MetricCollection call) {
      call.childrenWithName("ApiCallAttempt").forEach(attempts::add);
    }

    @Override
    public void close() {}

    /** How often the SDK tried again. */
    int repeats() {
      return Math.max(1, attempts.size()) - 1;
    }

    /** Whether the server asked for fewer requests. */
    boolean wereThrottled() {
      return attempts.stream()
          .anyMatch(one -> one.metricValues(CoreMetric.ERROR_TYPE).contains("Throttling"));
    }
  }

  @Override
  public CompletableFuture<Void> carry(Exchange exchange) {
    return transport.carry(new Watched(exchange));
  }

  @Override
  public AwsClient client() {
    return transport.client();
  }

  /** Who the client tells its metrics. */
  private List<MetricPublisher> publishers() {
    try {
      return client().serviceClientConfiguration().overrideConfiguration().metricPublishers();
    } catch (UnsupportedOperationException e) {
      return List.of(); // not a client that the SDK built: a decorator, or DynamoDB Local's own
    }
  }

  /** An exchange whose requests are watched. */
  private final class Watched implements Exchange {
    private final Exchange exchange;
    private Attempts attempts = new Attempts();
    private @Nullable DynamoDbRequest request;
    private int epoch;

    Watched(Exchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public @Nullable Turn next() {
      Turn turn = exchange.next();
      if (!(turn instanceof Turn.Ask ask)) {
        return turn;
      }
      attempts = new Attempts();
      epoch = pressure.epoch();
      request = ask.request();
      if (observation != null) {
        if (isRead(ask.request())) {
          observation.read();
        } else {
          observation.write();
        }
      }
      return new Turn.Ask(watched(ask.request(), attempts));
    }

    @Override
    public Ongoing.Scope sending() {
      return observation == null ? Ongoing.Scope.NONE : observation.enter();
    }

    @Override
    public void replied(DynamoDbResponse reply) {
      ended(reply, null);
      exchange.replied(reply);
    }

    @Override
    public void failed(Throwable error) {
      ended(null, error);
      exchange.failed(error);
    }

    private void ended(@Nullable DynamoDbResponse reply, @Nullable Throwable error) {
      boolean throttled =
          attempts.wereThrottled()
              || (reply instanceof BatchGetItemResponse batch && !batch.unprocessedKeys().isEmpty())
              || (error instanceof DynamoDbException e && e.isThrottlingException());
      pressure.saw(epoch, throttled);
      if (observation != null) {
        DynamoDbRequest sent = Objects.requireNonNull(request);
        observation.repeated(Math.max(attempts.repeats(), Errors.repeats(error)));
        if (reply != null) {
          consumed(reply, isRead(sent) ? observation::readUnits : observation::writeUnits);
          saw(observation, sent, reply);
        } else if (error instanceof ConditionalCheckFailedException) {
          saw(observation, Errors.item(error, key(sent)));
        }
      }
    }
  }

  private static boolean isRead(DynamoDbRequest request) {
    return request instanceof GetItemRequest || request instanceof BatchGetItemRequest;
  }

  /** Of the item that a single write is about. */
  private Map<String, AttributeValue> key(DynamoDbRequest write) {
    return write instanceof PutItemRequest put
        ? keys.of(put.item())
        : write instanceof DeleteItemRequest delete
            ? delete.key()
            : ((UpdateItemRequest) write).key();
  }

  /**
   * The request, asking for capacity where somebody listens. Its publishers replace the client's,
   * which are therefore told besides.
   */
  private DynamoDbRequest watched(DynamoDbRequest request, Attempts attempts) {
    Optional<AwsRequestOverrideConfiguration> own = request.overrideConfiguration();
    AwsRequestOverrideConfiguration.Builder override =
        own.map(AwsRequestOverrideConfiguration::toBuilder)
            .orElseGet(AwsRequestOverrideConfiguration::builder);
    if (own.isEmpty() || own.get().metricPublishers().isEmpty()) {
      publishers().forEach(override::addMetricPublisher);
    }
    DynamoDbRequest.Builder builder = request.toBuilder();
    builder.overrideConfiguration(override.addMetricPublisher(attempts).build());
    request.sdkFields().stream()
        .filter(field -> observation != null)
        .filter(field -> field.memberName().equals("ReturnConsumedCapacity"))
        .forEach(field -> field.set(builder, "TOTAL"));
    return builder.build();
  }

  private void saw(Observation to, DynamoDbRequest request, DynamoDbResponse reply) {
    if (reply instanceof GetItemResponse get) {
      saw(to, get.item());
    } else if (reply instanceof BatchGetItemResponse batch) {
      batch.responses().values().forEach(items -> items.forEach(item -> saw(to, item)));
    } else if (reply instanceof UpdateItemResponse update) {
      saw(to, update.attributes());
    } else if (request instanceof PutItemRequest put) {
      saw(to, put.item());
    } else if (request instanceof DeleteItemRequest delete) {
      to.size(delete.key(), null);
    }
  }

  /** Not every server tells. */
  private static void consumed(DynamoDbResponse reply, DoubleConsumer units) {
    Object consumed = reply.getValueForField("ConsumedCapacity", Object.class).orElse(List.of());
    for (Object one : consumed instanceof List<?> all ? all : List.of(consumed)) {
      Double capacity = ((ConsumedCapacity) one).capacityUnits();
      if (capacity != null) {
        units.accept(capacity);
      }
    }
  }

  /** An item as a reply has it; an empty one is none. */
  private void saw(Observation to, Map<String, AttributeValue> item) {
    if (!item.isEmpty()) {
      to.size(keys.of(item), Sizes.of(item, names));
    }
  }

  /**
   * Sizes of items by the rules of <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html">DynamoDB
   * item sizes and formats</a>: names and strings as UTF-8, binaries as they are, a byte for two
   * digits of a number and one more, a byte for a boolean or null, three for a list or map and one
   * more for each of its elements.
   */
  static final class Sizes {
    /** 400 KB, names included. */
    static final long LIMIT = 400 * 1024L;

    private static final int COLLECTION = 3;
    private static final int ELEMENT = 1;

    private Sizes() {}

    static StoreCall.Size of(Map<String, AttributeValue> item, Names names) {
      long all = 0;
      long marks = 0;
      for (Map.Entry<String, AttributeValue> attribute : item.entrySet()) {
        long bytes = text(attribute.getKey()) + value(attribute.getValue());
        all += bytes;
        marks += names.owns(attribute.getKey()) ? bytes : 0;
      }
      return new StoreCall.Size(all, LIMIT, MarkCost.billed(all, marks));
    }

    private static long value(AttributeValue value) {
      return switch (value.type()) {
        case S -> text(value.s());
        case N -> number(value.n());
        case B -> value.b().asByteArrayUnsafe().length;
        case SS -> value.ss().stream().mapToLong(Sizes::text).sum();
        case NS -> value.ns().stream().mapToLong(Sizes::number).sum();
        case BS -> value.bs().stream().mapToLong(bytes -> bytes.asByteArrayUnsafe().length).sum();
        case L -> list(value.l());
        case M -> map(value.m());
        default -> 1; // BOOL, NULL
      };
    }

    private static long list(List<AttributeValue> elements) {
      return COLLECTION + elements.stream().mapToLong(element -> ELEMENT + value(element)).sum();
    }

    private static long map(Map<String, AttributeValue> members) {
      return COLLECTION
          + members.entrySet().stream()
              .mapToLong(member -> ELEMENT + text(member.getKey()) + value(member.getValue()))
              .sum();
    }

    /** Zeros at both ends are not stored; a sign takes another byte. */
    private static long number(String digits) {
      BigDecimal number = new BigDecimal(digits).stripTrailingZeros();
      long sign = number.signum() < 0 ? 1 : 0;
      return (number.precision() + 1L) / 2 + 1 + sign;
    }

    private static long text(String text) {
      return Values.utf8Length(text);
    }
  }
}
