package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conditions and actions of one conditional write, as they come together. Mutable; for one use. */
final class Update {
  private final Aliases aliases;
  private final Operations operations;
  private final String keyAttribute;
  private final List<String> conditions = new ArrayList<>();

  /** The placeholders start with a prefix that the caller's own do not have. */
  Update(String keyAttribute, String prefix) {
    this.keyAttribute = keyAttribute;
    this.aliases = new Aliases(prefix);
    this.operations = new Operations(aliases);
  }

  /** Requires something of tracking's attributes. */
  void require(Condition condition) {
    require(condition, Properties.OF_MARKS);
  }

  void require(Condition condition, Properties properties) {
    require(new Conditions(aliases, properties, keyAttribute).render(condition));
  }

  /** A condition as text, whose placeholders are given besides. */
  void require(String condition) {
    if (!condition.isEmpty()) {
      conditions.add(condition);
    }
  }

  void requireExists(boolean exists) {
    String key = aliases.name(keyAttribute);
    require((exists ? "attribute_exists(" : "attribute_not_exists(") + key + ")");
  }

  /** Changes tracking's attributes, or makes a change whose values are DynamoDB's already. */
  void change(Collection<? extends Operation> changes) {
    operations.addAll(changes, Properties.OF_MARKS);
  }

  Operations operations() {
    return operations;
  }

  /** The placeholders. */
  Aliases aliases() {
    return aliases;
  }

  String condition() {
    return String.join(" AND ", conditions);
  }

  Map<String, String> names() {
    return aliases.names();
  }

  /** The values; null for none, since DynamoDB refuses an empty map of them. */
  @Nullable Map<String, AttributeValue> values() {
    return aliases.values().isEmpty() ? null : aliases.values();
  }
}
