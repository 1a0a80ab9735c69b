package dev.tidemark;

/**
 * What an update changes: a portable {@link Change}, or an update in one store's own words, such as
 * {@code DynamoDbNativeUpdate} and {@code MongoNativeUpdate}. A store refuses another store's, by
 * name and before anything is written. Immutable.
 */
public interface EntityUpdate {
  /**
   * What it does apart from what it changes.
   *
   * @return its rules
   */
  Rules rules();

  /**
   * This update, as the class of updates that a store takes.
   *
   * @param words that class
   * @param <U> that class
   * @return this
   * @throws IllegalArgumentException if it is of another class
   */
  default <U extends EntityUpdate> U in(Class<U> words) {
    if (!words.isInstance(this)) {
      throw new IllegalArgumentException(
          "the store takes updates of "
              + words.getSimpleName()
              + ", not of "
              + getClass().getSimpleName()
              + ", which is in another store's words");
    }
    return words.cast(this);
  }
}
