package dev.tidemark.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.PushOptions;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Operation;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Portable changes in MongoDB's own words, by every method that native updates have. Empty where
 * operators mean something else: {@code $set} makes parents, there is no "set if absent", an array
 * from which the last element is taken stays, and an upsert takes no filter.
 */
final class NativeChanges {
  private NativeChanges() {}

  static Optional<EntityUpdate> of(Change change) {
    List<Bson> operators = new ArrayList<>();
    for (Operation operation : change.operations()) {
      Bson operator = operator(operation);
      if (operator == null) {
        return Optional.empty();
      }
      operators.add(operator);
    }
    Bson filter = change.condition().map(NativeChanges::filter).orElse(null);
    boolean ruled = change.condition().isPresent();
    if (operators.isEmpty() || (ruled && (filter == null || change.rules().creates()))) {
      return Optional.empty();
    }
    // there are no elements to choose among, and the filters of none choose nothing
    MongoNativeUpdate update =
        MongoNativeUpdate.of(Updates.combine(operators)).arrayFilters(List.of());
    return Optional.of(ruled(filter == null ? update : update.onlyIf(filter), change.rules()));
  }

  private static EntityUpdate ruled(MongoNativeUpdate start, EntityUpdate.Rules rules) {
    MongoNativeUpdate update = start;
    update = rules.creates() ? update.createIfMissing() : update;
    update = rules.revives() ? update.recreate() : update;
    update = rules.skipsOtherwise() ? update.otherwiseSkip() : update;
    update = rules.returns() ? update.returning() : update;
    for (Source source : rules.retired()) {
      update = update.retire(source);
    }
    for (OutgoingMessage message : rules.published()) {
      update = update.publish(message);
    }
    return update;
  }

  private static @Nullable Bson operator(Operation operation) {
    if (operation.path().segments().size() > 1) {
      return null;
    }
    String field = operation.path().segments().get(0);
    return switch (operation.kind()) {
      case ASSIGN -> Updates.set(field, operation.value());
      case INCREASE -> Updates.inc(field, operation.amount().longValue());
      case APPEND_ALL ->
          Updates.pushEach(field, List.copyOf(operation.elements()), new PushOptions());
      case ADD_ALL -> Updates.addEachToSet(field, List.copyOf(operation.elements()));
      case REMOVE -> Updates.unset(field);
      case ASSIGN_IF_ABSENT, REMOVE_ALL -> null;
    };
  }

  /** A filter that means the same of scalars; null for rules that nobody has translated. */
  private static @Nullable Bson filter(Condition condition) {
    if (!(condition instanceof Condition.Test test) || test.path().segments().size() > 1) {
      return null;
    }
    String field = test.path().segments().get(0);
    return switch (test.operator()) {
      case EQUAL -> Filters.eq(field, test.value());
      case LESS -> Filters.lt(field, test.value());
      case AT_MOST -> Filters.lte(field, test.value());
      case GREATER -> Filters.gt(field, test.value());
      case AT_LEAST -> Filters.gte(field, test.value());
      case EXISTS -> Filters.exists(field);
      case IN -> Filters.in(field, test.values());
      case CONTAINS, SIZE_BELOW, OF_KIND -> null;
    };
  }
}
