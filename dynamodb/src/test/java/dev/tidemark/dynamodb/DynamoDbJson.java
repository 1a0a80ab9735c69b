package dev.tidemark.dynamodb;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads DynamoDB's JSON of items. */
final class DynamoDbJson {
  private DynamoDbJson() {}

  static Map<String, AttributeValue> item(String json) {
    return members(JsonNode.parser().parse(json));
  }

  /** What is stored under the {@code key} of an item, in its place; empty if it is that item. */
  static Optional<String> beside(DynamoDbClient client, String table, String json) {
    Map<String, AttributeValue> item = item(json);
    Map<String, AttributeValue> stored =
        client
            .getItem(
                r ->
                    r.tableName(table)
                        .key(Map.of("key", Objects.requireNonNull(item.get("key"))))
                        .consistentRead(true))
            .item();
    return stored.equals(item) ? Optional.empty() : Optional.of(stored.toString());
  }

  private static Map<String, AttributeValue> members(JsonNode node) {
    Map<String, AttributeValue> members = new LinkedHashMap<>();
    node.asObject().forEach((name, value) -> members.put(name, value(value)));
    return members;
  }

  private static AttributeValue value(JsonNode node) {
    Map.Entry<String, JsonNode> typed = node.asObject().entrySet().iterator().next();
    JsonNode value = typed.getValue();
    return switch (typed.getKey()) {
      case "S" -> AttributeValue.fromS(value.asString());
      case "N" -> AttributeValue.fromN(value.asString());
      case "B" -> AttributeValue.fromB(bytes(value));
      case "BOOL" -> AttributeValue.fromBool(value.asBoolean());
      case "NULL" -> AttributeValue.fromNul(true);
      case "SS" -> AttributeValue.fromSs(strings(value));
      case "NS" -> AttributeValue.fromNs(strings(value));
      case "BS" ->
          AttributeValue.fromBs(value.asArray().stream().map(DynamoDbJson::bytes).toList());
      case "L" -> AttributeValue.fromL(value.asArray().stream().map(DynamoDbJson::value).toList());
      case "M" -> AttributeValue.fromM(members(value));
      default -> throw new IllegalArgumentException("no type of DynamoDB: " + typed.getKey());
    };
  }

  private static List<String> strings(JsonNode array) {
    return array.asArray().stream().map(JsonNode::asString).toList();
  }

  private static SdkBytes bytes(JsonNode base64) {
    return SdkBytes.fromByteArray(Base64.getDecoder().decode(base64.asString()));
  }
}
