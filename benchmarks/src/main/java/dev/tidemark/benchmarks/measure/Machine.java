package dev.tidemark.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What the measurements ran on. */
public final class Machine {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private Machine() {}

  static long cpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /**
   * Processors, memory, system and Java.
   *
   * @return one line, without the machine's name
   */
  public static String describe() {
    return "%d cores (%s), %d GB, %s, Java %s"
        .formatted(
            SYSTEM.getAvailableProcessors(),
            SYSTEM.getArch(),
            Math.round(SYSTEM.getTotalMemorySize() / 1e9),
            SYSTEM.getName(),
            Runtime.version());
  }
}
