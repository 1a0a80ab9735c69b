package dev.tidemark.mongodb;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Hears what stores log. */
final class MongoLog extends Handler {
  private static final Logger LOGGER = Logger.getLogger(MongoEntityStore.class.getName());

  private final List<String> said = new CopyOnWriteArrayList<>();

  private MongoLog() {}

  static MongoLog listen() {
    MongoLog log = new MongoLog();
    LOGGER.addHandler(log);
    return log;
  }

  /** Keeps what stores say of an embedded server, each of them once, out of the build's output. */
  static void quiet() {
    LOGGER.setUseParentHandlers(false);
  }

  List<String> said() {
    return said;
  }

  @Override
  public void publish(LogRecord record) {
    said.add(MessageFormat.format(record.getMessage(), record.getParameters()));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
  }
}
