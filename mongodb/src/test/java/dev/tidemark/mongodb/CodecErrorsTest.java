package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.util.List;
import java.util.UUID;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A codec that throws an Error fails the message that it was called for")
final class CodecErrorsTest {
  /** An entity of one text. */
  private record Note(String text) {}

  /** Meets an Error of the class path where the text is "bad". */
  private static final class Fragile implements Codec<Note> {
    private final DocumentCodec documents = new DocumentCodec();

    private static void check(String text) {
      if (text.equals("bad")) {
        throw new NoClassDefFoundError("some.Type");
      }
    }

    @Override
    public void encode(BsonWriter writer, Note note, EncoderContext context) {
      check(note.text());
      documents.encode(writer, new Document("text", note.text()), context);
    }

    @Override
    public Note decode(BsonReader reader, DecoderContext context) {
      Document document = documents.decode(reader, context);
      String text = String.valueOf(document.get("text"));
      check(text);
      return new Note(text);
    }

    @Override
    public Class<Note> getEncoderClass() {
      return Note.class;
    }
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("whether it reads or writes, and the others go on")
  void errors() {
    try (MongoFixture fixture = new MongoFixture()) {
      MongoCollection<Document> raw = fixture.documents();
      MongoEntityStore<Note> store =
          MongoEntityStore.of(
              raw.withDocumentClass(Note.class)
                  .withCodecRegistry(
                      CodecRegistries.fromRegistries(
                          CodecRegistries.fromCodecs(new Fragile()),
                          MongoClientSettings.getDefaultCodecRegistry())));
      EntityKey fine = MongoFixture.key();
      EntityKey bad = MongoFixture.key();
      raw.insertOne(new Document("_id", bad.parts().get(0)).append("text", "bad"));
      List<Result<Note>> results =
          store.writeAll(
              List.of(
                  Write.apply(message(), bad, note -> new Note("x")),
                  Write.apply(message(), fine, () -> new Note("new"), note -> new Note("bad")),
                  Write.apply(message(), fine, () -> new Note("bad"), note -> new Note("x")),
                  Write.apply(message(), fine, () -> new Note("new"), note -> new Note("good"))));
      assertInstanceOf(CorruptRecordException.class, fault(results.get(0)));
      assertInstanceOf(NoClassDefFoundError.class, fault(results.get(1)).getCause());
      assertInstanceOf(NoClassDefFoundError.class, fault(results.get(2)).getCause());
      assertTrue(results.get(3).isDone(), results::toString);
      assertEquals("good", store.find(fine).orElseThrow().text());
      assertThrows(CorruptRecordException.class, () -> store.find(bad));
    }
  }

  private static RuntimeException fault(Result<Note> result) {
    return assertInstanceOf(Result.Failed.class, result).fault();
  }
}
