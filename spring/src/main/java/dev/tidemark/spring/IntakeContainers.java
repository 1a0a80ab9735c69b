package dev.tidemark.spring;

import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.BatchAcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.adapter.AbstractDelegatingMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.support.Acknowledgment;

/** Makes containers whose listeners may ask any number of intakes in a call. */
final class IntakeContainers<K, V> extends ConcurrentKafkaListenerContainerFactory<K, V> {
  @Override
  protected ConcurrentMessageListenerContainer<K, V> createContainerInstance(
      KafkaListenerEndpoint endpoint) {
    return new Container<>(
        Objects.requireNonNull(getConsumerFactory(), "the factory has no consumer factory"),
        super.createContainerInstance(endpoint).getContainerProperties());
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
      if (!(getCommonErrorHandler() instanceof IntakeErrorHandler)) {
        throw refused("has an error handler of another kind", "no error handler");
      }
      if (!(listener instanceof Call<?, ?>)) {
        @SuppressWarnings("unchecked") // the container's own, of whatever types its consumer has
        BatchMessageListener<K, V> batches = (BatchMessageListener<K, V>) listener;
        properties.setMessageListener(new Call<>(batches));
      }
      super.doStart();
    }

    private SetupException refused(String found, String wanted) {
      return new SetupException(
          "A container of "
              + KafkaIntakeListener.FACTORY
              + ", with the id "
              + getListenerId()
              + ", "
              + found
              + ", so that it would commit records that are not done.",
          "Give it " + wanted + ", or use another container factory, without an intake.");
    }
  }

  /** Each call of the listener, of whatever kind the listener is. */
  private static final class Call<K, V>
      extends AbstractDelegatingMessageListenerAdapter<BatchMessageListener<K, V>>
      implements BatchAcknowledgingConsumerAwareMessageListener<K, V>, AsyncRepliesAware {
    Call(BatchMessageListener<K, V> listener) {
      super(listener);
    }

    @Override
    public boolean isAsyncReplies() {
      return delegate instanceof AsyncRepliesAware aware && aware.isAsyncReplies();
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
      ListenerCall.run(() -> delegate.onMessage(records, acknowledgment, consumer));
    }

    @Override
    public void onMessage(List<ConsumerRecord<K, V>> records) {
      ListenerCall.run(() -> delegate.onMessage(records));
    }

    @Override
    public void onMessage(
        List<ConsumerRecord<K, V>> records, @Nullable Acknowledgment acknowledgment) {
      ListenerCall.run(() -> delegate.onMessage(records, acknowledgment));
    }

    @Override
    public void onMessage(List<ConsumerRecord<K, V>> records, @Nullable Consumer<?, ?> consumer) {
      ListenerCall.run(() -> delegate.onMessage(records, consumer));
    }

    @Override
    public void onMessage(
        List<ConsumerRecord<K, V>> records,
        @Nullable Acknowledgment acknowledgment,
        @Nullable Consumer<?, ?> consumer) {
      ListenerCall.run(() -> delegate.onMessage(records, acknowledgment, consumer));
    }
  }
}
