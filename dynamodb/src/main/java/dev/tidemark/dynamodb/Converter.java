package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How the values of conditions and operations become DynamoDB's, by the attribute they meet. */
interface Converter {
  /** Tracking's own attributes, and values that are DynamoDB's already. */
  Converter NEUTRAL =
      new Converter() {
        @Override
        public void checkChange(Path path) {}

        @Override
        public AttributeValue value(Path path, Object value) {
          return Values.toNative(value);
        }

        @Override
        public AttributeValue number(Path path, Number amount) {
          return Values.toNative(amount);
        }

        @Override
        public AttributeValue elements(Path path, Collection<?> elements) {
          return Values.toNative(elements);
        }

        @Override
        public AttributeValue element(Path path, Object element) {
          return Values.toNative(element);
        }

        @Override
        public boolean isOfMarks() {
          return true;
        }
      };

  /** Whether conditions ask tracking's attributes, which have the types that tracking gave them. */
  default boolean isOfMarks() {
    return false;
  }

  /** Refuses an attribute that no change may touch. */
  void checkChange(Path path);

  /** The value to set, or to compare with. */
  AttributeValue value(Path path, Object value);

  /** An amount to add to a number. */
  AttributeValue number(Path path, Number amount);

  /** Elements of the list, given as a {@link List}, or of the set, given as a {@link Set}. */
  AttributeValue elements(Path path, Collection<?> elements);

  /** One element to look for in the list or set. */
  AttributeValue element(Path path, Object element);
}
