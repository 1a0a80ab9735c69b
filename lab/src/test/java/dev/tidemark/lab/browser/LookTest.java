package dev.tidemark.lab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.AxeResults;
import com.deque.html.axecore.results.Rule;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("browser")
@DisplayName("The page's look")
class LookTest {
  private static final Set<String> WIDGETS =
      Set.of("button", "textbox", "searchbox", "combobox", "link", "Date", "checkbox");

  private static final String NAME =
      "const name = e => (e.id || e.name || e.dataset.do + e.dataset.count || e.className)";
  private static final String FOCUSED =
      "() => {"
          + NAME
          + "; const e = document.activeElement; const s = getComputedStyle(e);"
          + " return name(e) + (e !== document.body && s.outlineStyle === 'none' ? ' no outline' : '')"
          + "}";
  private static final String CONTROLS =
      "() => {"
          + NAME
          + "; return [...document.querySelectorAll('a, button, input, select')]"
          + ".filter(e => e.checkVisibility()).map(name) }";

  /** Texts whose contrast with the ground behind them is below WCAG's AA. */
  private static final String FAINT =
      """
      () => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const rgba = color => {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data];
        };
        const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = e => {
          const color = rgba(getComputedStyle(e).backgroundColor);
          return color[3] === 255 || !e.parentElement ? color : ground(e.parentElement);
        };
        const faint = [];
        for (const e of document.querySelectorAll('body *')) {
          const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
          if (!own || !e.checkVisibility() || e.closest('.unseen, .skip')) continue;
          const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))];
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (ratio < 4.5) faint.push(`${e.tagName} ${e.textContent} ${ratio.toFixed(2)}`);
        }
        return faint;
      }""";

  @RegisterExtension final OpenPage open = new OpenPage();

  private static NewContextOptions screen(int width, int height, ColorScheme scheme) {
    return new NewContextOptions().setViewportSize(width, height).setColorScheme(scheme);
  }

  private static void picture(Page page, String name) {
    assertThat(page.locator("#truth")).hasAttribute("data-state", "yes");
    OpenPage.picture(page, name);
  }

  private static String background(Page page) {
    return (String) page.evaluate("getComputedStyle(document.body).backgroundColor");
  }

  @Test
  @DisplayName("follows the system's light or dark, until the reader chooses")
  void lightAndDark() {
    Page light = open.tab(screen(1280, 900, ColorScheme.LIGHT));
    OpenPage.show(light, "consumer-1");
    assertEquals("rgb(245, 245, 242)", background(light));
    trouble(light);
    picture(light, "light.png");
    OpenPage.button(light, "Dark mode").click();
    assertThat(OpenPage.button(light, "Light mode")).isVisible();
    assertEquals("rgb(19, 22, 21)", background(light));
    light.reload();
    assertEquals("rgb(19, 22, 21)", background(light));
  }

  /** So that there is something to see in the panel too. */
  private static void trouble(Page page) {
    OpenPage.button(page, "Redelivery storm").click();
    assertThat(page.locator("#did")).containsText("400");
    OpenPage.button(page, "Kill the consumer").click();
    assertThat(page.locator("[data-counter=restarts]")).not().hasText("0");
    assertThat(OpenPage.cards(page).first().locator(".badge")).hasText("Placed");
    assertThat(page.locator("#truth")).hasAttribute("data-state", "yes");
    OpenPage.button(page, "Send a tip to a slow consumer").click();
    assertThat(page.locator("#own-fresh")).containsText("Fresh");
    assertThat(OpenPage.cards(page).first()).containsText("Tip");
    page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))");
  }

  @Test
  @DisplayName("is dark where the system is")
  void dark() {
    Page dark = open.tab(screen(1280, 900, ColorScheme.DARK));
    OpenPage.show(dark, "consumer-2");
    assertEquals("rgb(19, 22, 21)", background(dark));
    picture(dark, "dark.png");
  }

  @Test
  @DisplayName("fits a screen of 390 pixels without scrolling sideways")
  void narrow() {
    Page page = open.tab(screen(390, 844, ColorScheme.LIGHT).setHasTouch(true).setIsMobile(true));
    OpenPage.show(page, "consumer-3");
    assertEquals(390, page.evaluate("document.documentElement.scrollWidth"));
    double top = page.locator("#lab").boundingBox().y;
    assertTrue(top < 300, "the panel begins at " + top);
    picture(page, "narrow.png");
  }

  @Test
  @DisplayName("can be used by keyboard alone, and shows where the focus is")
  void keyboard() {
    Page page = open.of("consumer-3");
    Set<String> reached = new LinkedHashSet<>();
    for (int i = 0; i < 40; i++) {
      page.keyboard().press("Tab");
      reached.add((String) page.evaluate(FOCUSED));
    }
    assertEquals(List.of(), reached.stream().filter(what -> what.endsWith("no outline")).toList());
    List<String> all = strings(page.evaluate(CONTROLS));
    assertEquals(List.of(), all.stream().filter(what -> !reached.contains(what)).toList());
    page.getByLabel("Consumer").focus();
    page.keyboard().press("Control+A");
    page.keyboard().type("consumer-2");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("consumer-2"));
    OpenPage.button(page, "Show older orders").focus();
    page.keyboard().press("Enter");
    assertThat(OpenPage.cards(page)).hasCount(27);
  }

  @Test
  @DisplayName("gives every control a name that assistive technology can say")
  void names() {
    Page page = open.of("consumer-1");
    JsonArray nodes =
        page.context()
            .newCDPSession(page)
            .send("Accessibility.getFullAXTree")
            .getAsJsonArray("nodes");
    List<String> nameless = new ArrayList<>();
    int controls = 0;
    for (JsonElement element : nodes) {
      JsonObject node = element.getAsJsonObject();
      String role = value(node, "role");
      if (WIDGETS.contains(role)) {
        controls++;
        if (value(node, "name").isBlank()) {
          nameless.add(role);
        }
      }
    }
    assertEquals(List.of(), nameless);
    assertTrue(controls >= 14, "only " + controls + " controls");
  }

  private static String value(JsonObject node, String name) {
    JsonElement value = node.has(name) ? node.getAsJsonObject(name).get("value") : null;
    return value == null ? "" : value.getAsString();
  }

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "DARK"})
  @DisplayName("sets text off from its ground by 4.5 to 1 or more")
  void contrast(ColorScheme scheme) {
    Page page = open.tab(screen(1280, 900, scheme));
    OpenPage.show(page, "consumer-1");
    assertThat(page.locator("#truth")).hasAttribute("data-state", "yes");
    page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))");
    assertEquals(List.of(), strings(page.evaluate(FAINT)));
  }

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "DARK"})
  @DisplayName("has nothing that axe objects to, wide and narrow")
  void axe(ColorScheme scheme) {
    for (int width : new int[] {1280, 390}) {
      Page page = open.tab(screen(width, 900, scheme));
      OpenPage.show(page, "consumer-1");
      assertThat(page.locator("#truth")).hasAttribute("data-state", "yes");
      page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))");
      AxeResults results = new AxeBuilder(page).analyze();
      assertTrue(results.getPasses().size() > 20, "only " + results.getPasses().size() + " rules");
      assertEquals(List.of(), results.getViolations().stream().map(LookTest::told).toList());
      page.context().close();
    }
  }

  private static String told(Rule rule) {
    return rule.getId()
        + ": "
        + rule.getNodes().stream().map(node -> String.valueOf(node.getTarget())).toList();
  }

  private static List<String> strings(Object list) {
    return ((List<?>) list).stream().map(String::valueOf).toList();
  }
}
