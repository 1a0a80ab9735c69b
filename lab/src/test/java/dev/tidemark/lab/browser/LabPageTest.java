package dev.tidemark.lab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.tidemark.lab.browser.OpenPage.button;
import static dev.tidemark.lab.browser.OpenPage.cards;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("browser")
@DisplayName("The control panel")
class LabPageTest {
  private static final List<String> OUTCOMES =
      List.of("Applied", "Duplicate", "Stale", "Gap", "Refused", "HeldBack", "others");

  @RegisterExtension final OpenPage open = new OpenPage();

  private static long counter(Page page, String name) {
    String text = page.locator("[data-counter=" + name + "]").textContent();
    return Long.parseLong(text.replace(",", ""));
  }

  private static void grows(Page page, String name, long atLeast) {
    page.waitForCondition(() -> counter(page, name) >= atLeast);
  }

  private static void viewsEqualTheEvents(Page page) {
    assertThat(page.locator("#truth")).hasAttribute("data-state", "yes");
  }

  private static List<String> totals(Page page) {
    List<String> totals = page.locator("#sums dd").allTextContents();
    totals.addAll(page.locator(".order .total").allTextContents());
    totals.addAll(page.locator(".order .badge").allTextContents());
    return totals;
  }

  @Test
  @DisplayName("redelivers hundreds of events: duplicates are counted, and no total changes")
  void storm() {
    Page page = open.of("consumer-1");
    viewsEqualTheEvents(page);
    List<String> before = totals(page);
    long duplicates = counter(page, "Duplicate");
    long deliveries = counter(page, "deliveries");
    button(page, "Redelivery storm").click();
    assertThat(page.locator("#did")).hasText("Sent the last 400 events once more.");
    grows(page, "deliveries", deliveries + 400);
    grows(page, "Duplicate", duplicates + 400);
    viewsEqualTheEvents(page);
    assertEquals(before, totals(page));
  }

  @Test
  @DisplayName("delivers an order's events in reverse: the order looks as if they had come in turn")
  void reorder() {
    Page page = open.of("reverse-1");
    button(page, "Deliver in reverse").click();
    assertThat(cards(page)).hasCount(1);
    assertThat(cards(page).locator(".badge")).hasText("Delivered");
    assertThat(cards(page).locator(".extra")).hasText(Pattern.compile("Tip€\\d"));
    assertEquals(
        List.of("Placed", "Accepted", "Courier found", "Cooked", "On its way", "Delivered"),
        cards(page).locator(".timeline span").allTextContents());
    viewsEqualTheEvents(page);
  }

  @Test
  @DisplayName("kills the consumer after the write: it comes back, and the order counts once")
  void kill() {
    Page page = open.of("kill-1");
    viewsEqualTheEvents(page);
    long duplicates = counter(page, "Duplicate");
    long restarts = counter(page, "restarts");
    button(page, "Kill the consumer").click();
    assertThat(cards(page)).hasCount(1);
    grows(page, "restarts", restarts + 1);
    grows(page, "Duplicate", duplicates + 1);
    viewsEqualTheEvents(page);
    assertThat(page.locator("[data-sum=orders]")).hasText("1");
    assertThat(cards(page)).hasCount(1);
  }

  @Test
  @DisplayName("shows views without tracking beside those with it: a redelivery makes them wrong")
  void twin() {
    Page page = open.of("twin-1");
    button(page, "Place an order").click();
    assertThat(cards(page)).hasCount(1);
    viewsEqualTheEvents(page);
    assertThat(page.locator("[data-untracked=orders]")).hasText("1");
    button(page, "Redeliver 10").click();
    assertThat(page.locator("[data-untracked=orders].wrong")).isVisible();
    assertThat(page.locator("[data-untracked=orders]")).not().hasText("1");
    viewsEqualTheEvents(page);
    assertThat(page.locator("[data-tracked=orders]")).hasText("1");
    assertThat(page.locator(".twin .wrong[data-tracked]")).hasCount(0);
    assertThat(page.locator("#twin-wrong")).not().hasText("0");
  }

  @Test
  @DisplayName("counts each delivery to the order history once")
  void addsUp() {
    Page page = open.of("consumer-1");
    viewsEqualTheEvents(page);
    page.waitForCondition(
        () ->
            counter(page, "deliveries") > 0
                && counter(page, "deliveries")
                    == OUTCOMES.stream().mapToLong(name -> counter(page, name)).sum());
  }

  @Test
  @DisplayName("opens on a consumer that has orders")
  void opens() {
    Page page = open.tab();
    Response unused = page.navigate(OpenPage.serve().url());
    assertThat(cards(page).first()).isVisible();
    assertThat(page.locator("#live")).hasText("Live");
  }

  @Test
  @DisplayName("loses a reply of the store: the order counts once")
  void drop() {
    Page page = open.of("drop-1");
    viewsEqualTheEvents(page);
    long dropped = counter(page, "dropped");
    button(page, "Drop a reply").click();
    assertThat(cards(page)).hasCount(1);
    grows(page, "dropped", dropped + 1);
    viewsEqualTheEvents(page);
    assertThat(page.locator("[data-sum=orders]")).hasText("1");
  }

  @Test
  @DisplayName("reads an event of one's own with its token, and says what a list shows at once")
  void ownEvent() {
    Page page = open.of("own-1");
    button(page, "Place an order").click();
    assertThat(cards(page)).hasCount(1);
    button(page, "Send a tip to a slow consumer").click();
    assertThat(page.locator("#own-fresh"))
        .hasText(Pattern.compile("Fresh: tip €\\d\\.\\d0, after \\d+ ms \\(Order/order-\\d+/2\\)"));
    assertThat(page.locator("#own-eventual")).hasText(Pattern.compile("tip €0\\.00 \\(not yet\\)"));
    viewsEqualTheEvents(page);
  }

  @Test
  @DisplayName("checks out with a double click: one charge, and the second answer is a replay")
  void doubleClick() {
    Page page = open.of("pay-1");
    button(page, "Check out with a double click").click();
    assertThat(page.locator("#pay-answers"))
        .hasText(Pattern.compile("charges-\\d+, and the same replayed"));
    assertThat(page.locator("#pay-charges")).hasText("1 charge of €25.00");
  }

  @Test
  @DisplayName("kills the relay: what rows publish waits, and reaches the board after a new start")
  void relay() {
    Page page = open.of("relay-1");
    assertThat(page.locator("#relay-board")).hasText("yes");
    assertThat(page.locator("#board tbody tr").first()).isVisible();
    button(page, "Kill the relay").click();
    assertThat(page.locator("#relay-state")).hasText("dead");
    String sent = page.locator("#relay-sent").textContent();
    button(page, "Deliver in reverse").click();
    button(page, "Place an order").click();
    assertThat(cards(page)).hasCount(2);
    assertThat(page.locator("#relay-waiting")).not().hasText("0");
    assertThat(page.locator("#relay-board")).hasText("not yet");
    assertEquals(sent, page.locator("#relay-sent").textContent());
    page.locator("#relay-state").scrollIntoViewIfNeeded();
    OpenPage.picture(page, "relay-killed.png");
    button(page, "Start it again").click();
    assertThat(page.locator("#relay-state")).hasText("runs");
    assertThat(page.locator("#relay-waiting")).hasText("0");
    assertThat(page.locator("#relay-board")).hasText("yes");
    assertThat(page.locator("#relay-sent")).not().hasText(sent);
  }
}
