package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An update of one entity: a portable {@link Change}, or an update in one store's own words, such
 * as {@code DynamoDbNativeUpdate} and {@code MongoNativeUpdate}. A store refuses an update in
 * another store's words before anything is written, and names its class. Immutable.
 */
public interface EntityUpdate {
  /**
   * The rules of the update: what the update does apart from changing attributes.
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

  /**
   * What a write does apart from its operations: with a missing and with a deleted entity, with a
   * message that its condition refuses, with sources that end, with messages that leave, and with
   * the entity in its outcome. Portable changes and updates in a store's own words have the same
   * rules.
   *
   * @param creates whether a missing entity is created
   * @param revives whether a deleted entity is created again, with the marks that it has
   * @param skipsOtherwise whether a message that the condition refuses is recorded
   * @param returns whether the outcome has the entity
   * @param retired the sources whose marks are dropped
   * @param published the messages that leave because of it, in order
   */
  record Rules(
      boolean creates,
      boolean revives,
      boolean skipsOtherwise,
      boolean returns,
      Set<Source> retired,
      List<OutgoingMessage> published) {
    private static final Rules DEFAULTS =
        new Rules(false, false, false, false, Set.of(), List.of());

    /**
     * Copies the collections.
     *
     * @param creates whether a missing entity is created
     * @param revives whether a deleted entity is created again, with the marks that it has
     * @param skipsOtherwise whether a message that the condition refuses is recorded
     * @param returns whether the outcome has the entity
     * @param retired the sources whose marks are dropped
     * @param published the messages that leave because of it, in order
     */
    public Rules {
      retired = Collections.unmodifiableSet(new LinkedHashSet<>(retired));
      published = List.copyOf(published);
    }

    /**
     * The entity must exist, and nothing else is said.
     *
     * @return the rules of a change as it starts
     */
    public static Rules defaults() {
      return DEFAULTS;
    }

    /**
     * See {@link Change#createIfMissing()}.
     *
     * @return these rules and that
     */
    public Rules createIfMissing() {
      return new Rules(true, revives, skipsOtherwise, returns, retired, published);
    }

    /**
     * See {@link Change#recreate()}.
     *
     * @return these rules and that
     */
    public Rules recreate() {
      return new Rules(true, true, skipsOtherwise, returns, retired, published);
    }

    /**
     * See {@link Change#otherwiseSkip()}.
     *
     * @return these rules and that
     */
    public Rules otherwiseSkip() {
      return new Rules(creates, revives, true, returns, retired, published);
    }

    /**
     * See {@link Change#returning()}.
     *
     * @return these rules and that
     */
    public Rules returning() {
      return new Rules(creates, revives, skipsOtherwise, true, retired, published);
    }

    /**
     * See {@link Change#retire(Source)}.
     *
     * @param source a source that sends no further events
     * @return these rules and that
     */
    public Rules retire(Source source) {
      Set<Source> sources = new LinkedHashSet<>(retired);
      sources.add(Text.given("source of retire()", source));
      return new Rules(creates, revives, skipsOtherwise, returns, sources, published);
    }

    /**
     * See {@link Change#publish(OutgoingMessage)}.
     *
     * @param message leaves because of it
     * @return these rules and that
     */
    public Rules publish(OutgoingMessage message) {
      List<OutgoingMessage> all = new ArrayList<>(published);
      all.add(Text.given("the message of publish()", message));
      return new Rules(creates, revives, skipsOtherwise, returns, retired, all);
    }
  }
}
