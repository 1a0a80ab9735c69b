package dev.tidemark.transaction;

import dev.tidemark.kernel.Misuse;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sees the transaction that Spring holds open on the calling thread, of whatever database. What
 * stores that a message or an effect is done must not store it beside such a transaction: where the
 * transaction is rolled back, the effect is gone, and "done" stays.
 *
 * <p>Sees every transaction that Spring synchronizes, which is the default of its managers, until
 * it has ended: also in {@code beforeCommit} and {@code afterCommit} of a synchronization, but no
 * more in {@code afterCompletion}, where {@code @TransactionalEventListener} is called after the
 * commit. Sees those too that a manager of Kafka, JMS or AMQP holds without synchronizing them, as
 * is their default, and those that a template has begun in a scope without one, as under {@code
 * SUPPORTS}. Sees none where Spring is not on the class path of the library. Safe for use by many
 * threads.
 */
public final class OpenTransactions {
  private static final String SPRING =
      "org.springframework.transaction.support.TransactionSynchronizationManager";

  /** Whose holders are bound for a transaction alone; others, for a connection or session, too. */
  private static final List<String> OF_TRANSACTIONS =
      List.of(
          "org.springframework.kafka.",
          "org.springframework.data.mongodb.",
          "org.springframework.amqp.");

  /** Both are true while a transaction is open, and one behind its end; empty without Spring. */
  private static final Optional<MethodHandle> ACTUAL = sign("isActualTransactionActive");

  private static final Optional<MethodHandle> SYNCHRONIZED = sign("isSynchronizationActive");

  /** What a thread holds, and whether an open transaction has it; empty without Spring. */
  private static final Optional<MethodHandle> HELD =
      named(SPRING).map(type -> method(type, "getResourceMap", Map.class));

  private static final Optional<Class<?>> HOLDER =
      named("org.springframework.transaction.support.ResourceHolderSupport");
  private static final Optional<MethodHandle> OF_TRANSACTION =
      HOLDER.map(type -> method(type, "isSynchronizedWithTransaction", boolean.class));

  private OpenTransactions() {}

  private static Optional<Class<?>> named(String type) {
    try {
      return Optional.of(Class.forName(type, true, OpenTransactions.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  private static Optional<MethodHandle> sign(String method) {
    return named(SPRING).map(type -> method(type, method, boolean.class));
  }

  private static MethodHandle method(Class<?> spring, String method, Class<?> gives) {
    MethodType type = MethodType.methodType(gives);
    try {
      return Modifier.isStatic(spring.getMethod(method).getModifiers())
          ? MethodHandles.publicLookup().findStatic(spring, method, type)
          : MethodHandles.publicLookup().findVirtual(spring, method, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          spring.getName()
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
      throw new Misuse.State(
          what
              + " must not run inside a transaction of Spring: if the transaction is rolled back,"
              + " what was done in it is lost, while Tidemark's note of it stays. Call it outside"
              + " of @Transactional, or from a method with @Transactional(propagation ="
              + " NOT_SUPPORTED) of the same transaction manager; what it calls may open"
              + " transactions of its own");
    }
  }

  private static boolean isOpen() {
    if (ACTUAL.isEmpty()) {
      return false;
    }
    try {
      boolean isActual = (boolean) ACTUAL.get().invokeExact();
      boolean isSynchronized = (boolean) SYNCHRONIZED.orElseThrow().invokeExact();
      return isActual ? isSynchronized : isHeld(isSynchronized);
    } catch (Throwable e) {
      throw new IllegalStateException("Spring does not tell whether a transaction is open", e);
    }
  }

  /**
   * Whether the thread holds a producer or session of a transaction that is not synchronized.
   *
   * @param isInScope whether it is in a scope without a transaction, which another manager made
   */
  private static boolean isHeld(boolean isInScope) throws Throwable {
    Class<?> type = HOLDER.orElseThrow();
    Map<?, ?> held = (Map<?, ?>) HELD.orElseThrow().invoke();
    for (Object holder : held.values()) {
      if (type.isInstance(holder)
          && (boolean) OF_TRANSACTION.orElseThrow().invoke(holder)
          && (!isInScope || isOfTransaction(holder.getClass()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfTransaction(Class<?> holder) {
    return OF_TRANSACTIONS.stream().anyMatch(holder.getName()::startsWith);
  }
}
