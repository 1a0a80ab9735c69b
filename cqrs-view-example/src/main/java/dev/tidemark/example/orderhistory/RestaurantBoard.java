package dev.tidemark.example.orderhistory;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.projector.Projector;

/**
 * The board of restaurants: how many orders stand in each status, from changes of statuses alone.
 * Nothing but sums: each message is one write without a read.
 */
public final class RestaurantBoard {
  private RestaurantBoard() {}

  /**
   * The projector of changes into counts.
   *
   * @param boards where the rows are
   * @return a projector for any number of threads
   */
  public static Projector<BoardView> into(EntityStore<BoardView> boards) {
    return Projector.into(boards)
        .declaring(OrderStatusChanged.class)
        .updating(OrderStatusChanged.class, e -> key(e.restaurant()), RestaurantBoard::moved)
        .build();
  }

  private static Change moved(OrderStatusChanged event) {
    Change first = change().createIfMissing();
    Change less = BoardView.column(event.from()).map(from -> first.add(from, -1)).orElse(first);
    return BoardView.column(event.to()).map(to -> less.add(to, 1)).orElse(less);
  }
}
