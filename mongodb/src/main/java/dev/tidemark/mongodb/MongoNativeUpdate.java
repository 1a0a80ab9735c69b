package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Rules;
import dev.tidemark.Source;
import java.util.List;
import java.util.Objects;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * An update by MongoDB's own operators, with whatever power these have: {@code
 * MongoNativeUpdate.of(combine(inc("lines.$[big].quantity", 1), max("highest", 7)))}. The store
 * merges guard and mark into the same command. Nested paths mean what they mean to MongoDB: missing
 * parents are created. Immutable; each method returns a new update.
 */
public final class MongoNativeUpdate implements EntityUpdate {
  private final Bson operators;
  private final @Nullable Bson filter;
  private final List<Bson> arrayFilters;
  private final Rules rules;

  private MongoNativeUpdate(
      Bson operators, @Nullable Bson filter, List<Bson> arrayFilters, Rules rules) {
    this.operators = operators;
    this.filter = filter;
    this.arrayFilters = List.copyOf(arrayFilters);
    this.rules = rules;
  }

  /**
   * An update of an entity that must exist.
   *
   * @param operators update operators, as {@code com.mongodb.client.model.Updates} makes them; no
   *     pipeline, no whole document
   * @return the update
   */
  public static MongoNativeUpdate of(Bson operators) {
    Objects.requireNonNull(operators, "operators");
    return new MongoNativeUpdate(operators, null, List.of(), Rules.defaults());
  }

  /**
   * Makes the update only if a filter matches the entity, else Refused. Replaces an earlier filter.
   * Not together with {@link #createIfMissing}, since an upsert would store what the filter equals.
   *
   * @param filter any filter that MongoDB's {@code $match} takes
   * @return this update under that filter
   */
  public MongoNativeUpdate onlyIf(Bson filter) {
    return new MongoNativeUpdate(operators, Objects.requireNonNull(filter), arrayFilters, rules);
  }

  /**
   * Says which elements {@code $[name]} means.
   *
   * @param filters as {@code UpdateOptions} takes them
   * @return this update with those filters
   */
  public MongoNativeUpdate arrayFilters(List<? extends Bson> filters) {
    return new MongoNativeUpdate(operators, filter, List.copyOf(filters), rules);
  }

  /**
   * Creates the entity where it is missing, by an upsert; a deleted one stays deleted.
   *
   * @return this update, creating
   */
  public MongoNativeUpdate createIfMissing() {
    return with(rules.createIfMissing());
  }

  /**
   * Creates the entity where it is missing, and also where it was deleted, keeping its marks.
   *
   * @return this update, creating and reviving
   */
  public MongoNativeUpdate recreate() {
    return with(rules.recreate());
  }

  /**
   * Records the message also where {@link #onlyIf} refuses the update.
   *
   * @return this update, recording refused messages
   */
  public MongoNativeUpdate otherwiseSkip() {
    return with(rules.otherwiseSkip());
  }

  /**
   * Drops the mark of a source in the same write, as {@link Change#retire} does.
   *
   * @param source a source that sends no further events
   * @return this update and that
   */
  public MongoNativeUpdate retire(Source source) {
    return with(rules.retire(source));
  }

  /**
   * Asks for the entity in the outcome, as it is after the update.
   *
   * @return this update, returning the entity
   */
  public MongoNativeUpdate returning() {
    return with(rules.returning());
  }

  private MongoNativeUpdate with(Rules with) {
    return new MongoNativeUpdate(operators, filter, arrayFilters, with);
  }

  Bson operators() {
    return operators;
  }

  @Nullable Bson filter() {
    return filter;
  }

  List<Bson> arrayFilters() {
    return arrayFilters;
  }

  @Override
  public Rules rules() {
    return rules;
  }
}
