package dev.tidemark.spring;

import dev.tidemark.Tracked;
import dev.tidemark.spring.TidemarkProperties.Store;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;

/** Which store a tracked class belongs to, and which table or collection. */
final class StoreChoice {
  private static final String DYNAMODB_MAPPING =
      "software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDb";
  private static final List<String> MONGODB_MAPPING =
      List.of(
          "org.bson.codecs.pojo.annotations.",
          "org.springframework.data.mongodb.core.mapping.Document");

  private final ConfigurableListableBeanFactory beans;
  private final TidemarkProperties properties;
  private final List<Class<?>> classes;

  StoreChoice(
      ConfigurableListableBeanFactory beans,
      TidemarkProperties properties,
      List<Class<?>> classes) {
    this.beans = beans;
    this.properties = properties;
    this.classes = classes;
  }

  /** Refuses a property of no class: without it, the class meant would be kept in another table. */
  void requireNames() {
    requireNames("tables", properties.tables());
    requireNames("stores", properties.stores());
  }

  private void requireNames(String group, Map<String, ?> settings) {
    for (String name : settings.keySet()) {
      if (classes.stream().noneMatch(type -> isNamed(type, name))) {
        throw new SetupException(
            "tidemark."
                + group
                + "."
                + name
                + " is for none of the tracked classes that were found.",
            classes.isEmpty()
                ? "Name the packages of tracked classes by @TrackedScan, or leave it out."
                : "Write the name of one of them: "
                    + classes.stream()
                        .map(Class::getName)
                        .sorted()
                        .collect(Collectors.joining(", "))
                    + "; of one in other packages, once @TrackedScan names these. In variables of"
                    + " the environment a simple name has no underscores, such as"
                    + " TIDEMARK_TABLES_ORDERVIEW.");
      }
    }
  }

  private static boolean isNamed(Class<?> type, String name) {
    return name.equals(type.getName()) || plain(name).equals(plain(type.getSimpleName()));
  }

  /**
   * Whether the class has a store of its own. One that only inherits the annotation stands in the
   * table of its parent, unless it names a table; what is abstract needs none where subclasses name
   * theirs.
   */
  boolean isForStore(Class<?> type) {
    return tableName(type).isPresent()
        || (MergedAnnotations.from(type).isPresent(Tracked.class) && !isCommonToTables(type));
  }

  private boolean isCommonToTables(Class<?> type) {
    return Modifier.isAbstract(type.getModifiers())
        && classes.stream()
            .anyMatch(sub -> type.isAssignableFrom(sub) && tableName(sub).isPresent());
  }

  /** Whether a property is for the class, which then has its effect, whatever other stores are. */
  boolean isAsked(Class<?> type) {
    return setting("tables", properties.tables(), type).isPresent()
        || setting("stores", properties.stores(), type).isPresent();
  }

  /** What the settings say; else the one that the class is mapped for. */
  Store store(Class<?> type) {
    Optional<Store> asked = setting("stores", properties.stores(), type);
    if (asked.isPresent()) {
      require(type, asked.get());
      return asked.get();
    }
    boolean forDynamoDb = isMapped(type.getAnnotations(), List.of(DYNAMODB_MAPPING));
    boolean both = forDynamoDb && isForMongoDb(type);
    if (both && has(Store.DYNAMODB) && has(Store.MONGODB)) {
      throw new SetupException(
          named(type) + " is mapped for DynamoDB and for MongoDB, and there are clients of both.",
          "Say which: " + property("stores", type) + "=dynamodb or =mongodb.");
    }
    if (both && !has(Store.DYNAMODB) && !has(Store.MONGODB)) {
      throw new SetupException(
          named(type)
              + " is mapped for DynamoDB and for MongoDB, and there is a client of neither"
              + butAsynchronous(),
          "Define a bean of type DynamoDbClient, with tidemark-dynamodb on the class path, or of type"
              + " MongoClient, with tidemark-mongodb"
              + orLeaveOut());
    }
    Store fitting = forDynamoDb && (!both || has(Store.DYNAMODB)) ? Store.DYNAMODB : Store.MONGODB;
    if (!forDynamoDb && !has(Store.MONGODB) && has(Store.DYNAMODB)) {
      throw new SetupException(
          named(type) + " has no mapping for DynamoDB, and there is no client of MongoDB.",
          "Annotate it with @DynamoDbBean or @DynamoDbImmutable, define a bean of type EntityStore<"
              + type.getSimpleName()
              + ">, or keep it out of the packages of @TrackedScan.");
    }
    require(type, fitting);
    return fitting;
  }

  private static boolean isForMongoDb(Class<?> type) {
    Stream<AnnotatedElement> parts =
        Stream.of(
                Stream.of(type),
                Stream.of(type.getDeclaredFields()),
                Stream.of(type.getDeclaredMethods()))
            .flatMap(part -> part);
    return parts.anyMatch(part -> isMapped(part.getAnnotations(), MONGODB_MAPPING));
  }

  private static boolean isMapped(Annotation[] annotations, List<String> prefixes) {
    return Stream.of(annotations)
        .map(annotation -> annotation.annotationType().getName())
        .anyMatch(name -> prefixes.stream().anyMatch(name::startsWith));
  }

  private boolean has(Store store) {
    return beans.containsBeanDefinition(TrackedStores.factory(store))
        && (store == Store.DYNAMODB
            ? DynamoDbStores.hasClient(beans)
            : MongoStores.hasClient(beans));
  }

  private void require(Class<?> type, Store store) {
    boolean dynamoDb = store == Store.DYNAMODB;
    if (!beans.containsBeanDefinition(TrackedStores.factory(store))) {
      throw new SetupException(
          named(type)
              + (dynamoDb
                  ? " is for DynamoDB, but tidemark-dynamodb is not on the class path."
                  : " is for MongoDB, but tidemark-mongodb or the driver is not on the class path."),
          "Add the dependency dev.tidemark:"
              + (dynamoDb ? "tidemark-dynamodb" : "tidemark-mongodb")
              + ", or say "
              + property("stores", type)
              + (dynamoDb ? "=mongodb." : "=dynamodb."));
    }
    if (!has(store)) {
      throw new SetupException(
          named(type)
              + " is for "
              + (dynamoDb
                  ? "DynamoDB, but there is no bean of type DynamoDbClient" + butAsynchronous()
                  : "MongoDB, but there is no bean of type MongoClient."),
          dynamoDb
              ? "Define one, or add io.awspring.cloud:spring-cloud-aws-starter-dynamodb"
                  + orLeaveOut()
              : "Define one, or add org.springframework.boot:spring-boot-starter-mongodb.");
    }
  }

  private boolean isAsynchronous() {
    return beans.containsBeanDefinition(DynamoDbStores.BEAN)
        && DynamoDbStores.hasAsyncClient(beans);
  }

  private String butAsynchronous() {
    return isAsynchronous() ? ": no EntityStore is made of the DynamoDbAsyncClient." : ".";
  }

  private String orLeaveOut() {
    return isAsynchronous()
        ? "; or keep the class out of the packages of @TrackedScan, if it is for an AsyncEntityStore"
            + " that you make."
        : ".";
  }

  /** No name is guessed: marks in another table would be forgotten marks. */
  String table(Class<?> type) {
    return tableName(type)
        .orElseThrow(
            () ->
                new SetupException(
                    named(type) + " has no table or collection.",
                    "Set "
                        + property("tables", type)
                        + ", or annotate the class with @InTable"
                        + (Modifier.isAbstract(type.getModifiers())
                            ? "; or each of its subclasses, if these are in tables of their own."
                            : ".")));
  }

  private Optional<String> tableName(Class<?> type) {
    InTable annotated = type.getAnnotation(InTable.class);
    return setting("tables", properties.tables(), type)
        .or(() -> Optional.ofNullable(annotated).map(InTable::value))
        .filter(name -> !name.isBlank());
  }

  private <V> Optional<V> setting(String group, Map<String, V> settings, Class<?> type) {
    V exact = settings.get(type.getName());
    if (exact != null) {
      return Optional.of(exact);
    }
    Optional<V> simple =
        settings.entrySet().stream()
            .filter(setting -> plain(setting.getKey()).equals(plain(type.getSimpleName())))
            .map(Map.Entry::getValue)
            .findFirst();
    List<String> same =
        classes.stream()
            .filter(other -> plain(other.getSimpleName()).equals(plain(type.getSimpleName())))
            .map(Class::getName)
            .toList();
    if (simple.isPresent() && same.size() > 1) {
      throw new SetupException(
          property(group, type) + " could mean any of " + String.join(", ", same) + ".",
          "Use full names: tidemark." + group + "[" + type.getName() + "].");
    }
    return simple;
  }

  private static String plain(String name) {
    return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
  }

  private static String property(String group, Class<?> type) {
    String dashed = type.getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-");
    return "tidemark." + group + "." + dashed.toLowerCase(Locale.ROOT);
  }

  private static String named(Class<?> type) {
    return "The tracked class " + type.getName();
  }
}
