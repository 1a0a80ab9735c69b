package dev.tidemark.execution;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes sets as earlier versions did: in the order of their elements' JSON. */
final class SortedSets extends StdSerializer<Set<?>> {
  private static final long serialVersionUID = 1L;

  private final transient Element text;

  /**
   * Writes elements so.
   *
   * @param text an element's JSON, the same of equal elements
   */
  SortedSets(Element text) {
    super(Set.class, false);
    this.text = text;
  }

  /** How an element is written. */
  @FunctionalInterface
  interface Element {
    String of(@Nullable Object element) throws IOException;
  }

  @Override
  public void serialize(Set<?> set, JsonGenerator json, SerializerProvider provider)
      throws IOException {
    List<String> elements = new ArrayList<>();
    for (Object element : set) {
      elements.add(text.of(element));
    }
    elements.sort(null);
    json.writeStartArray(set);
    for (String element : elements) {
      json.writeRawValue(element);
    }
    json.writeEndArray();
  }
}
