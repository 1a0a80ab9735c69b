package dev.tidemark.tck.contract;

import dev.tidemark.Result;
import dev.tidemark.tck.View;
import java.util.List;

/** Results of a batch in words: the outcome's arm, the fault's class, or that it was held back. */
final class Words {
  private Words() {}

  static List<String> of(List<Result<View>> results) {
    return results.stream().map(Words::of).toList();
  }

  static String of(Result<View> result) {
    if (result instanceof Result.Judged<View> judged) {
      return judged.outcome().getClass().getSimpleName();
    }
    return result instanceof Result.Failed<View> failed
        ? failed.fault().getClass().getSimpleName()
        : "HeldBack";
  }
}
