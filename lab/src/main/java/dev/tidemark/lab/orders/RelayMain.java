package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.host.Application;
import java.io.IOException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * The service without a web server, as the relay of the lab, in a process of its own that can be
 * killed. It ends when its parent does.
 */
public final class RelayMain {
  private RelayMain() {}

  /**
   * Relays until the process ends.
   *
   * @param args none: settings are environment variables
   */
  public static void main(String... args) {
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    Thread service =
        new Thread(
            () ->
                new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .run(args),
            "service");
    service.start();
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
