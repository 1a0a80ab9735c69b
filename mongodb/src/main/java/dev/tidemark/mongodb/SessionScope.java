package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoIterable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a transaction: its session, and the first lasting error that the server answered
 * in it. Such an error has aborted the transaction on the server, also where a handler has caught
 * it: each later call is told that there is no such transaction, which looks as if running the
 * whole again could help.
 */
final class SessionScope {
  private final ClientSession session;
  private @Nullable MongoServerException lasting;

  SessionScope(ClientSession session) {
    this.session = session;
  }

  ClientSession session() {
    return session;
  }

  /** Throws the lasting error, if there was one: nothing of this attempt is stored. */
  void requireAlive() {
    if (lasting != null) {
      throw lasting;
    }
  }

  /** A collection whose calls, and those of what they return, are looked at for lasting errors. */
  @SuppressWarnings("unchecked")
  <T> MongoCollection<T> watched(MongoCollection<T> collection) {
    return (MongoCollection<T>) watched(MongoCollection.class, collection);
  }

  private Object watched(Class<?> type, Object target) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> call(target, method, arguments));
  }

  private @Nullable Object call(Object target, Method method, @Nullable Object[] arguments)
      throws Throwable {
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable error = e.getCause();
      if (error instanceof MongoServerException answered) {
        failed(answered);
      }
      throw error;
    }
    Class<?> type = method.getReturnType();
    boolean sends =
        MongoIterable.class.isAssignableFrom(type) || MongoCursor.class.isAssignableFrom(type);
    return sends ? watched(type, result) : result;
  }

  /** Notes an error of the server, unless another attempt may do without it. */
  private void failed(MongoServerException error) {
    if (lasting == null && !isTransient(error)) {
      lasting = error;
    }
  }

  /** Makes a call in the session, and notes its lasting error. */
  void call(Runnable call) {
    try {
      call.run();
    } catch (MongoServerException e) {
      failed(e);
      throw e;
    }
  }

  /** Whether the whole may be run again. */
  static boolean isTransient(MongoException e) {
    return e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
  }
}
