package dev.tidemark.aws;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;

/**
 * Puts outgoing messages as events on buses of EventBridge, which keeps no order.
 *
 * <p>The detail is the payload, as it is: a text with a JSON object. The detail type is the
 * message's type. An event has no headers, so its first resource tells the ID that is the same at
 * every try, after {@value #ID}: {@code
 * MessageId.of(event.getResources().get(0).substring(EventBridgeSender.ID.length()))}. A message
 * with bytes, without a type, or with headers is an error of that message; EventBridge itself
 * refuses a text that is not JSON ({@code MalformedDetail}).
 *
 * <p>See the package for what all senders do. Cost: a request for 10 messages of a bus, or fewer if
 * they have more than 256 KiB together.
 */
public final class EventBridgeSender implements Sender {
  /**
   * What stands before the ID in the first resource of an event. Nothing of Tidemark reads it.
   * Whoever makes another event of one does not hand its resources on.
   */
  public static final String ID = "tidemark-id:";

  private static final String SERVICE = "EventBridge";
  private static final int MOST_BYTES = 1 << 18;

  private final EventBridgeClient client;
  private final String source;
  private final Batches<PutEventsRequestEntry> batches;

  private EventBridgeSender(
      EventBridgeClient client, String source, Function<String, String> buses) {
    this.client = Objects.requireNonNull(client, "client");
    this.source = Objects.requireNonNull(source, "source");
    this.batches = new Batches<>(MOST_BYTES, buses, this::entry, this::request);
  }

  /**
   * Puts events on the bus of each message's topic.
   *
   * @param client stays the caller's, who closes it
   * @param source of all events, such as the name of the service
   * @param buses gives the name or ARN of the bus for a topic; if it throws or gives null, the
   *     messages of that topic fail
   * @return a sender
   */
  public static EventBridgeSender of(
      EventBridgeClient client, String source, Function<String, String> buses) {
    return new EventBridgeSender(client, source, buses);
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    return batches.send(messages);
  }

  private Batches.Sized<PutEventsRequestEntry> entry(
      OutboxMessage outgoing, String bus, String ignored) {
    OutgoingMessage message = outgoing.message();
    if (!message.headers().isEmpty()) {
      throw new IllegalArgumentException(
          "an event of EventBridge has no headers, but the message has "
              + message.headers().keySet()
              + "; put them into the payload");
    }
    String type =
        message
            .type()
            .orElseThrow(
                () -> new IllegalArgumentException("a message to EventBridge needs a type"));
    String detail =
        message
            .text()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a message to EventBridge needs a text with a JSON object, was bytes"));
    String id = ID + outgoing.id();
    int bytes =
        Batches.bytes(source) + Batches.bytes(type) + Batches.bytes(detail) + Batches.bytes(id);
    return new Batches.Sized<>(
        PutEventsRequestEntry.builder()
            .eventBusName(bus)
            .source(source)
            .detailType(type)
            .detail(detail)
            .resources(id)
            .build(),
        bytes);
  }

  private List<Sent> request(String bus, List<PutEventsRequestEntry> entries) {
    List<PutEventsResultEntry> results = client.putEvents(b -> b.entries(entries)).entries();
    List<Sent> answers = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      PutEventsResultEntry result = i < results.size() ? results.get(i) : null;
      answers.add(answer(result));
    }
    return answers;
  }

  private static Sent answer(@Nullable PutEventsResultEntry result) {
    if (result != null && result.errorCode() != null) {
      return Answers.notTaken(SERVICE, new Answers.Refused(null, result.errorCode(), null));
    }
    return result != null && result.eventId() != null ? Sent.taken() : Answers.untold(SERVICE);
  }
}
