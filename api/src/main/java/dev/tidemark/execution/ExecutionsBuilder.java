package dev.tidemark.execution;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.kernel.Text;
import dev.tidemark.kernel.Times;
import dev.tidemark.store.RecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Settings of {@link Executions}. For one thread. */
public final class ExecutionsBuilder {
  final String scope;
  final RecordStore records;
  final List<Storing<?>> storing = new ArrayList<>();
  final Map<Class<?>, List<String>> names = new LinkedHashMap<>();
  Duration lease = Duration.ofMinutes(1);
  Duration skew = Duration.ofSeconds(10);
  Duration wait = Duration.ZERO;
  Duration keptFor = Duration.ofDays(1);
  Duration unfinishedFor = Duration.ofDays(30);
  boolean parks;
  @Nullable ExecutionListener listener;
  ObjectMapper mapper =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE) // offsets stay
          .build();
  Pauses pauses = time -> LockSupport.parkNanos(time.toNanos());
  LongSupplier nanos = System::nanoTime;

  ExecutionsBuilder(String scope, RecordStore records) {
    this.scope = Misuse.checked(() -> Text.notEmpty("a scope", scope));
    this.records = Misuse.given("records", records);
  }

  /**
   * How long a claim holds since its last write was sent. When the work or a step begins, at least
   * half of the lease is left: where an answer of the store took longer, the claim is renewed
   * first. So an effect that takes less than half of the lease never runs beside another owner's.
   * Work that takes longer between two steps has to call {@link Steps#renew}.
   *
   * @param lease more than 0, at most 36,525 days; one minute unless given
   * @return this builder
   */
  public ExecutionsBuilder lease(Duration lease) {
    this.lease = Times.positive("lease", lease);
    return this;
  }

  /**
   * By how much the clocks of owners may differ. A lease is over once it has ended by so much, or
   * once its record was seen unchanged for as long as it lasts.
   *
   * @param skew not negative, at most 36,525 days; 10 seconds unless given
   * @return this builder
   */
  public ExecutionsBuilder maxSkew(Duration skew) {
    if (skew.isNegative()) {
      throw new IllegalArgumentException("maxSkew must not be negative, was " + skew);
    }
    this.skew = Times.bounded("maxSkew", skew);
    return this;
  }

  /**
   * Waits for the result of somebody else who is at work, instead of answering {@link
   * Execution.InProgress} at once. A wait reads the record after growing pauses, and ends early
   * where the thread is interrupted.
   *
   * @param most how long, at most 36,525 days; not at all unless given
   * @return this builder
   */
  public ExecutionsBuilder waitingUpTo(Duration most) {
    this.wait = Times.positive("waitingUpTo", most);
    return this;
  }

  /**
   * Leaves a key for a person where its owner went silent, instead of taking it over once its lease
   * has ended: for work that must not run twice and has no steps.
   *
   * @return this builder
   */
  public ExecutionsBuilder parkingSilentOwners() {
    this.parks = true;
    return this;
  }

  /**
   * Stores failures of a class, and replays them: they are final. Other exceptions leave the key
   * free for the next call. Faults of this library and of the store of the records are never
   * stored, nor exceptions that they cause: such as {@link NotExecutedException} of another key,
   * unless that has failed for good, and what is thrown at wrong calls of {@link Steps} and of
   * other executions. Nor is an {@link InterruptedException}, a {@link java.io.IOException} on a
   * thread that is interrupted, or an {@link Error}, which say nothing of the work. What another
   * store throws by itself is the work's, such as the want of a right to another table.
   *
   * @param type the exception's class
   * @param code what to store of it, without values that must not be kept
   * @param <E> the exception's class
   * @return this builder
   */
  public <E extends Exception> ExecutionsBuilder storing(
      Class<E> type, Function<? super E, String> code) {
    storing.add(new Storing<>(Objects.requireNonNull(type), Objects.requireNonNull(code)));
    return this;
  }

  /**
   * How long results are replayed. Of work that ends in a {@link Completion} they are kept for as
   * long as its write is told ({@link Completion#toldFor}), if that is longer.
   *
   * @param keptFor more than 0, at most 36,525 days; one day unless given
   * @return this builder
   */
  public ExecutionsBuilder keptFor(Duration keptFor) {
    this.keptFor = Times.positive("keptFor", keptFor);
    return this;
  }

  /**
   * How long executions are kept that nobody finished, since their last write, and never for less
   * than a claim holds ({@link Executions#within}); those that wait for a person are kept until the
   * person says what is. With a {@link Completion} they are kept for as long as its write is told,
   * if that is longer.
   *
   * @param time more than 0, at most 36,525 days; 30 days unless given, and never less than results
   *     are kept
   * @return this builder
   */
  public ExecutionsBuilder unfinishedFor(Duration time) {
    this.unfinishedFor = Times.positive("unfinishedFor", time);
    return this;
  }

  /**
   * How results, and the requests of flows, are written and read. It is copied by {@link #build};
   * the copy ignores properties that a class does not have.
   *
   * @param mapper of JSON, without default typing; how much it reads bounds how much is written
   * @return this builder
   */
  public ExecutionsBuilder mapper(ObjectMapper mapper) {
    this.mapper = Objects.requireNonNull(mapper, "mapper");
    return this;
  }

  /**
   * Names a type for the records, in place of its class's name: its results, and those of steps,
   * are stored under the name, and are read under it, the earlier ones and the class's own. Say
   * this when a class is moved or renamed. Where versions run side by side, take as name the one
   * that the version before reads, such as the class's name until now.
   *
   * @param type a type of results
   * @param name that it is stored under from now on; not empty, and not that of another type
   * @param earlier names that it was stored under before
   * @return this builder
   */
  public ExecutionsBuilder storedAs(Class<?> type, String name, String... earlier) {
    List<String> all = new ArrayList<>(List.of(name));
    all.addAll(List.of(earlier));
    all.forEach(one -> Text.wellFormed("the name of a stored type", one));
    names.put(Objects.requireNonNull(type, "type"), List.copyOf(all));
    return this;
  }

  /**
   * Tells a listener what happens to executions.
   *
   * @param listener is told on the threads of the calls
   * @return this builder
   */
  public ExecutionsBuilder listener(ExecutionListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /** For tests, in which time passes by itself. */
  ExecutionsBuilder time(LongSupplier nanos, Pauses pauses) {
    this.nanos = nanos;
    this.pauses = pauses;
    return this;
  }

  /**
   * Checks the settings.
   *
   * @return executions
   * @throws IllegalArgumentException if the mapper has default typing, cannot be copied, or writes
   *     something else than JSON, a name of a type is empty or that of two, or an unfinished
   *     execution would be forgotten before its lease ends
   */
  public Executions build() {
    if (unfinished().compareTo(lease.plus(skew)) < 0) {
      throw new IllegalArgumentException(
          "unfinishedFor or keptFor must be at least lease and maxSkew together, and the longer was "
              + unfinished());
    }
    return new Executions(this);
  }

  /** For how long executions are kept that nobody finished. */
  Duration unfinished() {
    return unfinishedFor.compareTo(keptFor) < 0 ? keptFor : unfinishedFor;
  }

  /** Failures that are final, and what is stored of them. */
  record Storing<E extends Exception>(Class<E> type, Function<? super E, String> code) {
    String codeOf(Throwable error) {
      return code.apply(type.cast(error));
    }
  }
}
