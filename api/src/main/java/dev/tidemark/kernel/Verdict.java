package dev.tidemark.kernel;

import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges one delivery by the marks that are found under its key.
 *
 * @param message the delivery
 * @param tracking the policies
 * @param names how the store spells the names of {@code tracking}
 * @param now the writer's time
 */
public record Verdict(Message message, Tracking tracking, Names names, Instant now) {
  /**
   * Checks the message.
   *
   * @param message the delivery
   * @param tracking the policies
   * @param names how the store spells the names of {@code tracking}
   * @param now the writer's time
   * @throws IllegalArgumentException if its position is none that its source can have
   */
  public Verdict {
    requirePosition(message, tracking);
  }

  /**
   * Refuses a message that can be applied to no state of an entity.
   *
   * @param message the delivery
   * @param tracking the policies
   * @throws IllegalArgumentException if its position is none that its source can have
   */
  public static void requirePosition(Message message, Tracking tracking) {
    if (message instanceof SourceEvent event) {
      Judge.requirePosition(event, tracking.events(event.source().type()));
    }
  }

  /**
   * What the marks say.
   *
   * @param found what is stored
   * @param <T> the entity's type
   * @return empty if the message is fresh
   * @throws dev.tidemark.CorruptRecordException if the marks or the revision cannot be read by this
   *     tracking
   * @throws IllegalArgumentException if the message's position is none that its source can have
   */
  public <T> Optional<Outcome<T>> ofMarks(Found<T> found) {
    found.revision(names); // a fault where something else is kept in its place
    Map<String, Object> marks = found.judgingMarks(names, now);
    Judgement judgement = judge(marks);
    if (judgement.kind() == Judgement.Kind.FRESH) {
      return Optional.empty();
    }
    boolean live = found.state(names, now) == Found.State.LIVE;
    T entity = live ? found.entity() : null;
    return Optional.of(
        judgement.outcome(entity, mark(marks), tracking.acknowledgesBeyondHorizon()));
  }

  private Judgement judge(Map<String, Object> marks) {
    if (message instanceof SourceEvent event) {
      SourceMark mark = SourceMark.read(marks, names, event.source());
      return Judge.judge(mark, event, tracking.events(event.source().type()));
    }
    MessageId id = (MessageId) message;
    boolean remembered =
        Slots.read(marks, names, tracking.messageIds()).remembers(Ids.allForms(id));
    return Judge.judge(remembered, id, tracking, now);
  }

  /**
   * Whether no write can apply the message whatever is stored, so that a read is all it takes.
   *
   * @return true for a message ID sent before the horizon
   */
  public boolean isBeyondHorizon() {
    return message instanceof MessageId id && Judge.isBeyondHorizon(id, tracking, now);
  }

  /**
   * What is remembered of the delivery's source.
   *
   * @param found what is stored
   * @return null for a message ID, or if nothing is known
   */
  public @Nullable Mark mark(Found<?> found) {
    return mark(found.judgingMarks(names, now));
  }

  @Nullable Mark mark(Map<String, Object> marks) {
    return message instanceof SourceEvent event
        ? SourceMark.read(marks, names, event.source()).highest(event.source())
        : null;
  }
}
