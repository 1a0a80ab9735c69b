package dev.tidemark.mongodb;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Stands on the loopback between driver and server, and drops the replies of writes after the
 * server has carried them out, or answers writes with an error in its place.
 */
final class MongoProxy implements AutoCloseable {
  private static final Set<String> WRITES =
      Set.of("findAndModify", "findandmodify", "update", "insert", "delete");

  private final String host;
  private final int port;
  private final ServerSocket listener;
  private int passed;
  private int lost;
  private Runnable between = () -> {};
  private int spared;
  private int refused;
  private int code;
  private boolean silent;
  private int toDelay;
  private List<byte[]> delayed = List.of();
  private Runnable before = () -> {};
  private Runnable after = () -> {};

  MongoProxy(String host, int port) {
    this.host = host;
    this.port = port;
    try {
      this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  synchronized void loseReplies(int after, int count, Runnable then) {
    heal();
    passed = after;
    lost = count;
    between = then;
  }

  /** The same by no sign at all: the connection stays open. */
  synchronized void swallowReplies(int count, Runnable then) {
    loseReplies(0, count, then);
    silent = true;
  }

  /** Withholds writes until the one that comes after them. */
  synchronized void delay(int count, Runnable first, Runnable then) {
    heal();
    toDelay = count;
    before = first;
    after = then;
  }

  synchronized void refuse(int count, int errorCode) {
    refuse(0, count, errorCode, () -> {});
  }

  synchronized void refuse(int after, int count, int errorCode, Runnable first) {
    heal();
    spared = after;
    refused = count;
    code = errorCode;
    between = first;
  }

  synchronized void heal() {
    passed = 0;
    spared = 0;
    lost = 0;
    refused = 0;
    silent = false;
    toDelay = 0;
    delayed = List.of();
    between = () -> {};
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "mongo-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        daemon(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  /** Requests and replies take turns: the driver sends none before it has the other. */
  private void serve(Socket client) {
    try (client;
        Socket server = new Socket(host, port)) {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      DataInputStream requests = new DataInputStream(client.getInputStream());
      DataInputStream replies = new DataInputStream(server.getInputStream());
      while (true) {
        byte[] request = MongoMessages.read(requests);
        boolean write = WRITES.contains(MongoMessages.command(request));
        byte[] refusal = write ? refusal(request) : new byte[0];
        if (refusal.length > 0) {
          MongoMessages.send(client.getOutputStream(), refusal);
          continue;
        }
        if (write && delays(request)) {
          return;
        }
        MongoMessages.send(server.getOutputStream(), request);
        boolean more = relay(replies, client, write);
        if (!more) {
          return;
        }
      }
    } catch (IOException e) {
      // One side has gone; the other goes with it.
    }
  }

  /** Passes the reply on, with all that follow it where the server streams; false if lost. */
  private boolean relay(DataInputStream replies, Socket client, boolean write) throws IOException {
    byte[] reply = MongoMessages.read(replies);
    if (write && loses()) {
      if (silent()) {
        client.getInputStream().transferTo(OutputStream.nullOutputStream()); // until it closes
      }
      return false;
    }
    MongoMessages.send(client.getOutputStream(), reply);
    while (MongoMessages.isFollowed(reply)) {
      reply = MongoMessages.read(replies);
      MongoMessages.send(client.getOutputStream(), reply);
    }
    return true;
  }

  private synchronized boolean silent() {
    return silent;
  }

  private boolean loses() {
    Runnable first;
    int left;
    synchronized (this) {
      if (lost == 0 || passed > 0) {
        passed = Math.max(0, passed - 1);
        return false;
      }
      left = lost - 1;
      lost = 0; // what happens in between is spared
      first = between;
      between = () -> {};
    }
    first.run();
    synchronized (this) {
      lost = left;
    }
    return true;
  }

  /** Keeps a write back; or carries out those that were, before the one that is here. */
  private boolean delays(byte[] request) throws IOException {
    List<byte[]> late;
    synchronized (this) {
      late = delayed;
      delayed = List.of();
      if (toDelay > 0) {
        toDelay--;
        delayed = Stream.concat(late.stream(), Stream.of(request)).toList();
        return true;
      }
    }
    if (!late.isEmpty()) {
      before.run();
      land(late);
      after.run();
    }
    return false;
  }

  private void land(List<byte[]> requests) throws IOException {
    try (Socket server = new Socket(host, port)) {
      DataInputStream replies = new DataInputStream(server.getInputStream());
      for (byte[] request : requests) {
        MongoMessages.send(server.getOutputStream(), request);
        MongoMessages.read(replies);
      }
    }
  }

  private byte[] refusal(byte[] request) {
    Runnable first;
    synchronized (this) {
      if (refused == 0 || spared > 0) {
        spared = Math.max(0, spared - 1);
        return new byte[0];
      }
      refused--;
      first = between;
      between = () -> {};
    }
    first.run();
    return MongoMessages.error(request, code);
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
