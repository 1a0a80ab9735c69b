package dev.tidemark.kernel;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks and joins of the strings that identities are made of, and of the names that are stored.
 */
public final class Text {
  private static final int SHOWN = 64;
  private static final int MOST_OF_IDENTITY = 8_192;

  private Text() {}

  /**
   * Cuts a value for a message of an exception.
   *
   * @param value any text
   * @return at most 64 characters of it, and a sign that there was more
   */
  public static String shown(String value) {
    return value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "…";
  }

  /**
   * Requires that a text can be stored and read again: half of a surrogate pair cannot.
   *
   * @param field what it is, for the text of the fault
   * @param value the text
   * @return the same
   * @throws IllegalArgumentException if it is null, or has a lone surrogate
   */
  public static String wellFormed(String field, @Nullable String value) {
    return wellFormed(() -> field, value);
  }

  /**
   * What a caller has to give; it is missing where a caller without null checks left it out.
   *
   * @param what it is, for the text of the fault
   * @param value what was given
   * @param <T> its type
   * @return the same
   * @throws IllegalArgumentException if it is null
   */
  public static <T> T given(String what, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(what + " must not be null");
    }
    return value;
  }

  /**
   * The same for a field whose name is made when it is needed.
   *
   * @param field makes it
   * @param value the text
   * @return the same
   */
  public static String wellFormed(Supplier<String> field, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException(field.get() + " must not be null");
    }
    boolean lone = false;
    for (int i = 0; i < value.length(); i = value.offsetByCodePoints(i, 1)) {
      int c = value.codePointAt(i);
      lone |= c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }
    if (lone) {
      throw new IllegalArgumentException(
          field.get() + " must be well-formed Unicode, but has a lone surrogate");
    }
    return value;
  }

  /**
   * The same for a text that must not be empty.
   *
   * @param field what it is, for the text of the fault
   * @param value the text
   * @return the same
   * @throws IllegalArgumentException if it is null or empty, or has a lone surrogate
   */
  public static String notEmpty(String field, @Nullable String value) {
    if (given(field, value).isEmpty()) {
      throw new IllegalArgumentException(field + " must not be empty");
    }
    return wellFormed(field, value);
  }

  /**
   * The same for a part of an identity, which is stored with each entity that remembers it.
   *
   * @param field what it is, for the text of the fault
   * @param value the text, as it is stored
   * @return the same
   * @throws IllegalArgumentException if it is null or empty, longer than 8,192 characters, or has a
   *     lone surrogate
   */
  public static String identity(String field, @Nullable String value) {
    return atMost(MOST_OF_IDENTITY, field, value);
  }

  /**
   * The same for one that has to be shorter.
   *
   * @param most how many characters it may have
   * @param field what it is, for the text of the fault
   * @param value the text, as it is stored
   * @return the same
   * @throws IllegalArgumentException if it is null, empty or longer, or has a lone surrogate
   */
  public static String atMost(int most, String field, @Nullable String value) {
    String text = notEmpty(field, value);
    if (text.length() > most) {
      throw new IllegalArgumentException(
          "%s must have at most %d characters, has %d; take a digest of what it is made of"
              .formatted(field, most, text.length()));
    }
    return text;
  }

  /**
   * A number of a fixed width.
   *
   * @param field what it is, for the text of the fault
   * @param given at most so many digits
   * @param width how many
   * @return so many digits, with zeros before those that were given
   * @throws IllegalArgumentException if it is something else
   */
  public static String digits(String field, @Nullable String given, int width) {
    String value = given(field, given);
    boolean valid =
        !value.isEmpty() && value.length() <= width && value.chars().allMatch(Text::isDigit);
    if (!valid) {
      throw new IllegalArgumentException(
          field + " must be 1 to " + width + " digits, was '" + shown(value) + "'");
    }
    return "0".repeat(width - value.length()) + value;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Joins fields so that different lists never give equal strings, and so that a list of one field
   * stays as it is wherever possible.
   *
   * @param fields one or more
   * @return one text
   */
  public static String join(List<String> fields) {
    if (fields.size() == 1) {
      String only = fields.get(0);
      return only.startsWith("/") || only.startsWith("%") ? "%" + only : only;
    }
    return fields.stream()
        .map(field -> field.replace("%", "%25").replace("/", "%2F"))
        .collect(Collectors.joining("/", "/", ""));
  }

  /**
   * A number's exact value, for the root; see {@link Evaluator#exact}.
   *
   * @param number of any class
   * @return the value
   * @throws IllegalArgumentException if the number's text is no decimal, such as that of a NaN
   */
  public static BigDecimal decimal(Number number) {
    return Evaluator.exact(number);
  }
}
