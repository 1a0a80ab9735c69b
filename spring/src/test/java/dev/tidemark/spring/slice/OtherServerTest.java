package dev.tidemark.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.spring.AutoConfigureLocalDynamoDb;
import dev.tidemark.spring.Servers;
import dev.tidemark.spring.TidemarkTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@TidemarkTest
@AutoConfigureLocalDynamoDb(enabled = false)
@DisplayName("A test of an application's stores on a server of its own")
class OtherServerTest {
  @TestConfiguration(proxyBeanMethods = false)
  static class Server {
    @Bean(destroyMethod = "")
    DynamoDbClient client() {
      return Servers.dynamoDb();
    }
  }

  @Test
  @DisplayName("has the client that it defines")
  void client(@Autowired DynamoDbClient client) {
    assertThat(client).isSameAs(Servers.dynamoDb());
  }
}
