package dev.tidemark.spring;

import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeListener;
import dev.tidemark.intake.Taken;
import java.util.List;
import java.util.Objects;

/** An intake whose meters are made once its bean has a name. */
abstract class CountedIntake<M> {
  private final Intake<M> intake;
  private volatile IntakeListener meters = taken -> {};

  CountedIntake(Intake<M> intake) {
    this.intake = Objects.requireNonNull(intake, "intake");
  }

  /** Tells of each batch from now on, before the carrier is told. */
  final void count(IntakeListener meters) {
    this.meters = meters;
  }

  final Taken<M> handled(List<M> messages) {
    Taken<M> taken = intake.takeOnContainerThread(messages);
    meters.taken(taken);
    return taken;
  }
}
