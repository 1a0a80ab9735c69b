package dev.tidemark.benchmarks.outgoing;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Sums what DynamoDB bills, by units of reads and of writes: as DynamoDB Local tells it, or by the
 * service's rules where that is known to differ. For one thread.
 */
final class Billing implements ExecutionInterceptor {
  private static final Set<Class<?>> READS =
      Set.of(GetItemRequest.class, BatchGetItemRequest.class, QueryRequest.class);

  private Bill bill = new Bill(0, 0, 0);

  Bill bill() {
    return bill;
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    SdkRequest.Builder builder = context.request().toBuilder();
    for (SdkField<?> field : context.request().sdkFields()) {
      if (field.memberName().equals("ReturnConsumedCapacity")) {
        field.set(builder, ReturnConsumedCapacity.TOTAL.toString());
      }
    }
    return builder.build();
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    bill = new Bill(bill.requests() + 1, bill.writes(), bill.reads());
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    SdkRequest request = context.request();
    Object told =
        context.response().getValueForField("ConsumedCapacity", Object.class).orElse(List.of());
    Collection<?> all = told instanceof Collection<?> some ? some : List.of(told);
    double units = 0;
    for (Object one : all) {
      units += ((ConsumedCapacity) one).capacityUnits();
    }
    bill =
        READS.contains(request.getClass())
            ? new Bill(bill.requests(), bill.writes(), bill.reads() + reads(request, units))
            : new Bill(bill.requests(), bill.writes() + writes(request, units), bill.reads());
  }

  /** A query that finds nothing is billed by the service, and not by DynamoDB Local. */
  private static double reads(SdkRequest request, double told) {
    return request instanceof QueryRequest query
        ? Math.max(told, Boolean.TRUE.equals(query.consistentRead()) ? 1 : 0.5)
        : told;
  }

  /**
   * All items are small. DynamoDB Local tells a transaction's units wrong, and none of statements,
   * each of which takes an item out of the index here.
   */
  private static double writes(SdkRequest request, double told) {
    return request instanceof TransactWriteItemsRequest transaction
        ? 2 * transaction.transactItems().size()
        : request instanceof BatchExecuteStatementRequest batch
            ? 2 * batch.statements().size()
            : told;
  }
}
