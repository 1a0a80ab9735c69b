package dev.tidemark.example.orderhistory.local;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The greeting of SOCKS 5, as far as a client needs it that gives no password (RFC 1928). */
final class Socks {
  private static final int VERSION = 5;
  private static final int IP_V4 = 1;
  private static final int NAME = 3;

  private Socks() {}

  /** Which server a client wants; it is told that it has it, before that is so. */
  static InetSocketAddress connect(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    OutputStream out = client.getOutputStream();
    in.readUnsignedByte();
    in.readNBytes(in.readUnsignedByte()); // the ways in which it would name itself
    out.write(new byte[] {VERSION, 0});
    in.readNBytes(3); // version, what it wants, and nothing
    InetAddress host = host(in);
    int port = in.readUnsignedShort();
    out.write(new byte[] {VERSION, 0, 0, IP_V4, 0, 0, 0, 0, 0, 0});
    return new InetSocketAddress(host, port);
  }

  private static InetAddress host(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    return switch (type) {
      case IP_V4 -> InetAddress.getByAddress(in.readNBytes(4));
      case NAME ->
          InetAddress.getByName(
              new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.US_ASCII));
      default -> throw new IOException("no such kind of address: " + type);
    };
  }
}
