package dev.tidemark.lab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.tidemark.lab.browser.OpenPage.button;
import static dev.tidemark.lab.browser.OpenPage.cards;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("browser")
@DisplayName("The page of a consumer")
class OrdersPageTest {
  @RegisterExtension final OpenPage open = new OpenPage();

  @Test
  @DisplayName("shows that orders are on their way, then the orders")
  void loading() {
    Page page = open.tab();
    List<Route> held = new ArrayList<>();
    page.route(Pattern.compile("/orders\\?"), held::add);
    Response unused = page.navigate(OpenPage.address("consumer-1"));
    assertThat(page.locator("#orders")).hasAttribute("aria-busy", "true");
    assertThat(page.locator(".skeleton")).hasCount(3);
    page.waitForCondition(() -> !held.isEmpty());
    page.unroute(Pattern.compile("/orders\\?"));
    held.forEach(Route::resume);
    assertThat(page.locator("#orders")).hasAttribute("aria-busy", "false");
    assertThat(page.locator(".skeleton")).hasCount(0);
    assertThat(cards(page)).hasCount(20);
  }

  @Test
  @DisplayName("shows of each order lines, total, status, timeline and courier")
  void order() {
    Page page = open.of("consumer-1");
    page.getByLabel("Status").selectOption("DELIVERED");
    Locator card = cards(page).first();
    assertThat(card.locator(".badge")).hasText("Delivered");
    assertThat(card.locator(".total")).hasText(Pattern.compile("€\\d+\\.\\d\\d"));
    assertThat(card.locator("tbody tr").first()).hasText(Pattern.compile("[12] ×.+€\\d+\\.\\d\\d"));
    assertThat(card.locator(".meta")).hasText(Pattern.compile("2026.+order-\\d+.+Courier: \\w+"));
    assertEquals(
        List.of("Placed", "Accepted", "Courier found", "Cooked", "On its way", "Delivered"),
        card.locator(".timeline span").allTextContents());
  }

  @Test
  @DisplayName("of one without orders says so, and asks whose orders where none is named")
  void empty() {
    Page page = open.of("nobody-1");
    assertThat(page.getByText("nobody-1 has no orders yet")).isVisible();
    assertThat(page.locator("[data-sum=orders]")).hasText("0");
    Response unused = page.navigate(OpenPage.serve().url());
    assertThat(page.getByText("Whose orders?")).isVisible();
    page.getByLabel("Consumer").fill("consumer-2");
    page.keyboard().press("Enter");
    assertThat(cards(page)).hasCount(20);
  }

  @Test
  @DisplayName("sums up the month that was chosen last, however late an earlier answer comes")
  void months() {
    Page page = open.of("consumer-1");
    Locator month = page.getByLabel("Month");
    String first = month.inputValue();
    String other = page.locator("#month option").nth(1).getAttribute("value");
    Locator orders = page.locator("[data-sum=orders]");
    assertThat(orders).not().hasText("0");
    String shown = orders.textContent();
    List<Route> held = new ArrayList<>();
    page.route(Pattern.compile("month=" + other), held::add);
    month.selectOption(other);
    page.waitForCondition(() -> !held.isEmpty());
    Response chosen =
        page.waitForResponse(Pattern.compile("month=" + first), () -> month.selectOption(first));
    assertEquals(200, chosen.status());
    assertThat(orders).hasText(shown);
    Response late =
        page.waitForResponse(Pattern.compile("month=" + other), () -> held.forEach(Route::resume));
    assertTrue(late.text().contains("\"orders\":0"), late.text());
    Object handled = page.evaluate("() => new Promise(done => setTimeout(done))");
    assertNull(handled);
    assertEquals(shown, orders.textContent());
    page.unroute(Pattern.compile("month=" + other));
    month.selectOption(other);
    assertThat(orders).hasText("0");
  }

  @Test
  @DisplayName("shows a new order and each of its steps while it is open")
  void live() {
    Page page = open.of("live-1");
    assertThat(page.locator("#empty")).isVisible();
    OpenPage.press(page, "place", "live-1");
    assertThat(cards(page)).hasCount(1);
    assertThat(cards(page).locator(".badge")).hasText("Placed");
    assertThat(page.locator("[data-sum=orders]")).hasText("1");
    OpenPage.press(page, "life", "live-1");
    for (String step : List.of("Accepted", "Cooked", "Delivered")) {
      assertThat(cards(page).locator(".timeline")).containsText(step);
    }
    assertThat(cards(page).locator(".badge")).hasText("Delivered");
    assertThat(page.locator("#news")).containsText("Delivered");
    assertThat(cards(page).locator(".timeline li")).hasCount(6);
  }

  @Test
  @DisplayName("pages to older orders, and goes on there by keyboard")
  void paging() {
    Page page = open.of("consumer-3");
    assertThat(cards(page)).hasCount(20);
    button(page, "Show older orders").click();
    assertThat(cards(page)).hasCount(27);
    assertThat(button(page, "Show older orders")).isHidden();
    assertThat(cards(page).nth(20).locator("h3")).isFocused();
    List<String> times = new ArrayList<>();
    for (Locator card : cards(page).all()) {
      times.add(card.locator(".meta time").getAttribute("datetime"));
    }
    assertEquals(times.stream().sorted(Comparator.reverseOrder()).toList(), times);
  }

  @Test
  @DisplayName("filters by status, time and keyword, keeps that in its address, and clears it")
  void filters() {
    Page page = open.of("consumer-1");
    page.getByLabel("Words").fill("RAMEN");
    assertThat(page).hasURL(Pattern.compile("keyword=RAMEN"));
    assertThat(page.locator("#count")).hasText(Pattern.compile("^(?!20 )\\d+ orders?"));
    int all = cards(page).count();
    assertTrue(all > 0);
    assertEquals(all, cards(page).filter(new Locator.FilterOptions().setHasText("Ramen")).count());
    page.reload();
    assertThat(page.getByLabel("Words")).hasValue("RAMEN");
    assertThat(cards(page)).hasCount(all);
    page.getByLabel("Since").fill("2099-01-01");
    assertThat(page.getByText("No order is like that")).isVisible();
    button(page, "Clear").click();
    assertThat(cards(page)).hasCount(20);
    assertThat(page.getByLabel("Status")).isFocused();
    page.getByLabel("Status").selectOption("Cancelled");
    assertThat(cards(page).first().locator(".badge")).hasText("Cancelled");
    assertThat(page.locator("#orders")).hasAttribute("aria-busy", "false");
    assertEquals(
        cards(page).count(),
        cards(page).filter(new Locator.FilterOptions().setHasText("Paid back")).count());
  }

  @Test
  @DisplayName("says what is wrong with a question, by name and value")
  void wrongQuestion() {
    open.failuresExpected();
    Page page = open.of("consumer-1");
    Response unused = page.navigate(OpenPage.address("consumer-1") + "&keyword=" + "x".repeat(101));
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("at most 100 characters");
    page.getByLabel("Words").fill("TEA green");
    assertThat(page.locator("#problem")).isHidden();
    assertThat(cards(page).first()).isVisible();
  }

  @Test
  @DisplayName("says that a store is silent, or that the service itself is, and goes on after it")
  void frozen() {
    open.failuresExpected();
    Page page = open.of("consumer-2");
    OpenPage.serve().store().blackHole();
    try {
      assertThat(page.locator("#live")).hasText("Paused: the store does not answer");
    } finally {
      OpenPage.serve().store().restore();
    }
    assertThat(page.locator("#live")).hasText("Live");
    int port = URI.create(OpenPage.serve().url()).getPort();
    try (TcpProxy way = new TcpProxy("127.0.0.1", port)) {
      Response unused = page.navigate("http://127.0.0.1:" + way.port() + "/?consumer=consumer-2");
      assertThat(page.locator("#live")).hasText("Live");
      assertThat(page.locator("#truth")).hasAttribute("data-state", "yes");
      way.blackHole();
      assertThat(page.locator("#live")).hasText("The service does not answer");
      assertThat(page.locator("#truth")).hasAttribute("data-state", "wait");
      OpenPage.picture(page, "frozen.png");
      way.restore();
      assertThat(page.locator("#live")).hasText("Live");
      assertThat(page.locator("#truth")).hasAttribute("data-state", "yes");
    }
  }

  @Test
  @DisplayName("says when the store is away, and goes on by itself when it is back")
  void outage() {
    open.failuresExpected();
    Page page = open.of("consumer-2");
    OpenPage.serve().store().refuse();
    try {
      page.getByLabel("Status").selectOption("Cancelled");
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("The orders cannot be read now");
      assertThat(page.locator("#live")).hasText("Paused: the store does not answer");
    } finally {
      OpenPage.serve().store().restore();
    }
    assertThat(cards(page).first().locator(".badge")).hasText("Cancelled");
    assertThat(page.locator("#problem")).isHidden();
    assertThat(page.locator("#live")).hasText("Live");
    assertThat(cards(page).first()).isVisible();
  }
}
