package dev.tidemark.mongodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.codecs.configuration.CodecRegistry;

/** Conditions and operations over the values that are read back, for what the kernel evaluates. */
final class MongoNeutral {
  private final CodecRegistry registry;

  MongoNeutral(CodecRegistry registry) {
    this.registry = registry;
  }

  Condition condition(Condition condition) {
    if (condition instanceof Condition.And and) {
      return new Condition.And(and.all().stream().map(this::condition).toList());
    }
    if (condition instanceof Condition.Or or) {
      return new Condition.Or(or.any().stream().map(this::condition).toList());
    }
    if (condition instanceof Condition.Not not) {
      return new Condition.Not(condition(not.condition()));
    }
    if (condition instanceof Condition.Compare compare) {
      return new Condition.Compare(compare.path(), compare.operator(), value(compare.value()));
    }
    if (condition instanceof Condition.In in) {
      return new Condition.In(in.path(), in.values().stream().map(this::value).toList());
    }
    return condition instanceof Condition.Contains contains
        ? new Condition.Contains(contains.path(), value(contains.value()))
        : condition;
  }

  List<Operation> operations(List<Operation> operations) {
    return operations.stream().map(this::operation).toList();
  }

  private Operation operation(Operation operation) {
    if (operation instanceof Operation.Increase increase) {
      return value(increase.amount()) instanceof Number amount
          ? new Operation.Increase(increase.path(), amount)
          : increase;
    }
    if (operation instanceof Operation.AddAll add) {
      return new Operation.AddAll(add.path(), set(add.elements()));
    }
    return operation instanceof Operation.RemoveAll remove
        ? new Operation.RemoveAll(remove.path(), set(remove.elements()))
        : operation;
  }

  private Set<Object> set(Collection<Object> elements) {
    Set<Object> set = new LinkedHashSet<>();
    elements.forEach(element -> set.add(value(element)));
    return set;
  }

  private Object value(Object value) {
    return MongoValues.decode(MongoValues.encode(value, registry));
  }
}
