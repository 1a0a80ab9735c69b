package dev.tidemark.tck;

import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import java.util.Map;

/**
 * How the reference store turns entities into attributes and back. Stateless.
 *
 * @param <T> the entity's type
 */
public interface ReferenceMapper<T> {

  /**
   * An entity's attributes.
   *
   * @param entity the entity
   * @return strings, numbers, booleans, bytes, lists, sets and maps by name; without the key, and
   *     without what is null
   */
  Map<String, Object> attributes(T entity);

  /**
   * The entity of some attributes.
   *
   * @param key the key, which the entity gets too
   * @param attributes may have names that the mapper does not know
   * @return the entity
   */
  T entity(EntityKey key, Map<String, Object> attributes);

  /**
   * The key that an entity carries.
   *
   * @param entity the entity
   * @return its key
   */
  EntityKey key(T entity);

  /**
   * Checks an operation against the entity's class.
   *
   * @param operation one operation of a change
   * @throws IllegalArgumentException if it does not fit, or touches the key
   */
  void check(Operation operation);
}
