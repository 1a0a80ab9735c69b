package dev.tidemark.lab.storm;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong between clients and store, after how many deliveries, as the seed chooses it. For
 * any number of threads.
 */
public final class Weather {
  private static final int DELIVERIES_PER_REPLY = 150;
  private static final int DELIVERIES_PER_REQUEST = 300;
  private static final int STEP_DOWNS = 8;

  private enum Trouble {
    LOST_REPLY,
    LOST_REQUEST,
    STEP_DOWN
  }

  private final Server server;
  private final NavigableMap<Long, Trouble> schedule = new TreeMap<>();
  private final AtomicInteger stepDowns = new AtomicInteger();

  /** Chooses what goes wrong over a server, and when. */
  public Weather(Server server, Settings settings) {
    this.server = server;
    Random random = new Random(settings.seed());
    long end = 2 * settings.deliveries(); // a storm may take longer than it should
    scatter(Trouble.LOST_REPLY, DELIVERIES_PER_REPLY, end, random);
    scatter(Trouble.LOST_REQUEST, DELIVERIES_PER_REQUEST, end, random);
    long between = Math.max(1, settings.deliveries() / STEP_DOWNS);
    for (long at = between / 2; at < end; at += between) {
      schedule.put(at, Trouble.STEP_DOWN);
    }
  }

  private void scatter(Trouble trouble, int deliveries, long end, Random random) {
    for (long at = random.nextInt(deliveries); at < end; at += 1 + random.nextInt(2 * deliveries)) {
      schedule.put(at, trouble);
    }
  }

  /** Does everything that is due by now. */
  public void reached(long deliveries) {
    Trouble due = due(deliveries);
    while (due != null) {
      switch (due) {
        case LOST_REPLY -> server.proxy().dropNextReply();
        case LOST_REQUEST -> server.proxy().dropNextRequest();
        case STEP_DOWN -> stepDowns.addAndGet(server.stepDown() ? 1 : 0);
      }
      due = due(deliveries);
    }
  }

  private @Nullable Trouble due(long deliveries) {
    synchronized (schedule) {
      Map.Entry<Long, Trouble> next = schedule.firstEntry();
      return next == null || next.getKey() > deliveries
          ? null
          : schedule.pollFirstEntry().getValue();
    }
  }

  /** How many requests and replies were lost. */
  public int lost() {
    return server.proxy().lost() + server.proxy().dropped();
  }

  /** How often the primary changed. */
  public int stepDowns() {
    return stepDowns.get();
  }
}
