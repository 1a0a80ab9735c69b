package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Sends transactions until DynamoDB has decided: they are committed, or a condition is false. */
final class Transactions {
  static final String CONDITION = "ConditionalCheckFailed";

  private static final List<String> BUSY =
      List.of("TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded");

  private final DynamoDbClient client;

  Transactions(DynamoDbClient client) {
    this.client = client;
  }

  /**
   * Why a transaction was not carried out, one reason for each of its items.
   *
   * @param uncertain whether an earlier attempt may have been
   */
  record Cancelled(
      TransactionCanceledException error, List<CancellationReason> reasons, boolean uncertain) {
    boolean hasFailed(int item) {
      return item < reasons.size() && CONDITION.equals(reasons.get(item).code());
    }
  }

  /**
   * Sends a transaction, again where others are in its way or no answer comes. A token lets
   * DynamoDB tell a repeat for ten minutes.
   *
   * @param token of this transaction alone
   * @param settled looks whether it was carried out, when no answer came to the end
   * @return null if it is committed, else which conditions were false
   */
  @Nullable Cancelled send(List<TransactWriteItem> items, String token, Supplier<Boolean> settled) {
    TransactWriteItemsRequest request =
        TransactWriteItemsRequest.builder().transactItems(items).clientRequestToken(token).build();
    boolean uncertain = false;
    RuntimeException last = null;
    for (int tried = 0; tried < Runner.PATIENCE.tries(); tried++) {
      if (tried > 0) {
        LockSupport.parkNanos(Runner.PATIENCE.pause().apply(tried).toNanos());
      }
      try {
        client.transactWriteItems(request);
        return null;
      } catch (TransactionCanceledException e) {
        List<CancellationReason> reasons = e.cancellationReasons();
        if (reasons.stream().anyMatch(reason -> CONDITION.equals(reason.code()))) {
          return new Cancelled(e, reasons, uncertain || Errors.wereUncertain(e));
        }
        if (!isBusy(reasons)) {
          throw e;
        }
        uncertain |= Errors.wereUncertain(e);
        last = e;
      } catch (RuntimeException e) {
        Errors.Kind kind = Errors.kind(e);
        uncertain |= isUncertain(kind) || Errors.wereUncertain(e);
        last = e;
        if (kind == Errors.Kind.ABANDONED || (kind == Errors.Kind.FAULT && uncertain)) {
          break;
        }
        if (kind == Errors.Kind.FAULT) {
          throw e;
        }
      }
    }
    return given(uncertain, last, settled);
  }

  /** The end of a transaction that DynamoDB has not decided as far as is known. */
  private static @Nullable Cancelled given(
      boolean uncertain, @Nullable RuntimeException last, Supplier<Boolean> settled) {
    if (!uncertain) {
      throw new ContentionException(
          "conflicts or throttling outlasted the tries of a transaction", null, last);
    }
    boolean made = false;
    try {
      made = settled.get();
    } catch (RuntimeException unread) {
      if (last != null && last != unread) {
        last.addSuppressed(unread);
      }
    }
    if (!made) {
      throw new OutcomeUnknownException("no answer came to a transaction", null, last);
    }
    return null;
  }

  /** Whether a transaction may have been carried out that ended so. */
  static boolean isUncertain(Errors.Kind kind) {
    return kind == Errors.Kind.UNCERTAIN || kind == Errors.Kind.ABANDONED;
  }

  /** Whether nothing but conflicts and throttling is among the reasons. */
  private static boolean isBusy(List<CancellationReason> reasons) {
    return reasons.stream()
        .map(reason -> String.valueOf(reason.code()))
        .allMatch(code -> code.equals("None") || isBusy(code));
  }

  /** Whether a reason says that others were in the way. */
  static boolean isBusy(String code) {
    return BUSY.contains(code);
  }
}
