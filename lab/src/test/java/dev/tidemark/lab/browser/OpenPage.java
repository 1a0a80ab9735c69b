package dev.tidemark.lab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import dev.tidemark.lab.orders.Serve;
import dev.tidemark.lab.orders.SharedServe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A page for one test, in a browser and against a service that all tests of the JVM share. After
 * the test nothing may stand in the console but what the test expected.
 */
final class OpenPage implements AfterEachCallback {
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private Optional<BrowserContext> context = Optional.empty();
  private boolean failuresExpected;

  static { // what a page must show comes soon, but not on a machine that does much else
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  private static final class Shared {
    static final Chromium CHROMIUM = new Chromium();
  }

  /** The service; {@code -Dtidemark.page.store=mongodb} for one on MongoDB. */
  static Serve serve() {
    return SharedServe.on(System.getProperty("tidemark.page.store", "dynamodb"));
  }

  /** An empty tab of the usual size. */
  Page tab() {
    return tab(new NewContextOptions().setViewportSize(1280, 900));
  }

  Page tab(NewContextOptions options) {
    Chromium chromium = Shared.CHROMIUM;
    BrowserContext opened =
        chromium.browser().newContext(options.setLocale("en-GB").setTimezoneId("Europe/Berlin"));
    context = Optional.of(opened);
    opened.setDefaultTimeout(60_000);
    Page page = opened.newPage();
    page.onConsoleMessage(
        message -> {
          if (List.of("error", "warning").contains(message.type())) {
            complaints.add(message.text());
          }
        });
    page.onPageError(complaints::add);
    return page;
  }

  /** The page of a consumer, loaded and live. */
  Page of(String consumerId) {
    Page page = tab();
    show(page, consumerId);
    return page;
  }

  static void show(Page page, String consumerId) {
    Response unused = page.navigate(address(consumerId));
    assertThat(page.locator("#live")).hasText("Live");
    assertThat(page.locator("#orders")).hasAttribute("aria-busy", "false");
  }

  static String address(String consumerId) {
    return serve().url() + "/?consumer=" + consumerId;
  }

  static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** The cards of the orders that are shown. */
  static Locator cards(Page page) {
    return page.locator("#orders > li:not(.skeleton)");
  }

  /** Into docs with -Dtidemark.screenshots=write, else where it does no harm. */
  static void picture(Page page, String name) {
    boolean kept = System.getProperty("tidemark.screenshots", "").equals("write");
    Path folder = kept ? Path.of("..", "docs", "order-history") : Path.of("target", "screenshots");
    try {
      Path file = Files.createDirectories(folder).resolve(name);
      byte[] unused = page.screenshot(new ScreenshotOptions().setPath(file));
      assertTrue(Files.size(file) < 300_000, name + " has " + Files.size(file) + " bytes");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A button of the control panel, without the page. */
  static void press(Page page, String action, String consumerId) {
    APIResponse answer =
        page.request()
            .post(
                serve().url() + "/api/lab/" + action + "?consumerId=" + consumerId,
                RequestOptions.create().setHeader("Origin", serve().url()));
    if (!answer.ok()) {
      throw new AssertionError(action + " answers " + answer.status());
    }
  }

  /** Requests of this test fail on purpose; the browser says so in the console. */
  void failuresExpected() {
    failuresExpected = true;
  }

  @Override
  public void afterEach(ExtensionContext test) {
    context.ifPresent(BrowserContext::close);
    context = Optional.empty();
    List<String> unexpected =
        complaints.stream()
            .filter(text -> !(failuresExpected && text.startsWith("Failed to load resource")))
            .toList();
    if (!unexpected.isEmpty()) {
      throw new AssertionError("in the console: " + unexpected);
    }
  }
}
