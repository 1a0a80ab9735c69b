package dev.tidemark.mongodb;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Hears what stores log. */
final class MongoLog extends Handler implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger(MongoEntityStore.class.getName());

  private final Logger logger;
  private final List<String> said = new CopyOnWriteArrayList<>();

  private MongoLog(Logger logger) {
    this.logger = logger;
  }

  static MongoLog listen() {
    MongoLog log = new MongoLog(LOGGER);
    LOGGER.addHandler(log);
    return log;
  }

  /** Hears what is logged under a class's name, and keeps it out of the build's output. */
  static MongoLog of(Class<?> type) {
    MongoLog log = new MongoLog(Logger.getLogger(type.getName()));
    log.logger.addHandler(log);
    log.logger.setUseParentHandlers(false);
    return log;
  }

  List<String> said() {
    return said;
  }

  @Override
  public void publish(LogRecord record) {
    Object[] parameters = record.getParameters();
    String message = record.getMessage();
    said.add(parameters == null ? message : MessageFormat.format(message, parameters));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
