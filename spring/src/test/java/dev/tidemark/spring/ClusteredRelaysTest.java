package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.outbox.ClusteredRecords;
import dev.tidemark.outbox.Clusters;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.ParkedMessages;
import dev.tidemark.outbox.Sender;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("The relay of an application in a cluster")
class ClusteredRelaysTest {
  private final String table = Servers.fresh("spendings");

  @Test
  @DisplayName(
      "is that of the cluster alone where the stored records are a bean, too, and sends nothing that"
          + " another cluster published")
  void besideCluster() {
    MongoOutbox stored = RelaysTest.outbox(table);
    stored.createIndex();
    List<String> sent = new CopyOnWriteArrayList<>();
    Sender sender = Sender.each(message -> sent.add(message.message().text().orElseThrow()));
    ClusteredRecords clustered = clustered(stored);
    RelaysTest.publish(rows(table, "us"), "theirs");
    RelaysTest.publish(rows(table, "eu"), "ours");
    for (List<OutboxRecords> beans :
        List.of(
            List.<OutboxRecords>of(stored, clustered), List.<OutboxRecords>of(clustered, stored))) {
      Relays relays = RelaysTest.relays(beans, List.of(), sender);
      relays.start();
      assertThat(names(relays)).containsExactly("relays." + table + "@eu");
      await().untilAsserted(() -> assertThat(sent).containsExactly("ours"));
      relays.stop();
    }
    // one that is made anew cannot be told from one of another server
    assertThatThrownBy(
            () ->
                RelaysTest.relays(List.of(clustered, RelaysTest.outbox(table)), List.of(), sender))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has the name relays." + table)
        .hasMessageContaining("of that very bean");
    assertThat(ParkedMessages.of(stored).list(0, 1)).isEmpty();
  }

  @Test
  @DisplayName("is not made where sources name stored records beside their cluster's, and says so")
  void sourceBesideCluster() {
    Sender sender = Sender.each(message -> {});
    ClusteredRecords clustered = clustered(RelaysTest.outbox(table));
    List<OutboxRecords> named = new CopyOnWriteArrayList<>();
    Relays relays = RelaysTest.relays(List.of(clustered), List.of(() -> named), sender);
    relays.start();
    named.add(RelaysTest.outbox(table));
    awaitBesideCluster(relays);
    assertThat(names(relays)).containsExactly("relays." + table + "@eu");
    relays.stop();

    Relays stored =
        RelaysTest.relays(List.of(RelaysTest.outbox(table)), List.of(() -> named), sender);
    named.set(0, clustered);
    stored.start();
    awaitBesideCluster(stored);
    assertThat(names(stored)).containsExactly("relays." + table);
    stored.stop();

    Relays sourced = RelaysTest.relays(List.of(), List.of(() -> named), sender);
    named.add(RelaysTest.outbox(table));
    sourced.start();
    awaitBesideCluster(sourced);
    assertThat(names(sourced)).containsExactly("relays." + table + "@eu");
    sourced.stop();
  }

  private void awaitBesideCluster(Relays relays) {
    await().until(() -> relays.unnamed() != null);
    assertThat(relays.unnamed())
        .hasMessageContaining("the OutboxRecords relays." + table + " are named beside");
  }

  private static ClusteredRecords clustered(OutboxRecords stored) {
    return ClusteredRecords.of(
        stored,
        MongoRecordStore.of(Servers.mongo().getDatabase("relays").getCollection("marks")),
        Clusters.of("eu", Set.of("eu", "us"), Duration.ofMinutes(1)));
  }

  private static EntityStore<Document> rows(String table, String cluster) {
    return MongoEntityStore.builder(Servers.mongo().getDatabase("relays").getCollection(table))
        .tracking(Tracking.defaults().cluster(cluster))
        .build();
  }

  private static List<String> names(Relays relays) {
    return relays.running().stream().map(RunningRelay::records).toList();
  }

  @Configuration(proxyBeanMethods = false)
  static class Clustered {
    final Set<String> sent = ConcurrentHashMap.newKeySet();

    @Bean
    OutboxRecords outbox(MongoClient client, @Value("${spendings}") String collection) {
      MongoDatabase database = client.getDatabase("relays");
      MongoOutbox outbox = MongoOutbox.of(database.getCollection(collection));
      outbox.createIndex();
      return ClusteredRecords.of(
          outbox,
          MongoRecordStore.of(database.getCollection(collection + "-marks")),
          Clusters.of("eu", Set.of("eu", "us"), Duration.ofMinutes(1)));
    }

    @Bean
    Sender sender() {
      return Sender.each(message -> sent.add(message.message().text().orElseThrow()));
    }

    @Bean
    RelayCustomizer looksSeldom() {
      return (records, relay) -> relay.interval(Duration.ofHours(1));
    }
  }

  @Test
  @DisplayName("is told by the stream of its cluster's collection, too, long before it looks")
  void clusteredStream() {
    EntityStore<Document> rows = rows(table, "eu");
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(TidemarkOutboxAutoConfiguration.class))
        .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
        .withUserConfiguration(Clustered.class)
        .withPropertyValues("spendings=" + table, "tidemark.outbox.streams=true")
        .run(context -> RelaysTest.awaitStream(rows, context.getBean(Clustered.class).sent));
  }
}
