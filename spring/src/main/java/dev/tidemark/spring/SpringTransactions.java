package dev.tidemark.spring;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.mongodb.MongoAmbient;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.InfrastructureProxy;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoDatabaseUtils;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of MongoDB on the calling thread, which a {@code MongoTransactionManager} has
 * begun, or a {@code MongoTemplate} that synchronizes with the transaction of another manager.
 */
final class SpringTransactions implements MongoAmbient {
  private final ObjectProvider<MongoDatabaseFactory> factories;

  SpringTransactions(ObjectProvider<MongoDatabaseFactory> factories) {
    this.factories = factories;
  }

  @Override
  public Optional<ClientSession> session() {
    return factory().map(SpringTransactions::session);
  }

  /** Whoever began the transaction meets an exception at its end. */
  @Override
  public void refuse() {
    factory()
        .map(TransactionSynchronizationManager::getResource)
        .filter(ResourceHolderSupport.class::isInstance)
        .map(ResourceHolderSupport.class::cast)
        .ifPresent(SpringTransactions::refuse);
  }

  /** Other managers than that of MongoDB do not ask the holder, but they ask synchronizations. */
  private static void refuse(ResourceHolderSupport holder) {
    holder.setRollbackOnly();
    if (TransactionSynchronizationManager.isSynchronizationActive() && !isRefused()) {
      TransactionSynchronizationManager.registerSynchronization(new Refusal());
    }
  }

  private static boolean isRefused() {
    return TransactionSynchronizationManager.getSynchronizations().stream()
        .anyMatch(Refusal.class::isInstance);
  }

  /**
   * What a manager rolls back for. After an exception of Spring's own for transactions it would do
   * nothing, and what then becomes of the writes is up to the connection: JDBC commits them.
   */
  private static IllegalStateException refused() {
    return new IllegalStateException(
        "the transaction is rolled back: a store in it had an outcome that is not done, or a"
            + " fault");
  }

  private static final class Refusal implements TransactionSynchronization {
    @Override
    public void beforeCommit(boolean readOnly) {
      throw refused();
    }
  }

  /**
   * Asks once more when the synchronizations have been called: one of them may have called a store,
   * too late for those that it registers.
   */
  static final class Commits implements BeanPostProcessor, TransactionExecutionListener {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof ConfigurableTransactionManager manager) {
        manager.addListener(this);
      }
      return bean;
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
      if (TransactionSynchronizationManager.isSynchronizationActive() && isRefused()) {
        throw refused();
      }
    }
  }

  /** The factory whose transaction this thread is in. */
  private Optional<MongoDatabaseFactory> factory() {
    return TransactionSynchronizationManager.isActualTransactionActive()
        ? factories.stream().filter(MongoDatabaseUtils::isTransactionActive).findFirst()
        : Optional.empty();
  }

  /** Spring Data hands a session to factories alone. */
  private static ClientSession session(MongoDatabaseFactory factory) {
    Taker taker = new Taker(factory);
    MongoDatabase unused = MongoDatabaseUtils.getDatabase(taker);
    return Objects.requireNonNull(taker.session, "the transaction has no session");
  }

  /** A factory that takes the session of another one's transaction. */
  private static final class Taker implements MongoDatabaseFactory, InfrastructureProxy {
    private final MongoDatabaseFactory factory;
    private @Nullable ClientSession session;

    Taker(MongoDatabaseFactory factory) {
      this.factory = factory;
    }

    /** By which the transaction is found. */
    @Override
    public Object getWrappedObject() {
      return factory;
    }

    @Override
    public MongoDatabaseFactory withSession(ClientSession given) {
      session = given;
      return this;
    }

    @Override
    public MongoDatabase getMongoDatabase() {
      return factory.getMongoDatabase();
    }

    @Override
    public MongoDatabase getMongoDatabase(String name) {
      return factory.getMongoDatabase(name);
    }

    @Override
    public PersistenceExceptionTranslator getExceptionTranslator() {
      return factory.getExceptionTranslator();
    }

    @Override
    public ClientSession getSession(ClientSessionOptions options) {
      return factory.getSession(options);
    }
  }
}
