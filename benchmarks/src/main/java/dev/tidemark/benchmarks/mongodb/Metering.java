package dev.tidemark.benchmarks.mongodb;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.benchmarks.measure.Meter;

/** Counts the commands that leave for MongoDB. */
record Metering(Meter meter) implements CommandListener {
  @Override
  public void commandStarted(CommandStartedEvent event) {
    meter.request();
  }
}
