package dev.tidemark.spring;

/** Is told of records that have no relay any more, since no source names them. */
@FunctionalInterface
interface GoneRecords {
  void gone(String records);
}
