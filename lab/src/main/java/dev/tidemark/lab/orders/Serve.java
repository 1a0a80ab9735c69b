package dev.tidemark.lab.orders;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.host.Application;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.EventTopics;
import dev.tidemark.example.orderhistory.local.Folders;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.PaymentStub;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.example.orderhistory.store.DynamoDbGenerations;
import dev.tidemark.example.orderhistory.store.MongoGenerations;
import dev.tidemark.servers.MongoProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The service with its page and the control panel on this machine, with Kafka and a store in this
 * process: {@code --store dynamodb|mongodb}, {@code --port 8080}, {@code --seed 1}.
 */
public final class Serve implements AutoCloseable {
  private static final String LOCAL = "127.0.0.1";
  private static final String TWIN = "untracked-";

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private Map<String, String> storeOfRelay = Map.of();
  private @Nullable TcpProxy store;
  private @Nullable LabTwin twin;
  private @Nullable PaymentStub payments;
  private @Nullable ConfigurableApplicationContext context;

  private Serve() {}

  private void open(String storeName, int port, long seed) throws IOException {
    EmbeddedKafka kafka = opened(new EmbeddedKafka(folder("kafka")));
    EventTopics topics = opened(new EventTopics(kafka.bootstrapServers()));
    List<String> args = new ArrayList<>();
    TcpProxy proxy = storeName.equals("mongodb") ? mongo(args) : dynamoDb(args);
    store = proxy;
    PaymentStub stub = opened(new PaymentStub(folder("payments")));
    payments = stub;
    args.addAll(
        List.of(
            "--STORE=" + storeName,
            "--CARRIER=kafka",
            "--KAFKA_BOOTSTRAP_SERVERS=" + kafka.bootstrapServers(),
            "--STATUS_EVENTS=true",
            "--SHOW_BOARD=true",
            "--PAYMENTS_URL=" + stub.url(),
            "--server.address=" + LOCAL,
            "--server.port=" + port));
    LabRelay relay = opened(relay(storeName, kafka.bootstrapServers()));
    relay.start();
    context = run(topics, proxy, Objects.requireNonNull(twin, "twin"), stub, relay, seed, args);
    Await.until("the views show the first orders", () -> topics.waiting() == 0);
  }

  /**
   * Serves until the process ends.
   *
   * @param args see the class
   */
  public static void main(String[] args) {
    try {
      Options options = Options.of(args);
      @SuppressWarnings("resource") // closed when the process ends
      Serve serve = start(options.store(), options.port(), options.seed());
      Runtime.getRuntime().addShutdownHook(new Thread(serve::close));
      System.out.println("The page is at " + serve.url() + " (Ctrl-C ends it)");
    } catch (IOException | RuntimeException e) {
      System.err.println(e);
      System.exit(1); // servers that were started have threads of their own
    }
  }

  /** Starts it; port 0 takes a free one. */
  public static Serve start(String store, int port, long seed) throws IOException {
    Serve serve = new Serve();
    try {
      serve.open(store, port, seed);
      return serve;
    } catch (IOException | RuntimeException e) {
      serve.close();
      throw e;
    }
  }

  static {
    // Servers in this process log too, so logging is set up before the service starts.
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  private ConfigurableApplicationContext run(
      EventTopics topics,
      TcpProxy proxy,
      LabTwin untracked,
      PaymentStub stub,
      LabRelay relay,
      long seed,
      List<String> args) {
    LabLives lives = new LabLives(seed);
    LabJournal journal = new LabJournal();
    LabTrouble trouble = new LabTrouble(proxy, untracked);
    LabStage stage = opened(new LabStage());
    List<Event> events = LabSeed.events(lives, Instant.now(Clock.systemUTC()));
    events.forEach(journal::add);
    topics.send(events);
    return opened(
        new SpringApplicationBuilder(Application.class, LabSetup.class)
            .registerShutdownHook(false) // close() ends the service before what it needs
            .initializers(
                fresh -> {
                  GenericApplicationContext beans = (GenericApplicationContext) fresh;
                  beans.registerBean(LabLives.class, () -> lives);
                  beans.registerBean(LabJournal.class, () -> journal);
                  beans.registerBean(LabTrouble.class, () -> trouble);
                  beans.registerBean(
                      LabTwin.class, () -> untracked, bd -> bd.setDestroyMethodName(""));
                  beans.registerBean(
                      PaymentStub.class, () -> stub, bd -> bd.setDestroyMethodName(""));
                  beans.registerBean(
                      LabStage.class, () -> stage, bd -> bd.setDestroyMethodName(""));
                  beans.registerBean(
                      LabRelay.class, () -> relay, bd -> bd.setDestroyMethodName(""));
                  beans.registerBean(
                      EventTopics.class, () -> topics, bd -> bd.setDestroyMethodName(""));
                })
            .run(args.toArray(String[]::new)));
  }

  /** Reaches the store past the trouble that stands between it and the service. */
  private LabRelay relay(String storeName, String bootstrapServers) throws IOException {
    Map<String, String> environment = new HashMap<>(storeOfRelay);
    environment.put("STORE", storeName);
    environment.put("RELAY_TO", "kafka");
    environment.put("KAFKA_BOOTSTRAP_SERVERS", bootstrapServers);
    return new LabRelay(environment, folder("relay").resolve("log").toFile());
  }

  private TcpProxy dynamoDb(List<String> args) {
    URI server = opened(new LocalDynamoDb()).uri();
    TcpProxy proxy = opened(new TcpProxy(LOCAL, server.getPort()));
    try (Generations generations =
        new DynamoDbGenerations(LocalDynamoDb.client(server), "", null, Clock.systemUTC(), false)) {
      generations.prepare(1);
      generations.prepareExecutions();
      generations.prepareBoard();
    }
    try (Generations tables =
        new DynamoDbGenerations(
            LocalDynamoDb.client(server), TWIN, null, Clock.systemUTC(), false)) {
      tables.prepare(1);
    }
    twin = opened(new LabTwin(UntrackedDynamoDb.views(LocalDynamoDb.client(server), TWIN)));
    args.add("--TABLE_PREFIX=");
    storeOfRelay =
        Map.of(
            "AWS_ENDPOINT_URL", server.toString(),
            "AWS_REGION", "eu-central-1",
            "AWS_ACCESS_KEY_ID", "test",
            "AWS_SECRET_ACCESS_KEY", "test");
    System.setProperty("aws.endpointUrl", "http://" + LOCAL + ":" + proxy.port());
    System.setProperty("aws.region", "eu-central-1");
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    return proxy;
  }

  private TcpProxy mongo(List<String> args) throws IOException {
    MongoProcess server = opened(MongoProcess.start(folder("mongod"), 1));
    String address = new ConnectionString(server.uri()).getHosts().get(0);
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    TcpProxy proxy = opened(new TcpProxy(LOCAL, port));
    try (Generations generations =
        new MongoGenerations(
            MongoClients.create(server.uri()), "orderhistory", null, Clock.systemUTC(), false)) {
      generations.prepare(1);
      generations.prepareExecutions();
      generations.prepareBoard();
    }
    twin = opened(new LabTwin(UntrackedMongo.views(MongoClients.create(server.uri()), TWIN)));
    storeOfRelay = Map.of("MONGODB_URI", server.uri());
    args.add("--MONGODB_URI=mongodb://" + LOCAL + ":" + proxy.port() + "/?directConnection=true");
    return proxy;
  }

  /** For what is opened next: it goes when that is closed. */
  private Path folder(String name) throws IOException {
    Path folder = Files.createTempDirectory("order-history-" + name);
    opened.push(() -> Folders.delete(folder));
    return folder;
  }

  private <T extends AutoCloseable> T opened(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Where the page is. */
  public String url() {
    var server =
        ((WebServerApplicationContext) Objects.requireNonNull(context, "closed")).getWebServer();
    return "http://" + LOCAL + ":" + Objects.requireNonNull(server, "closed").getPort();
  }

  /** What stands between the service and its store. */
  public TcpProxy store() {
    return Objects.requireNonNull(store, "closed");
  }

  /** Who charges. */
  public PaymentStub payments() {
    return Objects.requireNonNull(payments, "closed");
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        System.err.println("did not close: " + e.getClass().getSimpleName());
      }
    }
  }

  /** What the command line says. */
  private record Options(String store, int port, long seed) {
    static Options of(String[] args) {
      String store = "dynamodb";
      int port = 8080;
      long seed = 1;
      for (int i = 0; i < args.length; i += 2) {
        String value = i + 1 < args.length ? args[i + 1] : "";
        switch (args[i]) {
          case "--store" -> store = value;
          case "--port" -> port = Integer.parseInt(value);
          case "--seed" -> seed = Long.parseLong(value);
          default ->
              throw new IllegalArgumentException(
                  "unknown option " + args[i] + " in " + Arrays.toString(args));
        }
      }
      if (!List.of("dynamodb", "mongodb").contains(store)) {
        throw new IllegalArgumentException("--store must be dynamodb or mongodb, was " + store);
      }
      return new Options(store, port, seed);
    }
  }
}
