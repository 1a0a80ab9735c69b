package dev.tidemark.dynamodb;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged under a class's name while this is open; kept out of the build's output. */
final class DynamoDbLog extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> said = new CopyOnWriteArrayList<>();

  private DynamoDbLog(Logger logger) {
    this.logger = logger;
  }

  static DynamoDbLog of(Class<?> type) {
    DynamoDbLog log = new DynamoDbLog(Logger.getLogger(type.getName()));
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
    logger.setUseParentHandlers(true);
  }
}
