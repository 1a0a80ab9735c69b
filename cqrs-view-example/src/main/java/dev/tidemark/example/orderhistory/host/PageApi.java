package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.settings.Settings;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the page has to know of the service before it shows anything. */
@RestController
record PageApi(Settings settings) {
  /**
   * The service.
   *
   * @param store where its views are
   * @param carrier what brings its events
   * @param board whether {@code /api/board} is there
   */
  record About(String store, String carrier, boolean board) {}

  @GetMapping("/api/page")
  About about() {
    return new About(settings.store(), settings.carrier(), settings.showBoard());
  }
}
