package dev.tidemark.mongodb;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Request;
import dev.tidemark.mongodb.MongoNativeUpdate.NativeWrite;
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

  /**
   * The form of a request, by what it does.
   *
   * @param alone whether it is of one message and stands in no bulk, so that its answer can have an
   *     image, or the text of its error can tell what refused it
   * @param refused whether the server has refused the change over the same document before, so that
   *     it is evaluated here
   * @return null if it must not be sent without having read, or read more
   */
  static <T> @Nullable Command of(
      Context<T> context, Request<T> request, boolean alone, boolean refused) {
    StoredDocument<T> over = (StoredDocument<T>) request.over();
    if (over == null && context.transport().inSession()) {
      return null;
    }
    Operators<T> operators = new Operators<>(context);
    @Nullable Command command;
    if (request.effect() instanceof Effect.Flag) {
      return operators.flag(request.marking());
    } else if (request.effect() instanceof Effect.Own<T> own) {
      NativeWrite update = (NativeWrite) own.update();
      command =
          over == null
              ? operators.blind(request, update, alone)
              : operators.informed(request, update, over);
      return alone || command == null ? command : command.withoutImage();
    } else if (over == null) {
      return new Pipelines<>(context).blind(request, alone);
    } else if (request.effect() instanceof Effect.Removal) {
      return operators.removal(request, over);
    }
    command = new Pipelines<>(context).informed(request, over, refused && over.document() != null);
    return alone || !command.raises() ? command : command.withoutImage();
  }

  /** A write that is refused by an error alone. */
  static Command raising(WriteModel<BsonDocument> model) {
    return new Command(model, true, false, null);
  }

  /** A pipeline; one that upserts meets every document, so that it is refused by an error alone. */
  static Command pipeline(BsonDocument filter, List<BsonDocument> stages, boolean upserts) {
    UpdateOptions options = new UpdateOptions().upsert(upserts);
    return new Command(new UpdateOneModel<>(filter, stages, options), upserts, false, null);
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
    List<? extends Bson> pipeline =
        model instanceof UpdateOneModel<BsonDocument> update ? update.getUpdatePipeline() : null;
    return pipeline == null
        ? bytesOfDocument()
        : pipeline.stream().mapToLong(stage -> bytes(stage.toBsonDocument())).sum();
  }

  /** How large the document is that it inserts; 0 where the server makes it. */
  long bytesOfDocument() {
    return model instanceof InsertOneModel<BsonDocument> insert ? bytes(insert.getDocument()) : 0;
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
