package dev.tidemark.benchmarks.measure;

import java.util.List;

/**
 * A small pass beside the timed one: what a message costs in units and requests, and what one
 * redelivery of an applied message costs in requests.
 *
 * @param units billed per message; 0 where the store bills none
 * @param requests per message
 * @param duplicateRequests requests per redelivered message
 */
public record Probe(double units, double requests, double duplicateRequests) {
  private static final int MESSAGES = 10;

  /**
   * Measures a technique, on a thread alone.
   *
   * @param store a store that asks for units, if there are any
   * @param technique its technique
   * @return what it costs
   * @throws Exception if the technique fails
   */
  public static Probe of(Store store, Technique technique) throws Exception {
    return of(store, technique, MESSAGES);
  }

  /**
   * The same with so many messages.
   *
   * @param store a store that asks for units, if there are any
   * @param technique its technique
   * @param messages how many each entity gets; more where one hand-over has more
   * @return what it costs
   * @throws Exception if the technique fails
   */
  public static Probe of(Store store, Technique technique, int messages) throws Exception {
    Shape shape = technique.shape().small(messages);
    Workload workload = Workload.of("probe-" + technique.name().replace(' ', '-'), 1, shape);
    store.create(workload.entities());
    List<List<Event>> handOvers = workload.lanes().get(0);
    double units = store.meter().units();
    long sent = store.meter().requests();
    for (List<Event> events : handOvers) {
      technique.handle(events);
    }
    units = store.meter().units() - units;
    sent = store.meter().requests() - sent;
    int again = 0;
    long requests = store.meter().requests();
    for (List<Event> events : handOvers.subList(handOvers.size() / 2, handOvers.size())) {
      int applied = technique.handle(events);
      if (technique.isGuarded() && applied > 0) {
        throw new IllegalStateException(technique.name() + " applied a redelivered message");
      }
      again += events.size();
    }
    requests = store.meter().requests() - requests;
    check(store, technique, workload);
    double total = workload.total();
    return new Probe(units / total, sent / total, requests / (double) again);
  }

  private static void check(Store store, Technique technique, Workload workload) {
    String entity = workload.entities().get(0);
    long total = store.total(entity);
    if (technique.isGuarded() && total != workload.wanted(entity)) {
      throw new IllegalStateException(technique.name() + " doubled an effect: " + total);
    }
  }
}
