package dev.tidemark.example.orderhistory.local;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A Kafka broker, which is its own controller, in this process. {@link #stop} and {@link #start}
 * are its restart: folder and ports stay the same.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private final Map<String, String> settings;
  private final String bootstrapServers;
  private KafkaRaftServer server;

  private static final class Shared {
    static final EmbeddedKafka KAFKA = start();

    private static EmbeddedKafka start() {
      try {
        Path folder = Files.createTempDirectory("tidemark-kafka");
        EmbeddedKafka kafka = new EmbeddedKafka(folder);
        Folders.deleteAtEnd(kafka::stop, folder);
        return kafka;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The one of all tests that let it run; it ends with the JVM. */
  public static EmbeddedKafka shared() {
    return Shared.KAFKA;
  }

  /** Formats an empty folder and starts a broker on it. */
  public EmbeddedKafka(Path folder) {
    int broker = FreePort.find();
    int controller = FreePort.find();
    bootstrapServers = "127.0.0.1:" + broker;
    settings = settings(folder, broker, controller);
    format(folder);
    server = started();
  }

  private KafkaRaftServer started() {
    KafkaRaftServer starting = new KafkaRaftServer(KafkaConfig.apply(settings, false), Time.SYSTEM);
    starting.startup();
    return starting;
  }

  private static Map<String, String> settings(Path folder, int broker, int controller) {
    return Map.ofEntries(
        Map.entry("process.roles", "broker,controller"),
        Map.entry("node.id", "1"),
        Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controller),
        Map.entry("controller.listener.names", "CONTROLLER"),
        Map.entry(
            "listeners",
            "PLAINTEXT://127.0.0.1:" + broker + ",CONTROLLER://127.0.0.1:" + controller),
        Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
        Map.entry("log.dirs", folder.toString()),
        Map.entry("auto.create.topics.enable", "false"),
        Map.entry("offsets.topic.num.partitions", "1"),
        Map.entry("offsets.topic.replication.factor", "1"),
        Map.entry("transaction.state.log.num.partitions", "1"),
        Map.entry("transaction.state.log.replication.factor", "1"),
        Map.entry("transaction.state.log.min.isr", "1"),
        Map.entry("group.initial.rebalance.delay.ms", "0"));
  }

  private static void format(Path folder) {
    try {
      new Formatter()
          .setPrintStream(new PrintStream(PrintStream.nullOutputStream()))
          .setNodeId(1)
          .setClusterId(Uuid.randomUuid().toString())
          .setControllerListenerName("CONTROLLER")
          .setReleaseVersion(MetadataVersion.latestProduction())
          .addDirectory(folder.toString())
          .setMetadataLogDirectory(folder.toString())
          .run();
    } catch (Exception e) {
      throw new IllegalStateException("Kafka's log folder could not be formatted", e);
    }
  }

  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Stops the broker; what it stored stays. */
  public void stop() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** Starts it again with what it had stored. */
  public void start() {
    server = started();
  }

  @Override
  public void close() {
    stop();
  }
}
