package dev.tidemark.example.orderhistory.host;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.Pattern;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Live updates over HTTP. */
@RestController
record LiveApi(LiveUpdates updates) {
  /**
   * A stream of events that say when a consumer's newest orders or this month's sums are other than
   * before: {@code changed} with the ids of those orders, at first with none; {@code unavailable}
   * once the store does not answer, or these cannot be read. Read the orders again on each. {@code
   * alive} comes every second: a page that misses it has lost the service, though the connection
   * may look open.
   */
  @GetMapping(
      path = "/api/consumers/{consumerId}/changes",
      produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter changes(
      @PathVariable @Pattern(regexp = OrderApi.ID, message = OrderApi.ID_RULE) String consumerId,
      HttpServletRequest request) {
    return updates.subscribe(consumerId, request.getRemoteAddr());
  }
}
