package dev.tidemark.mongodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.codecs.configuration.CodecRegistry;

/** Conditions and operations over the values that are read back, for what the kernel evaluates. */
final class Neutral {
  private final CodecRegistry registry;
  private final Condition.Tests<Condition> tests;
  private final Condition.Cases<Condition> cases;
  private final Operation.Cases<Operation> operations;

  Neutral(CodecRegistry registry) {
    this.registry = registry;
    this.tests =
        new Condition.Tests<>(
            test -> new Condition.Compare(test.path(), test.operator(), value(test.value())),
            exists -> exists,
            in -> new Condition.In(in.path(), in.values().stream().map(this::value).toList()),
            contains -> new Condition.Contains(contains.path(), value(contains.value())),
            below -> below,
            ofKind -> ofKind);
    this.cases =
        new Condition.Cases<>(
            and -> new Condition.And(and.all().stream().map(this::condition).toList()),
            or -> new Condition.Or(or.any().stream().map(this::condition).toList()),
            not -> new Condition.Not(condition(not.condition())),
            test -> test.match(tests));
    this.operations =
        new Operation.Cases<>(
            assign -> assign,
            assign -> assign,
            increase ->
                value(increase.amount()) instanceof Number amount
                    ? new Operation.Increase(increase.path(), amount)
                    : increase,
            append -> append,
            add -> new Operation.AddAll(add.path(), set(add.elements())),
            remove -> new Operation.RemoveAll(remove.path(), set(remove.elements())),
            remove -> remove);
  }

  Condition condition(Condition condition) {
    return condition.match(cases);
  }

  List<Operation> operations(List<Operation> operations) {
    return operations.stream().<Operation>map(one -> one.match(this.operations)).toList();
  }

  private Set<Object> set(Collection<Object> elements) {
    Set<Object> set = new LinkedHashSet<>();
    elements.forEach(element -> set.add(value(element)));
    return set;
  }

  private Object value(Object value) {
    return Values.decode(Values.encode(value, registry));
  }
}
