package dev.tidemark.execution;

/**
 * What is stored of a failure that is final.
 *
 * @param code the code that the builder's {@code storing} gave it, else the name of the exception's
 *     class
 */
public record StoredFailure(String code) {}
