package dev.tidemark.lab.checkout;

import dev.tidemark.MessageId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One checkout: its key, and what its clients were told. For any number of threads. */
final class Order {
  /** The scope of the service's filter, and its controller's name for the order's ID. */
  private static final String SCOPE = "http";

  private static final String STEP = "order";

  private final String key;
  private final String id;
  private final int copies;
  private final boolean abandoned;
  private final AtomicReference<@Nullable String> first = new AtomicReference<>();
  private final AtomicInteger different = new AtomicInteger();

  /**
   * An order.
   *
   * @param key of idempotency
   * @param copies how many requests at once
   * @param abandoned whether its client never comes again after the first answer or fault
   */
  Order(String key, int copies, boolean abandoned) {
    this.key = key;
    this.id = id(key);
    this.copies = copies;
    this.abandoned = abandoned;
  }

  /** As the page on idempotency keys says: what a step hands on. */
  private static String id(String key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(MessageId.of(SCOPE, key).value().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      byte[] bytes = digest.digest(STEP.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(bytes, bytes.length / 2));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  String key() {
    return key;
  }

  /** The order's, at the service and at the payment provider. */
  String id() {
    return id;
  }

  int copies() {
    return copies;
  }

  boolean isAbandoned() {
    return abandoned;
  }

  /** Notes a receipt. */
  void told(String receipt) {
    if (!first.compareAndSet(null, receipt) && !receipt.equals(first.get())) {
      different.incrementAndGet();
    }
  }

  /** Whether a client has a receipt. */
  boolean isDone() {
    return first.get() != null;
  }

  /** Whether every receipt was like the first, and of this order. */
  boolean isAlike() {
    String receipt = first.get();
    return different.get() == 0
        && (receipt == null || receipt.contains("\"orderId\":\"" + id + "\""));
  }
}
