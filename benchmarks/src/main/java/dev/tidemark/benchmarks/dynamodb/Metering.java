package dev.tidemark.benchmarks.dynamodb;

import dev.tidemark.benchmarks.measure.Meter;
import java.util.Collection;
import java.util.List;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/** Counts what leaves for DynamoDB, and asks what it bills where that is wanted. */
final class Metering implements ExecutionInterceptor {
  private final Meter meter;
  private final boolean asksForUnits;

  Metering(Meter meter, boolean asksForUnits) {
    this.meter = meter;
    this.asksForUnits = asksForUnits;
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    SdkRequest request = context.request();
    if (!asksForUnits) {
      return request;
    }
    SdkRequest.Builder builder = request.toBuilder();
    for (SdkField<?> field : request.sdkFields()) {
      if (field.memberName().equals("ReturnConsumedCapacity")) {
        field.set(builder, ReturnConsumedCapacity.TOTAL.toString());
      }
    }
    return builder.build();
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    meter.request();
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    if (asksForUnits) {
      units(context.response());
    }
  }

  private void units(SdkResponse response) {
    Object consumed = response.getValueForField("ConsumedCapacity", Object.class).orElse(List.of());
    Collection<?> all = consumed instanceof Collection<?> some ? some : List.of(consumed);
    for (Object one : all) {
      meter.units(((ConsumedCapacity) one).capacityUnits());
    }
  }
}
