package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import org.springframework.context.ApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the page has to know of the service before it shows anything. */
@RestController
final class PageApi {
  private final About about;

  PageApi(Settings settings, ApplicationContext context) {
    about =
        new About(
            settings.get(Setting.STORE, "dynamodb"),
            settings.get(Setting.CARRIER, "none"),
            context.containsBean("boardApi"));
  }

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
    return about;
  }
}
