package dev.tidemark.example.orderhistory.local;

import com.typesafe.config.ConfigFactory;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.elasticmq.NodeAddress;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import scala.Option;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * SQS in this process: ElasticMQ, reached by HTTP as the service is. {@link #stop} and {@link
 * #start} are an outage of the service, which keeps its messages: the queues live on, and only the
 * listener goes. ElasticMQ's own message storage is not used, since it forgets the order of FIFO
 * messages that were sent within one millisecond.
 */
public final class LocalSqs implements AutoCloseable {
  private final int port = FreePort.find();
  private final ActorSystem system =
      ActorSystem.create(
          "sqs",
          ConfigFactory.parseString("pekko { loglevel = ERROR, daemonic = on }")
              .withFallback(ConfigFactory.load()));
  private final ActorRef queues =
      system.actorOf(
          Props.create(
              QueueManagerActor.class,
              new NowProvider(),
              StrictSQSLimits$.MODULE$,
              Option.empty()));
  private SQSRestServer server;

  private static final class Shared {
    static final LocalSqs SQS = new LocalSqs();
  }

  /** The one of all tests that let it run; it ends with the JVM. */
  public static LocalSqs shared() {
    return Shared.SQS;
  }

  /** Starts one without queues. */
  public LocalSqs() {
    server = listen();
  }

  private SQSRestServer listen() {
    SQSRestServer listening =
        SQSRestServerBuilder.withActorSystem(system)
            .withQueueManagerActor(queues)
            .withInterface("127.0.0.1")
            .withPort(port)
            .withServerAddress(new NodeAddress("http", "127.0.0.1", port, ""))
            .start();
    var unused = listening.waitUntilStarted();
    return listening;
  }

  /** Where it listens. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** A new client of it. */
  public SqsClient client() {
    return client(uri());
  }

  /** A new client of what listens there. */
  public static SqsClient client(URI uri) {
    return SqsClient.builder()
        .endpointOverride(uri)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(LocalDynamoDb.CREDENTIALS)
        .build();
  }

  /** A new asynchronous client of what listens there. */
  public static SqsAsyncClient asyncClient(URI uri) {
    return SqsAsyncClient.builder()
        .endpointOverride(uri)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(LocalDynamoDb.CREDENTIALS)
        .build();
  }

  /** Makes a queue, a FIFO queue if its name ends in {@code .fifo}; gives its URL. */
  public String queue(String name, Duration visibilityTimeout) {
    Map<QueueAttributeName, String> attributes = new HashMap<>();
    attributes.put(
        QueueAttributeName.VISIBILITY_TIMEOUT, Long.toString(visibilityTimeout.toSeconds()));
    if (name.endsWith(".fifo")) {
      attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    try (SqsClient client = client()) {
      return client.createQueue(make -> make.queueName(name).attributes(attributes)).queueUrl();
    }
  }

  /** Refuses connections, and cuts those that are there. */
  public void stop() {
    var unused = server.stopAndWait();
  }

  /** Listens again, at the same port, with the same queues and messages. */
  public void start() {
    server = listen();
  }

  @Override
  public void close() {
    stop();
    try {
      var unused =
          system
              .terminate()
              .result(scala.concurrent.duration.Duration.apply(10, TimeUnit.SECONDS), null);
    } catch (TimeoutException | InterruptedException e) {
      throw new IllegalStateException("ElasticMQ does not stop", e);
    }
  }
}
