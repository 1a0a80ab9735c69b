package dev.tidemark.mongodb;

import java.lang.reflect.Method;
import org.bson.codecs.Codec;
import org.bson.codecs.pojo.ClassModel;

/**
 * How the driver maps a POJO: by which conventions, registered models and codecs of properties only
 * its codec knows, which shows that to its own package alone.
 */
final class DriverModel {
  private DriverModel() {}

  /** Whether the driver maps a class by a model. */
  static boolean has(Codec<?> codec) {
    return codec.getClass().getName().startsWith("org.bson.codecs.pojo.");
  }

  /**
   * The model by which a codec maps its class.
   *
   * @throws IllegalArgumentException if the driver does not show it: what an entity's properties
   *     are stored as would be a guess
   */
  static ClassModel<?> of(Codec<?> codec) {
    try {
      Method model = codec.getClass().getDeclaredMethod("getClassModel");
      model.setAccessible(true);
      return (ClassModel<?>) model.invoke(codec);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          "this version of the driver does not show how it maps "
              + codec.getEncoderClass().getName()
              + "; make it a record, or give it a codec of your own",
          e);
    }
  }
}
