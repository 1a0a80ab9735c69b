package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.relay.StatusRelay;
import dev.tidemark.example.orderhistory.relay.StatusSender;
import dev.tidemark.example.orderhistory.store.Settings;
import java.io.IOException;
import java.time.Clock;

/**
 * The relay of the lab, in a process of its own that can be killed. It ends when its parent does.
 */
public final class RelayMain {
  private RelayMain() {}

  /**
   * Relays until the process ends.
   *
   * @param args none: settings are environment variables
   */
  public static void main(String... args) {
    Settings settings = new Settings(System.getenv());
    Thread parent = new Thread(RelayMain::endWithParent, "parent");
    parent.setDaemon(true);
    parent.start();
    try (Generations generations = settings.open(null, Clock.systemUTC());
        StatusSender sender = StatusSender.of(settings)) {
      StatusRelay.of(generations, sender, pass -> {}).run();
    }
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // nothing is told: the end of the stream is the end of the parent
      }
    } catch (IOException e) {
      // so is an error
    }
    Runtime.getRuntime().halt(0);
  }
}
