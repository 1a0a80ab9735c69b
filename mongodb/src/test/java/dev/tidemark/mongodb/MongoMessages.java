package dev.tidemark.mongodb;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** Requests and replies as they are on the wire. */
final class MongoMessages {
  private static final int OP_MSG = 2013;
  private static final int HEADER = 16;

  private MongoMessages() {}

  /** A refusal of a request as a whole. */
  static byte[] error(byte[] request, int code) {
    BsonDocument document =
        new BsonDocument("ok", new BsonDouble(0))
            .append("code", new BsonInt32(code))
            .append("codeName", new BsonString("Injected"))
            .append("errmsg", new BsonString("injected"))
            // looked at for 11000 alone
            .append("keyPattern", new BsonDocument("_id", new BsonInt32(1)));
    try (BasicOutputBuffer buffer = new BasicOutputBuffer();
        BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      new BsonDocumentCodec().encode(writer, document, EncoderContext.builder().build());
      byte[] body = buffer.toByteArray();
      ByteBuffer message =
          ByteBuffer.allocate(HEADER + 5 + body.length).order(ByteOrder.LITTLE_ENDIAN);
      message.putInt(message.capacity()).putInt(1).putInt(little(request).getInt(4)).putInt(OP_MSG);
      message.putInt(0).put((byte) 0).put(body);
      return message.array();
    }
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The name of an OP_MSG's first field; empty for other messages. */
  static String command(byte[] message) {
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
  static boolean isFollowed(byte[] reply) {
    return little(reply).getInt(12) == OP_MSG && (little(reply).getInt(HEADER) & 2) != 0;
  }

  static byte[] read(DataInputStream in) throws IOException {
    int length = Integer.reverseBytes(in.readInt());
    byte[] message = new byte[length];
    little(message).putInt(length);
    in.readFully(message, 4, length - 4);
    return message;
  }

  static void send(OutputStream out, byte[] message) throws IOException {
    out.write(message);
    out.flush();
  }
}
