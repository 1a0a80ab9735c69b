package dev.tidemark.dynamodb;

import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import dev.tidemark.marks.Marks;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.extensions.annotations.DynamoDbVersionAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbConvertedBy;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbFlatten;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/**
 * An order as the Enhanced Client maps it: converted, nested and flattened properties, a version.
 */
@DynamoDbBean
@Tracked(messageIds = @MessageIds(keptFor = "PT1H"))
public final class Order {
  /** A nested class. */
  @DynamoDbBean
  public static final class Address {
    private @Nullable String city;
    private @Nullable Integer zip;

    public @Nullable String getCity() {
      return city;
    }

    public void setCity(@Nullable String city) {
      this.city = city;
    }

    public @Nullable Integer getZip() {
      return zip;
    }

    public void setZip(@Nullable Integer zip) {
      this.zip = zip;
    }
  }

  /** A class whose properties become the order's attributes. */
  @DynamoDbBean
  public static final class Audit {
    private @Nullable Instant changedAt;

    public @Nullable Instant getChangedAt() {
      return changedAt;
    }

    public void setChangedAt(@Nullable Instant changedAt) {
      this.changedAt = changedAt;
    }
  }

  /** An enum. */
  public enum Status {
    PLACED,
    PAID
  }

  private @Nullable String id;
  private @Nullable Status status;
  private int total;
  private @Nullable Address address;
  private @Nullable Audit audit;
  private @Nullable Long version;
  private @Nullable Marks marks;
  private @Nullable Processing processing;

  static Order of(String id, Status status, int total) {
    Order order = new Order();
    order.id = id;
    order.status = status;
    order.total = total;
    order.marks = Marks.none();
    return order;
  }

  Order paid(int amount) {
    status = Status.PAID;
    total += amount;
    return this;
  }

  Order processing(dev.tidemark.Message message) {
    processing = Processing.of(message);
    return this;
  }

  @DynamoDbPartitionKey
  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }

  public @Nullable Status getStatus() {
    return status;
  }

  public void setStatus(@Nullable Status status) {
    this.status = status;
  }

  public int getTotal() {
    return total;
  }

  public void setTotal(int total) {
    this.total = total;
  }

  public @Nullable Address getAddress() {
    return address;
  }

  public void setAddress(@Nullable Address address) {
    this.address = address;
  }

  @DynamoDbFlatten
  public @Nullable Audit getAudit() {
    return audit;
  }

  public void setAudit(@Nullable Audit audit) {
    this.audit = audit;
  }

  @DynamoDbVersionAttribute
  public @Nullable Long getVersion() {
    return version;
  }

  public void setVersion(@Nullable Long version) {
    this.version = version;
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

  long version() {
    return Objects.requireNonNull(version);
  }
}
