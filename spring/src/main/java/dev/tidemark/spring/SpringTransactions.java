package dev.tidemark.spring;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.mongodb.MongoAmbient;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.InfrastructureProxy;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoDatabaseUtils;
import org.springframework.transaction.UnexpectedRollbackException;
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

  /** Whoever began the transaction meets an {@code UnexpectedRollbackException} at its end. */
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
    boolean isTold =
        !TransactionSynchronizationManager.isSynchronizationActive()
            || TransactionSynchronizationManager.getSynchronizations().stream()
                .anyMatch(Refusal.class::isInstance);
    if (!isTold) {
      TransactionSynchronizationManager.registerSynchronization(new Refusal());
    }
  }

  private static final class Refusal implements TransactionSynchronization {
    @Override
    public void beforeCommit(boolean readOnly) {
      throw new UnexpectedRollbackException(
          "the transaction is rolled back: a store in it had an outcome that is not done, or a"
              + " fault");
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
