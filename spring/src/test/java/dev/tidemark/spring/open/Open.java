package dev.tidemark.spring.open;

import dev.tidemark.Tracked;

/** It has no table. */
@Tracked
public abstract class Open {}
