package dev.tidemark.mongodb;

import dev.tidemark.Operation;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.codecs.configuration.CodecRegistry;

/** Operations over the values that are read back, for what the kernel evaluates. */
final class Neutral {
  private final CodecRegistry registry;
  private final Operation.Cases<Operation> operations;

  Neutral(CodecRegistry registry) {
    this.registry = registry;
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
