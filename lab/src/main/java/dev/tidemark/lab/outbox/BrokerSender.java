package dev.tidemark.lab.outbox;

import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sends messages to the {@link Broker}, all of a call in one request. */
final class BrokerSender implements Sender {
  private static final int OK = 200;

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI uri;

  BrokerSender(String url) {
    this.uri = URI.create(url);
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    StringBuilder lines = new StringBuilder();
    for (OutboxMessage message : messages) {
      String text = message.message().text().orElseThrow();
      lines.append(message.id()).append('\t').append(text).append('\n');
    }
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(3))
            .POST(BodyPublishers.ofString(lines.toString()))
            .build();
    HttpResponse<String> answer;
    try {
      answer = client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (answer.statusCode() != OK) {
      throw new IllegalStateException("the broker answers " + answer.statusCode());
    }
    List<Sent> answers = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      boolean taken = answer.body().charAt(i) == '1';
      answers.add(
          taken
              ? Sent.taken()
              : Sent.failed(new IllegalStateException("the broker does not take it")));
    }
    return answers;
  }
}
