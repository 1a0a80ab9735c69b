package dev.tidemark.example.orderhistory.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds ports on which servers can listen: below those that systems give to connections, of which
 * one might come before the server does, or while it is away.
 */
public final class FreePort {
  private static final int FIRST = 20_000;
  private static final int COUNT = 12_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private FreePort() {}

  /** A port that nobody listens on now, and that no other call in this process gets soon. */
  public static int find() {
    for (int attempt = 0; attempt < COUNT; attempt++) {
      int port = FIRST + NEXT.getAndIncrement() % COUNT;
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port from " + FIRST + " on");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
