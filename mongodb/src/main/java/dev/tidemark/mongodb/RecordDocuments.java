package dev.tidemark.mongodb;

import static dev.tidemark.store.StoredRecord.REVISION;

import dev.tidemark.store.StoredMap;
import dev.tidemark.store.StoredRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Plain records as documents. A time is a date; a map of maps is an array of documents, each with
 * its key as {@code name}, since keys of any text may be none of fields.
 */
final class RecordDocuments {
  static final String ID = "_id";

  private static final String NAME = "name";

  private RecordDocuments() {}

  /** The fields, without the key. */
  static Document document(Map<String, Object> fields) {
    Document document = new Document();
    fields.forEach((name, value) -> document.append(name, stored(value)));
    return document;
  }

  private static Object stored(Object value) {
    if (value instanceof Instant time) {
      return Date.from(time);
    }
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    return map.values().stream().anyMatch(Map.class::isInstance) ? array(map) : named(map);
  }

  private static Document named(Map<?, ?> values) {
    Document document = new Document();
    values.forEach((name, value) -> document.append((String) name, value));
    return document;
  }

  private static List<Document> array(Map<?, ?> maps) {
    List<Document> array = new ArrayList<>();
    maps.forEach(
        (key, values) -> {
          Document one = new Document(NAME, key);
          one.putAll(named((Map<?, ?>) values));
          array.add(one);
        });
    return array;
  }

  /** What a guard names, whatever it is, and not as an operator. */
  static Document revision(@Nullable Object revision) {
    return new Document(REVISION, new Document("$eq", revision));
  }

  static StoredRecord record(Document document) {
    Map<String, Object> fields = fields(document);
    Object revision = document.get(REVISION);
    if (revision != null) {
      fields.put(REVISION, revision); // as it is, for a guard to name
    }
    fields.remove(ID);
    return new StoredRecord(String.valueOf(document.get(ID)), fields);
  }

  /** Fields of a record; a null is none. */
  private static Map<String, Object> fields(Map<String, Object> document) {
    Map<String, Object> fields = new LinkedHashMap<>();
    document.forEach(
        (name, stored) -> {
          if (stored != null) {
            fields.put(name, value(stored));
          }
        });
    return fields;
  }

  /** Named values; a null stays, since it may stand for a map. */
  private static Map<String, @Nullable Object> values(Map<String, Object> document) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    document.forEach((name, stored) -> values.put(name, stored == null ? null : value(stored)));
    return values;
  }

  private static Object value(Object stored) {
    if (stored instanceof Date date) {
      return date.toInstant();
    }
    if (stored instanceof Document document) {
      return StoredMap.ofValues(values(document));
    }
    if (stored instanceof List<?> array) {
      return maps(array);
    }
    return stored instanceof Number number ? number(number) : stored;
  }

  /** A whole number as a Long, also as shells store one. */
  private static Object number(Number stored) {
    boolean isWhole =
        stored instanceof Integer
            || (stored instanceof Double && stored.doubleValue() == stored.longValue());
    return isWhole ? (Object) stored.longValue() : stored;
  }

  /** An array of documents, each of a name of its own; any other one as it is. */
  private static Object maps(List<?> array) {
    Map<String, Object> maps = new LinkedHashMap<>();
    for (Object one : array) {
      if (!(one instanceof Document document) || !(document.get(NAME) instanceof String name)) {
        return array;
      }
      Map<String, @Nullable Object> values = values(document);
      values.remove(NAME);
      if (maps.put(name, values) != null) {
        return array; // which of the two counts is not known
      }
    }
    return StoredMap.ofMaps(maps);
  }
}
