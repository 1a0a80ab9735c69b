package dev.tidemark.tck.contract;

import java.util.List;
import java.util.stream.Stream;

/** Strings that break what joins, parses or evaluates them. */
final class Hostile {
  /** Each is another string; the empty one is not among them. */
  static final List<String> NAMES =
      List.of(
          "a.b",
          "a",
          ".",
          "..",
          "a..b",
          "$",
          "$t",
          "$$ROOT",
          "$set",
          "%",
          "%25",
          "%2E",
          "%%",
          "@",
          "a@b",
          "#",
          "#seen",
          "a#1",
          ":v",
          ":",
          "/",
          "\0",
          "a\0b",
          "\n",
          "\u007f",
          " ",
          "status",
          "SIZE",
          "_id",
          "_rev",
          "events",
          "__proto__",
          "0",
          "1e3",
          "'; DROP",
          "{\"$ne\": null}",
          "\u00e4",
          "a\u0308",
          "\ud83c\udf0a",
          "\u05e9\u05dc\u05d5\u05dd",
          "\u202eabc",
          "x".repeat(4_096));

  private Hostile() {}

  /** The same, and the empty string. */
  static Stream<String> withEmpty() {
    return Stream.concat(Stream.of(""), NAMES.stream());
  }
}
