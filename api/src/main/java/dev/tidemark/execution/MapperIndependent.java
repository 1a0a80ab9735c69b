package dev.tidemark.execution;

/**
 * A result or a request whose form in the records does not depend on the mapper of the executions:
 * it is written and read by the defaults of Jackson. For libraries that build on executions and
 * store a class of their own, which the mapper of an application must neither rename nor refuse.
 * The mapper still bounds how long it may be.
 */
public interface MapperIndependent {}
