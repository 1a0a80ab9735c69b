package dev.tidemark.spring.slice;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The clients of production, which no test may make. */
@Configuration(proxyBeanMethods = false)
class Clients {
  @Bean
  @Primary
  DynamoDbClient production() {
    throw new IllegalStateException("a test made the client of production");
  }

  @Bean
  DynamoDbClient archive() {
    throw new IllegalStateException("a test made the client of the archive");
  }

  @Bean
  DynamoDbAsyncClient asynchronous() {
    throw new IllegalStateException("a test made the asynchronous client of production");
  }
}
