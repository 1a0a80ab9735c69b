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
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.PriorityBlockingQueue;
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
  @SuppressWarnings({"JdkObsolete", "unchecked"})
  @DisplayName("gives a copy of the class that it was given, in its order")
  void ownClasses() {
    Comparator<Object> last = Comparator.comparing(String::valueOf).reversed();
    for (Collection<Object> empty :
        List.<Collection<Object>>of(
            new LinkedList<>(),
            new ArrayDeque<>(),
            new Vector<>(),
            new Stack<>(),
            new PriorityQueue<>(last),
            new TreeSet<>(last),
            new LinkedHashSet<>(),
            new CopyOnWriteArrayList<>(),
            new CopyOnWriteArraySet<>(),
            new ConcurrentSkipListSet<>(last),
            new ConcurrentLinkedQueue<>())) {
      empty.addAll(List.of("a", "c", "b"));
      String before = empty.toString();
      Collection<Object> copy = (Collection<Object>) copied(empty);
      empty.clear();
      assertEquals(before, copy.toString());
      assertEquals(empty.getClass(), copy.getClass());
    }
    for (Map<String, Object> empty :
        List.<Map<String, Object>>of(
            new TreeMap<>(last),
            new LinkedHashMap<>(),
            new Hashtable<>(),
            new IdentityHashMap<>(),
            new ConcurrentHashMap<>(),
            new ConcurrentSkipListMap<>(last))) {
      List<Object> inner = new ArrayList<>();
      empty.putAll(Map.of("a", inner, "b", 1));
      String before = empty.toString();
      Object copy = copied(empty);
      inner.add("d");
      empty.clear();
      assertEquals(before, copy.toString());
      assertEquals(empty.getClass(), copy.getClass());
    }
  }

  @Test
  @SuppressWarnings("serial")
  @DisplayName("gives a usual copy of a class that cannot be made empty, and none of a caller's")
  void otherClasses() {
    Collection<String> bounded = new ArrayBlockingQueue<>(2);
    Collection<String> blocking = new PriorityBlockingQueue<>(2, Comparator.reverseOrder());
    Collection<String> own = new ArrayList<>() {};
    for (Collection<String> queue : List.of(bounded, blocking)) {
      queue.addAll(List.of("a", "b"));
      String before = queue.toString();
      Object copy = copied(queue);
      queue.clear();
      assertEquals(before, copy.toString());
    }
    assertSame(own, copied(own));
  }

  private static Object copied(Object value) {
    return Change.change().set("v", value).operations().get(0).value();
  }
}
