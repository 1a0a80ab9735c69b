package dev.tidemark.mongodb;

import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoIterable;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Uninterrupted;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a transaction: its session, and the first error of its calls. Such an error ends
 * the attempt, also where a handler has caught it. An error that the server answers has aborted the
 * transaction, and each later call is told that there is no such transaction, as if another attempt
 * could help. Where no answer came, or an error of a codec or of the driver's own limits broke off
 * a call in the middle, the call may have written, so that whatever the handler does instead would
 * be made beside it. A read leaves nothing, so that it ends the attempt by the driver's errors
 * alone: its documents meet codecs and functions of the handler's too.
 */
final class SessionScope {
  /** Of Java's default methods the one of which the driver has its own, which closes its cursor. */
  private static final String CLOSING = "forEach";

  private final ClientSession session;
  private @Nullable Throwable first;

  SessionScope(ClientSession session) {
    this.session = session;
  }

  ClientSession session() {
    return session;
  }

  /** Throws the first error, if there was one: nothing of this attempt may be stored. */
  void requireAlive() {
    if (first instanceof Error error) {
      throw error;
    }
    if (first != null) {
      throw Faults.unchecked(first);
    }
  }

  /**
   * Why another attempt may end otherwise than this one, which has thrown. The first error of its
   * calls tells, whatever a handler has made of it; an interrupt that a handler has told by an
   * exception of its own is left to that.
   *
   * @return null if nothing says that another attempt may do
   */
  @Nullable MongoException passing(Exception thrown) {
    boolean plain = thrown instanceof MongoException;
    if (!plain
        && Faults.decisive(thrown, InterruptedException.class) instanceof InterruptedException) {
      return null; // which ends the thread's work
    }
    Throwable ended = first == null ? thrown : first;
    return ended instanceof MongoException error
            && (isTransient(error) || (plain && Errors.isInterruption(error)))
        ? error
        : null;
  }

  /** Aborts the transaction, by an interrupted thread too: one left open keeps its locks. */
  void abort() {
    if (session.hasActiveTransaction()) {
      Uninterrupted.run(session::abortTransaction); // which throws nothing of the network
    }
  }

  /** A collection whose calls, and those of what they return, are looked at for errors. */
  @SuppressWarnings("unchecked")
  <T> MongoCollection<T> watched(MongoCollection<T> collection) {
    return (MongoCollection<T>) watched(MongoCollection.class, collection);
  }

  private Object watched(Class<?> type, Object target) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            method.isDefault() && !method.getName().equals(CLOSING)
                ? InvocationHandler.invokeDefault(proxy, method, arguments) // asks the others
                : call(target, method, arguments));
  }

  private @Nullable Object call(Object target, Method method, @Nullable Object[] arguments)
      throws Throwable {
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable error = Objects.requireNonNull(e.getCause());
      boolean mayWrite =
          target instanceof MongoCollection
              && !reads(method.getReturnType())
              && !method.getName().equals("countDocuments");
      if (mayWrite || error instanceof MongoException) {
        failed(error);
      }
      throw error;
    }
    Class<?> type = method.getReturnType();
    return reads(type) ? watched(type, result) : result;
  }

  /** Whether what a call returns sends the commands, which read. */
  private static boolean reads(Class<?> type) {
    return MongoIterable.class.isAssignableFrom(type) || MongoCursor.class.isAssignableFrom(type);
  }

  private void failed(Throwable error) {
    if (first == null) {
      first = error;
    }
  }

  /** Makes a call in the session, and notes its error. */
  void call(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      failed(e);
      throw e;
    }
  }

  /** Whether the whole may be run again: nothing of it is committed. */
  static boolean isTransient(MongoException e) {
    return e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL) || isUnsent(e);
  }

  /**
   * Whether a call got no connection since another's had broken, of which the driver says nothing
   * in a label. Of a call before it, as of a commit that is made again, that says nothing.
   */
  static boolean isUnsent(MongoException e) {
    return e instanceof MongoConnectionPoolClearedException
        || e instanceof MongoServerUnavailableException;
  }
}
