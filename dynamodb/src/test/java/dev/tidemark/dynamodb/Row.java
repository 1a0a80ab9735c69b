package dev.tidemark.dynamodb;

import dev.tidemark.Tracked;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.BeanTableSchemaParams;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbConvertedBy;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A tracked class without a version and without marks, with a bean nested in it. */
@DynamoDbBean
@Tracked
public final class Row {
  static final TableSchema<Row> SCHEMA =
      TableSchema.fromBean(
          BeanTableSchemaParams.builder(Row.class).lookup(MethodHandles.lookup()).build());

  private @Nullable String id;
  private @Nullable String status;
  private @Nullable Long total;
  private @Nullable Inner inner;
  private @Nullable Processing processing;

  static Row of(String id) {
    Row row = new Row();
    row.id = id;
    return row;
  }

  Row status(@Nullable String to) {
    status = to;
    return this;
  }

  Row inner(Inner to) {
    inner = to;
    return this;
  }

  Row processing(Processing to) {
    processing = to;
    return this;
  }

  @DynamoDbPartitionKey
  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }

  public @Nullable String getStatus() {
    return status;
  }

  public void setStatus(@Nullable String status) {
    this.status = status;
  }

  public @Nullable Long getTotal() {
    return total;
  }

  public void setTotal(@Nullable Long total) {
    this.total = total;
  }

  public @Nullable Inner getInner() {
    return inner;
  }

  public void setInner(@Nullable Inner inner) {
    this.inner = inner;
  }

  @DynamoDbConvertedBy(ProcessingConverter.class)
  public @Nullable Processing getProcessing() {
    return processing;
  }

  public void setProcessing(@Nullable Processing processing) {
    this.processing = processing;
  }

  /** Whose nulls are stored as NULL. */
  @DynamoDbBean
  public static final class Inner {
    private @Nullable String city;
    private @Nullable Long count;
    private @Nullable List<String> lines;
    private @Nullable Set<String> tags;
    private @Nullable Map<String, Long> sums;

    Inner city(@Nullable String to) {
      city = to;
      return this;
    }

    Inner sums(@Nullable Map<String, Long> to) {
      sums = to;
      return this;
    }

    public @Nullable String getCity() {
      return city;
    }

    public void setCity(@Nullable String city) {
      this.city = city;
    }

    public @Nullable Long getCount() {
      return count;
    }

    public void setCount(@Nullable Long count) {
      this.count = count;
    }

    public @Nullable List<String> getLines() {
      return lines;
    }

    public void setLines(@Nullable List<String> lines) {
      this.lines = lines;
    }

    public @Nullable Set<String> getTags() {
      return tags;
    }

    public void setTags(@Nullable Set<String> tags) {
      this.tags = tags;
    }

    public @Nullable Map<String, Long> getSums() {
      return sums;
    }

    public void setSums(@Nullable Map<String, Long> sums) {
      this.sums = sums;
    }
  }
}
