package dev.tidemark.dynamodb;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.extensions.annotations.DynamoDbAtomicCounter;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbImmutable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

/** An immutable class with a composite key and an atomic counter. */
@DynamoDbImmutable(builder = Visit.Builder.class)
public final class Visit {
  private final @Nullable String user;
  private final @Nullable Long at;
  private final @Nullable String page;
  private final @Nullable Long count;

  private Visit(Builder builder) {
    this.user = builder.user;
    this.at = builder.at;
    this.page = builder.page;
    this.count = builder.count;
  }

  public static Builder builder() {
    return new Builder();
  }

  Builder toBuilder() {
    return builder().user(user).at(at).page(page).count(count);
  }

  @DynamoDbPartitionKey
  public @Nullable String user() {
    return user;
  }

  @DynamoDbSortKey
  public @Nullable Long at() {
    return at;
  }

  public @Nullable String page() {
    return page;
  }

  @DynamoDbAtomicCounter
  public @Nullable Long count() {
    return count;
  }

  /** Makes visits. */
  public static final class Builder {
    private @Nullable String user;
    private @Nullable Long at;
    private @Nullable String page;
    private @Nullable Long count;

    private Builder() {}

    public Builder user(@Nullable String user) {
      this.user = user;
      return this;
    }

    public Builder at(@Nullable Long at) {
      this.at = at;
      return this;
    }

    public Builder page(@Nullable String page) {
      this.page = page;
      return this;
    }

    public Builder count(@Nullable Long count) {
      this.count = count;
      return this;
    }

    public Visit build() {
      return new Visit(this);
    }
  }
}
