/** Tests of the Lambda handlers, through drivers that behave as event source mappings do. */
@NullMarked
package dev.tidemark.example.orderhistory.lambda;

import org.jspecify.annotations.NullMarked;
