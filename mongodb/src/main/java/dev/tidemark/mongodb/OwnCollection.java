package dev.tidemark.mongodb;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * A collection of the library's own records. Here alone collections are opened, whatever the client
 * and whoever gives them has set: what is stored is read by the driver's codecs, since those of the
 * client may make other classes of it. The server is asked for the kind of the collection before
 * its first use: in another than a plain one different keys may be equal, and records get lost.
 *
 * @param <D> what is read of its records
 */
final class OwnCollection<D> {
  static final CodecRegistry CODECS = MongoClientSettings.getDefaultCodecRegistry();

  private final MongoCollection<D> collection;
  private volatile boolean asked;

  private OwnCollection(MongoCollection<D> collection) {
    this.collection =
        collection
            .withWriteConcern(WriteConcern.MAJORITY)
            .withReadConcern(ReadConcern.MAJORITY)
            .withReadPreference(ReadPreference.primary());
  }

  /** Records in a collection, which are written and read by majority. */
  static <D> OwnCollection<D> of(MongoCollection<?> given, Class<D> type) {
    return new OwnCollection<>(decoded(given, type));
  }

  /** Records in a collection of a name. */
  static OwnCollection<Document> of(MongoDatabase database, String name) {
    return of(database.getCollection(name), Document.class);
  }

  /** Any collection, by the driver's codecs. */
  static <D> MongoCollection<D> decoded(MongoCollection<?> given, Class<D> type) {
    return given.withDocumentClass(type).withCodecRegistry(CODECS);
  }

  String name() {
    return collection.getNamespace().getFullName();
  }

  /**
   * The collection, to be read or written.
   *
   * @throws IllegalStateException if it is no plain one
   */
  MongoCollection<D> get() {
    if (!asked) {
      CollectionKind.requirePlainIfTold(collection);
      asked = true;
    }
    return collection;
  }
}
