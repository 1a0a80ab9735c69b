package dev.tidemark;

/**
 * The highest position of one source that an entity remembers, as an outcome reports it.
 *
 * @param source the source, in the generation that the entity knows
 * @param highest the highest position that was applied
 */
public record Mark(Source source, Position highest) {}
