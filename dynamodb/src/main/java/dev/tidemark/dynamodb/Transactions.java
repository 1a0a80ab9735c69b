package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * One transaction, sent until DynamoDB has decided. Its parts go before the caller's own writes:
 * where a part is in conflict, a false condition of the caller's decides nothing, since both may
 * come from the same message.
 */
final class Transactions {
  private static final String CONDITION = "ConditionalCheckFailed";

  private static final List<String> BUSY =
      List.of("TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded");

  private final DynamoDbClient client;
  private final List<? extends TransactionPart> parts;
  private final List<? extends TransactionPart> refusing;
  private final List<TransactWriteItem> own;
  private List<TransactWriteItem> sent = List.of();

  /** The parts in whose way nothing was when the transaction was last cancelled. */
  private final Set<TransactionPart> free = new HashSet<>();

  /**
   * The parts that keep the transaction from being made, since they are to record a refusal, and it
   * is not known yet whether others are refused for themselves.
   */
  private List<? extends TransactionPart> held = List.of();

  private String token = "";

  private Transactions(
      DynamoDbClient client,
      List<? extends TransactionPart> parts,
      List<? extends TransactionPart> refusing,
      List<TransactWriteItem> own) {
    this.client = client;
    this.parts = parts;
    this.refusing = refusing;
    this.own = own;
  }

  /** How a transaction ended. */
  enum End {
    /** It is committed. */
    COMMITTED,
    /** A part is decided without it. */
    DECIDED,
    /**
     * The same before anything was sent: nothing is known of the parts that have to read nothing.
     */
    UNASKED,
    /** Nothing was written, since other parts than those that were said record a refusal. */
    TURNED,
    /** Conditions of the caller's own were false. */
    REFUSED
  }

  /**
   * How a transaction ended.
   *
   * @param refused which of the caller's own writes were, if they were
   */
  record Ended(End end, List<Integer> refused) {}

  /**
   * Sends a transaction, again where others are in its way or no answer comes. A repeat of the same
   * writes has the same token, by which DynamoDB tells it for ten minutes; the parts tell it for
   * ever.
   *
   * @param refusing those of the parts that are to record a refusal, and no others
   * @throws ContentionException if conflicts or throttling outlasted the tries
   * @throws OutcomeUnknownException if no answer came, and no part can tell
   * @throws dev.tidemark.TooLargeException if an item would be too large
   */
  static Ended send(
      DynamoDbClient client,
      List<? extends TransactionPart> parts,
      List<? extends TransactionPart> refusing,
      List<TransactWriteItem> own) {
    try {
      return new Transactions(client, parts, refusing, own).send();
    } catch (DynamoDbException e) {
      throw Faults.ofOwn(e);
    }
  }

  private Ended send() {
    boolean unknown = false;
    int losses = 0;
    RuntimeException last = null;
    for (int tried = 1; tried <= Runner.PATIENCE.tries(); tried++) {
      parts.forEach(part -> part.advance(client));
      if (parts.stream().anyMatch(TransactionPart::hasEnded)) {
        return new Ended(sent.isEmpty() ? End.UNASKED : End.DECIDED, List.of());
      }
      List<? extends TransactionPart> now =
          parts.stream().filter(TransactionPart::recordsRefusal).toList();
      held = refusing.isEmpty() && !knowsOthersThan(now) ? now : List.of();
      if (held.isEmpty() && !now.equals(refusing)) {
        return new Ended(End.TURNED, List.of());
      }
      RuntimeException error = sendOnce();
      if (error == null) {
        parts.forEach(part -> part.accept(client));
        return new Ended(End.COMMITTED, List.of());
      }
      last = error;
      unknown |= Errors.wereUncertain(error);
      if (error instanceof TransactionCanceledException cancelled) {
        List<Integer> refused = told(cancelled);
        if (!refused.isEmpty()) {
          return new Ended(End.REFUSED, refused);
        }
        if (cancelled.cancellationReasons().stream().noneMatch(Transactions::isBusy)) {
          continue; // a part was refused, and nobody is in the way
        }
      } else {
        Errors.Kind kind = Errors.kind(error);
        boolean lost = kind == Errors.Kind.UNCERTAIN || kind == Errors.Kind.ABANDONED;
        unknown |= lost;
        boolean over = kind == Errors.Kind.ABANDONED || kind == Errors.Kind.FAULT;
        if (over && !unknown) {
          throw error;
        }
        losses += lost ? 1 : 0;
        if (losses > Runner.PATIENCE.losses() || (over && parts.isEmpty())) {
          break;
        }
        parts.forEach(part -> part.fail(error));
      }
      pause(Runner.PATIENCE.pause().apply(tried));
    }
    return atLast(unknown, last);
  }

  /** Whether nothing is in the way of the parts that record no refusal. */
  private boolean knowsOthersThan(List<? extends TransactionPart> recording) {
    return parts.stream().allMatch(part -> recording.contains(part) || free.contains(part));
  }

  private @Nullable RuntimeException sendOnce() {
    List<TransactWriteItem> items = new ArrayList<>();
    parts.forEach(part -> items.add(held.contains(part) ? never(part.item()) : part.item()));
    if (held.isEmpty()) {
      items.addAll(own);
    }
    if (!items.equals(sent)) {
      sent = items;
      token = UUID.randomUUID().toString();
    }
    try {
      client.transactWriteItems(
          TransactWriteItemsRequest.builder()
              .transactItems(items)
              .clientRequestToken(token)
              .build());
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  /**
   * Tells the parts why the transaction was cancelled.
   *
   * @return the caller's own writes that were refused, if that decides
   */
  private List<Integer> told(TransactionCanceledException cancelled) {
    List<CancellationReason> reasons = cancelled.cancellationReasons();
    boolean open = false;
    boolean invalid = false;
    List<Integer> refused = new ArrayList<>();
    free.clear();
    for (int i = 0; i < reasons.size(); i++) {
      CancellationReason reason = reasons.get(i);
      if (i < parts.size()) {
        TransactionPart part = parts.get(i);
        boolean told = !held.contains(part) && part.tell(client, reason, cancelled);
        open |= told || isBusy(reason);
        if (isNone(reason)) {
          free.add(part);
        }
      } else if (isRefusal(reason)) {
        refused.add(i - parts.size());
      } else {
        invalid |= !isBusy(reason) && !isNone(reason);
      }
    }
    if (invalid && !open) { // else the message may be done, whatever its writes have become
      throw cancelled;
    }
    return open ? List.of() : refused;
  }

  /** The end of a transaction that DynamoDB has not decided as far as is known. */
  private Ended atLast(boolean unknown, @Nullable RuntimeException last) {
    if (!unknown) {
      throw new ContentionException(
          "conflicts or throttling outlasted the tries of a transaction", null, last);
    }
    for (TransactionPart part : parts) {
      part.lookAgain(client);
    }
    if (parts.stream().noneMatch(TransactionPart::isMade)) {
      throw new OutcomeUnknownException("no answer came to a transaction", null, last);
    }
    return new Ended(End.DECIDED, List.of());
  }

  /** The same update of an item that is there, on a condition that is always false. */
  private static TransactWriteItem never(TransactWriteItem item) {
    Update update = item.update();
    String key =
        update.expressionAttributeNames().entrySet().stream()
            .filter(name -> update.key().containsKey(name.getValue()))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    return TransactWriteItem.builder()
        .update(
            update.toBuilder()
                .conditionExpression(
                    update.conditionExpression() + " AND attribute_not_exists(" + key + ")")
                .build())
        .build();
  }

  static void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }

  /** Whether a condition was false. */
  static boolean isRefusal(CancellationReason reason) {
    return CONDITION.equals(reason.code());
  }

  /** Whether DynamoDB does not take the write. */
  static boolean isInvalid(CancellationReason reason) {
    return "ValidationError".equals(reason.code());
  }

  /** Whether others were in the way. */
  static boolean isBusy(CancellationReason reason) {
    return BUSY.contains(reason.code());
  }

  /** Whether a reason says nothing of its write. */
  static boolean isNone(CancellationReason reason) {
    return reason.code() == null || reason.code().equals("None");
  }
}
