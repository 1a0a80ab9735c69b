package dev.tidemark.spring.slice;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.TidemarkTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

// snippet: spring-slice
@TidemarkTest
@Import(Projectors.class) // a configuration of the application
class AccountsTest {
  @Test
  void aPaymentCountsOnce(
      @Autowired Projector<Account> view, @Autowired EntityStore<Account> accounts) {
    Delivery payment = Delivery.of(MessageId.of("p1"), new Paid("a1", 25));
    assertInstanceOf(Outcome.Applied.class, view.handle(payment));
    assertInstanceOf(Outcome.Duplicate.class, view.handle(payment));
    assertEquals(25, accounts.find(key("a1")).orElseThrow().getCents());
  }
}
// end
