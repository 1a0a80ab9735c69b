package dev.tidemark.spring;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.mongodb.MongoAmbient;
import java.util.List;
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
  private final ObjectProvider<MongoClient> client;
  private final ObjectProvider<MongoDatabaseFactory> factories;

  SpringTransactions(
      ObjectProvider<MongoClient> client, ObjectProvider<MongoDatabaseFactory> factories) {
    this.client = client;
    this.factories = factories;
  }

  @Override
  public Optional<ClientSession> session() {
    return joined().map(Joined::session);
  }

  /** Whoever began the transaction meets an exception at its end. */
  @Override
  public void refuse() {
    joined()
        .map(joined -> TransactionSynchronizationManager.getResource(joined.factory()))
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

  private record Joined(MongoDatabaseFactory factory, ClientSession session) {}

  /** The transaction of this thread; among several, that of the injected stores' own client. */
  private Optional<Joined> joined() {
    List<Joined> open = open().stream().filter(joined -> !isForeign(joined)).toList();
    List<Joined> own = open.size() > 1 ? open.stream().filter(this::isOwn).toList() : open;
    if (open.size() > 1 && own.size() != 1) {
      throw new IllegalStateException(
          "the thread is in "
              + open.size()
              + " transactions of MongoDB, of which "
              + own.size()
              + " are of the MongoClient bean, so that a store cannot tell which to join; let one"
              + " MongoDatabaseFactory begin it, or define a MongoAmbient bean that chooses");
    }
    return own.stream().findFirst();
  }

  private boolean isOwn(Joined joined) {
    return joined.session().getOriginator() == client.getIfUnique();
  }

  /** A transaction of another client that no bean knows is no concern of an injected store's. */
  private boolean isForeign(Joined joined) {
    return client.getIfUnique() != null
        && !isOwn(joined)
        && factories.stream().noneMatch(factory -> factory == joined.factory());
  }

  /** Asks the thread, and not the context, which may not know each factory. */
  private static List<Joined> open() {
    return TransactionSynchronizationManager.getResourceMap().keySet().stream()
        .filter(MongoDatabaseFactory.class::isInstance)
        .map(MongoDatabaseFactory.class::cast)
        .filter(MongoDatabaseUtils::isTransactionActive)
        .map(factory -> new Joined(factory, session(factory)))
        .toList();
  }

  /** Spring Data hands a session to factories alone. */
  private static ClientSession session(MongoDatabaseFactory factory) {
    Taker taker = new Taker(factory);
    MongoDatabase unused = MongoDatabaseUtils.getDatabase(taker);
    if (taker.session == null) {
      throw new IllegalStateException(
          "the transaction manager of MongoDB does not let a store join its transaction; leave its"
              + " transactionSynchronization at SYNCHRONIZATION_ALWAYS, its default");
    }
    return taker.session;
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
