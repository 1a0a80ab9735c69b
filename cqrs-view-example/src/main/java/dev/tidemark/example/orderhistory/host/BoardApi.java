package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.Generations;
import java.util.Comparator;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The board of restaurants, where the settings say that there is one. */
@RestController
@ConditionalOnExpression("environment.getProperty('SHOW_BOARD', T(Boolean), false)")
record BoardApi(Generations generations, @Qualifier("promptReads") StoreReads reads) {
  @GetMapping("/api/board")
  List<BoardView> board() {
    List<BoardView> rows = reads.read(generations::restaurants);
    return rows.stream().sorted(Comparator.comparing((BoardView row) -> row.restaurant)).toList();
  }
}
