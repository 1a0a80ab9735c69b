package dev.tidemark.mongodb;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.InsertManyResult;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A collection as one transaction sees it. Its methods are the driver's own without the parameter
 * for the session, since every call is made in the session of the transaction. The driver's
 * documentation says what each method does.
 *
 * @param <T> the type of its documents
 */
public final class SessionCollection<T> {
  private final MongoCollection<T> collection;
  private final ClientSession session;

  SessionCollection(MongoCollection<T> collection, ClientSession session) {
    this.collection = collection;
    this.session = session;
  }

  /**
   * Finds documents.
   *
   * @param filter which
   * @return what the transaction sees
   */
  public FindIterable<T> find(Bson filter) {
    return collection.find(session, filter);
  }

  /**
   * Counts documents.
   *
   * @param filter which
   * @return how many the transaction sees
   */
  public long countDocuments(Bson filter) {
    return collection.countDocuments(session, filter);
  }

  /**
   * Aggregates documents.
   *
   * @param pipeline the stages
   * @return what the transaction sees
   */
  public AggregateIterable<T> aggregate(List<? extends Bson> pipeline) {
    return collection.aggregate(session, pipeline);
  }

  /**
   * Inserts a document.
   *
   * @param document what
   * @return the driver's result
   */
  public InsertOneResult insertOne(T document) {
    return collection.insertOne(session, document);
  }

  /**
   * Inserts documents.
   *
   * @param documents what
   * @return the driver's result
   */
  public InsertManyResult insertMany(List<? extends T> documents) {
    return collection.insertMany(session, documents);
  }

  /**
   * Updates a document.
   *
   * @param filter which
   * @param update how
   * @return the driver's result
   */
  public UpdateResult updateOne(Bson filter, Bson update) {
    return collection.updateOne(session, filter, update);
  }

  /**
   * Updates a document.
   *
   * @param filter which
   * @param update how
   * @param options such as an upsert
   * @return the driver's result
   */
  public UpdateResult updateOne(Bson filter, Bson update, UpdateOptions options) {
    return collection.updateOne(session, filter, update, options);
  }

  /**
   * Updates documents.
   *
   * @param filter which
   * @param update how
   * @return the driver's result
   */
  public UpdateResult updateMany(Bson filter, Bson update) {
    return collection.updateMany(session, filter, update);
  }

  /**
   * Updates a document and gives it.
   *
   * @param filter which
   * @param update how
   * @param options which image to give
   * @return the document; null if there was none
   */
  public @Nullable T findOneAndUpdate(Bson filter, Bson update, FindOneAndUpdateOptions options) {
    return collection.findOneAndUpdate(session, filter, update, options);
  }

  /**
   * Replaces a document.
   *
   * @param filter which
   * @param document by what
   * @param options such as an upsert
   * @return the driver's result
   */
  public UpdateResult replaceOne(Bson filter, T document, ReplaceOptions options) {
    return collection.replaceOne(session, filter, document, options);
  }

  /**
   * Deletes a document.
   *
   * @param filter which
   * @return the driver's result
   */
  public DeleteResult deleteOne(Bson filter) {
    return collection.deleteOne(session, filter);
  }

  /**
   * Deletes documents.
   *
   * @param filter which
   * @return the driver's result
   */
  public DeleteResult deleteMany(Bson filter) {
    return collection.deleteMany(session, filter);
  }

  /**
   * Makes several writes in one command.
   *
   * @param writes what
   * @return the driver's result
   */
  public BulkWriteResult bulkWrite(List<? extends WriteModel<? extends T>> writes) {
    return collection.bulkWrite(session, writes);
  }
}
