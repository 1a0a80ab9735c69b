package dev.tidemark.mongodb;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/**
 * Stands on the loopback between driver and server, and drops the replies of writes after the
 * server has carried them out, or answers writes with an error in its place.
 */
final class MongoProxy implements AutoCloseable {
  private static final Set<String> WRITES =
      Set.of("findAndModify", "findandmodify", "update", "insert", "delete");
  private static final int OP_MSG = 2013;
  private static final int HEADER = 16;

  private final String host;
  private final int port;
  private final ServerSocket listener;
  private int passed;
  private int lost;
  private Runnable between = () -> {};
  private int refused;
  private int code;
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

  /** Withholds writes until the one that comes after them. */
  synchronized void delay(int count, Runnable first, Runnable then) {
    heal();
    toDelay = count;
    before = first;
    after = then;
  }

  synchronized void refuse(int count, int errorCode) {
    heal();
    refused = count;
    code = errorCode;
  }

  synchronized void heal() {
    passed = 0;
    lost = 0;
    refused = 0;
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
        byte[] request = read(requests);
        boolean write = WRITES.contains(command(request));
        byte[] refusal = write ? refusal(request) : new byte[0];
        if (refusal.length > 0) {
          send(client.getOutputStream(), refusal);
          continue;
        }
        if (write && delays(request)) {
          return;
        }
        send(server.getOutputStream(), request);
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
    byte[] reply = read(replies);
    if (write && loses()) {
      return false;
    }
    send(client.getOutputStream(), reply);
    while (isFollowed(reply)) {
      reply = read(replies);
      send(client.getOutputStream(), reply);
    }
    return true;
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
        send(server.getOutputStream(), request);
        read(replies);
      }
    }
  }

  private synchronized byte[] refusal(byte[] request) {
    if (refused == 0) {
      return new byte[0];
    }
    refused--;
    return error(little(request).getInt(4), code);
  }

  private static byte[] error(int requestId, int code) {
    BsonDocument document =
        new BsonDocument("ok", new BsonDouble(0))
            .append("code", new BsonInt32(code))
            .append("codeName", new BsonString("Injected"))
            .append("errmsg", new BsonString("injected"));
    try (BasicOutputBuffer buffer = new BasicOutputBuffer();
        BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      new BsonDocumentCodec().encode(writer, document, EncoderContext.builder().build());
      byte[] body = buffer.toByteArray();
      ByteBuffer message =
          ByteBuffer.allocate(HEADER + 5 + body.length).order(ByteOrder.LITTLE_ENDIAN);
      message.putInt(message.capacity()).putInt(1).putInt(requestId).putInt(OP_MSG);
      message.putInt(0).put((byte) 0).put(body);
      return message.array();
    }
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The name of an OP_MSG's first field; empty for other messages. */
  private static String command(byte[] message) {
    ByteBuffer buffer = little(message);
    int name = HEADER + 4 + 1 + 4 + 1;
    if (buffer.getInt(12) != OP_MSG || message[HEADER + 4] != 0) {
      return "";
    }
    int end = name;
    while (message[end] != 0) {
      end++;
    }
    return new String(message, name, end - name, StandardCharsets.UTF_8);
  }

  /** Whether the server goes on without being asked, as it does for the driver's monitors. */
  private static boolean isFollowed(byte[] reply) {
    return little(reply).getInt(12) == OP_MSG && (little(reply).getInt(HEADER) & 2) != 0;
  }

  private static byte[] read(DataInputStream in) throws IOException {
    int length = Integer.reverseBytes(in.readInt());
    byte[] message = new byte[length];
    little(message).putInt(length);
    in.readFully(message, 4, length - 4);
    return message;
  }

  private static void send(OutputStream out, byte[] message) throws IOException {
    out.write(message);
    out.flush();
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
