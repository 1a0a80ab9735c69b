package dev.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.intake.Intake;
import dev.tidemark.kafka.ModelConsumer.Crash;
import dev.tidemark.kafka.ModelConsumer.Group;
import dev.tidemark.tck.CarrierWorld;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Members of a group come, crash and leave; partitions are revoked and lost, all at once as the
 * classic protocol has it, or some of them; topics are created anew; commits fail before and after
 * they are made. A judge looks at each commit.
 */
@DisplayName("A group of members that read topics of a wild world")
final class KafkaModelTest {
  private static final int RUNS = 60;
  private static final int LANES = 3;
  private static final int MEMBERS = 8;
  private static final int LONGEST = 3_000;

  private static final class Run {
    private final CarrierWorld world;
    private final boolean allAtOnce;
    private final boolean epochsTell;

    /** Some polls have more records than go to the handler together. */
    private final boolean hasBigPolls;

    private final Group group = new Group();
    private final Intake<ConsumerRecord<String, byte[]>> intake;
    private long nanos;

    Run(long seed) {
      world = new CarrierWorld(seed, LANES, true);
      allAtOnce = world.random().nextBoolean();
      epochsTell = world.random().nextBoolean();
      hasBigPolls = world.random().nextInt(8) == 0;
      intake =
          KafkaIntake.<String, byte[]>builder(record -> world.decode(text(record)), world::handle)
              .deadLetters((record, reason) -> world.keep(text(record)))
              .parkAfter(2)
              .listener(taken -> {})
              .build();
    }

    private static String text(ConsumerRecord<String, byte[]> record) {
      return new String(record.value(), UTF_8);
    }

    /** Tells by its last draw which life it was. */
    long live() {
      for (int i = 0; i < MEMBERS; i++) {
        member(all(), 5 + world.random().nextInt(30), true);
      }
      world.calm();
      member(all(), LONGEST, true);
      world.judge();
      return world.random().nextLong();
    }

    private Set<TopicPartition> all() {
      return world.lanes().stream().map(ModelConsumer::partition).collect(Collectors.toSet());
    }

    /** One member, from its join to its end. */
    private void member(Set<TopicPartition> partitions, int polls, boolean mayShare) {
      Member member = new Member(partitions, polls, mayShare);
      if (member.crashes) {
        assertThrows(Crash.class, member.loop::run);
      } else {
        member.loop.run();
      }
    }

    private final class Member {
      private final Set<TopicPartition> own;
      private final boolean mayShare;
      private final boolean crashes = world.happens(3);
      private final ModelConsumer consumer =
          new ModelConsumer(world, group, epochsTell, hasBigPolls ? 300 : 12, this::beforePoll);
      private final KafkaIntakeLoop<String, byte[]> loop;
      private int left;

      Member(Set<TopicPartition> own, int polls, boolean mayShare) {
        this.own = own;
        this.left = polls;
        this.mayShare = mayShare;
        this.loop =
            KafkaIntakeLoop.of(
                consumer,
                world.lanes(),
                KafkaIntake.of(intake)
                    .within(Duration.ofSeconds(5))
                    .pauses(
                        Duration.ofMillis(1), Duration.ofSeconds(10)) // faults wait in real time
                    .time(Clock.systemUTC(), this::time)
                    .random(world.random()));
      }

      private long time() {
        nanos += Duration.ofMillis(world.random().nextInt(400)).toNanos();
        return nanos;
      }

      private void beforePoll() {
        if (consumer.assignment().isEmpty()) {
          consumer.assign(own);
        }
        if (--left < 0 || (!world.happens(1) && world.isOver())) {
          if (crashes) {
            consumer.die();
          }
          loop.stop();
        }
        if (world.happens(2)) {
          world.send(world.random().nextInt(hasBigPolls ? 80 : 10));
        }
        if (world.happens(12)) {
          createAnew();
        }
        if (world.happens(6)) {
          rebalance();
        }
      }

      private void createAnew() {
        String lane = world.lanes().get(world.random().nextInt(LANES));
        world.createAnew(lane);
        group.createAnew(ModelConsumer.partition(lane));
      }

      /** Partitions go to another member for a while, or come back at once. */
      private void rebalance() {
        Set<TopicPartition> going = new HashSet<>(consumer.assignment());
        if (!allAtOnce) {
          going.removeIf(partition -> world.random().nextBoolean());
        }
        consumer.revoke(going, world.happens(4));
        if (mayShare && !going.isEmpty() && world.happens(2)) {
          member(going, 1 + world.random().nextInt(6), false);
        }
        consumer.assign(going);
      }
    }
  }

  @Test
  @DisplayName("commit nothing that is not done, and do all of it in the end")
  void group() {
    for (long seed = 0; seed < RUNS; seed++) {
      try {
        var unused = new Run(seed).live();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @Test
  @DisplayName("lives the same life again by its seed")
  void repeatable() {
    for (long seed = 0; seed < 4; seed++) {
      assertEquals(new Run(seed).live(), new Run(seed).live());
    }
  }
}
