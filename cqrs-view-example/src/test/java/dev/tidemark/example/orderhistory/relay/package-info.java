/** Tests of what sends the changes of statuses. */
@NullMarked
package dev.tidemark.example.orderhistory.relay;

import org.jspecify.annotations.NullMarked;
