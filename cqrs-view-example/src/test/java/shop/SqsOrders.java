// snippet: start-sqs
package shop;

import dev.tidemark.Result;
import dev.tidemark.projector.Projector;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

public record SqsOrders(SqsClient sqs, String queueUrl, Projector<?> projector) {
  public void receive() {
    List<Message> messages =
        sqs.receiveMessage(r -> r.queueUrl(queueUrl).maxNumberOfMessages(10).waitTimeSeconds(20))
            .messages();
    List<? extends Result<?>> results =
        projector
            .handle(messages.stream().map(m -> OrderEvent.parse(m.body()).delivery()).toList())
            .results();
    for (int i = 0; i < messages.size(); i++) {
      if (results.get(i).isDone()) { // the others come again
        String receipt = messages.get(i).receiptHandle();
        sqs.deleteMessage(d -> d.queueUrl(queueUrl).receiptHandle(receipt));
      }
    }
  }
}
// end
