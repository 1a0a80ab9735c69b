package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.shop.Spending;
import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.config.SqsBootstrapConfiguration;
import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.Message;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("An @SqsListener that hands its messages to an intake")
class SqsIntakeListenerTest {
  private static final SQSRestServer SERVER =
      SQSRestServerBuilder.withDynamicPort().withInterface("127.0.0.1").start();
  private static SqsAsyncClient client;

  private final String queue = Servers.fresh("payments");

  @BeforeAll
  static void start() {
    int port = SERVER.waitUntilStarted().localAddress().getPort();
    client =
        SqsAsyncClient.builder()
            .endpointOverride(URI.create("http://127.0.0.1:" + port))
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .build();
  }

  @AfterAll
  static void stop() {
    client.close();
    var unused = SERVER.stopAndWait();
  }

  record Paid(String id, String customer, int amount) {}

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = Spending.class)
  @Import(SqsBootstrapConfiguration.class)
  static class Shop {
    final Set<String> troubled = ConcurrentHashMap.newKeySet();
    final List<String> letters = new CopyOnWriteArrayList<>();
    final List<String> met = new CopyOnWriteArrayList<>();
    final Map<String, Runnable> slow = new ConcurrentHashMap<>();

    @Bean
    SqsMessageListenerContainerFactory<Object> defaultSqsListenerContainerFactory() {
      SqsMessageListenerContainerFactory<Object> factory = factory();
      factory.configure(o -> o.pollTimeout(Duration.ofSeconds(1))); // a context ends behind a poll
      return factory;
    }

    private static SqsMessageListenerContainerFactory<Object> factory() {
      // snippet: spring-sqs-heartbeat
      return SqsMessageListenerContainerFactory.builder()
          .sqsAsyncClient(client)
          .configure(o -> o.queueAttributeNames(List.of(QueueAttributeName.VISIBILITY_TIMEOUT)))
          .build();
      // end
    }

    @Bean
    SqsIntakeListener<String> payments(EntityStore<Spending> store) {
      Projector<Spending> spendings =
          Projector.into(store)
              .updating(
                  Paid.class,
                  paid -> key(met(paid.customer())),
                  paid ->
                      change()
                          .add("total", paid.amount())
                          .append("amounts", paid.amount())
                          .createIfMissing())
              .build();
      JsonMapper json = new JsonMapper();
      // snippet: spring-sqs-intake
      return SqsIntakeListener.of(
          SqsIntakeListener.<String>builder(
                  message -> {
                    Paid paid = json.readValue(message.getPayload(), Paid.class);
                    return Delivery.of(MessageId.of(paid.id()), paid);
                  },
                  spendings::handle)
              .deadLetters((message, reason) -> letters.add(message.getPayload()))
              .build());
      // end
    }

    String met(String customer) {
      met.add(customer);
      Runnable before = slow.remove(customer);
      if (before != null) {
        before.run();
      }
      if (troubled.contains(customer)) {
        throw new IllegalStateException("trouble");
      }
      return customer;
    }
  }

  // snippet: spring-sqs
  record Payments(SqsIntakeListener<String> payments) {
    @SqsListener(queueNames = "${payments}", acknowledgementMode = "MANUAL")
    void take(List<Message<String>> messages, BatchAcknowledgement<String> acknowledgement) {
      payments.take(messages, acknowledgement);
    }
  }

  // end

  @Test
  @DisplayName("applies each once, keeps poison, and loses nothing that fails")
  void standard() {
    String url = queue(queue, Map.of());
    check(Payments.class, queue, url, null);
  }

  @Test
  @DisplayName("keeps the order of a FIFO group")
  void fifo() {
    String name = queue + ".fifo";
    String url = queue(name, Map.of(QueueAttributeName.FIFO_QUEUE, "true"));
    check(Payments.class, name, url, "group");
  }

  @Test
  @DisplayName("keeps what it works on hidden from others, beyond the visibility timeout")
  void heartbeat() {
    String url = queue(queue, Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "2"));
    runner(Payments.class, queue)
        .run(
            context -> {
              Shop shop = context.getBean(Shop.class);
              List<software.amazon.awssdk.services.sqs.model.Message> others =
                  new CopyOnWriteArrayList<>();
              shop.slow.put(
                  "ann",
                  () ->
                      others.addAll(
                          client
                              .receiveMessage(r -> r.queueUrl(url).waitTimeSeconds(5))
                              .join()
                              .messages()));
              send(url, null, json(new Paid("m1", "ann", 1)));
              await()
                  .atMost(Duration.ofMinutes(1))
                  .until(() -> shop.slow.isEmpty() && waiting(url) == 0);
              assertThat(others).isEmpty();
              assertThat(shop.met).containsExactly("ann");
            });
  }

  @Test
  @DisplayName("lets what is not done come again long before a long visibility timeout is over")
  void again() {
    String url = queue(queue, Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "3600"));
    runner(Payments.class, queue)
        .run(
            context -> {
              Shop shop = context.getBean(Shop.class);
              shop.troubled.add("bob");
              send(url, null, json(new Paid("m1", "bob", 1)));
              await().atMost(Duration.ofMinutes(1)).until(() -> shop.met.size() == 2);
              shop.troubled.clear();
              await().atMost(Duration.ofMinutes(1)).until(() -> waiting(url) == 0);
              await().until(() -> MessageVisibility.TIMER.getQueue().isEmpty());
            });
  }

  private ApplicationContextRunner runner(Class<?> listener, String name) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                TidemarkStoresAutoConfiguration.class, TidemarkMetricsAutoConfiguration.class))
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
        .withPropertyValues(
            "tidemark.mongodb.database=sqs",
            "tidemark.tables.spending=" + queue,
            "tidemark.tables.order-view=orders",
            "tidemark.stores.order-view=mongodb",
            "payments=" + name)
        .withUserConfiguration(Shop.class, listener);
  }

  private void check(Class<?> listener, String name, String url, @Nullable String group) {
    runner(listener, name)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Shop shop = context.getBean(Shop.class);
              shop.troubled.add("bob");
              send(url, group, "{no JSON");
              send(url, group, json(new Paid("m1", "ann", 1)));
              send(url, group, json(new Paid("m1", "ann", 1)));
              send(url, group, json(new Paid("m2", "bob", 2)));
              send(url, group, json(new Paid("m3", "bob", 3)));
              await()
                  .atMost(Duration.ofMinutes(1))
                  .failFast("what is not done has left the queue", () -> waiting(url) < 2)
                  .until(
                      () ->
                          shop.letters.size() == 1
                              && shop.met.contains("bob")
                              && waiting(url) == 2);
              shop.troubled.clear();
              await().atMost(Duration.ofMinutes(1)).until(() -> waiting(url) == 0);
              Projectors found =
                  new Projectors(context.getBean("spendingStore", EntityStore.class));
              assertThat(found.amounts("ann")).containsExactly(1);
              if (group == null) {
                assertThat(found.amounts("bob")).containsExactlyInAnyOrder(2, 3);
              } else {
                assertThat(found.amounts("bob")).containsExactly(2, 3);
              }
              assertThat(shop.letters).containsExactly("{no JSON");
              assertThat(counted(context, "dead")).isEqualTo(1);
              assertThat(counted(context, "done")).isGreaterThanOrEqualTo(4);
              assertThat(counted(context, "again")).isGreaterThanOrEqualTo(1);
            });
  }

  /** Messages of one fate, by the meters that the bean of the intake has by itself. */
  private static double counted(ApplicationContext context, String fate) {
    return context
        .getBean(MeterRegistry.class)
        .get("tidemark.intake.messages")
        .tags("intake", "payments", "fate", fate)
        .counter()
        .count();
  }

  private record Projectors(EntityStore<?> store) {
    List<Integer> amounts(String customer) {
      return ((Spending) store.find(key(customer)).orElseThrow()).getAmounts();
    }
  }

  private static String json(Paid paid) {
    return new JsonMapper().writeValueAsString(paid);
  }

  private static void send(String url, @Nullable String group, String body) {
    String own = group == null ? null : Servers.fresh("d");
    client
        .sendMessage(
            r ->
                r.queueUrl(url).messageBody(body).messageGroupId(group).messageDeduplicationId(own))
        .join();
  }

  /** What is in the queue, or was received and not acknowledged. */
  private static int waiting(String url) {
    return client
        .getQueueAttributes(r -> r.queueUrl(url).attributeNames(QueueAttributeName.ALL))
        .join()
        .attributes()
        .entrySet()
        .stream()
        .filter(
            a ->
                a.getKey() == QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES
                    || a.getKey() == QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)
        .mapToInt(a -> Integer.parseInt(a.getValue()))
        .sum();
  }

  private static String queue(String name, Map<QueueAttributeName, String> more) {
    Map<QueueAttributeName, String> attributes = new ConcurrentHashMap<>();
    attributes.put(QueueAttributeName.VISIBILITY_TIMEOUT, "5");
    attributes.putAll(more);
    return client.createQueue(r -> r.queueName(name).attributes(attributes)).join().queueUrl();
  }
}
