package dev.tidemark.execution;

import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.util.BeanUtil;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a mapper can only write and read by a module that it does not have: dates of {@code
 * java.time}, {@code Optional}, and those of Joda. Jackson itself tells it once there is a value,
 * when the work is done.
 */
final class MissingModules {
  private final DeserializationConfig config;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  MissingModules(DeserializationConfig config) {
    this.config = config;
  }

  /** What Jackson says of a value that it cannot write, behind a text; nothing of other errors. */
  static String behind(MapperConfig<?> config, Throwable error) {
    JavaType type = error instanceof InvalidDefinitionException told ? told.getType() : null;
    String missing = type == null ? null : BeanUtil.checkUnsupportedType(config, type);
    return missing == null ? "" : ", since a module of Jackson is missing. " + missing;
  }

  /**
   * Looks at a type and at those of its properties and elements.
   *
   * @return what Jackson says, which names the module; null if none is missing
   */
  @Nullable String of(@Nullable JsonDeserializer<?> reader, JavaType type) {
    if (reader == null || !seen.add(reader)) {
      return null;
    }
    if (reader instanceof UnsupportedTypeDeserializer) {
      return BeanUtil.checkUnsupportedType(config, type);
    }
    String missing = type.hasContentType() ? ofContent(reader, type.getContentType()) : null;
    if (reader instanceof BeanDeserializerBase bean) {
      for (var all = bean.properties(); missing == null && all.hasNext(); ) {
        var property = all.next();
        missing = of(property.getValueDeserializer(), property.getType());
      }
    }
    return missing == null ? of(reader.getDelegatee(), type) : missing;
  }

  private @Nullable String ofContent(JsonDeserializer<?> reader, JavaType content) {
    return reader instanceof ContainerDeserializerBase<?> container
        ? of(container.getContentDeserializer(), content)
        : null;
  }
}
