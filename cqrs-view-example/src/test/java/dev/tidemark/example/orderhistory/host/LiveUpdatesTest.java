package dev.tidemark.example.orderhistory.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.local.LocalStore;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("Live updates")
class LiveUpdatesTest {
  /** A stream that keeps what it is sent, once it may. */
  private static final class Page extends SseEmitter {
    final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    final CountDownLatch reads;

    Page(int locks) {
      reads = new CountDownLatch(locks);
    }

    @Override
    public void send(SseEventBuilder event) {
      try {
        reads.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      StringBuilder text = new StringBuilder();
      event.build().forEach(part -> text.append(part.getData()));
      heard.add(text.substring("event:".length(), text.indexOf("\n")));
    }
  }

  /** The views of a store in which a consumer's rows cannot be read. */
  private static Generations unreadable(Generations real, String consumer, Set<String> seen) {
    OrderQueries queries =
        (id, filter, limit, from) -> {
          seen.add(id);
          if (id.equals(consumer)) {
            throw new IllegalStateException("a row that cannot be read");
          }
          return real.current().queries().ofConsumer(id, filter, limit, from);
        };
    ViewStore views = new ViewStore(real.current().orders(), real.current().spending(), queries);
    return (Generations)
        Proxy.newProxyInstance(
            LiveUpdatesTest.class.getClassLoader(),
            new Class<?>[] {Generations.class},
            (proxy, method, arguments) -> views);
  }

  @Test
  @DisplayName("go on for all others where the rows of one consumer cannot be read")
  void unreadable() {
    Set<String> seen = new ConcurrentSkipListSet<>();
    Set<String> watched = new TreeSet<>();
    try (Generations generations = LocalStore.DYNAMODB.prepared();
        StoreReads reads = new StoreReads("look", Duration.ofMinutes(1), 4, 64)) {
      ConsumerLook look =
          new ConsumerLook(
              unreadable(generations, "consumer-8", seen),
              reads,
              JsonMapper.builder().build(),
              Clock.systemUTC());
      LiveUpdates updates = new LiveUpdates(look, new ChangeSignal());
      for (int i = 0; i < 16; i++) {
        watched.add("consumer-" + i);
        var unused = updates.subscribe("consumer-" + i, "client");
      }
      updates.tick();
      assertEquals(watched, seen);
    }
  }

  @Test
  @Timeout(60)
  @DisplayName("tell once that a consumer's rows cannot be read, and again that they can")
  void unavailable() throws InterruptedException {
    Watch watch = new Watch();
    Page page = new Page(0);
    watch.add(page);
    assertEquals(true, watch.sawNothing());
    assertEquals(false, watch.sawNothing());
    assertEquals("unavailable", page.heard.take());
    watch.sign();
    assertEquals("alive", page.heard.take());
  }

  @Test
  @Timeout(60)
  @DisplayName("reach a page though another one does not read, which is let go in the end")
  void pageThatDoesNotRead() throws InterruptedException {
    Watch watch = new Watch();
    Page silent = new Page(1);
    Page good = new Page(0);
    watch.add(silent);
    watch.add(good);
    var unused = watch.sawNothing();
    assertEquals("unavailable", good.heard.take());
    for (int i = 0; i < 30; i++) {
      watch.sign();
      assertEquals("alive", good.heard.take());
    }
    assertEquals(1, watch.size());
    silent.reads.countDown();
    assertEquals("unavailable", silent.heard.take());
  }
}
