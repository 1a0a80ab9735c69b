package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.local.EventTopics;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Adds the lab to the service, and puts its trouble between the carrier and the views. */
@Configuration(proxyBeanMethods = false)
@Import({Lab.class, LabPage.class})
class LabSetup {
  @Bean
  LabCheck labCheck(Generations generations, LabTwin twin, LabJournal journal) {
    return new LabCheck(generations, twin, journal);
  }

  @Bean
  LabBoard labBoard(
      Generations generations, LabJournal journal, EventTopics topics, LabRelay relay) {
    return new LabBoard(generations, journal, topics, relay);
  }

  @Bean
  SameOrigin sameOrigin() {
    return new SameOrigin();
  }

  @Bean
  static BeanPostProcessor troubleBeforeViews(LabTrouble trouble) {
    return new BeanPostProcessor() {
      @Override
      @SuppressWarnings("unchecked") // the bean of that name
      public Object postProcessAfterInitialization(Object bean, String name) {
        return name.equals("handler")
            ? trouble.around((Function<List<Delivery>, BatchOutcome<?>>) bean)
            : bean;
      }
    };
  }
}
