package dev.tidemark.mongodb;

import com.mongodb.client.ClientSession;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.Recall;
import java.time.Clock;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * What all calls of one store share.
 *
 * @param transport the collection
 * @param mapping the entity class
 * @param tracking the policies
 * @param names where tracking keeps what
 * @param clock the writer's clock
 * @param recall what the store recalls of entities
 */
record Context<T>(
    Transport transport,
    Mapping<T> mapping,
    Tracking tracking,
    Names names,
    Clock clock,
    Recall recall) {

  /** The same for one call, whose commands are counted. */
  Context<T> observedBy(Observation call) {
    return new Context<>(new Transport(transport, call), mapping, tracking, names, clock, recall);
  }

  /** The same in a transaction. */
  Context<T> in(ClientSession session) {
    return new Context<>(
        new Transport(transport, session), mapping, tracking, names, clock, recall.inTransaction());
  }

  /** The collection, the class and the tracking. */
  String describe() {
    return transport.name() + ", " + mapping.owner() + ", " + tracking;
  }

  CodecRegistry registry() {
    return mapping.registry();
  }

  MarkFields markFields() {
    return mapping.markFields();
  }
}
