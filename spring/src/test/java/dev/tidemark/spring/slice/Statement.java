package dev.tidemark.spring.slice;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import org.bson.codecs.pojo.annotations.BsonId;

/** A document in MongoDB. */
@Tracked
@InTable("statements")
public record Statement(@BsonId String id, long cents) {}
