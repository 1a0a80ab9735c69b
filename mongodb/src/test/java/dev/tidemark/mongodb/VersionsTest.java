package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Jars that are too old are told by a sentence")
final class VersionsTest {
  private static final ClassLoader OURS = VersionsTest.class.getClassLoader();

  /** The class path of this test without one class. */
  private static final class Without extends ClassLoader {
    private final String hidden;

    Without(String hidden) {
      super(OURS);
      this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(hidden)) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }

  @Test
  @DisplayName("those of this build are new enough")
  void newEnough() {
    assertDoesNotThrow(() -> StoreBuilder.checkDriver(OURS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.mongodb.MongoOperationTimeoutException"})
  @DisplayName("a class that is not there is named, with the least version")
  void tooOld(String hidden) {
    ClassLoader old = new Without(hidden);
    String message =
        String.valueOf(
            assertThrows(IllegalStateException.class, () -> StoreBuilder.checkDriver(old))
                .getMessage());
    assertTrue(message.contains(hidden) && message.contains(StoreBuilder.LEAST), message);
  }
}
