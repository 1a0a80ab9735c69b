package dev.tidemark.spring;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** The database of what Tidemark keeps in MongoDB. */
final class MongoDatabases {
  private final ObjectProvider<MongoClient> client;
  private final ObjectProvider<BootDatabase> boot;
  private final @Nullable String own;

  /** The name that Spring Boot's settings have; null if they have none. */
  @FunctionalInterface
  interface BootDatabase {
    @Nullable String name();
  }

  MongoDatabases(
      ObjectProvider<MongoClient> client, ObjectProvider<BootDatabase> boot, @Nullable String own) {
    this.client = client;
    this.boot = boot;
    this.own = own;
  }

  MongoClient client() {
    return client.getObject();
  }

  MongoDatabase database() {
    String name =
        Stream.concat(
                Stream.ofNullable(own), boot.stream().flatMap(b -> Stream.ofNullable(b.name())))
            .findFirst()
            .orElseThrow(
                () ->
                    new SetupException(
                        "Nothing names the MongoDB database of Tidemark's collections.",
                        "Set tidemark.mongodb.database, or spring.mongodb.database."));
    return client().getDatabase(name);
  }
}
