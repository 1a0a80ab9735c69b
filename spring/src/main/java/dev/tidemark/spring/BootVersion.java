package dev.tidemark.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Ends the start of an application of Spring Boot 3. The auto-configurations name classes by their
 * packages of Spring Boot 4, so half of them would not match there, without a word.
 */
final class BootVersion implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final int LEAST = 4;

  /** For Spring. */
  BootVersion() {}

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    require(SpringBootVersion.getVersion());
  }

  /** A version that cannot be told is not refused: a jar of several jars may have lost it. */
  static void require(@Nullable String version) {
    String major = version == null ? "" : version.replaceFirst("\\..*", "");
    if (major.matches("\\d{1,4}") && Integer.parseInt(major) < LEAST) {
      throw new SetupException(
          "tidemark-spring-boot is for Spring Boot 4, and this is an application of Spring Boot "
              + version
              + ".",
          "Move to Spring Boot 4, or take tidemark-spring-boot off the class path and make"
              + " Tidemark's objects as beans of your own.");
    }
  }
}
