package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;

@DisplayName("The version of Spring Boot")
class BootVersionTest {
  @Test
  @DisplayName("is 4 or later, and what is older does not start")
  void required() {
    for (String old : new String[] {"3.5.7", "3.4.0-SNAPSHOT", "2.7"}) {
      assertThatThrownBy(() -> BootVersion.require(old))
          .isInstanceOf(SetupException.class)
          .hasMessageContaining("Spring Boot " + old)
          .hasMessageContaining("Move to Spring Boot 4");
    }
    for (String fits : new String[] {"4.0.0-M1", "4.1.1", "10.0", "", "unknown", null}) {
      assertThatCode(() -> BootVersion.require(fits)).doesNotThrowAnyException();
    }
  }

  @Test
  @DisplayName("is looked at by every application, before it makes a bean")
  void everywhere() {
    assertThat(new SpringApplication(Object.class).getInitializers())
        .hasAtLeastOneElementOfType(BootVersion.class);
  }
}
