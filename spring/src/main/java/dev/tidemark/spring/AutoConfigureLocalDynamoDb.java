package dev.tidemark.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Puts DynamoDB Local, in the test's own JVM, in the place of each DynamoDB client that the
 * application defines, so that a test never reaches another server. For a test class, beside
 * {@code @SpringBootTest}:
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureLocalDynamoDb
 * class OrdersApplicationTest { … }
 * }</pre>
 *
 * <p>It replaces beans of type {@code DynamoDbClient}, {@code DynamoDbAsyncClient} and {@code
 * DynamoDbStreamsClient}, under their names and with their qualifiers, and defines a {@code
 * DynamoDbClient} where the application has none. It makes the tables of the stores, of the
 * execution records and of the inbox that Tidemark's auto-configuration defines, each when its bean
 * is made; those of the stores have the index by which relays find outgoing messages. Tables of
 * other beans are the test's to make. Each application context has a server of its own, which
 * begins empty and ends with the context; tests that share a context share its tables, and so need
 * keys and message IDs of their own.
 *
 * <p>The test needs {@code com.amazonaws:DynamoDBLocal} and {@code spring-boot-test-autoconfigure}.
 * Where the application has tables on DynamoDB, and DynamoDB Local is not on the class path, the
 * application does not start.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ImportAutoConfiguration(LocalDynamoDbAutoConfiguration.class)
@PropertyMapping("tidemark.test.local-dynamodb")
public @interface AutoConfigureLocalDynamoDb {
  /**
   * Whether the clients are replaced. Say {@code false} where a meta-annotation, such as {@link
   * TidemarkTest}, says {@code true}, and the test's own clients lead to another test server.
   *
   * @return whether DynamoDB Local takes the place of the application's clients
   */
  boolean enabled() default true;
}
