package dev.tidemark.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * A collection whose every command is of one session: each method that the driver has with a
 * session too is called with it.
 */
final class SessionBound {
  private SessionBound() {}

  @SuppressWarnings("unchecked")
  static MongoCollection<BsonDocument> of(
      MongoCollection<BsonDocument> collection, ClientSession session) {
    return (MongoCollection<BsonDocument>)
        Proxy.newProxyInstance(
            MongoCollection.class.getClassLoader(),
            new Class<?>[] {MongoCollection.class},
            (proxy, method, arguments) ->
                call(collection, session, method, arguments == null ? new Object[0] : arguments));
  }

  private static Object call(
      MongoCollection<BsonDocument> collection,
      ClientSession session,
      Method method,
      Object[] arguments)
      throws Throwable {
    Class<?>[] types =
        Stream.concat(Stream.of(ClientSession.class), Stream.of(method.getParameterTypes()))
            .toArray(Class<?>[]::new);
    try {
      Method bound;
      try {
        bound = MongoCollection.class.getMethod(method.getName(), types);
      } catch (NoSuchMethodException e) { // it sends nothing, such as a name or a setting
        return method.invoke(collection, arguments);
      }
      return bound.invoke(
          collection,
          Stream.concat(Stream.of(session), Stream.of(arguments)).toArray(Object[]::new));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
