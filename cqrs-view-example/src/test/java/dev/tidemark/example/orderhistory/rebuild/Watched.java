package dev.tidemark.example.orderhistory.rebuild;

import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import java.util.List;
import java.util.function.UnaryOperator;

/** The generations, with something that happens when a rebuild begins to read, and at a switch. */
record Watched(
    Generations generations,
    Runnable atRebuilding,
    Runnable atServe,
    UnaryOperator<ViewStore> rebuilt)
    implements Generations {
  Watched(Generations generations, Runnable atRebuilding, Runnable atServe) {
    this(generations, atRebuilding, atServe, views -> views);
  }

  /** The same, with something around the views that a rebuild fills. */
  static Watched around(Generations generations, UnaryOperator<ViewStore> rebuilt) {
    return new Watched(generations, () -> {}, () -> {}, rebuilt);
  }

  @Override
  public int serving() {
    return generations.serving();
  }

  @Override
  public ViewStore generation(int number) {
    return generations.generation(number);
  }

  @Override
  public ViewStore rebuilding(int number) {
    atRebuilding.run();
    return rebuilt.apply(generations.rebuilding(number));
  }

  @Override
  public void prepare(int number) {
    generations.prepare(number);
  }

  @Override
  public void serve(int number) {
    generations.serve(number);
    atServe.run();
  }

  @Override
  public int beginRebuild() {
    return generations.beginRebuild();
  }

  @Override
  public void endRebuild() {
    generations.endRebuild();
  }

  @Override
  public List<ViewStore> before(int number) {
    return generations.before(number);
  }

  @Override
  public boolean announces() {
    return generations.announces();
  }

  @Override
  public EntityStore<BoardView> board() {
    return generations.board();
  }

  @Override
  public List<BoardView> restaurants() {
    return generations.restaurants();
  }

  @Override
  public void prepareBoard() {
    generations.prepareBoard();
  }

  @Override
  public List<OutboxRecords> outboxes() {
    return generations.outboxes();
  }

  @Override
  public RecordStore executions() {
    return generations.executions();
  }

  @Override
  public void prepareExecutions() {
    generations.prepareExecutions();
  }

  @Override
  public void close() {
    generations.close();
  }
}
