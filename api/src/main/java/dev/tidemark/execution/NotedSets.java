package dev.tidemark.execution;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a mapper writes, and notes where in it a set begins. So the elements keep whatever
 * annotations and serializers make of them, and their order can be left out of account.
 */
final class NotedSets extends JsonGeneratorDelegate {
  private final StringWriter json;
  private final Set<Long> places = new HashSet<>();

  /**
   * Before a generator.
   *
   * @param json what it has written, once it is flushed
   */
  NotedSets(JsonGenerator to, StringWriter json) {
    super(to, false); // else it would write values by itself
    this.json = json;
  }

  @Override
  public void writeStartArray(@Nullable Object value) throws IOException {
    super.writeStartArray(value);
    note(value);
  }

  @Override
  public void writeStartArray(@Nullable Object value, int size) throws IOException {
    super.writeStartArray(value, size);
    note(value);
  }

  private void note(@Nullable Object value) throws IOException {
    if (value instanceof Set) {
      flush();
      places.add(json.getBuffer().length() - 1L);
    }
  }

  Set<Long> places() {
    return places;
  }

  String end() throws IOException {
    flush();
    return json.toString();
  }
}
