package dev.tidemark.example.orderhistory.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.checkout.Checkouts;
import dev.tidemark.example.orderhistory.checkout.Payments;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.settings.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;

@DisplayName("The service has")
class ConditionsTest {
  @EnableConfigurationProperties(Settings.class)
  @Import({CheckoutApi.class, Completer.class})
  static class OfCheckouts {}

  @EnableConfigurationProperties(Settings.class)
  @Import({BoardApi.class, PageApi.class})
  static class OfBoard {}

  private static AnnotationConfigApplicationContext with(
      String name, String value, Class<?> configuration) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of(name, value)));
    context.registerBean(
        Generations.class, LocalStore.DYNAMODB::fresh, bean -> bean.setLazyInit(true));
    context.register(configuration);
    return context;
  }

  @ParameterizedTest
  @CsvSource({"'', 0", "http://localhost:1/o'pay, 1"})
  @DisplayName("checkouts only where PAYMENTS_URL names a provider")
  void checkouts(String url, int many) {
    try (var context = with("PAYMENTS_URL", url, OfCheckouts.class)) {
      context.registerBean(
          Checkouts.class,
          () ->
              new Checkouts(
                  context.getBean(Generations.class).executions(),
                  new Payments(url),
                  Duration.ofSeconds(1)));
      context.refresh();
      assertEquals(many, context.getBeansOfType(CheckoutApi.class).size());
      assertEquals(many, context.getBeansOfType(Completer.class).size());
      assertEquals(many, context.getBean(Settings.class).paymentsUrl().isEmpty() ? 0 : 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"false, 0", "no, 0", "off, 0", "0, 0", "true, 1", "yes, 1", "on, 1", "1, 1"})
  @DisplayName("the board where SHOW_BOARD says so, in any of Spring's words for it")
  void board(String value, int many) {
    try (var context = with("SHOW_BOARD", value, OfBoard.class)) {
      context.registerBean(
          "promptReads", StoreReads.class, () -> new StoreReads("r", Duration.ofSeconds(1), 1, 1));
      context.refresh();
      assertEquals(many, context.getBeansOfType(BoardApi.class).size());
      assertEquals(many, context.getBean(PageApi.class).about().board() ? 1 : 0);
    }
  }
}
