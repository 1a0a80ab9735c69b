package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.settings.Settings;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Has the consumer that {@code CARRIER} names: {@code kafka}, {@code sqs} or {@code change-stream};
 * none if it names none. It hands what comes to the bean of type {@code Function<List<Delivery>,
 * BatchOutcome<?>>}.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(Settings.class)
@Import({KafkaCarrier.class, SqsCarrier.class, ChangeStream.class})
public class CarrierSetup {
  CarrierSetup() {}
}
