package dev.tidemark.mongodb;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A request in MongoDB's form: data, which can be sent alone, in a bulk, or in a session of the
 * caller's.
 *
 * @param model the write
 * @param raises whether every refusal is an error, so that it can stand in a bulk
 * @param wantsImage whether the document after it is asked for, which no bulk brings
 * @param projection of that image; null for the whole document
 */
record Command(
    WriteModel<BsonDocument> model,
    boolean raises,
    boolean wantsImage,
    @Nullable BsonDocument projection) {

  /** A write that is refused by an error alone. */
  static Command raising(WriteModel<BsonDocument> model) {
    return new Command(model, true, false, null);
  }

  /** A write that is refused where its filter matches nothing. */
  static Command matching(WriteModel<BsonDocument> model) {
    return new Command(model, false, false, null);
  }

  /** The same, bringing the document after it. */
  Command with(@Nullable BsonDocument image) {
    return new Command(model, raises, true, image);
  }

  /** How large what it stores is, and what it evaluates, without the filter. */
  long bytes() {
    if (model instanceof InsertOneModel<BsonDocument> insert) {
      return bytes(insert.getDocument());
    }
    List<? extends Bson> pipeline =
        model instanceof UpdateOneModel<BsonDocument> update ? update.getUpdatePipeline() : null;
    return pipeline == null
        ? 0
        : pipeline.stream().mapToLong(stage -> bytes(stage.toBsonDocument())).sum();
  }

  private static long bytes(BsonDocument document) {
    return new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer().remaining();
  }

  /** The same for a bulk. */
  Command withoutImage() {
    return new Command(model, raises, false, null);
  }

  /** Whether a server has to evaluate expressions for it. */
  boolean isPipeline() {
    return model instanceof UpdateOneModel<BsonDocument> update
        && update.getUpdatePipeline() != null;
  }

  /** Sends an update that wants an image. */
  @Nullable BsonDocument findAndUpdate(Transport transport) {
    UpdateOneModel<BsonDocument> update = (UpdateOneModel<BsonDocument>) model;
    FindOneAndUpdateOptions options =
        new FindOneAndUpdateOptions()
            .upsert(update.getOptions().isUpsert())
            .arrayFilters(update.getOptions().getArrayFilters())
            .projection(projection)
            .returnDocument(ReturnDocument.AFTER);
    List<? extends Bson> pipeline = update.getUpdatePipeline();
    return pipeline != null
        ? transport.writes().findOneAndUpdate(update.getFilter(), pipeline, options)
        : transport
            .writes()
            .findOneAndUpdate(
                update.getFilter(), Objects.requireNonNull(update.getUpdate()), options);
  }
}
