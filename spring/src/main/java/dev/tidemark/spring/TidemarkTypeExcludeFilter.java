package dev.tidemark.spring;

import dev.tidemark.metrics.StoreListener;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.util.ClassUtils;

/** Leaves out of a {@link TidemarkTest} the components that do not set up a store. */
final class TidemarkTypeExcludeFilter
    extends StandardAnnotationCustomizableTypeExcludeFilter<TidemarkTest> {
  TidemarkTypeExcludeFilter(Class<?> test) {
    super(test);
  }

  @Override
  protected Set<Class<?>> getKnownIncludes() {
    Set<Class<?>> known = new LinkedHashSet<>(Set.of(StoreListener.class));
    ClassLoader loader = TidemarkTest.class.getClassLoader();
    if (ClassUtils.isPresent("dev.tidemark.dynamodb.DynamoDbEntityStore", loader)) {
      known.add(DynamoDbStoreCustomizer.class);
    }
    if (ClassUtils.isPresent("dev.tidemark.mongodb.MongoEntityStore", loader)) {
      known.add(MongoStoreCustomizer.class);
    }
    return known;
  }
}
