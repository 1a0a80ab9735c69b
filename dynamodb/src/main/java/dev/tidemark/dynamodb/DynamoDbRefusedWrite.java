package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A write of the Enhanced Client that was refused. An update can be made again; a whole entity that
 * was read before another write cannot, since it would take that write back.
 *
 * @param names where tracking keeps what
 * @param read the revision of the entity that was written, null if it carries none
 * @param update the same as an update; null for a put
 */
record DynamoDbRefusedWrite<T>(
    Names names, @Nullable ByteBuffer read, DynamoDbWork.@Nullable Update<T> update)
    implements DynamoDbWork<T> {
  @Override
  public Change rules() {
    return Change.change().createIfMissing();
  }

  @Override
  public boolean isConditional() {
    return update == null || update.isConditional();
  }

  @Override
  public boolean accepts(DynamoDbStored<T> stored) {
    return update == null ? isOfNow(stored.found()) : update.accepts(stored);
  }

  @Override
  public boolean isCreated(Map<String, AttributeValue> item, Marking call) {
    return update != null && update.isCreated(item, call);
  }

  @Override
  public DynamoDbWrite informed(Marking call, DynamoDbStored<T> stored) {
    if (update == null || (read != null && !isOfNow(stored.found()))) {
      throw new ContentionException(
          "the entity was written since it was read; read it again", call.key(), null);
    }
    return update.informed(call, stored);
  }

  private boolean isOfNow(Found<T> found) {
    return Objects.equals(read, found.revision(names));
  }
}
