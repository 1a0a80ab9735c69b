package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("Numbers of DynamoDB's size")
final class NumbersTest {
  @ParameterizedTest
  @ValueSource(strings = {"1E+126", "-1E+126", "1E-131", "4.9E-324", "1E+6100"})
  @DisplayName("what DynamoDB cannot hold is refused before it is sent")
  void refused(String number) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> Values.toNative((Object) new BigDecimal(number)));
    assertTrue(String.valueOf(refused.getMessage()).contains("38 digits"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9.9E+125", "-1E-130", "0", "1.50"})
  @DisplayName("what it can hold is sent as it is")
  void taken(String number) {
    assertEquals(AttributeValue.fromN(number), Values.toNative((Object) new BigDecimal(number)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1E+2147483647", "1E+100000000", "1E-2147483647"})
  @DisplayName("a caller's own attribute value is read without writing its digits out")
  void immense(String number) {
    assertEquals(new BigDecimal(number), Values.toNeutral(AttributeValue.fromN(number)));
  }
}
