package dev.tidemark.spring;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.BatchAcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.adapter.AbstractDelegatingMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.kafka.support.Acknowledgment;

/** Makes containers whose listeners may ask any number of intakes in a call. */
final class IntakeContainers<K, V> extends ConcurrentKafkaListenerContainerFactory<K, V> {
  /** The field of a {@code MessagingMessageListenerAdapter}. */
  private static final String ERROR_HANDLER = "errorHandler";

  @Override
  protected ConcurrentMessageListenerContainer<K, V> createContainerInstance(
      KafkaListenerEndpoint endpoint) {
    return new Container<>(
        Objects.requireNonNull(getConsumerFactory(), "the factory has no consumer factory"),
        super.createContainerInstance(endpoint).getContainerProperties());
  }

  /** Lets a native image have the field too. */
  static final class Hints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
      hints
          .reflection()
          .registerType(
              MessagingMessageListenerAdapter.class, type -> type.withField(ERROR_HANDLER));
    }
  }

  /** Looks at its listener and its error handler as late as these can be changed. */
  private static final class Container<K, V> extends ConcurrentMessageListenerContainer<K, V> {
    Container(ConsumerFactory<? super K, ? super V> consumers, ContainerProperties properties) {
      super(consumers, properties);
    }

    @Override
    protected void doStart() {
      ContainerProperties properties = getContainerProperties();
      Object listener = properties.getMessageListener();
      if (!(listener instanceof BatchMessageListener<?, ?>)) {
        throw refused("has a listener of single records", "@KafkaListener(batch = \"true\")");
      }
      if (any(listener, Container::isAsynchronous)) {
        throw refused(
            "has a listener that returns a CompletableFuture or a Mono, or is a suspend function",
            "a listener that returns nothing, and whose thread calls take");
      }
      if (any(listener, Container::hasErrorHandler)) {
        throw refused(
            "has a listener with a KafkaListenerErrorHandler, which may swallow what the listener"
                + " has thrown before it had called take for each record",
            "@KafkaListener without errorHandler; let the listener catch what it can bear");
      }
      if (!(getCommonErrorHandler() instanceof IntakeErrorHandler)) {
        throw refused("has an error handler of another kind", "no error handler");
      }
      if (properties.getAckMode() != ContainerProperties.AckMode.BATCH) {
        throw refused("has the ack mode " + properties.getAckMode(), "no ack mode, or BATCH");
      }
      if (properties.isAsyncAcks()) {
        throw refused("has asynchronous acknowledgments", "asyncAcks = false");
      }
      if (properties.getKafkaAwareTransactionManager() != null) {
        throw refused("has a transaction manager of Kafka", "none");
      }
      if (AopUtils.getTargetClass(listener) != Call.class) {
        @SuppressWarnings("unchecked") // the container's own, of whatever types its consumer has
        BatchMessageListener<K, V> batches = (BatchMessageListener<K, V>) listener;
        properties.setMessageListener(new Call<>(batches));
      }
      super.doStart();
    }

    /** Also behind a filter of records, which does not tell. */
    private static boolean any(Object listener, Predicate<Object> is) {
      return is.test(listener)
          || (listener instanceof DelegatingMessageListener<?> filter
              && any(filter.getDelegate(), is));
    }

    private static boolean isAsynchronous(Object listener) {
      return listener instanceof AsyncRepliesAware aware && aware.isAsyncReplies();
    }

    /** Of the listener's own, which Spring Kafka shows nobody. */
    private static boolean hasErrorHandler(Object listener) {
      return listener instanceof MessagingMessageListenerAdapter<?, ?>
          && new DirectFieldAccessor(listener).getPropertyValue(ERROR_HANDLER) != null;
    }

    private SetupException refused(String found, String wanted) {
      return new SetupException(
          "A container of "
              + KafkaIntakeListener.FACTORY
              + ", with the id "
              + getListenerId()
              + ", "
              + found
              + ", so that it would commit records that are not done, or leave out what is done.",
          "Give it " + wanted + ", or use another container factory, without an intake.");
    }
  }

  /** Each call of the listener, of whatever kind the listener is. */
  private static final class Call<K, V>
      extends AbstractDelegatingMessageListenerAdapter<BatchMessageListener<K, V>>
      implements BatchAcknowledgingConsumerAwareMessageListener<K, V> {
    Call(BatchMessageListener<K, V> listener) {
      super(listener);
    }

    @Override
    public boolean wantsPollResult() {
      return delegate.wantsPollResult();
    }

    @Override
    public void onMessage(
        ConsumerRecords<K, V> records,
        @Nullable Acknowledgment acknowledgment,
        Consumer<K, V> consumer) {
      ListenerCall.run(records, () -> delegate.onMessage(records, acknowledgment, consumer));
    }

    @Override
    public void onMessage(List<ConsumerRecord<K, V>> records) {
      ListenerCall.run(records, () -> delegate.onMessage(records));
    }

    @Override
    public void onMessage(
        List<ConsumerRecord<K, V>> records, @Nullable Acknowledgment acknowledgment) {
      ListenerCall.run(records, () -> delegate.onMessage(records, acknowledgment));
    }

    @Override
    public void onMessage(List<ConsumerRecord<K, V>> records, @Nullable Consumer<?, ?> consumer) {
      ListenerCall.run(records, () -> delegate.onMessage(records, consumer));
    }

    @Override
    public void onMessage(
        List<ConsumerRecord<K, V>> records,
        @Nullable Acknowledgment acknowledgment,
        @Nullable Consumer<?, ?> consumer) {
      ListenerCall.run(records, () -> delegate.onMessage(records, acknowledgment, consumer));
    }
  }
}
