package dev.tidemark.mongodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.kernel.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * The fields of a document that tracking owns: nested along the dots as they are stored, and flat
 * as the kernel reads them.
 */
final class MarkFields {
  private final Names names;

  MarkFields(Names names) {
    this.names = names;
  }

  /**
   * The marks in a document, by flat name; an explicit null counts as missing.
   *
   * @throws CorruptRecordException if sources are not kept in documents
   */
  Map<String, Object> flat(BsonDocument document) {
    Map<String, Object> flat = new LinkedHashMap<>();
    document.forEach(
        (name, value) -> {
          if (names.owns(name) && !value.isNull()) {
            flatten(flat, name, value);
          }
        });
    return flat;
  }

  private void flatten(Map<String, Object> flat, String name, BsonValue value) {
    if (value.isNull()) {
      return;
    }
    if (!names.isMark(name + ".") || name.indexOf('#') >= 0) {
      flat.put(name, decode(name, value));
      return;
    }
    members(name, value)
        .forEach(
            (type, sources) ->
                members(name + "." + type, sources)
                    .forEach(
                        (id, mark) -> {
                          String flatName = name + "." + type + "." + id;
                          if (!mark.isNull()) {
                            flat.put(flatName, decode(flatName, mark));
                          }
                        }));
  }

  private static BsonDocument members(String name, BsonValue value) {
    if (value.isNull()) {
      return new BsonDocument();
    }
    if (!value.isDocument()) {
      throw new CorruptRecordException("'" + name + "' is not a document of marks", null, null);
    }
    return value.asDocument();
  }

  private Object decode(String flatName, BsonValue value) {
    if (value.isDateTime() && flatName.equals(names.tombstone())) {
      return Math.floorDiv(value.asDateTime().getValue(), 1000L);
    }
    if (flatName.equals(names.revision())
        && value.isBinary()
        && !Values.isBytes(value.asBinary())) {
      return value; // which no filter on its bytes would find
    }
    Object decoded = Values.decode(value);
    boolean set = decoded instanceof Collection<?> && !flatName.endsWith("#closed");
    return set ? new LinkedHashSet<>((Collection<?>) decoded) : decoded;
  }

  /** Where an explicit null stands for a mark, or for a document of marks, as dotted paths. */
  List<String> nulls(BsonDocument document) {
    List<String> nulls = new ArrayList<>();
    onlyMarks(document).forEach((name, value) -> collectNulls(nulls, name, value));
    return List.copyOf(nulls);
  }

  private static void collectNulls(List<String> nulls, String path, BsonValue value) {
    if (value.isNull()) {
      nulls.add(path);
    } else if (value.isDocument()) {
      value.asDocument().forEach((name, member) -> collectNulls(nulls, path + "." + name, member));
    }
  }

  /** The field that has the marks of all sources. */
  static String sources(Names names) {
    return names.path(names.mark(Source.of("any", "any"), Names.Part.MARK)).segments().get(0);
  }

  /** Whether a document is a tombstone. */
  boolean isDeleted(BsonDocument document) {
    return !document.get(names.tombstone(), BsonNull.VALUE).isNull();
  }

  /** Flat marks as the fields of a document. */
  BsonDocument nested(Map<String, Object> flat) {
    BsonDocument document = new BsonDocument();
    flat.forEach(
        (name, value) -> {
          BsonDocument parent = document;
          Path path = names.path(name);
          int last = path.segments().size() - 1;
          for (String segment : path.segments().subList(0, last)) {
            if (!parent.containsKey(segment)) {
              parent.put(segment, new BsonDocument());
            }
            parent = parent.getDocument(segment);
          }
          boolean expiry = name.equals(names.tombstone());
          parent.put(path.segments().get(last), expiry ? expiry(value) : Values.mark(value));
        });
    return document;
  }

  /** The expiry is a date, which TTL indexes need. */
  static BsonValue expiry(Object seconds) {
    return seconds instanceof Number number
        ? new BsonDateTime(Instant.ofEpochSecond(number.longValue()).toEpochMilli())
        : Values.mark(seconds);
  }

  /** A document without what tracking owns. */
  BsonDocument withoutMarks(BsonDocument document) {
    BsonDocument own = new BsonDocument();
    document.forEach(
        (name, value) -> {
          if (!names.owns(name)) {
            own.append(name, value);
          }
        });
    return own;
  }

  /** Only what tracking owns of a document. */
  BsonDocument onlyMarks(BsonDocument document) {
    BsonDocument marks = new BsonDocument();
    document.forEach(
        (name, value) -> {
          if (names.owns(name)) {
            marks.append(name, value);
          }
        });
    return marks;
  }
}
