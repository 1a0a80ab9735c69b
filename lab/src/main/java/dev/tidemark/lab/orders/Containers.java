package dev.tidemark.lab.orders;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The Lambda function as its event source mapping sees it: takes an event, and has one of its
 * containers, each a process, answer it. A container that dies is replaced; its invocation is an
 * error.
 */
final class Containers implements UnaryOperator<String> {
  private final BlockingQueue<Child> idle = new LinkedBlockingQueue<>();
  private final Supplier<Child> next;
  private final AtomicInteger killed = new AtomicInteger();

  /** Begins with one container. */
  Containers(Supplier<Child> next) {
    this.next = next;
    add();
  }

  /** Lets one more work beside the others. */
  void add() {
    idle.add(next.get().ready());
  }

  /** Retires the container that has waited longest for work. */
  void retire() {
    take().close();
  }

  int killed() {
    return killed.get();
  }

  @Override
  public String apply(String event) {
    Child container = take();
    String said = container.ask(event);
    if (said.equals(ConsumerProcess.PARKED)) {
      container.kill();
      add();
      killed.incrementAndGet();
      throw new IllegalStateException("the container was killed");
    }
    idle.add(container);
    if (!said.startsWith(ConsumerProcess.ANSWER)) {
      throw new IllegalStateException("the function failed: " + said);
    }
    return said.substring(ConsumerProcess.ANSWER.length());
  }

  private Child take() {
    try {
      Child container = idle.poll(60, TimeUnit.SECONDS);
      if (container == null) {
        throw new IllegalStateException("no container is idle");
      }
      return container;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
