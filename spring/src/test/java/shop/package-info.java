/** The application of docs/spring.md, as a user would write it. */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
