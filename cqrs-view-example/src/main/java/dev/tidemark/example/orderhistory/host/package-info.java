/**
 * The long-running service: a carrier, the HTTP API and the page in one Spring Boot application.
 * Spring is used here, and where events come in.
 */
@NullMarked
package dev.tidemark.example.orderhistory.host;

import org.jspecify.annotations.NullMarked;
