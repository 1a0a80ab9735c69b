package dev.tidemark.dynamodb;

import dev.tidemark.Operation;
import dev.tidemark.Operation.AddAll;
import dev.tidemark.Operation.AppendAll;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.AssignIfAbsent;
import dev.tidemark.Operation.Increase;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Operation.RemoveAll;
import dev.tidemark.dynamodb.Expressions.Clause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Renders operations as the clauses of one update expression. Mutable; for one request. */
final class Operations {
  private final Aliases aliases;
  private final List<String> sets = new ArrayList<>();
  private final List<String> removes = new ArrayList<>();
  private final List<String> adds = new ArrayList<>();
  private final List<String> deletes = new ArrayList<>();

  Operations(Aliases aliases) {
    this.aliases = aliases;
  }

  void add(Operation operation, Converter converter) {
    converter.checkChange(operation.path());
    String path = aliases.path(operation.path());
    if (operation instanceof Assign assign) {
      set(path, aliases.value(converter.value(assign.path(), assign.value())));
    } else if (operation instanceof AssignIfAbsent assign) {
      String value = aliases.value(converter.value(assign.path(), assign.value()));
      set(path, "if_not_exists(" + path + ", " + value + ")");
    } else if (operation instanceof Increase increase) {
      AttributeValue amount = converter.number(increase.path(), increase.amount());
      set(path, sum(path, AttributeValue.fromN("0"), amount));
    } else if (operation instanceof AppendAll append) {
      String list = aliases.value(converter.elements(append.path(), append.elements()));
      String none = aliases.value(AttributeValue.fromL(List.of()));
      set(path, "list_append(if_not_exists(" + path + ", " + none + "), " + list + ")");
    } else if (operation instanceof AddAll add) {
      adds.add(path + " " + aliases.value(converter.elements(add.path(), add.elements())));
    } else if (operation instanceof RemoveAll remove) {
      deletes.add(path + " " + aliases.value(converter.elements(remove.path(), remove.elements())));
    } else {
      removes.add(aliases.path(((Remove) operation).path()));
    }
  }

  /** A number that starts at some value where it is missing. */
  void count(String attribute, long start, long amount) {
    String path = aliases.name(attribute);
    set(path, sum(path, Values.toNative(start), Values.toNative(amount)));
  }

  /** Another attribute's value, or one given where that attribute is missing. */
  void copy(String attribute, String from, AttributeValue otherwise) {
    String source = aliases.name(from);
    set(aliases.name(attribute), "if_not_exists(" + source + ", " + aliases.value(otherwise) + ")");
  }

  /** An action that DynamoDB refuses if the condition is true: there is no such parent. */
  void fail() {
    removes.add(aliases.name("\u0000overflow") + "." + aliases.name("member"));
  }

  private String sum(String path, AttributeValue start, AttributeValue amount) {
    return "if_not_exists(" + path + ", " + aliases.value(start) + ") + " + aliases.value(amount);
  }

  private void set(String path, String value) {
    sets.add(path + " = " + value);
  }

  /** Actions of an update expression that somebody else wrote. */
  void addAll(Map<Clause, List<String>> actions) {
    sets.addAll(actions.getOrDefault(Clause.SET, List.of()));
    removes.addAll(actions.getOrDefault(Clause.REMOVE, List.of()));
    adds.addAll(actions.getOrDefault(Clause.ADD, List.of()));
    deletes.addAll(actions.getOrDefault(Clause.DELETE, List.of()));
  }

  String render() {
    List<String> clauses = new ArrayList<>();
    clause(clauses, "SET ", sets);
    clause(clauses, "REMOVE ", removes);
    clause(clauses, "ADD ", adds);
    clause(clauses, "DELETE ", deletes);
    return String.join(" ", clauses);
  }

  private static void clause(List<String> clauses, String keyword, List<String> actions) {
    if (!actions.isEmpty()) {
      clauses.add(keyword + String.join(", ", actions));
    }
  }
}
