package dev.tidemark.lab.orders;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.servers.MongoProcess;
import java.nio.file.Path;
import java.time.Duration;

/** A MongoDB whose change streams bring events. */
final class EventsMongo implements Broker {
  private final MongoProcess mongo;
  private final MongoClient client;

  EventsMongo(Path folder) {
    mongo = MongoProcess.start(folder, 1);
    client = MongoClients.create(mongo.uri());
  }

  @Override
  public Feed feed(String carrier, String name, Duration patience) {
    return new StreamFeed(client, mongo.uri(), name);
  }

  @Override
  public void restart() {
    mongo.stop();
    mongo.restart();
  }

  @Override
  public void close() {
    client.close();
    mongo.close();
  }
}
