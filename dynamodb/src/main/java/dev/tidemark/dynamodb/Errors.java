package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.TooLargeException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ItemCollectionSizeLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** What the SDK's exceptions mean: the one place where they are read. */
final class Errors {
  /** What an error says of the request that it ended. */
  enum Kind {
    /** The condition was false; nothing was written. */
    REFUSED,
    /** The store did not carry the request out, and may if asked again. */
    CONTENDED,
    /** Whether the request was carried out is not known; another try may tell. */
    UNCERTAIN,
    /** The same, and the caller does not want another try. */
    ABANDONED,
    /** The request cannot be carried out; nothing was written. */
    FAULT
  }

  private static final Set<String> CONTENDED =
      Set.of(
          "ProvisionedThroughputExceededException",
          "ThrottlingException",
          "Throttling",
          "RequestLimitExceeded",
          "TransactionConflictException",
          "TransactionInProgressException",
          "ReplicatedWriteConflictException");

  /** DynamoDB does not say of which path. */
  private static final String NO_PARENT =
      "the parent of a path that the change names is missing or not a map";

  private Errors() {}

  /** The same fault, naming the paths of a change that have parents, if it is for want of one. */
  static Throwable ofChange(Throwable error, Change change) {
    boolean parentless =
        error instanceof InvalidChangeException && NO_PARENT.equals(error.getMessage());
    List<Path> nested =
        change.operations().stream()
            .map(Operation::path)
            .filter(path -> path.segments().size() > 1)
            .toList();
    if (!parentless || nested.isEmpty()) {
      return error;
    }
    String message =
        "the parent of "
            + nested.stream().map(path -> "'" + path + "'").collect(Collectors.joining(" or of "))
            + " is missing or not a map; set the parent first";
    Key key = ((InvalidChangeException) error).key().orElse(null);
    return new InvalidChangeException(message, key, error.getCause());
  }

  static Throwable unwrap(Throwable error) {
    Throwable inner = error;
    while ((inner instanceof CompletionException || inner instanceof ExecutionException)
        && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  /** Whether DynamoDB was too busy for a read, or others wrote: it can be sent again. */
  static boolean isContended(Throwable error) {
    return kind(error, new Attempts(List.of())) == Kind.CONTENDED;
  }

  static Kind kind(Throwable error, Attempts attempts) {
    if (error instanceof ConditionalCheckFailedException) {
      return Kind.REFUSED;
    }
    if (error instanceof DynamoDbException service) {
      String code = code(service);
      return CONTENDED.contains(code) || service.isThrottlingException()
          ? Kind.CONTENDED
          : service.statusCode() >= 500 || service.statusCode() < 400 ? Kind.UNCERTAIN : Kind.FAULT;
    }
    if (error instanceof AbortedException
        || error instanceof ApiCallTimeoutException
        || error instanceof java.util.concurrent.CancellationException) {
      return Kind.ABANDONED;
    }
    if (Unsent.isUnsent(error)) {
      return Kind.FAULT;
    }
    boolean lost = error instanceof SdkClientException && attempts.succeededLast();
    return lost || isTransport(error) ? Kind.UNCERTAIN : Kind.FAULT;
  }

  private static boolean isTransport(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof IOException
          || e instanceof TimeoutException
          || e instanceof RetryableException
          || e instanceof ApiCallAttemptTimeoutException) {
        return true;
      }
    }
    return false;
  }

  private static String code(DynamoDbException error) {
    String code = error.awsErrorDetails() == null ? null : error.awsErrorDetails().errorCode();
    return code == null ? "" : code;
  }

  /** The item that a condition was false of; empty if there was none. */
  static Map<String, AttributeValue> item(Throwable refused) {
    ConditionalCheckFailedException error = (ConditionalCheckFailedException) refused;
    return error.hasItem() ? error.item() : Map.of();
  }

  /** What the caller gets for a fault. */
  static Throwable fault(Throwable error, Key key) {
    if (error instanceof ItemCollectionSizeLimitExceededException) {
      return new TooLargeException("the item collection would be too large", key, error);
    }
    String code = error instanceof DynamoDbException service ? code(service) : "";
    String text = error instanceof DynamoDbException ? String.valueOf(error.getMessage()) : "";
    if (!code.equals("ValidationException")) {
      return error;
    }
    String limit = limit(text);
    if (limit != null) {
      return new TooLargeException(limit, key, error);
    }
    return isOfSchema(text) ? error : new InvalidChangeException(reason(text), key, error);
  }

  /** What the caller gets for a write of a transaction that something else than a rule refused. */
  static Throwable fault(CancellationReason reason, Throwable cancelled, Key key) {
    return switch (String.valueOf(reason.code())) {
      case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded" ->
          new ContentionException(
              "the transaction was cancelled by contention over this entity", key, cancelled);
      case "ItemCollectionSizeLimitExceeded" ->
          new TooLargeException("the item collection would be too large", key, cancelled);
      case "ValidationError" ->
          new InvalidChangeException(reason(String.valueOf(reason.message())), key, cancelled);
      default -> cancelled;
    };
  }

  /** Names the table that is not there; DynamoDB does not. */
  static Throwable ofTable(Throwable error, String table) {
    return error instanceof ResourceNotFoundException
        ? new IllegalStateException(
            "DynamoDB has no table '"
                + table
                + "' in the region and account of the client; create it, or correct the name",
            error)
        : error;
  }

  /** Which of DynamoDB's limits was met; it does not say by how much. */
  private static @Nullable String limit(String text) {
    if (hasAny(text, "Expression size has exceeded")) {
      return "the change's expressions would exceed DynamoDB's 4,096 bytes; split the change";
    }
    if (hasAny(text, "too many operators")) {
      return "the change would exceed DynamoDB's 300 operators; split the change";
    }
    return hasAny(text, "Item size", "size limit")
        ? "the item would exceed DynamoDB's 409,600 bytes, names and marks included; store less in"
            + " it, or keep fewer message IDs and sources"
        : null;
  }

  /** Whether a fault may be that of one message, and the others of the write do without it. */
  static boolean mayBeOfOne(RuntimeException fault) {
    return fault instanceof InvalidChangeException
        || fault instanceof TooLargeException
        || fault instanceof IllegalArgumentException
        || (fault instanceof DynamoDbException service
            && code(service).equals("ValidationException"));
  }

  /** Whether a key is not one of the table's: the store was given another table. */
  private static boolean isOfSchema(String text) {
    return hasAny(text, "does not match the schema", "Missing the key");
  }

  private static String reason(String text) {
    if (hasAny(text, "document path provided in the update expression is invalid")) {
      return NO_PARENT;
    }
    if (hasAny(text, "incorrect data type", "Type mismatch", "operand type")) {
      return "a stored attribute is not of the type that the change needs";
    }
    if (hasAny(text, "Number overflow", "Number underflow", "38 significant digits")) {
      return "a number would exceed what DynamoDB can hold";
    }
    if (hasAny(text, "secondary index key", "Index Key", "hashkey has", "range keys has")) {
      return "the key of an index would be empty, too long, or of another type than the index has";
    }
    return hasAny(text, "Nesting Levels", "nesting levels", "too many nesting")
        ? "the entity, or a path that the change names, would be nested deeper than 32 levels"
        : "DynamoDB does not take the change: its own text, in the cause, says why";
  }

  private static boolean hasAny(String text, String... parts) {
    for (String part : parts) {
      if (text.contains(part)) {
        return true;
      }
    }
    return false;
  }
}
