package dev.tidemark.dynamodb;

import dev.tidemark.Message;
import dev.tidemark.Tracked;
import dev.tidemark.marks.Marks;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbConvertedBy;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A tracked class that carries its marks and has no version. */
@DynamoDbBean
@Tracked
public final class Account {
  private @Nullable String id;
  private int total;
  private @Nullable Marks marks;
  private @Nullable Processing processing;

  static Account of(String id) {
    Account account = new Account();
    account.id = id;
    account.marks = Marks.none();
    return account;
  }

  Account total(int newTotal) {
    total = newTotal;
    return this;
  }

  Account processing(Message message) {
    processing = Processing.of(message);
    return this;
  }

  Account marks(@Nullable Marks newMarks) {
    marks = newMarks;
    return this;
  }

  @DynamoDbPartitionKey
  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }

  public int getTotal() {
    return total;
  }

  public void setTotal(int total) {
    this.total = total;
  }

  @DynamoDbConvertedBy(MarksConverter.class)
  public @Nullable Marks getMarks() {
    return marks;
  }

  public void setMarks(@Nullable Marks marks) {
    this.marks = marks;
  }

  @DynamoDbConvertedBy(ProcessingConverter.class)
  public @Nullable Processing getProcessing() {
    return processing;
  }

  public void setProcessing(@Nullable Processing processing) {
    this.processing = processing;
  }
}
