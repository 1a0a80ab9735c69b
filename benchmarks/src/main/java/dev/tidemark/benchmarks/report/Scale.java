package dev.tidemark.benchmarks.report;

/** Chooses the marks of an axis. */
final class Scale {
  private static final int MARKS = 6;

  private Scale() {}

  /** A step of 1, 2 or 5 times a power of ten, so that about six of them reach the top. */
  static double step(double top) {
    double rough = top / MARKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    for (double factor : new double[] {1, 2, 5}) {
      if (rough <= factor * power) {
        return factor * power;
      }
    }
    return 10 * power;
  }
}
