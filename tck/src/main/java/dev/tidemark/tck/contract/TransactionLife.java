package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.Write;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Count;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Two or three tracked views, and at times a counter, that are written together or not at all. */
final class TransactionLife implements Life {
  private static final int FULL = 3;

  private final TrackedLife views;
  private final Transactions transactions;
  private String counter = Some.name();
  private int counted;

  TransactionLife(TrackedLife views, Transactions transactions) {
    this.views = views;
    this.transactions = transactions;
  }

  @Override
  public Told turn(Random random, MovableClock clock) {
    List<TrackedLife.One> all = new ArrayList<>(views.views());
    Collections.shuffle(all, random);
    List<JointWrites.Part> parts = new ArrayList<>();
    List<TrackedLife.One> written = all.subList(0, random.nextInt(4) == 0 ? 3 : 2);
    for (TrackedLife.One view : written) {
      Write<View> write = TrackedLife.write(view, random, clock);
      Oracle.Step recorded = view.step(Write.skip(write.message(), write.key()), clock);
      parts.add(
          new JointWrites.Part(view.tracking, write, write, view.step(write, clock), recorded));
    }
    if (counted == FULL && random.nextBoolean()) {
      counter = Some.name();
      counted = 0;
    }
    boolean counts = random.nextBoolean();
    JointWrites joint = new JointWrites(parts, counts && counted == FULL);
    JointWrites.Ended ended = joint.make(transactions, counts ? new Count(counter, FULL) : null);
    boolean committed = ended.became().equals("committed");
    for (int i = 0; i < parts.size(); i++) {
      if (ended.isWritten(i)) {
        written.get(i).become(ended.parts().get(i).step().after());
      }
      written.get(i).assertStored("transaction of " + joint);
    }
    counted += committed && counts ? 1 : 0;
    assertEquals(counted, transactions.counted(counter), joint::toString);
    String operation = "transaction" + (counts ? " with a counter" : "");
    return new Told(operation, ended.became(), "", committed);
  }
}
