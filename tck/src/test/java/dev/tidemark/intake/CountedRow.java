package dev.tidemark.intake;

import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.tck.ReferenceMapper;
import java.util.Map;

/** A row that counts the messages of its entity. */
record CountedRow(String id, long total) {
  static final class Mapper implements ReferenceMapper<CountedRow> {
    @Override
    public Map<String, Object> attributes(CountedRow row) {
      return Map.of("total", row.total());
    }

    @Override
    public CountedRow entity(EntityKey key, Map<String, Object> attributes) {
      Object total = attributes.getOrDefault("total", 0L);
      return new CountedRow(key.parts().get(0).toString(), ((Number) total).longValue());
    }

    @Override
    public EntityKey key(CountedRow row) {
      return EntityKey.key(row.id());
    }

    @Override
    public void check(Operation operation) {}
  }
}
