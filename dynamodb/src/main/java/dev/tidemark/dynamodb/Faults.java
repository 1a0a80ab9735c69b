package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.TooLargeException;
import dev.tidemark.Write;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ItemCollectionSizeLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** What the caller gets for an error of the SDK, by what DynamoDB says of its reason. */
final class Faults {
  private static final String INVALID = "ValidationException";
  private static final int REQUEST_TOO_LARGE = 413;
  private static final String COLLECTION_TOO_LARGE = "the item collection would be too large";

  /** DynamoDB does not say of which path. */
  private static final String NO_PARENT =
      "the parent of a path that the change names is missing or not a map";

  /** An item that would have too many bytes. */
  private static final Pattern OF_ITEM = Pattern.compile("Item size|size limit");

  /** What we say where what DynamoDB says matches. */
  private record Saying(String ours, Pattern theirs) {
    Saying(String ours, String theirs) {
      this(ours, Pattern.compile(theirs));
    }

    static Optional<String> first(List<Saying> sayings, String text) {
      return sayings.stream()
          .filter(saying -> saying.theirs().matcher(text).find())
          .map(Saying::ours)
          .findFirst();
    }
  }

  /** A key that is not one of the table's: the store was given another table. */
  private static final Pattern OF_SCHEMA =
      Pattern.compile("does not match the schema|Missing the key");

  /** Which of DynamoDB's limits was met; it does not say by how much. */
  private static final List<Saying> LIMITS =
      List.of(
          new Saying(
              "the change's expressions would exceed DynamoDB's 4,096 bytes; split the change, or keep"
                  + " its attributes in one map",
              "Expression size has exceeded"),
          new Saying(
              "the change would exceed DynamoDB's 300 operators; split the change",
              "too many operators"),
          new Saying(
              "the change's values would exceed DynamoDB's 2 MB; store less in it",
              "ExpressionAttributeValues exceeds max size"),
          new Saying(
              "the item would exceed DynamoDB's 409,600 bytes, names and marks included; store less"
                  + " in it, or keep fewer message IDs and sources",
              OF_ITEM));

  private static final List<Saying> REASONS =
      List.of(
          new Saying(NO_PARENT, "document path provided in the update expression is invalid"),
          new Saying(
              "a stored attribute is not of the type that the change needs",
              "incorrect data type|Type mismatch|operand type"),
          new Saying(
              "a number would exceed what DynamoDB, or the attribute's class, can hold",
              "Number overflow|Number underflow|38 significant digits"),
          new Saying(
              "the key of an index would be empty, too long, or of another type than the index has",
              "secondary index key|Index Key|hashkey has|range keys has"),
          new Saying(
              "the entity, or a path that the change names, would be nested deeper than 32 levels",
              "[Nn]esting [Ll]evels|too many nesting"));

  private Faults() {}

  /** What the caller gets for an error of the SDK or of the library, with the entity's key. */
  static Throwable of(Throwable error, EntityKey key) {
    if (error instanceof ItemCollectionSizeLimitExceededException) {
      return new TooLargeException(COLLECTION_TOO_LARGE, key, error);
    }
    if (error instanceof DynamoDbException service && service.statusCode() == REQUEST_TOO_LARGE) {
      return new TooLargeException(
          "the request would exceed what DynamoDB takes; store less in it", key, error);
    }
    if (!Errors.code(error).equals(INVALID)) {
      return dev.tidemark.kernel.Faults.withKey(error, key);
    }
    return ofInvalid(String.valueOf(error.getMessage()), error, key);
  }

  /** What a relay is told of a change of a record that DynamoDB does not take. */
  static RuntimeException ofNote(BatchStatementError error, String table) {
    return OF_ITEM.matcher(String.valueOf(error.message())).find()
        ? new TooLargeException(
            ("a record of table '%s' has no room in DynamoDB's 409,600 bytes for what came of its"
                    + " outgoing messages; store less in it, or drop parked messages")
                .formatted(table),
            null,
            null)
        : new InvalidChangeException(
            "DynamoDB does not take a change of a record of table '%s': %s"
                .formatted(table, error.codeAsString()),
            null,
            null);
  }

  /** The same for a whole transaction of which DynamoDB says no more. */
  static Throwable ofTransaction(RuntimeException error) {
    return Errors.code(error).equals(INVALID)
        ? ofInvalid(String.valueOf(error.getMessage()), error, null)
        : error;
  }

  /** The same where it may say so of the caller's own writes and messages alone. */
  static RuntimeException ofOwn(DynamoDbException error) {
    Stream<String> reasons =
        error instanceof TransactionCanceledException cancelled
            ? cancelled.cancellationReasons().stream().map(CancellationReason::message)
            : Stream.of();
    boolean large =
        Stream.concat(Stream.of(error.getMessage()), reasons)
            .anyMatch(text -> OF_ITEM.matcher(String.valueOf(text)).find());
    return large
        ? new TooLargeException(
            "an item of the transaction would exceed DynamoDB's 409,600 bytes; store less in it, and"
                + " of a message where its payload is",
            null,
            error)
        : error;
  }

  private static Throwable ofInvalid(String text, Throwable error, @Nullable EntityKey key) {
    Optional<String> limit = Saying.first(LIMITS, text);
    if (limit.isPresent()) {
      return new TooLargeException(limit.get(), key, error);
    }
    return OF_SCHEMA.matcher(text).find() ? error : invalid(text, key, error);
  }

  /** Whether it is the item that would be too large, and not the request. */
  static boolean isOfItem(TooLargeException fault) {
    Throwable cause = fault.getCause();
    return cause != null && OF_ITEM.matcher(String.valueOf(cause.getMessage())).find();
  }

  private static InvalidChangeException invalid(
      String text, @Nullable EntityKey key, Throwable error) {
    String other = "DynamoDB does not take the change: its own text, in the cause, says why";
    return new InvalidChangeException(Saying.first(REASONS, text).orElse(other), key, error);
  }

  /** What the caller gets for a write of a transaction that something else than a rule refused. */
  static Throwable of(CancellationReason reason, Throwable cancelled, EntityKey key) {
    return switch (String.valueOf(reason.code())) {
      case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded" ->
          new ContentionException(
              "the transaction was cancelled by contention over this entity", key, cancelled);
      case "ItemCollectionSizeLimitExceeded" ->
          new TooLargeException(COLLECTION_TOO_LARGE, key, cancelled);
      case "ValidationError" -> ofInvalid(String.valueOf(reason.message()), cancelled, key);
      default -> cancelled;
    };
  }

  /** What the caller gets for the fault of one write; where a parent is missing, with its path. */
  static RuntimeException of(RuntimeException error, EntityKey key, Write.Action<?> action) {
    RuntimeException fault = (RuntimeException) of(error, key);
    return NO_PARENT.equals(fault.getMessage())
            && action instanceof Write.Action.Update<?> update
            && update.update() instanceof Change change
        ? ofParent(fault, key, change)
        : fault;
  }

  private static RuntimeException ofParent(RuntimeException fault, EntityKey key, Change change) {
    String nested =
        change.operations().stream()
            .map(Operation::path)
            .filter(path -> path.segments().size() > 1)
            .map(path -> "'" + path + "'")
            .collect(Collectors.joining(" or of "));
    String reason = "the parent of " + nested + " is missing or not a map; set the parent first";
    return nested.isEmpty() ? fault : new InvalidChangeException(reason, key, fault.getCause());
  }

  /** Names the table that is not there; DynamoDB does not. */
  static Throwable ofTable(Throwable error, String table) {
    return error instanceof ResourceNotFoundException
        ? new IllegalStateException(
            "DynamoDB has no table '%s' in the region and account of the client; create it, or correct the name"
                .formatted(table),
            error)
        : error;
  }

  /** Whether a fault may be that of one message, and the others of the write do without it. */
  static boolean mayBeOfOne(RuntimeException fault) {
    return fault instanceof InvalidChangeException
        || fault instanceof TooLargeException
        || fault instanceof IllegalArgumentException
        || Errors.code(fault).equals(INVALID);
  }
}
