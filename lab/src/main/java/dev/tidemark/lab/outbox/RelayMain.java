package dev.tidemark.lab.outbox;

import dev.tidemark.lab.outbox.Connection.Ear;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayBuilder;
import dev.tidemark.outbox.RelayPass;
import java.time.Duration;

/**
 * A relay in a process of its own, as it is deployed. SIGTERM stops it cleanly. It says what its
 * passes came to on its way out.
 */
final class RelayMain {
  private RelayMain() {}

  /**
   * Runs until it is stopped.
   *
   * @param args the store, its endpoint, the broker's URL, and the case
   */
  public static void main(String... args) {
    try (Connection connection = Connection.open(args[0], args[1])) {
      Case what = Case.valueOf(args[3]);
      Relay relay = relay(connection, args[2], what);
      Thread running = Thread.currentThread();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    relay.stop();
                    try {
                      running.join();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }));
      System.out.println("up");
      if (what.hears()) {
        Ear ear = connection.listens().apply(relay, what);
        Thread hearing = new Thread(() -> hear(ear), "stream");
        hearing.setDaemon(true);
        hearing.start();
      }
      relay.run();
    }
  }

  private static Relay relay(Connection connection, String broker, Case what) {
    RelayBuilder builder =
        Relay.builder(connection.outbox(), new BrokerSender(broker))
            .interval(what.hears() ? Duration.ofSeconds(5) : Duration.ofMillis(200))
            .retryAfter(Duration.ofMillis(50), what.longestPause())
            .parkAfter(5)
            .listener(RelayMain::tell);
    return (what.relays() > 1 ? builder.sharedBy(connection.leases()) : builder).build();
  }

  private static void hear(Ear ear) {
    while (true) {
      ear.poll();
    }
  }

  private static void tell(RelayPass pass) {
    if (pass.takenOver() > 0 || pass.prevented() > 0 || pass.parked() > 0 || pass.error() != null) {
      System.out.println(pass);
    }
  }
}
