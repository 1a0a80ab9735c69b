package dev.tidemark.intake;

import java.util.List;
import java.util.ServiceLoader;

/** The stores whose modules are on the class path. */
final class Stores {
  static final List<StoreFaults> FOUND =
      ServiceLoader.load(StoreFaults.class, StoreFaults.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private Stores() {}
}
