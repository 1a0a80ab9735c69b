package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;

/**
 * Changes of records, 25 in a request. A change that takes very many messages is several writes,
 * one after the other. For one call and one thread.
 */
final class OutboxWrites {
  /** What BatchExecuteStatement takes. */
  private static final int MOST_STATEMENTS = 25;

  /**
   * How often a write is made over what refused the one before, where the messages are the same.
   */
  private static final int MOST_TRIES = 5;

  private final DynamoDbClient client;
  private final OutboxStatements statements;
  private final OutboxReads reads;
  private final Deque<Task> tasks = new ArrayDeque<>();
  private final Map<Integer, Answer> answers = new HashMap<>();

  OutboxWrites(DynamoDbClient client, OutboxStatements statements, OutboxReads reads) {
    this.client = client;
    this.statements = statements;
    this.reads = reads;
  }

  /**
   * A change that is not made yet.
   *
   * @param place among the changes of the call
   * @param tries how often it was refused for another reason than its messages
   */
  private record Task(int place, OutboxChange change, int tries) {}

  List<Answer> write(List<OutboxChange> changes) {
    for (int i = 0; i < changes.size(); i++) {
      OutboxChange change = changes.get(i);
      if (change.before().isEmpty()) {
        answers.put(i, refused(reads.read(key(change).attributes())));
      } else {
        tasks.add(new Task(i, change, 0));
      }
    }
    while (!tasks.isEmpty()) {
      List<Task> some = new ArrayList<>();
      while (some.size() < MOST_STATEMENTS && !tasks.isEmpty()) {
        some.add(tasks.remove());
      }
      send(some);
    }
    List<Answer> all = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      all.add(Objects.requireNonNull(answers.get(i)));
    }
    return all;
  }

  private static OutboxKey key(OutboxChange change) {
    return (OutboxKey) change.before().key();
  }

  private void send(List<Task> some) {
    List<OutboxStatements.Step> steps =
        some.stream().map(task -> statements.next(task.change())).toList();
    List<BatchStatementResponse> replies;
    try {
      replies =
          client
              .batchExecuteStatement(
                  BatchExecuteStatementRequest.builder()
                      .statements(steps.stream().map(statements::statement).toList())
                      .build())
              .responses();
    } catch (RuntimeException e) {
      if (Errors.kind(e) == Errors.Kind.FAULT && !Errors.wereUncertain(e)) {
        throw Transport.<RuntimeException>plain(Faults.ofTable(e, statements.table()));
      }
      some.forEach(task -> answers.put(task.place(), new Answer.Unsure(e)));
      return;
    }
    for (int i = 0; i < some.size(); i++) {
      if (i < replies.size()) {
        told(some.get(i), steps.get(i), replies.get(i).error());
      } else {
        answers.put(some.get(i).place(), new Answer.Unsure(noAnswer()));
      }
    }
  }

  private static OutcomeUnknownException noAnswer() {
    return new OutcomeUnknownException("no answer came to a change of a record", null, null);
  }

  private void told(Task task, OutboxStatements.Step step, @Nullable BatchStatementError error) {
    OutboxChange rest = step.rest();
    if (error == null && rest != null) {
      tasks.addFirst(new Task(task.place(), rest, task.tries()));
      return;
    }
    Answer answer;
    try {
      answer = error == null ? new Answer.Written(step.after().isEmpty()) : answer(task, error);
    } catch (RuntimeException e) {
      answer = new Answer.Unsure(e); // what is stored cannot be read
    }
    OutboxRecord again = answer instanceof Answer.Refused refused ? refused.found() : null;
    if (again != null && task.tries() < MOST_TRIES && isOtherItem(task.change(), again)) {
      OutboxChange next = OutboxStatements.over(again, task.change());
      tasks.addFirst(new Task(task.place(), next, task.tries() + 1));
    } else {
      answers.put(task.place(), answer);
    }
  }

  private Answer answer(Task task, BatchStatementError error) {
    return switch (error.code()) {
      case CONDITIONAL_CHECK_FAILED -> {
        Map<String, AttributeValue> key = key(task.change()).attributes();
        Map<String, AttributeValue> item = Errors.item(error.item(), key);
        yield refused(item.isEmpty() ? reads.read(key) : statements.items().record(key, item));
      }
      case REQUEST_LIMIT_EXCEEDED,
          PROVISIONED_THROUGHPUT_EXCEEDED,
          TRANSACTION_CONFLICT,
          THROTTLING_ERROR ->
          new Answer.Unsure(
              new ContentionException(
                  "a change of a record met " + error.codeAsString(), null, null));
      case INTERNAL_SERVER_ERROR -> new Answer.Unsure(noAnswer());
      default -> new Answer.Unsure(Faults.ofNote(error, statements.table()));
    };
  }

  private static Answer refused(@Nullable OutboxRecord found) {
    return new Answer.Refused(found == null || found.isEmpty() ? null : found);
  }

  /** Whether the messages are as they were read, and something else of the item is not. */
  private static boolean isOtherItem(OutboxChange change, OutboxRecord found) {
    OutboxRecord before = change.before();
    return ids(before.waiting()).equals(ids(found.waiting()))
        && ids(before.parked()).equals(ids(found.parked()))
        && !key(change).hasSameState((OutboxKey) found.key());
  }

  private static List<String> ids(List<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::id).toList();
  }
}
