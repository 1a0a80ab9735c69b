package dev.tidemark.dynamodb;

import dev.tidemark.inbox.Handled;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * The stored form of an inbox's records.
 *
 * @param keptFor how long a message is remembered
 * @param clock tells expiry and leases
 */
record InboxRecords(String table, Duration keptFor, Clock clock) {
  private static final String KEY = "key";
  private static final String NONCE = "nonce";
  private static final String EXPIRES = "expires";

  /** On claims alone. */
  private static final String LEASE = "lease";

  /** That there is no record, or one whose time is over, or a claim whose lease is. */
  private static final String FREE =
      "attribute_not_exists(#key) OR #expires <= :now OR #lease < :millis";

  private static final Map<String, String> FREE_NAMES =
      Map.of("#key", KEY, "#expires", EXPIRES, "#lease", LEASE);

  private static final String OWN_CLAIM = "#nonce = :nonce AND attribute_exists(#lease)";

  private static final Map<String, String> OWN_NAMES = Map.of("#nonce", NONCE, "#lease", LEASE);

  static void createTable(DynamoDbClient client, String table) {
    client.createTable(
        create ->
            create
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName(KEY)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(
                    KeySchemaElement.builder().attributeName(KEY).keyType(KeyType.HASH).build()));
    client.waiter().waitUntilTableExists(r -> r.tableName(table));
    client.updateTimeToLive(
        r ->
            r.tableName(table)
                .timeToLiveSpecification(ttl -> ttl.attributeName(EXPIRES).enabled(true)));
  }

  /** Claims a message that nobody has. */
  InboxPart claim(String key, String nonce, Duration lease) {
    return part(key, nonce, whereFree(claimed(key, nonce, lease)));
  }

  /** Claims a message anew that is claimed under a nonce. */
  InboxPart claimAgain(String key, String before, String nonce, Duration lease) {
    return part(key, nonce, whereClaimed(claimed(key, nonce, lease), before));
  }

  /** Says that a message is handled which nobody has. */
  InboxPart handled(String key, String nonce) {
    return part(key, nonce, whereFree(item(key, nonce, keptFor)));
  }

  /** Says that a message is handled which is claimed under that nonce. */
  InboxPart handledAsClaimed(String key, String nonce) {
    return part(key, nonce, whereClaimed(item(key, nonce, keptFor), nonce));
  }

  private Put.Builder whereClaimed(Map<String, AttributeValue> item, String nonce) {
    return put(item)
        .conditionExpression(OWN_CLAIM)
        .expressionAttributeNames(OWN_NAMES)
        .expressionAttributeValues(own(nonce));
  }

  private InboxPart part(String key, String nonce, Put.Builder put) {
    return new InboxPart(this, key, nonce, put.build());
  }

  private Put.Builder put(Map<String, AttributeValue> item) {
    return Put.builder()
        .tableName(table)
        .item(item)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  private Put.Builder whereFree(Map<String, AttributeValue> item) {
    long now = clock.millis();
    return put(item)
        .conditionExpression(FREE)
        .expressionAttributeNames(FREE_NAMES)
        .expressionAttributeValues(Map.of(":now", number(now / 1000), ":millis", number(now)));
  }

  /** A claim is not forgotten while it holds. */
  private Map<String, AttributeValue> claimed(String key, String nonce, Duration lease) {
    Duration kept = lease.compareTo(keptFor) < 0 ? keptFor : lease;
    Map<String, AttributeValue> item = item(key, nonce, kept);
    item.put(LEASE, number(clock.millis() + lease.toMillis()));
    return item;
  }

  private Map<String, AttributeValue> item(String key, String nonce, Duration kept) {
    Map<String, AttributeValue> item = new HashMap<>(key(key));
    item.put(NONCE, AttributeValue.fromS(nonce));
    item.put(EXPIRES, number(Duration.ofMillis(clock.millis()).plus(kept).toSeconds() + 1));
    return item;
  }

  /** Gives up a claim of either nonce, unless it has ended. */
  void giveUp(DynamoDbClient client, String key, String nonce, String before) {
    client.deleteItem(
        delete ->
            delete
                .tableName(table)
                .key(key(key))
                .conditionExpression("#nonce IN (:nonce, :before) AND attribute_exists(#lease)")
                .expressionAttributeNames(OWN_NAMES)
                .expressionAttributeValues(
                    Map.of(
                        ":nonce",
                        AttributeValue.fromS(nonce),
                        ":before",
                        AttributeValue.fromS(before))));
  }

  /** A record that is in the inbox, and not expired; empty if there is none. */
  Map<String, AttributeValue> read(DynamoDbClient client, String key) {
    Map<String, AttributeValue> item =
        client.getItem(r -> r.tableName(table).key(key(key)).consistentRead(true)).item();
    AttributeValue expires = item.get(EXPIRES);
    boolean expired =
        expires != null
            && expires.n() != null
            && Long.parseLong(expires.n()) <= clock.millis() / 1000;
    return expired ? Map.of() : item;
  }

  /** What a record says to those who come later; one that has gone by now lets them try again. */
  <R> Handled<R> answer(Map<String, AttributeValue> found) {
    if (found.isEmpty()) {
      return new Handled.InFlight<>(Duration.ZERO);
    }
    AttributeValue lease = found.get(LEASE);
    if (lease == null || lease.n() == null) {
      return new Handled.Duplicate<>();
    }
    long left = Long.parseLong(lease.n()) - clock.millis() + 1;
    return new Handled.InFlight<>(Duration.ofMillis(Math.max(0, left)));
  }

  static boolean isClaim(Map<String, AttributeValue> item) {
    return item.containsKey(LEASE);
  }

  static String nonce(Map<String, AttributeValue> item) {
    AttributeValue nonce = item.get(NONCE);
    return nonce == null || nonce.s() == null ? "" : nonce.s();
  }

  static Map<String, AttributeValue> key(String key) {
    return Map.of(KEY, AttributeValue.fromS(key));
  }

  private static Map<String, AttributeValue> own(String nonce) {
    return Map.of(":nonce", AttributeValue.fromS(nonce));
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }
}
