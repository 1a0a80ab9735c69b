// snippet: start-sqs
package shop;

import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.aws.SqsIntake;
import dev.tidemark.intake.Intake;
import dev.tidemark.projector.Projector;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

public record SqsOrders(Projector<?> projector, SqsClient sqs) {
  public SqsIntake queue(String url, String urlOfDeadLetters) {
    Intake<Message> intake =
        SqsIntake.builder(
                url, message -> OrderEvent.parse(message.body()).delivery(), projector::handle)
            .deadLetters(SqsDeadLetters.of(sqs, urlOfDeadLetters))
            .build();
    return SqsIntake.of(sqs, url, intake);
  }
}
// end
