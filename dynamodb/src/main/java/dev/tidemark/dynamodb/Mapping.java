package dev.tidemark.dynamodb;

import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.Key;
import dev.tidemark.Marks;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Path;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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
  private final Counters counters;
  private final @Nullable String marksAttribute;
  private final Set<String> unmapped = new LinkedHashSet<>();
  private final Properties properties;

  /** A mapping whose changes may name any attribute. */
  Mapping(TableSchema<T> schema, Tracking tracking) {
    this(schema, tracking, true);
  }

  /** The same, where changes may name attributes that the schema does not map if that is said. */
  Mapping(TableSchema<T> schema, Tracking tracking, boolean unmappedToo) {
    this.schema = schema;
    this.names = Names.flat(tracking);
    this.keys = new Keys(schema);
    this.counters = new Counters(schema.tableMetadata());
    boolean open = isOpen(schema);
    if (!open) {
      checkNames(schema, names);
    }
    this.marksAttribute = open ? null : attributeOf(schema, Marks.class).orElse(null);
    Stream.of(Marks.class, Processing.class)
        .filter(type -> !open)
        .forEach(type -> attributeOf(schema, type).ifPresent(unmapped::add));
    Set<String> unchangeable = new LinkedHashSet<>(keys.attributes());
    unchangeable.addAll(unmapped);
    unchangeable.addAll(counters.attributes());
    this.properties =
        new Properties(
            schema,
            open,
            open || unmappedToo,
            name -> names.owns(name) || unchangeable.contains(name));
  }

  static void checkNames(TableSchema<?> schema, Names names) {
    for (String attribute : schema.attributeNames()) {
      if (names.owns(attribute)) {
        throw new IllegalArgumentException(
            schema.itemType().rawClass().getName()
                + " maps attribute '"
                + attribute
                + "', which tracking owns; choose other AttributeNames");
      }
    }
  }

  /** Whether a schema maps whatever is there, as the one of documents does. */
  static boolean isOpen(TableSchema<?> schema) {
    return schema.itemType().rawClass() == EnhancedDocument.class;
  }

  /** The attribute that has values of a class. */
  static Optional<String> attributeOf(TableSchema<?> schema, Class<?> type) {
    if (isOpen(schema)) {
      return Optional.empty();
    }
    return schema.attributeNames().stream()
        .filter(
            name -> {
              AttributeConverter<?> converter = schema.converterForAttribute(name);
              return converter != null
                  && !converter.type().isWildcard()
                  && converter.type().rawClass() == type;
            })
        .findFirst();
  }

  Keys keys() {
    return keys;
  }

  Counters counters() {
    return counters;
  }

  Properties properties() {
    return properties;
  }

  /** Decodes an item; an empty one is none. */
  Item<T> stored(Key key, Map<String, AttributeValue> item) {
    if (item.isEmpty()) {
      return new Item<>(this, key, item, Found.nothing());
    }
    Map<String, Object> marks = marks(item, names::owns);
    T entity = marks.containsKey(names.tombstone()) ? null : entityIfMapped(item);
    return new Item<>(this, key, item, new Found<>(true, marks, entity));
  }

  /**
   * The entity for whoever needs it; null where there is none.
   *
   * @throws CorruptRecordException if it cannot be mapped; the key is the caller's to add
   */
  @Nullable T required(Item<T> stored) {
    T entity = stored.found().entity();
    boolean none = stored.item().isEmpty() || stored.found().marks().containsKey(names.tombstone());
    return entity != null || none ? entity : entity(stored.item());
  }

  /** Tracking's attributes that are NULL, which no guard takes for missing but the judge does. */
  Set<String> nullMarks(Map<String, AttributeValue> item) {
    return item.keySet().stream()
        .filter(name -> names.owns(name) && !Values.has(item, name))
        .collect(Collectors.toSet());
  }

  /** Tracking's attributes out of an item. */
  Map<String, Object> marks(Map<String, AttributeValue> item, Predicate<String> which) {
    return Values.toNeutral(item, which);
  }

  /**
   * Whether a write that may create made an item: no revision was there before, and nothing is
   * there that the write did not touch.
   */
  boolean isCreated(Map<String, AttributeValue> item, Marking call, Set<String> touched) {
    AttributeValue birth = item.get(names.birth());
    return birth != null
        && birth.equals(Values.toNative((Object) call.token()))
        && item.keySet().stream()
            .allMatch(
                name ->
                    names.owns(name)
                        || touched.contains(name)
                        || keys.attributes().contains(name)
                        || counters.attributes().contains(name));
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
    Map<String, AttributeValue> mapped = new LinkedHashMap<>(item);
    mapped.keySet().removeIf(names::owns);
    if (marksAttribute != null) {
      Marks marks = Marks.of(marks(item, names::owns));
      mapped.put(marksAttribute, MarksConverter.toAttribute(marks));
    }
    try {
      return schema.mapToItem(mapped);
    } catch (RuntimeException e) {
      throw new CorruptRecordException(
          "the stored entity cannot be mapped to "
              + schema.itemType().rawClass().getName()
              + properties.unreadable(mapped).orElse(""),
          null,
          Faults.silent(e));
    }
  }

  /** An entity with its key put in. */
  T withKey(T entity, Map<String, AttributeValue> key) {
    Map<String, AttributeValue> mapped = new LinkedHashMap<>(schema.itemToMap(entity, true));
    mapped.putAll(key);
    return schema.mapToItem(mapped);
  }

  /** The attributes of an entity that a store may write. */
  Map<String, AttributeValue> attributes(T entity) {
    return attributes(entity, true);
  }

  /** The same, with NULL for what is null unless that is ignored. */
  Map<String, AttributeValue> attributes(T entity, boolean ignoringNulls) {
    Map<String, AttributeValue> mapped =
        new LinkedHashMap<>(schema.itemToMap(entity, ignoringNulls));
    mapped.keySet().removeAll(unmapped);
    mapped.keySet().removeAll(counters.attributes());
    return mapped;
  }

  /** What makes the one out of the other. */
  List<Operation> difference(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    requireKey(before, after);
    List<Operation> operations = new ArrayList<>();
    after.forEach(
        (name, value) -> {
          if (!value.equals(before.get(name))) {
            operations.add(new Assign(Path.of(name), value));
          }
        });
    before.keySet().stream()
        .filter(name -> !after.containsKey(name))
        .forEach(name -> operations.add(new Remove(Path.of(name))));
    return operations;
  }

  /** Refuses a function that changed the key. */
  void requireKey(Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    if (!keys.of(before).equals(keys.of(after))) {
      throw new IllegalArgumentException("the function must not change the key");
    }
  }

  /** That the stored version is the one that an entity has, as the Enhanced Client would ask. */
  List<Condition> isVersionOf(T entity) {
    List<Condition> conditions = new ArrayList<>();
    for (String name : counters.versions()) {
      AttributeValue version = schema.attributeValue(entity, name);
      Attribute stored = Condition.attribute(Path.of(name));
      boolean none = version == null || version.n() == null;
      boolean first = !none && Long.parseLong(version.n()) == counters.start(name);
      conditions.add(
          none
              ? stored.isMissing()
              : first ? stored.isMissing().or(stored.is(version)) : stored.is(version));
    }
    return conditions;
  }

  /** Refuses an attribute that the caller's own expressions may not write. */
  void checkNativeChange(String attribute) {
    if (names.owns(attribute)) {
      throw new IllegalArgumentException("attribute '" + attribute + "' is tracking's own");
    }
    if (keys.attributes().contains(attribute)
        || counters.attributes().contains(attribute)
        || unmapped.contains(attribute)) {
      throw new IllegalArgumentException(
          "attribute '" + attribute + "' is the key, or written by the store");
    }
  }

  /** The message that an entity is being written for. */
  Optional<Processing> processing(T entity) {
    return attributeOf(schema, Processing.class)
        .map(name -> schema.attributeValue(entity, name))
        .filter(AttributeValue::hasL)
        .map(value -> new ProcessingConverter().transformTo(value));
  }

  /** Whether entities have a property of type {@link Marks}. */
  boolean carriesMarks() {
    return marksAttribute != null;
  }

  /** The marks that an entity carries; none where it has no such property, or null in it. */
  Marks marks(T entity) {
    AttributeValue marks =
        marksAttribute == null ? null : schema.attributeValue(entity, marksAttribute);
    return marks == null || !marks.hasL() ? Marks.none() : new MarksConverter().transformTo(marks);
  }

  /** Whether the version that an entity has is not the stored one. */
  boolean isStaleVersion(T entity, Map<String, AttributeValue> item) {
    return counters.versions().stream()
        .anyMatch(
            name -> {
              String own = number(schema.attributeValue(entity, name));
              String stored = number(item.get(name));
              boolean first = own == null || Long.parseLong(own) == counters.start(name);
              return stored == null ? !first : !stored.equals(own);
            });
  }

  private static @Nullable String number(@Nullable AttributeValue value) {
    return value == null ? null : value.n();
  }

  /** Whether an attribute is written once only, as its annotation says. */
  UpdateBehavior updateBehavior(String attribute) {
    return UpdateBehaviorTag.resolveForAttribute(attribute, schema.tableMetadata());
  }
}
