package dev.tidemark.execution;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;

/**
 * A copy of a user's mapper, which nobody else can change. What is stored cannot choose its class
 * by it: it has no default typing, and refuses class names where a class or an interface of the JDK
 * is expected. It ignores properties that a class does not have, so that a version before can read
 * what a later one has stored. An {@code ObjectId} of MongoDB, for which the user's mapper has no
 * serializer, is a text.
 */
final class OwnMapper {
  private OwnMapper() {}

  /**
   * Copies a mapper.
   *
   * @throws IllegalArgumentException if the mapper cannot be copied, has default typing, or writes
   *     something else than JSON
   */
  static ObjectMapper of(ObjectMapper given) {
    ObjectMapper own = copy(given);
    if (!own.getFactory().getFormatName().equals("JSON")) {
      throw new IllegalArgumentException(
          "the mapper writes %s; results are stored as JSON, so give a mapper of JSON"
              .formatted(own.getFactory().getFormatName()));
    }
    if (own.getDeserializationConfig().getDefaultTyper(own.constructType(Object.class)) != null) {
      throw new IllegalArgumentException(
          "the mapper has default typing, by which stored results would choose their own class");
    }
    own.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    own.setSerializerFactory(own.getSerializerFactory().withSerializerModifier(new Ids()));
    return own.setPolymorphicTypeValidator(new Types(own.getPolymorphicTypeValidator()));
  }

  /**
   * The defaults of Jackson, for what a user's mapper must not change; the lengths are the same.
   */
  static ObjectMapper plain(ObjectMapper own) {
    StreamReadConstraints bounds = own.getFactory().streamReadConstraints();
    StreamReadConstraints lengths =
        StreamReadConstraints.builder()
            .maxDocumentLength(bounds.getMaxDocumentLength())
            .maxStringLength(bounds.getMaxStringLength())
            .build();
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(lengths).build())
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .build();
  }

  private static ObjectMapper copy(ObjectMapper given) {
    try {
      return given.copy();
    } catch (IllegalStateException e) { // of a subclass that does not override it
      throw new IllegalArgumentException(
          given.getClass().getName()
              + " cannot be copied, and executions need a mapper that nobody changes; override its"
              + " copy(), or give an ObjectMapper",
          e);
    }
  }

  /** How many bytes of UTF-8 a value may take that a mapper is to read. */
  static int mostBytes(ObjectMapper mapper) {
    StreamReadConstraints bounds = mapper.getFactory().streamReadConstraints();
    long most =
        bounds.hasMaxDocumentLength() ? bounds.getMaxDocumentLength() : bounds.getMaxStringLength();
    return (int) Math.min(most, Integer.MAX_VALUE - 64L);
  }

  /** Jackson would write the parts of an ID, and read none of them. */
  private static final class Ids extends BeanSerializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonSerializer<?> modifySerializer(
        SerializationConfig config, BeanDescription bean, JsonSerializer<?> serializer) {
      return serializer instanceof BeanSerializerBase
              && bean.getBeanClass().getName().equals("org.bson.types.ObjectId")
          ? ToStringSerializer.instance
          : serializer;
    }
  }

  /** Asks the user's own rules, where the expected type is not one that all classes may have. */
  private static final class Types extends PolymorphicTypeValidator {
    private static final long serialVersionUID = 1L;

    private final PolymorphicTypeValidator users;

    Types(PolymorphicTypeValidator users) {
      this.users = users;
    }

    @Override
    public Validity validateBaseType(MapperConfig<?> config, JavaType base) {
      String name = base.getRawClass().getName();
      return name.startsWith("java.") || name.startsWith("javax.")
          ? Validity.DENIED
          : users.validateBaseType(config, base);
    }

    @Override
    public Validity validateSubClassName(MapperConfig<?> config, JavaType base, String name)
        throws JsonMappingException {
      return users.validateSubClassName(config, base, name);
    }

    @Override
    public Validity validateSubType(MapperConfig<?> config, JavaType base, JavaType type)
        throws JsonMappingException {
      return users.validateSubType(config, base, type);
    }
  }
}
