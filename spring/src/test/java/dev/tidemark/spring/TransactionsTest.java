package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.MessageId;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.mongodb.MongoAmbient;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.spring.shop.Spending;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.SessionSynchronization;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("In a transaction of Spring's, an injected store of MongoDB")
class TransactionsTest {
  private static final MessageId MESSAGE = MessageId.of("m1");

  private final String table = Servers.fresh("spendings");
  private final MongoCollection<Document> spendings =
      Servers.mongo().getDatabase("transactions").getCollection(table);
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(TidemarkStoresAutoConfiguration.class))
          .withUserConfiguration(Shop.class)
          .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
          .withPropertyValues(
              "tidemark.mongodb.database=transactions",
              "tidemark.tables.spending=" + table,
              "tidemark.tables.order-view=orders",
              "tidemark.stores.order-view=mongodb");

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = Spending.class)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Shop {
    @Bean
    MongoDatabaseFactory factory(MongoClient client) {
      return new SimpleMongoClientDatabaseFactory(client, "transactions");
    }

    @Bean
    MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
      return new MongoTransactionManager(factory);
    }

    @Bean
    MongoTemplate template(MongoDatabaseFactory factory) {
      return new MongoTemplate(factory);
    }

    @Bean
    Work work(EntityStore<Spending> spendings, MongoTemplate template) {
      return new Work(spendings, template);
    }

    @Bean
    Payments payments(EntityStore<Spending> spendings, MongoTemplate template) {
      return new Payments(spendings, template);
    }
  }

  // snippet: spring-transaction
  static class Payments {
    private final EntityStore<Spending> spendings;
    private final MongoTemplate template;

    Payments(EntityStore<Spending> spendings, MongoTemplate template) {
      this.spendings = spendings;
      this.template = template;
    }

    @Transactional
    public Outcome<Spending> pay(MessageId message, String customer, int amount) {
      Outcome<Spending> outcome =
          spendings.update(
              message,
              key(customer),
              change()
                  .add("total", amount)
                  .onlyIf(attribute("total").isMissing().or(attribute("total").lessThan(100)))
                  .createIfMissing());
      if (outcome.isApplied()) { // a Duplicate has its receipt
        template.insert(new Document("customer", customer).append("amount", amount), "receipts");
      }
      return outcome;
    }
  }

  // end

  static class Work {
    private final EntityStore<Spending> spendings;
    private final MongoTemplate template;

    Work(EntityStore<Spending> spendings, MongoTemplate template) {
      this.spendings = spendings;
      this.template = template;
    }

    @Transactional
    public void inside(Consumer<EntityStore<Spending>> work) {
      template.insert(new Document("before", true), "beside"); // what is read from now on is old
      work.accept(spendings);
    }
  }

  private int total() {
    Document stored = spendings.find(Filters.eq("ann")).first();
    return stored == null ? 0 : stored.get("total", Number.class).intValue();
  }

  private static Outcome<?> add(EntityStore<?> store) {
    return store.update(MESSAGE, key("ann"), change().add("total", 25).createIfMissing());
  }

  @Test
  @DisplayName("writes what is committed with the others, and knows the message from then on")
  void commits() {
    runner.run(
        context -> {
          Payments payments = context.getBean(Payments.class);
          assertThat(payments.pay(MESSAGE, "ann", 25)).isInstanceOf(Outcome.Applied.class);
          assertThat(payments.pay(MESSAGE, "ann", 25)).isInstanceOf(Outcome.Duplicate.class);
          assertThat(total()).isEqualTo(25);
        });
  }

  @Test
  @DisplayName("leaves no mark where the transaction is rolled back")
  void rollsBack() {
    runner.run(
        context -> {
          Work work = context.getBean(Work.class);
          Throwable thrown =
              catchThrowable(
                  () ->
                      work.inside(
                          store -> {
                            assertThat(add(store).isApplied()).isTrue();
                            assertThat(total()).isZero(); // outside of it
                            throw new IllegalStateException("on purpose");
                          }));
          assertThat(thrown).isInstanceOf(IllegalStateException.class);
          assertThat(spendings.countDocuments()).isZero();
          work.inside(store -> assertThat(add(store).isApplied()).isTrue());
          assertThat(total()).isEqualTo(25);
        });
  }

  @Test
  @DisplayName("is no place to wait for what others write, and says so at once")
  void waits() {
    NotBefore look = NotBefore.notBefore(MESSAGE);
    runner.run(
        context -> {
          Work work = context.getBean(Work.class);
          assertThat(
                  catchThrowable(
                      () ->
                          work.inside(
                              store -> store.find(key("ann"), look.within(Duration.ofSeconds(9))))))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("wait before the transaction begins");
          work.inside(
              store ->
                  assertThat(store.find(key("ann"), look)).isInstanceOf(Freshness.NotYet.class));
        });
  }

  @Test
  @DisplayName("lets nothing be committed beside an outcome that is not done, and that is told")
  void refused() {
    runner.run(
        context -> {
          Payments payments = context.getBean(Payments.class);
          Work work = context.getBean(Work.class);
          assertThat(payments.pay(MESSAGE, "ann", 100).isApplied()).isTrue();
          MongoTemplate template = context.getBean(MongoTemplate.class);
          Throwable thrown =
              catchThrowable(
                  () ->
                      work.inside(
                          store -> {
                            template.insert(new Document("_id", "beside"), table);
                            assertThat(payments.pay(MessageId.of("m2"), "ann", 1))
                                .isInstanceOf(Outcome.Refused.class);
                          }));
          assertThat(thrown).isInstanceOf(UnexpectedRollbackException.class);
          assertThat(spendings.countDocuments()).isEqualTo(1);
          assertThat(total()).isEqualTo(100);
        });
  }

  /** A manager of another resource, as those of JPA and JDBC are. */
  private static final class OtherManager extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;
    private int commits;
    private int rollbacks;

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      commits++;
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
      rollbacks++;
    }
  }

  @Test
  @DisplayName(
      "lets nothing be committed beside it where another manager has begun the transaction")
  void otherManager() {
    runner.run(
        context -> {
          EntityStore<?> store = context.getBean("spendingStore", EntityStore.class);
          MongoTemplate template = new MongoTemplate(context.getBean(MongoDatabaseFactory.class));
          template.setSessionSynchronization(SessionSynchronization.ALWAYS);
          OtherManager manager = new OtherManager();
          TransactionTemplate transaction = new TransactionTemplate(manager);
          transaction.executeWithoutResult(
              status -> {
                template.insert(new Document("_id", "beside"), table);
                assertThat(add(store).isApplied()).isTrue();
                assertThat(total()).isZero(); // outside of it
              });
          assertThat(total()).isEqualTo(25);
          Throwable thrown =
              catchThrowable(
                  () ->
                      transaction.executeWithoutResult(
                          status -> {
                            template.insert(new Document("_id", "undone"), table);
                            var never = change().add("total", 1).onlyIf(attribute("total").is(0));
                            assertThat(store.update(MessageId.of("m2"), key("ann"), never))
                                .isInstanceOf(Outcome.Refused.class);
                          }));
          assertThat(thrown).isInstanceOf(IllegalStateException.class);
          assertThat(spendings.countDocuments()).isEqualTo(2);
          assertThat(manager.commits).isEqualTo(1);
          assertThat(manager.rollbacks).isEqualTo(1);
        });
  }

  /** A call of a transaction that its own end brings. */
  private record Late(Runnable atCommit, Runnable atCompletion)
      implements TransactionSynchronization {
    @Override
    public void beforeCommit(boolean readOnly) {
      atCommit.run();
    }

    @Override
    public void beforeCompletion() {
      atCompletion.run();
    }
  }

  @Test
  @DisplayName("lets nothing be committed beside it where a callback of the commit meets it")
  void refusedAtCommit() {
    OtherManager other = new OtherManager();
    runner
        .withBean("otherManager", OtherManager.class, () -> other)
        .run(
            context -> {
              EntityStore<?> store = context.getBean("spendingStore", EntityStore.class);
              assertThat(add(store).isApplied()).isTrue();
              MongoTemplate template =
                  new MongoTemplate(context.getBean(MongoDatabaseFactory.class));
              template.setSessionSynchronization(SessionSynchronization.ALWAYS);
              AtomicInteger refused = new AtomicInteger();
              Runnable refuses =
                  () -> {
                    var never = change().add("total", 1).onlyIf(attribute("total").is(0));
                    assertThat(store.update(MessageId.of("m2"), key("ann"), never))
                        .isInstanceOf(Outcome.Refused.class);
                    refused.incrementAndGet();
                  };
              for (Late late : List.of(new Late(refuses, () -> {}), new Late(() -> {}, refuses))) {
                for (AbstractPlatformTransactionManager manager :
                    List.of(other, context.getBean(MongoTransactionManager.class))) {
                  Throwable thrown =
                      catchThrowable(
                          () ->
                              new TransactionTemplate(manager)
                                  .executeWithoutResult(
                                      status -> {
                                        TransactionSynchronizationManager.registerSynchronization(
                                            late);
                                        template.insert(new Document("beside", 1), table);
                                      }));
                  assertThat(thrown).isInstanceOf(IllegalStateException.class);
                }
              }
              assertThat(refused).hasValue(4);
            });
    assertThat(spendings.countDocuments()).isEqualTo(1);
    assertThat(other.commits).isZero();
    assertThat(other.rollbacks).isEqualTo(2);
  }

  @Test
  @DisplayName("throws what the driver says of a conflict, and the whole may be run again")
  void conflict() {
    runner.run(
        context -> {
          Payments payments = context.getBean(Payments.class);
          Work work = context.getBean(Work.class);
          assertThat(payments.pay(MessageId.of("m0"), "ann", 10).isApplied()).isTrue();
          Throwable thrown =
              catchThrowable(
                  () ->
                      work.inside(
                          store -> {
                            spendings.updateOne(Filters.eq("ann"), Updates.inc("total", 1));
                            add(store);
                          }));
          assertThat(thrown)
              .isInstanceOfSatisfying(
                  MongoException.class,
                  e ->
                      assertThat(e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                          .isTrue());
          assertThat(total()).isEqualTo(11);
          work.inside(store -> assertThat(add(store).isApplied()).isTrue());
          assertThat(total()).isEqualTo(36);
        });
  }

  @Test
  @DisplayName("lets nothing be committed beside a fault, even if somebody catches it")
  void fault() {
    runner.run(
        context -> {
          Work work = context.getBean(Work.class);
          Throwable thrown =
              catchThrowable(
                  () ->
                      work.inside(
                          store ->
                              assertThat(
                                      catchThrowable(
                                          () ->
                                              store.apply(
                                                  MESSAGE,
                                                  key("ann"),
                                                  Spending::new,
                                                  spending -> {
                                                    throw new IllegalStateException("on purpose");
                                                  })))
                                  .isInstanceOf(IllegalStateException.class)));
          assertThat(thrown).isInstanceOf(UnexpectedRollbackException.class);
          assertThat(spendings.countDocuments()).isZero();
        });
  }

  private static void rollsBack(
      AbstractPlatformTransactionManager manager, int propagation, Runnable work) {
    TransactionTemplate transaction = new TransactionTemplate(manager);
    transaction.setPropagationBehavior(propagation);
    Throwable thrown =
        catchThrowable(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      work.run();
                      throw new UnsupportedOperationException("on purpose");
                    }));
    assertThat(thrown).isInstanceOf(UnsupportedOperationException.class);
  }

  private static MongoDatabaseFactory factory(MongoClient client) {
    return new SimpleMongoClientDatabaseFactory(client, "transactions");
  }

  @Test
  @DisplayName("joins the transaction of a factory that is no default candidate, or no bean")
  void hiddenFactories() {
    runner
        .withBean(
            "hidden",
            MongoDatabaseFactory.class,
            () -> factory(Servers.mongo()),
            bean -> ((AbstractBeanDefinition) bean).setDefaultCandidate(false))
        .run(
            context -> {
              EntityStore<?> store = context.getBean("spendingStore", EntityStore.class);
              MongoDatabaseFactory hidden = context.getBean("hidden", MongoDatabaseFactory.class);
              for (MongoDatabaseFactory factory : List.of(hidden, factory(Servers.mongo()))) {
                rollsBack(
                    new MongoTransactionManager(factory),
                    TransactionDefinition.PROPAGATION_REQUIRED,
                    () -> assertThat(add(store).isApplied()).isTrue());
                assertThat(spendings.countDocuments()).isZero();
              }
            });
  }

  @Test
  @DisplayName("joins what a template has begun where no manager has begun a transaction")
  void supported() {
    runner.run(
        context -> {
          EntityStore<?> store = context.getBean("spendingStore", EntityStore.class);
          MongoTemplate template = new MongoTemplate(factory(Servers.mongo()));
          template.setSessionSynchronization(SessionSynchronization.ALWAYS);
          OtherManager manager = new OtherManager();
          rollsBack(
              manager,
              TransactionDefinition.PROPAGATION_SUPPORTS,
              () -> {
                template.insert(new Document("_id", "beside"), table);
                assertThat(add(store).isApplied()).isTrue();
              });
          assertThat(spendings.countDocuments()).isZero();
          TransactionTemplate supports = new TransactionTemplate(manager);
          supports.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
          Throwable thrown =
              catchThrowable(
                  () ->
                      supports.executeWithoutResult(
                          status -> {
                            template.insert(new Document("_id", "beside"), table);
                            var never = change().add("total", 1).onlyIf(attribute("total").is(0));
                            assertThat(store.update(MESSAGE, key("ann"), never).isDone()).isFalse();
                          }));
          assertThat(thrown).isInstanceOf(IllegalStateException.class);
          assertThat(spendings.countDocuments()).isZero();
        });
  }

  @Test
  @DisplayName("joins the transaction of its own client among several, and refuses two of it")
  void several() {
    try (MongoClient other = MongoClients.create(Servers.mongoUri())) {
      runner.run(
          context -> {
            EntityStore<?> store = context.getBean("spendingStore", EntityStore.class);
            MongoTransactionManager own = context.getBean(MongoTransactionManager.class);
            List<MongoTransactionManager> managers =
                Stream.of(other, other, Servers.mongo())
                    .map(client -> new MongoTransactionManager(factory(client)))
                    .toList();
            for (MongoTransactionManager foreign : managers.subList(0, 2)) {
              rollsBack(
                  own,
                  TransactionDefinition.PROPAGATION_REQUIRED,
                  () ->
                      rollsBack(
                          foreign,
                          TransactionDefinition.PROPAGATION_REQUIRED,
                          () -> assertThat(add(store).isApplied()).isTrue()));
              assertThat(spendings.countDocuments()).isZero();
            }
            rollsBack(
                own,
                TransactionDefinition.PROPAGATION_REQUIRED,
                () ->
                    rollsBack(
                        managers.get(2),
                        TransactionDefinition.PROPAGATION_REQUIRED,
                        () ->
                            assertThat(catchThrowable(() -> add(store)))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("2 transactions of MongoDB")));
            assertThat(spendings.countDocuments()).isZero();
            rollsBack( // which no bean knows
                managers.get(0),
                TransactionDefinition.PROPAGATION_REQUIRED,
                () -> assertThat(add(store).isApplied()).isTrue());
            assertThat(spendings.countDocuments()).isEqualTo(1);
          });
    }
  }

  @Test
  @DisplayName("refuses a transaction that its manager does not let others join")
  void notSynchronized() {
    runner.run(
        context -> {
          EntityStore<?> store = context.getBean("spendingStore", EntityStore.class);
          MongoTransactionManager manager = new MongoTransactionManager(factory(Servers.mongo()));
          manager.setTransactionSynchronization(
              AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
          rollsBack(
              manager,
              TransactionDefinition.PROPAGATION_REQUIRED,
              () ->
                  assertThat(catchThrowable(() -> add(store)))
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("transactionSynchronization"));
          assertThat(spendings.countDocuments()).isZero();
        });
  }

  @Test
  @DisplayName("makes each call by itself outside of transactions, and without Spring Data")
  void alone() {
    runner.run(
        context ->
            assertThat(add(context.getBean("spendingStore", MongoEntityStore.class)).isApplied())
                .isTrue());
    assertThat(total()).isEqualTo(25);
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(TidemarkStoresAutoConfiguration.class))
        .withClassLoader(new FilteredClassLoader(MongoDatabaseFactory.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(MongoAmbient.class));
  }
}
