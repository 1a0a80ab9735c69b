package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tidemark.Operation.Kind;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A change")
final class ChangeTest {

  @Test
  @DisplayName("adds a number to a set once, of whatever class it comes")
  void distinctNumbers() {
    Change change = Change.change().addToSet("s", 1, 1L, 1.0, new BigDecimal("1.00"), 2);
    assertEquals(
        List.of(new Operation(Operation.Kind.ADD_ALL, Path.of("s"), Set.of(1, 2))),
        change.operations());
  }

  @Test
  @SuppressWarnings("JavaUtilDate")
  @DisplayName("keeps what it was given, whatever becomes of that")
  void ownValues() {
    byte[] bytes = {1};
    List<Object> inner = new ArrayList<>(List.of("a"));
    List<Object> list = new ArrayList<>(Arrays.asList(inner, null, ByteBuffer.wrap(bytes)));
    Set<Object> set = new HashSet<>(Set.of("s"));
    SortedMap<String, Object> map = new TreeMap<>(Comparator.reverseOrder());
    map.putAll(Map.of("a", inner, "b", "c"));
    Map<Kind, Object> kinds = new EnumMap<>(Map.of(Kind.ASSIGN, inner));
    Date date = new Date(7);
    Change change =
        Change.change()
            .set("list", list)
            .set("map", map)
            .set("set", set)
            .setIfAbsent("bytes", ByteBuffer.wrap(bytes))
            .set("kinds", kinds)
            .set("queue", new ArrayDeque<>(List.of(inner)))
            .set("names", EnumSet.of(Kind.REMOVE))
            .set("date", date)
            .set("number", new AtomicLong(7))
            .append("appended", inner)
            .onlyIf(Condition.attribute("b").is(ByteBuffer.wrap(bytes)));
    EntityKey key = EntityKey.key(ByteBuffer.wrap(bytes));
    bytes[0] = 2;
    inner.add("b");
    list.clear();
    set.add("t");
    map.clear();
    kinds.clear();
    date.setTime(8);
    List<Object> given = change.operations().stream().map(Operation::value).toList();
    ByteBuffer one = ByteBuffer.wrap(new byte[] {1});
    assertEquals(Arrays.asList(List.of("a"), null, one), given.get(0));
    assertEquals("{b=c, a=[a]}", given.get(1).toString());
    assertEquals(Set.of("s"), given.get(2));
    assertEquals(one, given.get(3));
    assertEquals(Map.of(Kind.ASSIGN, List.of("a")), given.get(4));
    assertEquals("[[a]]", given.get(5).toString());
    assertEquals(Set.of(Kind.REMOVE), given.get(6));
    assertEquals(new Date(7), given.get(7));
    assertEquals("7", given.get(8).toString());
    assertEquals(List.of(List.of("a")), given.get(9));
    assertEquals(one, ((Condition.Test) change.condition().orElseThrow()).value());
    assertEquals(EntityKey.key(new byte[] {1}), key);
  }

  @Test
  @SuppressWarnings("JdkObsolete")
  @DisplayName("gives a copy of the class that it was given, and no copy where it knows none")
  void ownClasses() {
    Collection<String> linked = new LinkedList<>(List.of("a"));
    Collection<String> queue = new PriorityQueue<>(List.of("b"));
    Map<String, Object> concurrent = new ConcurrentHashMap<>(Map.of("c", 1));
    Change change =
        Change.change().set("linked", linked).set("queue", queue).set("concurrent", concurrent);
    linked.clear();
    List<Object> given = change.operations().stream().map(Operation::value).toList();
    assertEquals(LinkedList.class, given.get(0).getClass());
    assertEquals(List.of("a"), given.get(0));
    assertSame(queue, given.get(1));
    assertSame(concurrent, given.get(2));
  }
}
