package dev.tidemark.example.orderhistory.carrier;

/** Brings events from one source to the views for as long as it runs. */
public interface Carrier extends Runnable {
  /** Carries until it is stopped, or throws what another attempt would not mend. For one thread. */
  @Override
  void run();

  /** Lets {@link #run} return once the batch in hand is done. For any thread; may come twice. */
  void stop();

  /** {@return how many messages it put to the dead letters} For any thread. */
  long deadLetters();
}
