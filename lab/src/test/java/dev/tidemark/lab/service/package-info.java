/** The example's service over HTTP: its views, checkouts, health and meters, with real stores. */
@NullMarked
package dev.tidemark.lab.service;

import org.jspecify.annotations.NullMarked;
