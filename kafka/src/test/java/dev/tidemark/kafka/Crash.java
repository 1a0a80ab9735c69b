package dev.tidemark.kafka;

import dev.tidemark.intake.Decoder;

/** A crash, seen from the loop: neither a result nor an exception. */
final class Crash extends VirtualMachineError {
  private static final long serialVersionUID = 1L;

  static final Decoder<Object> DECODER =
      message -> {
        throw new Crash();
      };
}
