package dev.tidemark.example.orderhistory.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@DisplayName("The settings of a process")
class SettingsTest {
  private static final String ALL =
      """
      STORE=mongodb TABLE_PREFIX=a- MONGODB_URI=mongodb://b MONGODB_DATABASE=c
      CARRIER=change-stream VIEWS=board KAFKA_BOOTSTRAP_SERVERS=d:1,e:1 KAFKA_TOPICS=f,g
      KAFKA_DEAD_LETTER_TOPIC=h KAFKA_REPORTS_FAILURES=true QUEUE_URL=i DEAD_LETTER_QUEUE_URL=j
      EVENTS_MONGODB_URI=k EVENTS_DATABASE=l EVENTS_READER=m STATUS_EVENTS=true RELAY_TO=kafka,sqs
      STATUS_TOPIC=n STATUS_QUEUE_URL=o RELAY_METRICS=p SHOW_BOARD=true PAYMENTS_URL=q
      CHECKOUT_LEASE_SECONDS=7 HOME=/root
      """;

  /** Those of the service, as Spring Boot reads them. */
  private static Settings bound(Map<String, String> environment) {
    var source = new SystemEnvironmentPropertySource("systemEnvironment", Map.copyOf(environment));
    return new Binder(ConfigurationPropertySources.from(source)).bindOrCreate("", Settings.class);
  }

  private static Map<String, String> environment(String variables) {
    return Stream.of(variables.strip().split("\\s+"))
        .map(variable -> variable.split("=", 2))
        .collect(Collectors.toMap(variable -> variable[0], variable -> variable[1]));
  }

  @Test
  @DisplayName("are those of the environment's variables, with Spring and without")
  void all() {
    Settings settings = Settings.of(environment(ALL));
    assertEquals(
        new Settings(
            "mongodb",
            "a-",
            "mongodb://b",
            "c",
            "change-stream",
            "board",
            "d:1,e:1",
            "f,g",
            "h",
            true,
            "i",
            "j",
            "k",
            "l",
            "m",
            true,
            "kafka,sqs",
            "n",
            "o",
            "p",
            true,
            "q",
            7),
        settings);
    assertEquals(settings, bound(environment(ALL)));
  }

  @Test
  @DisplayName("have defaults, also where a variable that is no flag is empty")
  void defaults() {
    Settings settings = Settings.of(Map.of());
    assertEquals("dynamodb", settings.store());
    assertEquals("none", settings.carrier());
    assertEquals(30, settings.checkoutLeaseSeconds());
    assertEquals(settings, bound(Map.of()));
    String empty = ALL.replaceAll("\\S+=true", "").replaceAll("=\\S+", "=");
    assertEquals(settings, Settings.of(environment(empty)));
    assertEquals(settings, bound(environment(empty)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "STORE=oracle | STORE must be one of [dynamodb, mongodb], was oracle",
        "STORE=mongodb | MONGODB_URI is not set",
        "CARRIER=pigeon | CARRIER must be one of [none, kafka, sqs, change-stream], was pigeon",
        "CARRIER=kafka | KAFKA_BOOTSTRAP_SERVERS is not set",
        "CARRIER=sqs DEAD_LETTER_QUEUE_URL=url | variable QUEUE_URL is not set",
        "CARRIER=sqs QUEUE_URL=url | DEAD_LETTER_QUEUE_URL is not set",
        "CARRIER=change-stream | EVENTS_MONGODB_URI is not set",
        "VIEWS=menus | VIEWS must be one of [orders, board], was menus",
        "RELAY_TO=pigeon | RELAY_TO must be one of [, kafka, sqs, 'kafka,sqs', 'sqs,kafka'], was pigeon",
        "RELAY_TO=kafka,sqs STATUS_QUEUE_URL=url | KAFKA_BOOTSTRAP_SERVERS is not set",
        "RELAY_TO=sqs | STATUS_QUEUE_URL is not set",
        "CHECKOUT_LEASE_SECONDS=0 | CHECKOUT_LEASE_SECONDS must be at least 1, was 0"
      })
  @DisplayName("are refused with the name of a variable that is wrong or missing, and its value")
  void refused(String variables, String text) {
    String told = text.replace("'", "");
    for (String refusal : refusals(variables)) {
      assertTrue(refusal.contains(told), refusal);
    }
  }

  @ParameterizedTest
  @CsvSource({"STATUS_EVENTS, maybe", "CHECKOUT_LEASE_SECONDS, long"})
  @DisplayName("are refused with the name and the value of one that is of another type")
  void typed(String variable, String value) {
    for (String refusal : refusals(variable + "=" + value)) {
      assertTrue(refusal.contains(variable) && refusal.contains(value), refusal);
    }
  }

  private static Iterable<String> refusals(String variables) {
    return Stream.<Function<Map<String, String>, Settings>>of(Settings::of, SettingsTest::bound)
        .map(read -> refusal(read, environment(variables)))
        .toList();
  }

  /** All that a log or Spring's analysis of the failure tells. */
  private static String refusal(
      Function<Map<String, String>, Settings> read, Map<String, String> environment) {
    Throwable fault = assertThrows(RuntimeException.class, () -> read.apply(environment));
    StringBuilder told = new StringBuilder();
    for (Throwable at = fault; at != null; at = at.getCause()) {
      told.append(at.getMessage()).append('\n');
      if (at instanceof BindException bind) {
        told.append(bind.getProperty());
      }
    }
    return told.toString();
  }
}
