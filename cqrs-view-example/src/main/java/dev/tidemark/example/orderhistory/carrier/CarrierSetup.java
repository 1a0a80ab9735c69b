package dev.tidemark.example.orderhistory.carrier;

import java.util.Set;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Has the consumer that {@code CARRIER} names: {@code kafka}, {@code sqs} or {@code change-stream};
 * none if it names none. It hands what comes to the bean of type {@code Function<List<Delivery>,
 * BatchOutcome<?>>}.
 */
@Configuration(proxyBeanMethods = false)
@Import({KafkaCarrier.class, SqsCarrier.class, ChangeStream.class, CarrierHealth.class})
public class CarrierSetup {
  private static final Set<String> CARRIERS = Set.of("", "kafka", "sqs", "change-stream");

  CarrierSetup(@Value("${CARRIER:}") String carrier) {
    if (!CARRIERS.contains(carrier)) {
      throw new IllegalArgumentException(
          "CARRIER must be kafka, sqs or change-stream, was " + carrier);
    }
  }
}
