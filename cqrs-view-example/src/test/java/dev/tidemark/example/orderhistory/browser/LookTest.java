package dev.tidemark.example.orderhistory.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("browser")
@DisplayName("The page's look")
class LookTest {
  @RegisterExtension final OpenPage open = new OpenPage();

  private static NewContextOptions screen(int width, int height, ColorScheme scheme) {
    return new NewContextOptions().setViewportSize(width, height).setColorScheme(scheme);
  }

  /** Into docs with -Dtidemark.screenshots=write, else where it does no harm. */
  private static void picture(Page page, String name) throws IOException {
    assertThat(page.locator("#truth")).hasAttribute("data-state", "yes");
    boolean kept = System.getProperty("tidemark.screenshots", "").equals("write");
    Path folder = kept ? Path.of("..", "docs", "order-history") : Path.of("target", "screenshots");
    Path file = Files.createDirectories(folder).resolve(name);
    byte[] unused = page.screenshot(new ScreenshotOptions().setPath(file));
    assertTrue(Files.size(file) < 300_000, name + " has " + Files.size(file) + " bytes");
  }

  private static String background(Page page) {
    return (String) page.evaluate("getComputedStyle(document.body).backgroundColor");
  }

  @Test
  @DisplayName("follows the system's light or dark, until the reader chooses")
  void lightAndDark() throws IOException {
    Page light = open.tab(screen(1280, 900, ColorScheme.LIGHT));
    OpenPage.show(light, "consumer-1");
    assertEquals("rgb(245, 245, 242)", background(light));
    picture(light, "light.png");
    OpenPage.button(light, "Dark").click();
    assertEquals("rgb(19, 22, 21)", background(light));
    light.reload();
    assertEquals("rgb(19, 22, 21)", background(light));
  }

  @Test
  @DisplayName("is dark where the system is")
  void dark() throws IOException {
    Page dark = open.tab(screen(1280, 900, ColorScheme.DARK));
    OpenPage.show(dark, "consumer-2");
    assertEquals("rgb(19, 22, 21)", background(dark));
    picture(dark, "dark.png");
  }

  @Test
  @DisplayName("fits a screen of 390 pixels without scrolling sideways")
  void narrow() throws IOException {
    Page page = open.tab(screen(390, 844, ColorScheme.LIGHT).setHasTouch(true).setIsMobile(true));
    OpenPage.show(page, "consumer-3");
    assertEquals(390, page.evaluate("document.documentElement.scrollWidth"));
    picture(page, "narrow.png");
  }
}
