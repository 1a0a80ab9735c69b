package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Operation.AddAll;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The write of several messages by a writer that has not read the entity. Which messages may stand
 * in it is for {@link Assumed} to say.
 */
final class FoldedPlan {
  private FoldedPlan() {}

  static Plan of(List<Message> messages, Tracking tracking, Names names, Instant now) {
    List<MessageId> ids = new ArrayList<>();
    Map<Source, List<SourceEvent>> events = new LinkedHashMap<>();
    for (Message message : messages) {
      if (message instanceof SourceEvent event) {
        Source source = event.source().generation(0);
        events.computeIfAbsent(source, s -> new ArrayList<>()).add(event);
      } else {
        ids.add((MessageId) message);
      }
    }
    List<Plan> plans = new ArrayList<>();
    if (!ids.isEmpty()) {
      plans.add(Plan.of(ids, tracking, names, now));
    }
    events.values().forEach(ofSource -> plans.add(ofSource(ofSource, tracking, names)));
    List<Operation> operations = new ArrayList<>();
    plans.forEach(plan -> operations.addAll(plan.operations()));
    return new Plan(new Condition.And(plans.stream().map(Plan::guard).toList()), operations);
  }

  private static Plan ofSource(List<SourceEvent> events, Tracking tracking, Names names) {
    List<Plan> plans =
        events.stream().map(event -> Plan.of(event, tracking, names, events.size() - 1)).toList();
    EventPolicy.Kind kind = tracking.eventPolicy(events.get(0).source().type()).kind();
    if (kind == EventPolicy.Kind.DROP_LATE || kind == EventPolicy.Kind.CONTIGUOUS) {
      // What the first leaves lets the others pass, and only the last stays.
      return new Plan(plans.get(0).guard(), plans.get(plans.size() - 1).operations());
    }
    Map<Path, Operation> merged = new LinkedHashMap<>();
    for (Plan plan : plans) {
      plan.operations().forEach(o -> merged.merge(o.path(), o, FoldedPlan::both));
    }
    return new Plan(
        new Condition.And(plans.stream().map(Plan::guard).toList()), List.copyOf(merged.values()));
  }

  private static Operation both(Operation one, Operation other) {
    if (one instanceof AddAll first && other instanceof AddAll second) {
      Set<Object> elements = new LinkedHashSet<>(first.elements());
      elements.addAll(second.elements());
      return new AddAll(first.path(), elements);
    }
    return one;
  }
}
