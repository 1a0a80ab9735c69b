package dev.tidemark.example.orderhistory.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a server on this machine, and can fail as networks do. What it is
 * told holds for connections that are open as well as for new ones. For any number of threads.
 */
public final class TcpProxy implements AutoCloseable {
  private enum Mode {
    PASS,
    REFUSE,
    BLACK_HOLE
  }

  private final Route route;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger requestsToDrop = new AtomicInteger();
  private final AtomicInteger repliesToDrop = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();
  private final Object change = new Object();
  private volatile @Nullable ServerSocket listener;
  private volatile Mode mode = Mode.PASS;
  private volatile boolean closed;
  private volatile @Nullable Trap trap;

  /** Tells which server a client is for. */
  interface Route {
    InetSocketAddress server(Socket client) throws IOException;
  }

  /**
   * Listens on a free port.
   *
   * @param host of the server
   * @param serverPort of the server
   */
  public TcpProxy(String host, int serverPort) {
    this(client -> new InetSocketAddress(host, serverPort));
  }

  /** Listens on a free port for clients that say by SOCKS which server they want. */
  public static TcpProxy socks() {
    return new TcpProxy(Socks::connect);
  }

  private TcpProxy(Route route) {
    this.route = route;
    port = FreePort.find();
    listen();
  }

  /** Where clients connect. */
  public int port() {
    return port;
  }

  /** Ends the connection over which the server replies next; the client never sees that reply. */
  public void dropNextReply() {
    repliesToDrop.incrementAndGet();
  }

  /** Ends the connection over which a client asks next; the server never sees that request. */
  public void dropNextRequest() {
    requestsToDrop.incrementAndGet();
  }

  /** Sets a trap, in place of one that was set before. */
  public void set(Trap next) {
    trap = next;
  }

  /** How many requests were dropped so far. */
  public int lost() {
    return lost.get();
  }

  /** How many replies were dropped so far. */
  public int dropped() {
    return dropped.get();
  }

  /** Ends all connections and takes no new ones: they are refused. */
  public void refuse() {
    become(Mode.REFUSE);
    stopListening();
    hangUp();
  }

  /** Takes connections and bytes, and passes nothing on, in neither direction. */
  public void blackHole() {
    become(Mode.BLACK_HOLE);
  }

  /** Passes everything on again; what was swallowed stays lost, so its connections end. */
  public void restore() {
    Mode before = mode;
    become(Mode.PASS);
    if (before == Mode.BLACK_HOLE) {
      hangUp();
    } else if (before == Mode.REFUSE) {
      listen();
    }
  }

  private void become(Mode next) {
    synchronized (change) {
      mode = next;
    }
  }

  private void listen() {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      listener = socket;
      start(() -> accept(socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        start(() -> connect(client));
      } catch (IOException e) {
        // The listener was closed, or a client left before it was served.
      }
    }
  }

  @SuppressWarnings("resource") // both are closed when either side ends, and by hangUp
  private void connect(Socket client) {
    sockets.add(client);
    Socket upstream = new Socket();
    sockets.add(upstream);
    try {
      upstream.connect(route.server(client));
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
    } catch (IOException e) { // the server is away: so is this connection
      end(client, upstream);
      return;
    }
    AtomicReference<@Nullable Trap> caught = new AtomicReference<>();
    start(() -> pump(upstream, client, repliesToDrop, dropped, (b, n) -> sprung(caught)));
    pump(client, upstream, requestsToDrop, lost, (b, n) -> isCaught(b, n, caught));
  }

  /** Tells whether a connection ends here, in place of passing these bytes on. */
  private interface Guard {
    boolean ends(byte[] bytes, int length);
  }

  private boolean isCaught(byte[] bytes, int length, AtomicReference<@Nullable Trap> caught) {
    Trap now = trap;
    if (now == null || !now.catches(bytes, length)) {
      return false;
    }
    caught.set(now);
    return now.isBefore() && sprung(caught);
  }

  private static boolean sprung(AtomicReference<@Nullable Trap> caught) {
    Trap now = caught.getAndSet(null);
    if (now != null) {
      now.act();
    }
    return now != null;
  }

  private void pump(
      Socket from, Socket to, AtomicInteger toDrop, AtomicInteger count, Guard guard) {
    byte[] buffer = new byte[64 * 1024];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(buffer);
      while (read >= 0 && !drops(toDrop, count) && !guard.ends(buffer, read)) {
        if (mode == Mode.PASS) {
          out.write(buffer, 0, read);
          out.flush();
        }
        read = in.read(buffer);
      }
    } catch (IOException e) {
      // One side hung up: so does the other.
    } finally {
      end(from, to);
    }
  }

  private boolean drops(AtomicInteger toDrop, AtomicInteger count) {
    boolean drops = mode == Mode.PASS && toDrop.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    if (drops) {
      count.incrementAndGet();
    }
    return drops;
  }

  private void end(Socket one, Socket other) {
    for (Socket socket : new Socket[] {one, other}) {
      sockets.remove(socket);
      closeQuietly(socket);
    }
  }

  private void hangUp() {
    sockets.forEach(TcpProxy::closeQuietly);
    sockets.clear();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }

  private void stopListening() {
    ServerSocket socket = listener;
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "tcp-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      stopListening();
      hangUp();
    }
  }
}
