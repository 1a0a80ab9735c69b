package dev.tidemark.spring.slice;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityStore;
import dev.tidemark.projector.Projector;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class StatementProjectors {
  @Bean
  Projector<Statement> statements(EntityStore<Statement> store) {
    return Projector.into(store)
        .updating(
            Paid.class,
            paid -> key(paid.account()),
            paid -> change().createIfMissing().add("cents", paid.cents()))
        .build();
  }
}
