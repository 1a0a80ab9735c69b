/**
 * What an inbox of processed messages answers. The inbox itself is the store's, since its handlers
 * write by the store's own means: {@code DynamoDbInbox} takes the writes of a transaction, {@code
 * MongoInbox} gives a view of the database that is bound to one.
 */
@NullMarked
package dev.tidemark.inbox;

import org.jspecify.annotations.NullMarked;
