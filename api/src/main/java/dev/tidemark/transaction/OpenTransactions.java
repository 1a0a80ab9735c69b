package dev.tidemark.transaction;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sees the transaction that Spring holds open on the calling thread, of whatever database. What
 * stores that a message or an effect is done must not store it beside such a transaction: where the
 * transaction is rolled back, the effect is gone, and "done" stays.
 *
 * <p>Sees every transaction that Spring synchronizes, which is the default of its managers, until
 * it has ended: also in {@code beforeCommit} and {@code afterCommit} of a synchronization, but no
 * more in {@code afterCompletion}, where {@code @TransactionalEventListener} is called after the
 * commit. Sees none where Spring is not on the class path of the library. Safe for use by many
 * threads.
 */
public final class OpenTransactions {
  private static final String SPRING =
      "org.springframework.transaction.support.TransactionSynchronizationManager";

  /** What is true together while a transaction is open; empty where there is no Spring. */
  private static final List<MethodHandle> SIGNS =
      Stream.of("isActualTransactionActive", "isSynchronizationActive")
          .flatMap(OpenTransactions::sign)
          .toList();

  private OpenTransactions() {}

  private static Stream<MethodHandle> sign(String method) {
    Class<?> spring;
    try {
      spring = Class.forName(SPRING, true, OpenTransactions.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return Stream.empty();
    }
    try {
      return Stream.of(
          MethodHandles.publicLookup()
              .findStatic(spring, method, MethodType.methodType(boolean.class)));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          SPRING
              + " has no method "
              + method
              + ", by which Tidemark"
              + " sees open transactions; use a version of Spring that has it",
          e);
    }
  }

  /**
   * Requires that no transaction is open on the calling thread.
   *
   * @param what would be stored beside it, such as "an execution"
   * @throws IllegalStateException if one is; it tells what to do
   */
  public static void requireNone(String what) {
    if (isOpen()) {
      throw new IllegalStateException(
          what
              + " must not run inside a transaction of Spring: if the transaction is rolled back,"
              + " what was done in it is lost, while Tidemark's note of it stays. Call it outside"
              + " of @Transactional, or from a method with @Transactional(propagation ="
              + " NOT_SUPPORTED); what it calls may open transactions of its own");
    }
  }

  private static boolean isOpen() {
    try {
      for (MethodHandle sign : SIGNS) {
        if (!(boolean) sign.invokeExact()) {
          return false;
        }
      }
    } catch (Throwable e) {
      throw new IllegalStateException("Spring does not tell whether a transaction is open", e);
    }
    return !SIGNS.isEmpty();
  }
}
