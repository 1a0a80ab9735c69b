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
    if (flatName.equals(names.tombstone()) && value.isNumber()) {
      return value; // which no TTL index takes for an expiry
    }
    if (flatName.equals(names.revision())
        && value.isBinary()
        && !Values.isBytes(value.asBinary())) {
      return value; // which no filter on its bytes would find
    }
    Object decoded = Values.decode(value);
    boolean list =
        flatName.endsWith("#closed")
            || flatName.equals(names.outbox())
            || flatName.equals(names.outboxParked());
    return decoded instanceof Collection<?> && !list
        ? new LinkedHashSet<>((Collection<?>) decoded)
        : decoded;
  }

  /** The field that has the marks of all sources. */
  static String sources(Names names) {
    return names.path(names.mark(Source.of("any", "any"), Names.Part.MARK)).segments().get(0);
  }

  /** The fields that tracking may own in any document, but for those of other subscribers. */
  static List<String> all(Names names) {
    List<String> all = new ArrayList<>();
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      all.add(names.ids(slot));
    }
    all.addAll(List.of(names.revision(), names.birth(), names.tombstone()));
    all.addAll(List.of(names.since(), names.closed(), sources(names)));
    all.addAll(outbox(names));
    return all;
  }

  /** The fields that have to do with outgoing messages. */
  static List<String> outbox(Names names) {
    return List.of(
        names.outbox(),
        names.outboxParked(),
        names.outboxShard(),
        names.outboxDue(),
        names.outboxTries());
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

  /**
   * Refuses names that an entity brings by itself, as documents and extra elements do.
   *
   * @param entity what is written, without its marks
   * @throws IllegalArgumentException if tracking owns one
   */
  void requireNone(BsonDocument entity, Class<?> type) {
    for (String name : entity.keySet()) {
      if (names.owns(name)) {
        throw new IllegalArgumentException(
            "the %s to write has field '%s', which tracking owns; give it another name"
                .formatted(type.getSimpleName(), name));
      }
    }
  }

  /** A document without what tracking owns. */
  BsonDocument withoutMarks(BsonDocument document) {
    return fields(document, false);
  }

  /** Only what tracking owns of a document. */
  BsonDocument onlyMarks(BsonDocument document) {
    return fields(document, true);
  }

  private BsonDocument fields(BsonDocument document, boolean owned) {
    BsonDocument fields = new BsonDocument();
    document.forEach(
        (name, value) -> {
          if (names.owns(name) == owned) {
            fields.append(name, value);
          }
        });
    return fields;
  }
}
