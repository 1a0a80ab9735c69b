package dev.tidemark.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Replaces the definitions of DynamoDB clients, under their own names, before anything looks for
 * them. See {@link AutoConfigureLocalDynamoDb}.
 */
final class LocalDynamoDb implements BeanDefinitionRegistryPostProcessor, Ordered {
  private static final String LIBRARY =
      "com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded";
  private static final String SERVER = "tidemarkLocalDynamoDbServer";
  private static final String CLIENT = "tidemarkLocalDynamoDbClient";

  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE; // of those that are ordered; TrackedStores has no order, and comes
    // later
  }

  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
    var beans = (ConfigurableListableBeanFactory) registry;
    if (!ClassUtils.isPresent(LIBRARY, beans.getBeanClassLoader())) {
      throw new SetupException(
          "DynamoDB Local takes the place of the application's DynamoDB clients in this test, and is"
              + " not on the class path.",
          "Add com.amazonaws:DynamoDBLocal to the dependencies of the tests; or say"
              + " @AutoConfigureLocalDynamoDb(enabled = false), and have a client of another test"
              + " server.");
    }
    RootBeanDefinition server = new RootBeanDefinition(LocalServer.class, LocalServer::start);
    server.setLazyInit(true);
    registry.registerBeanDefinition(SERVER, server);
    replace(registry, beans, DynamoDbAsyncClient.class, "dynamoDbAsyncClient");
    replace(registry, beans, DynamoDbStreamsClient.class, "dynamoDbStreamsClient");
    if (!replace(registry, beans, DynamoDbClient.class, "dynamoDbClient")) {
      registry.registerBeanDefinition(
          CLIENT, client(beans, DynamoDbClient.class, "dynamoDbClient"));
    }
  }

  private static <C> boolean replace(
      BeanDefinitionRegistry registry,
      ConfigurableListableBeanFactory beans,
      Class<C> type,
      String method) {
    String[] names = beans.getBeanNamesForType(type, true, false);
    for (String name : names) {
      RootBeanDefinition local = client(beans, type, method);
      injectLike((RootBeanDefinition) beans.getMergedBeanDefinition(name), local);
      registry.removeBeanDefinition(name);
      registry.registerBeanDefinition(name, local);
    }
    return names.length > 0;
  }

  /** Whoever was injected one of several clients is injected its replacement. */
  private static void injectLike(RootBeanDefinition replaced, RootBeanDefinition local) {
    local.setPrimary(replaced.isPrimary());
    local.setFallback(replaced.isFallback());
    local.setAutowireCandidate(replaced.isAutowireCandidate());
    local.setDefaultCandidate(replaced.isDefaultCandidate());
    local.copyQualifiersFrom(replaced);
    local.setQualifiedElement(qualified(replaced));
  }

  /** What has the annotations that are qualifiers. */
  private static @Nullable AnnotatedElement qualified(RootBeanDefinition bean) {
    AnnotatedElement said = bean.getQualifiedElement();
    AnnotatedElement made = said == null ? bean.getResolvedFactoryMethod() : said;
    return made == null && bean.hasBeanClass() ? bean.getBeanClass() : made;
  }

  private static <C> RootBeanDefinition client(
      ConfigurableListableBeanFactory beans, Class<C> type, String method) {
    var definition =
        new RootBeanDefinition(
            type, () -> beans.getBean(SERVER, LocalServer.class).client(type, method));
    definition.setLazyInit(true);
    definition.setDestroyMethodName(""); // the server ends its clients
    return definition;
  }

  /**
   * One DynamoDB Local. It is called by reflection: as a dependency of this module it would bring
   * native libraries and another server's logging to the class path of each build.
   */
  record LocalServer(Object server) implements AutoCloseable {
    static LocalServer start() {
      Class<?> library = ClassUtils.resolveClassName(LIBRARY, null);
      return new LocalServer(Objects.requireNonNull(call(library, "create", null)));
    }

    <C> C client(Class<C> type, String method) {
      return type.cast(Objects.requireNonNull(call(server.getClass(), method, server)));
    }

    @Override
    public void close() {
      var unused = call(server.getClass(), "shutdown", server);
    }

    private static @Nullable Object call(Class<?> type, String name, @Nullable Object target) {
      Method method = Objects.requireNonNull(ReflectionUtils.findMethod(type, name), name);
      ReflectionUtils.makeAccessible(method);
      return ReflectionUtils.invokeMethod(method, target);
    }
  }
}
