package dev.tidemark.lab.clusters;

import dev.tidemark.outbox.ClusterListener;
import dev.tidemark.outbox.ClusteredRecords;
import dev.tidemark.outbox.Clusters;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One cluster of a run: its replica, its writers' clock and its relays. For one thread. */
final class ClusterRun {
  private static final int SWEEPS = 100;

  /** How long a function may drain, by the true time, of which hardly any passes. */
  private static final Duration LONG = Duration.ofHours(1);

  private final Plan plan;
  private final boolean isPublished;
  private final Agenda agenda;
  private final Random random;
  private final Told told;

  final int number;
  final Clock writers;
  final ReplicaOutbox outbox;
  private final ReplicaMarks marks;
  private final Set<String> inherited = new TreeSet<>();
  private final List<Instance> instances = new ArrayList<>();

  /** Whether the relay that has sent something ends before its next write. */
  private boolean crashes;

  /** How many messages crashed relays had in hand. */
  long inHand;

  long takeovers;

  /** How many relays have begun, one after the other or beside each other. */
  long relays;

  /** The longest time between the beginnings of two passes, while the cluster had a relay. */
  long gap;

  ClusterRun(
      int number,
      Plan plan,
      boolean isPublished,
      Agenda agenda,
      Random random,
      Told told,
      Clock clock,
      Clock writers,
      ReplicaOutbox outbox,
      ReplicaMarks marks) {
    this.number = number;
    this.plan = plan;
    this.isPublished = isPublished;
    this.agenda = agenda;
    this.random = random;
    this.told = told;
    this.writers = writers;
    this.outbox = outbox;
    this.marks = marks;
    for (int instance = 0; instance < plan.runs().instances(); instance++) {
      instances.add(new Instance());
    }
  }

  String name() {
    return name(number);
  }

  static String name(int cluster) {
    return "c" + cluster;
  }

  void begin() {
    for (Instance instance : instances) {
      agenda.at(random.nextLong(plan.interval()), instance::everyInterval);
    }
  }

  void crash() {
    crashes = true;
  }

  void inherit(int cluster) {
    inherited.add(name(cluster));
    instances.forEach(Instance::end);
  }

  /** A relay, and the one that comes after it. */
  private final class Instance {
    private @Nullable Wire wire;
    private @Nullable Relay relay;
    private int sent;
    private long began;

    private void everyInterval() {
      agenda.begin(this::passOnce);
    }

    private void passOnce() {
      pass();
      agenda.at(agenda.now() + plan.interval(), this::everyInterval);
    }

    private void end() {
      relay = null;
    }

    private boolean isOver() {
      if (crashes && sent > 0) {
        crashes = false;
        inHand += sent;
        return true;
      }
      return false;
    }

    private Relay relay() {
      Relay now = relay;
      if (now == null) {
        Wire way = new Wire(plan, number, agenda, random, this::isOver);
        Sender sender = Sender.each(message -> send(message, way));
        now = Relay.builder(records(way), sender).batch(200).build();
        wire = way;
        relay = now;
        relays++;
      }
      return now;
    }

    private OutboxRecords records(Wire way) {
      OutboxRecords reached = new WiredOutbox(outbox, way);
      if (isPublished) {
        return new PublishedRecords(reached, name(), plan.maximumDelay());
      }
      Set<String> names = new TreeSet<>();
      for (int cluster = 0; cluster < plan.clusters(); cluster++) {
        names.add(name(cluster));
      }
      ClusterListener listener = (records, origin, messages) -> takeovers += messages;
      Clusters settings =
          Clusters.of(name(), names, Duration.ofMillis(plan.maximumDelay()))
              .elapsedBy(agenda::nanos)
              .listener(listener);
      for (String cluster : inherited) {
        settings = settings.inheriting(cluster);
      }
      return ClusteredRecords.of(reached, new WiredMarks(marks, way), settings);
    }

    private void send(OutboxMessage message, Wire way) {
      way.send();
      sent++;
      told.told(Integer.parseInt(message.id()), agenda.now());
    }

    private void pass() {
      if (!plan.relays(number, agenda.now())) {
        relay = null;
        began = agenda.now();
        return;
      }
      if (plan.pauses(number, agenda.now())) {
        return;
      }
      gap = Math.max(gap, agenda.now() - began);
      began = agenda.now();
      if (plan.runs().areFunctions()) {
        relay = null;
        sent = 0;
        RelayPass unused = relay().drain(LONG);
        relay = null;
      } else {
        sweep();
      }
    }

    private void sweep() {
      for (int sweeps = 0; sweeps < SWEEPS; sweeps++) {
        sent = 0;
        boolean goesOn = relay().sweep().sent() > 0;
        if (wire != null && wire.isDead()) {
          relay = null;
        }
        if (!goesOn || relay == null) {
          return;
        }
      }
    }
  }
}
