/**
 * What Tidemark promises, for no store in particular. Stored results need Jackson, which a module
 * path holds as modules of their own: without this they would not be there.
 */
module dev.tidemark.api {
  requires transitive com.fasterxml.jackson.databind;
  requires static transitive org.jspecify;

  exports dev.tidemark;
  exports dev.tidemark.execution;
  exports dev.tidemark.inbox;
  exports dev.tidemark.intake;
  exports dev.tidemark.kernel;
  exports dev.tidemark.marks;
  exports dev.tidemark.metrics;
  exports dev.tidemark.outbox;
  exports dev.tidemark.projector;
  exports dev.tidemark.store;
  exports dev.tidemark.transaction;
}
