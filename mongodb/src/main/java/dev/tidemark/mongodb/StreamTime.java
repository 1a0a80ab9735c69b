package dev.tidemark.mongodb;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The time of a change stream's place: a timestamp is the first that it has. */
final class StreamTime {
  private static final Pattern TIMESTAMP = Pattern.compile("82([0-9A-Fa-f]{8}).*");

  private StreamTime() {}

  /** In seconds since 1970; empty if the place does not tell it. */
  static OptionalLong seconds(@Nullable BsonDocument place) {
    if (place == null || !place.isString("_data")) {
      return OptionalLong.empty();
    }
    Matcher timed = TIMESTAMP.matcher(place.getString("_data").getValue());
    return timed.matches()
        ? OptionalLong.of(Long.parseLong(timed.group(1), 16))
        : OptionalLong.empty();
  }
}
