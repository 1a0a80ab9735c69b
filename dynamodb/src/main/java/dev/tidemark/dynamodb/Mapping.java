package dev.tidemark.dynamodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.FilledIn;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.marks.Marks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.enhanced.dynamodb.internal.mapper.UpdateBehaviorTag;
import software.amazon.awssdk.enhanced.dynamodb.mapper.UpdateBehavior;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items to entities and back, by a schema; tracking's attributes are kept apart. */
final class Mapping<T> {
  private final TableSchema<T> schema;
  private final Names names;
  private final Keys keys;
  private final Counters<T> counters;
  private final @Nullable String marksAttribute;
  private final @Nullable String processingAttribute;
  private final List<String> unstored;
  private final Properties properties;
  private final FilledIn filledIn = new FilledIn();

  /** A mapping whose changes may name attributes that the schema does not map if that is said. */
  Mapping(TableSchema<T> schema, Tracking tracking, boolean unmappedToo) {
    this.schema = schema;
    this.names = Names.flat(tracking);
    this.keys = new Keys(schema);
    this.counters = new Counters<>(schema);
    checkNames();
    this.marksAttribute = attributeOf(schema, Marks.class);
    this.processingAttribute = attributeOf(schema, Processing.class);
    this.unstored =
        Stream.of(marksAttribute, processingAttribute).filter(Objects::nonNull).toList();
    Set<String> unchangeable = new HashSet<>(keys.attributes());
    unchangeable.addAll(counters.attributes());
    unchangeable.addAll(unstored);
    this.properties =
        new Properties(
            isOpen(schema) ? null : schema,
            unmappedToo,
            names::owns,
            name -> names.owns(name) || unchangeable.contains(name),
            unstored);
  }

  /** The attributes that are never stored. */
  List<String> unstored() {
    return unstored;
  }

  private void checkNames() {
    for (String attribute : isOpen(schema) ? List.<String>of() : schema.attributeNames()) {
      if (names.owns(attribute)) {
        throw new IllegalArgumentException(
            "%s maps attribute '%s', which tracking owns; choose other AttributeNames"
                .formatted(type().getName(), attribute));
      }
    }
  }

  /** Whether a schema maps whatever is there, as the one of documents does. */
  static boolean isOpen(TableSchema<?> schema) {
    return schema.itemType().rawClass() == EnhancedDocument.class;
  }

  /** The attribute that has values of a class; null if there is none. */
  static @Nullable String attributeOf(TableSchema<?> schema, Class<?> type) {
    for (String name : isOpen(schema) ? List.<String>of() : schema.attributeNames()) {
      AttributeConverter<?> converter = schema.converterForAttribute(name);
      if (converter != null
          && !converter.type().isWildcard()
          && converter.type().rawClass() == type) {
        return name;
      }
    }
    return null;
  }

  Class<T> type() {
    return schema.itemType().rawClass();
  }

  Names names() {
    return names;
  }

  Keys keys() {
    return keys;
  }

  Counters<T> counters() {
    return counters;
  }

  /** What is known of what the class fills in. */
  FilledIn filledIn() {
    return filledIn;
  }

  Properties properties() {
    return properties;
  }

  /** The key of an entity. */
  EntityKey keyOf(T entity) {
    return keys.keyOf(keyAttributes(entity));
  }

  Map<String, AttributeValue> keyAttributes(T entity) {
    return keys.of(schema.itemToMap(entity, true));
  }

  /** Decodes an item; an empty one is none. */
  Item<T> item(EntityKey key, Map<String, AttributeValue> item) {
    if (item.isEmpty()) {
      return new Item<>(this, key, item, Found.nothing());
    }
    Map<String, Object> marks = Values.toNeutral(item, names::owns);
    T entity = marks.containsKey(names.tombstone()) ? null : entityIfMapped(item);
    return new Item<>(this, key, item, new Found<>(true, marks, entity));
  }

  /** Whether there is no entity: no item, or a tombstone. */
  boolean isGone(Map<String, AttributeValue> item) {
    return item.isEmpty() || Values.has(item, names.tombstone());
  }

  /** Tracking's attributes that are NULL, which no guard takes for missing but the judge does. */
  Set<String> nullMarks(Map<String, AttributeValue> item) {
    return item.keySet().stream()
        .filter(name -> names.owns(name) && !Values.has(item, name))
        .collect(Collectors.toSet());
  }

  /** Maps an item for an outcome, which is what it is without the entity, too. */
  @Nullable T entityIfMapped(Map<String, AttributeValue> item) {
    try {
      return entity(item);
    } catch (CorruptRecordException e) {
      return null;
    }
  }

  /**
   * Maps an item of a live entity.
   *
   * @throws CorruptRecordException if the class cannot hold it; the key is the caller's to add
   */
  T entity(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> mapped = collapse(item, false);
    try {
      return schema.mapToItem(mapped);
    } catch (Throwable e) { // a converter's, whatever it throws
      RuntimeException fault = dev.tidemark.kernel.Faults.unchecked(e);
      throw new CorruptRecordException(
          "the stored entity cannot be mapped to "
              + type().getName()
              + properties.unreadable(mapped).orElse(""),
          null,
          dev.tidemark.kernel.Faults.silent(fault));
    }
  }

  /** An entity with its key put in. */
  T withKey(T entity, Map<String, AttributeValue> key) {
    Map<String, AttributeValue> mapped = new LinkedHashMap<>(schema.itemToMap(entity, true));
    mapped.putAll(key);
    return schema.mapToItem(mapped);
  }

  /**
   * The attributes of an entity that a store may write, with NULL unless that is ignored.
   *
   * @throws IllegalArgumentException if one is tracking's
   */
  Map<String, AttributeValue> attributes(T entity, boolean ignoringNulls) {
    Map<String, AttributeValue> mapped =
        new LinkedHashMap<>(schema.itemToMap(entity, ignoringNulls));
    mapped.keySet().removeAll(unstored);
    requireUnowned(mapped.keySet());
    mapped.keySet().removeAll(counters.attributes());
    return mapped;
  }

  /** The times of an entity that writes generate. */
  Map<String, AttributeValue> times(T entity) {
    if (!counters.hasTimes()) {
      return Map.of();
    }
    Map<String, AttributeValue> times = new LinkedHashMap<>(schema.itemToMap(entity, true));
    times.keySet().retainAll(counters.times());
    return times;
  }

  /**
   * Refuses names that an entity brings by itself, as documents and flattened maps do.
   *
   * @throws IllegalArgumentException if tracking owns one
   */
  void requireUnowned(Collection<String> attributes) {
    for (String attribute : attributes) {
      if (names.owns(attribute)) {
        throw new IllegalArgumentException(
            "the %s to write has attribute '%s', which tracking owns; give it another name"
                .formatted(type().getSimpleName(), attribute));
      }
    }
  }

  /** What makes the one out of the other. */
  static List<Operation> difference(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    List<Operation> operations = new ArrayList<>();
    after.forEach(
        (name, value) -> {
          if (!value.equals(before.get(name))) {
            operations.add(Operation.assign(Path.of(name), value));
          }
        });
    before.keySet().stream()
        .filter(name -> !after.containsKey(name))
        .forEach(name -> operations.add(Operation.remove(Path.of(name))));
    return operations;
  }

  /** The message that an entity is being written for; null if there is none. */
  @Nullable Processing processing(Function<String, @Nullable AttributeValue> attributes) {
    AttributeValue value = carried(processingAttribute, attributes);
    return value == null ? null : new ProcessingConverter().transformTo(value);
  }

  /** Whether entities have a property of type {@link Marks}. */
  boolean carriesMarks() {
    return marksAttribute != null;
  }

  /** The marks that an entity carries; null where it has no such property, or null in it. */
  @Nullable Marks marks(Function<String, @Nullable AttributeValue> attributes) {
    AttributeValue value = carried(marksAttribute, attributes);
    return value == null ? null : new MarksConverter().transformTo(value);
  }

  private static @Nullable AttributeValue carried(
      @Nullable String name, Function<String, @Nullable AttributeValue> attributes) {
    AttributeValue value = name == null ? null : attributes.apply(name);
    return value == null || !value.hasL() ? null : value;
  }

  /** The attributes of an entity, by name. */
  Function<String, @Nullable AttributeValue> attributesOf(T entity) {
    return name -> schema.attributeValue(entity, name);
  }

  /**
   * Gathers tracking's attributes in the property of type Marks, if there is one: partial ones
   * where the key is missing, as it is in what an update changed, or where the item may be a part.
   */
  Map<String, AttributeValue> collapse(Map<String, AttributeValue> item, boolean mayBePart) {
    Map<String, AttributeValue> collapsed = new HashMap<>();
    Map<String, AttributeValue> owned = new LinkedHashMap<>();
    item.forEach((name, value) -> (names.owns(name) ? owned : collapsed).put(name, value));
    if (marksAttribute != null) {
      Map<String, Object> neutral = Values.toNeutral(owned);
      boolean whole = !mayBePart && item.keySet().containsAll(keys.attributes());
      Marks marks = whole ? Marks.of(neutral) : Marks.partial(neutral);
      collapsed.put(marksAttribute, new MarksConverter().transformFrom(marks));
    }
    return collapsed;
  }

  /** Whether an attribute is written once only, as its annotation says. */
  UpdateBehavior updateBehavior(String attribute) {
    return UpdateBehaviorTag.resolveForAttribute(attribute, schema.tableMetadata());
  }
}
