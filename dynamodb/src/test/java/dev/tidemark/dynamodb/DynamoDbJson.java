package dev.tidemark.dynamodb;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads DynamoDB's JSON of items. */
final class DynamoDbJson {
  private DynamoDbJson() {}

  static Map<String, AttributeValue> item(String json) {
    return members(JsonNode.parser().parse(json));
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
