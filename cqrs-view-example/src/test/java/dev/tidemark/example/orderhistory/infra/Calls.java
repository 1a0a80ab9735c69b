package dev.tidemark.example.orderhistory.infra;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Writes down which actions clients ask for, and on what, as rights would have to allow them. */
final class Calls implements ExecutionInterceptor {
  private static final Map<String, String> SERVICES = Map.of("DynamoDb", "dynamodb", "Sqs", "sqs");

  /** What clients of the streams of tables call their service. */
  private static final String STREAMS = "DynamoDbStreams";

  private final UnaryOperator<String> resources;
  private final UnaryOperator<String> indexes;
  private final Map<String, Set<String>> made = new TreeMap<>();

  /** Resources are known by the name of a table or the URL of a queue; a table has one index. */
  Calls(UnaryOperator<String> resources) {
    this(resources, index -> "Index");
  }

  /** The same for tables with several indexes, each of which adds something to its table's name. */
  Calls(UnaryOperator<String> resources, UnaryOperator<String> indexes) {
    this.resources = resources;
    this.indexes = indexes;
  }

  /** Actions by resource. */
  synchronized Map<String, Set<String>> made() {
    return new TreeMap<>(made);
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    String service = attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME);
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    String action = SERVICES.getOrDefault(service, service) + ":" + single(service, operation);
    if (context.request() instanceof TransactWriteItemsRequest transaction) {
      transaction.transactItems().forEach(this::note);
    }
    if (context.request() instanceof BatchExecuteStatementRequest batch) {
      batch.statements().forEach(this::note);
    }
    if (service.equals(STREAMS)) { // a request for records names no stream
      note("orderHistoryStream", "dynamodb:" + operation);
    }
    named(context.request()).forEach(resource -> note(resource, action));
  }

  /** A statement takes a right of its own, by its first word, for the table that it quotes. */
  private void note(BatchStatementRequest statement) {
    String table = statement.statement().split("\"", 3)[1];
    boolean deletes = statement.statement().startsWith("DELETE ");
    note(resources.apply(table), deletes ? "dynamodb:PartiQLDelete" : "dynamodb:PartiQLUpdate");
  }

  /** A transaction takes the rights of its writes. */
  private void note(TransactWriteItem item) {
    if (item.put() != null) {
      note(resources.apply(item.put().tableName()), "dynamodb:PutItem");
    }
    if (item.update() != null) {
      note(resources.apply(item.update().tableName()), "dynamodb:UpdateItem");
    }
  }

  /** SQS allows a batch under the name of its single call; DynamoDB has a right for each. */
  private static String single(String service, String operation) {
    return service.equals("Sqs") && operation.endsWith("Batch")
        ? operation.substring(0, operation.length() - "Batch".length())
        : operation;
  }

  private Stream<String> named(SdkRequest request) {
    if (request instanceof BatchGetItemRequest batch) {
      return batch.requestItems().keySet().stream().map(resources);
    }
    String index = request.getValueForField("IndexName", String.class).orElse("");
    return Stream.of("TableName", "QueueUrl")
        .flatMap(field -> request.getValueForField(field, String.class).stream())
        .map(name -> resources.apply(name) + (index.isEmpty() ? "" : indexes.apply(index)));
  }

  private synchronized void note(String resource, String action) {
    made.computeIfAbsent(resource, r -> new TreeSet<>()).add(action);
  }
}
