package dev.tidemark.example.migration;

/**
 * What a function answers.
 *
 * @param charge as the provider names it
 * @param cents that it charged
 */
public record Receipt(String charge, int cents) {}
