package dev.tidemark;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged under a class's name while this is open; kept out of the build's output. */
public final class Logged extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> said = new CopyOnWriteArrayList<>();

  private Logged(Logger logger) {
    this.logger = logger;
  }

  public static Logged of(Class<?> type) {
    Logged logged = new Logged(Logger.getLogger(type.getName()));
    logged.logger.addHandler(logged);
    logged.logger.setUseParentHandlers(false);
    return logged;
  }

  /** Levels and messages. */
  public List<String> said() {
    return said;
  }

  @Override
  public void publish(LogRecord record) {
    Object[] parameters = record.getParameters();
    String message = record.getMessage();
    said.add(
        record.getLevel()
            + " "
            + (parameters == null ? message : MessageFormat.format(message, parameters)));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
