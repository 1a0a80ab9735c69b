package dev.tidemark.spring;

import dev.tidemark.EntityStore;
import dev.tidemark.spring.TidemarkProperties.Store;
import java.beans.Introspector;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Defines a bean for each tracked class that has a table and no bean, or for which a property is
 * set: an {@code EntityStore} of that class, of the store that it fits. The bean is made where it
 * is injected, and not before.
 */
final class TrackedStores implements BeanDefinitionRegistryPostProcessor {
  private final Environment environment;
  private final ResourceLoader resources;

  TrackedStores(Environment environment, ResourceLoader resources) {
    this.environment = environment;
    this.resources = resources;
  }

  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
    var beans = (ConfigurableListableBeanFactory) registry;
    List<Class<?>> classes = TrackedPackages.classes(beans, environment, resources);
    TidemarkProperties properties =
        Binder.get(environment).bindOrCreate("tidemark", TidemarkProperties.class);
    StoreChoice choice = new StoreChoice(beans, properties, classes);
    choice.requireNames();
    for (Class<?> type : classes.stream().filter(choice::isForStore).toList()) {
      ResolvableType wanted = ResolvableType.forClassWithGenerics(EntityStore.class, type);
      List<String> own = List.of(beans.getBeanNamesForType(wanted, true, false));
      if (choice.isAsked(type) ? !own.contains(simpleName(type)) : own.isEmpty()) {
        register(registry, type, choice.store(type), choice.table(type));
      }
    }
  }

  private static void register(
      BeanDefinitionRegistry registry, Class<?> type, Store store, String table) {
    Class<?> storeType = store == Store.DYNAMODB ? DynamoDbStores.type() : MongoStores.type();
    var bean = new RootBeanDefinition();
    bean.setTargetType(ResolvableType.forClassWithGenerics(storeType, type));
    bean.setFactoryBeanName(factory(store));
    bean.setFactoryMethodName("store");
    bean.getConstructorArgumentValues().addIndexedArgumentValue(0, type);
    bean.getConstructorArgumentValues().addIndexedArgumentValue(1, table);
    bean.setLazyInit(true);
    registry.registerBeanDefinition(name(registry, type), bean);
  }

  private static String name(BeanDefinitionRegistry registry, Class<?> type) {
    String simple = simpleName(type);
    return registry.containsBeanDefinition(simple) ? type.getName() + "Store" : simple;
  }

  private static String simpleName(Class<?> type) {
    return Introspector.decapitalize(type.getSimpleName()) + "Store";
  }

  /** The tracked class of a store that was defined here. */
  static Class<?> type(BeanDefinition store) {
    return (Class<?>) argument(store, 0);
  }

  /** The table or collection of a store that was defined here. */
  static String table(BeanDefinition store) {
    return (String) argument(store, 1);
  }

  private static Object argument(BeanDefinition store, int index) {
    ConstructorArgumentValues.ValueHolder holder =
        store.getConstructorArgumentValues().getIndexedArgumentValues().get(index);
    return Objects.requireNonNull(Objects.requireNonNull(holder).getValue());
  }

  /** The bean that makes stores of a kind. */
  static String factory(Store store) {
    return store == Store.DYNAMODB ? DynamoDbStores.BEAN : MongoStores.BEAN;
  }
}
