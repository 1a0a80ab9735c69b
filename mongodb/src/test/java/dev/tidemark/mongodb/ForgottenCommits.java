package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client whose first commit is carried out without an answer, and whose repeat is told by a
 * server that has forgotten the transaction.
 */
final class ForgottenCommits {
  private final MongoClient client;
  private final AtomicInteger commits = new AtomicInteger();

  ForgottenCommits(MongoClient client) {
    this.client = client;
  }

  int commits() {
    return commits.get();
  }

  MongoClient client() {
    return proxy(
        MongoClient.class,
        (proxy, method, arguments) -> {
          Object result = invoke(client, method, arguments);
          return result instanceof ClientSession session ? session(session) : result;
        });
  }

  private ClientSession session(ClientSession session) {
    return proxy(
        ClientSession.class,
        (proxy, method, arguments) -> {
          if (!method.getName().equals("commitTransaction")) {
            return invoke(session, method, arguments);
          }
          int commit = commits.incrementAndGet();
          if (commit == 1) {
            session.commitTransaction();
            throw labeled(-1, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
          }
          if (commit == 2) {
            throw labeled(251, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
          }
          return invoke(session, method, arguments);
        });
  }

  private static MongoException labeled(int code, String label) {
    MongoException error = new MongoException(code, "a commit");
    error.addLabel(label);
    return error;
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
  }
}
