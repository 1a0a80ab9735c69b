package dev.tidemark.kafka;

import dev.tidemark.projector.Delivery;

/** A crash, seen from the loop: neither a result nor an exception. */
final class Crash extends VirtualMachineError {
  private static final long serialVersionUID = 1L;

  static Delivery decode(Object record) {
    throw new Crash();
  }
}
