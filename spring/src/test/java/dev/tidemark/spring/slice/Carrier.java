package dev.tidemark.spring.slice;

import org.springframework.stereotype.Component;

/** What a test of stores leaves out. */
@Component
class Carrier {
  Carrier() {
    throw new IllegalStateException("a test made the carrier");
  }
}
