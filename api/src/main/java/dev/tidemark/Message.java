package dev.tidemark;

/**
 * What identifies one message to an entity: an opaque {@link MessageId}, or a {@link SourceEvent}
 * with a place in an ordered source. The identity that a delivery carries picks the tracking that
 * judges it.
 */
public sealed interface Message permits MessageId, SourceEvent {}
