package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens the carrier that the settings name, for each attempt anew. */
final class Carriers {
  private final String name;
  private final @Nullable Supplier<OpenCarrier> open;

  Carriers(String name, @Nullable Supplier<OpenCarrier> open) {
    this.name = name;
    this.open = open;
  }

  /**
   * Reads what the carrier needs.
   *
   * @throws IllegalArgumentException if {@code CARRIER} names none, or a setting of it is missing
   */
  static Carriers of(
      Settings settings,
      Generations generations,
      BatchWatch watch,
      MeterRegistry registry,
      Clock clock) {
    String name = settings.get(Setting.CARRIER, "");
    return switch (name) {
      case "" -> new Carriers(name, null);
      case "kafka" -> new Carriers(name, OpenKafka.with(settings, watch, registry, clock));
      case "sqs" -> new Carriers(name, OpenSqs.with(settings, watch, registry, clock));
      case "change-stream" ->
          new Carriers(name, OpenChangeStream.with(settings, generations, watch, clock));
      default ->
          throw new IllegalArgumentException(
              "CARRIER must be kafka, sqs or change-stream, was " + name);
    };
  }

  String name() {
    return name;
  }

  boolean any() {
    return open != null;
  }

  /** Makes its connections; only where there is {@link #any}. */
  OpenCarrier open() {
    return Objects.requireNonNull(open, "no carrier").get();
  }
}
