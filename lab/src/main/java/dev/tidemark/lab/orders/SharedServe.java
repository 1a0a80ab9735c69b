package dev.tidemark.lab.orders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** One running service for each store, for all tests of a JVM, started when asked for. */
public final class SharedServe {
  private static final ConcurrentMap<String, Serve> SERVES = new ConcurrentHashMap<>();
  private static final long SEED = 1;

  private SharedServe() {}

  /** The service on a store, {@code dynamodb} or {@code mongodb}. */
  public static Serve on(String store) {
    return SERVES.computeIfAbsent(store, SharedServe::start);
  }

  private static Serve start(String store) {
    try {
      Serve serve = Serve.start(store, 0, SEED);
      Runtime.getRuntime().addShutdownHook(new Thread(serve::close));
      return serve;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
