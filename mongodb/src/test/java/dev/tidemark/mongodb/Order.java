package dev.tidemark.mongodb;

import dev.tidemark.marks.Marks;
import java.util.List;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonProperty;
import org.jspecify.annotations.Nullable;

/** An order as a record, with all of its marks in one property. */
public record Order(
    @BsonId String id,
    @BsonProperty("state") @Nullable String status,
    @Nullable Long total,
    @Nullable List<String> lines,
    @Nullable Marks marks) {

  static Order placed() {
    return new Order("", "PLACED", 0L, null, Marks.none());
  }

  Order paid(long amount) {
    return new Order(id, "PAID", (total == null ? 0 : total) + amount, lines, marks);
  }
}
