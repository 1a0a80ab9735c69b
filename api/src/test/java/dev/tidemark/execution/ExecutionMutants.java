package dev.tidemark.execution;

import dev.tidemark.Edit;
import java.util.List;

/** What {@link ExecutionMutantsTest} replaces in the sources of executions, one at a time. */
final class ExecutionMutants {
  private ExecutionMutants() {}

  static List<Edit> all() {
    return List.of(
        new Edit(
            "work that begins whenever its claim is answered",
            "Claims",
            "if (owner.holds()) {",
            "if (owner != null) {"),
        new Edit(
            "a step that begins whenever its beginning is answered",
            "Owner",
            "hold();\n    } catch (Throwable e) {\n      if (known",
            "lease.left();\n    } catch (Throwable e) {\n      if (known"),
        new Edit(
            "a heartbeat that counts whenever it is answered",
            "Owner",
            "    requireGoing();\n    save(State.RUNNING, null);\n    hold();",
            "    requireGoing();\n    save(State.RUNNING, null);"),
        new Edit(
            "a lease that is stored as of before a look at the last write",
            "Claims",
            "claimed(verdict, call, found, now(), ending)",
            "claimed(verdict, call, found, now, ending)"),
        new Edit(
            "a lease that is renewed for ever",
            "Owner",
            "if (late == MOST_LATE) {",
            "if (late == 50) {"),
        new Edit(
            "a lease that counts from the answer",
            "Owner",
            "    lease = asked;",
            "    lease = claims.asked();"),
        new Edit(
            "a claim that came too late and blocks its key",
            "Owner",
            "} catch (ContentionException e) {\n      release(e);\n",
            "} catch (ContentionException e) {\n"),
        new Edit(
            "an interrupted renewal before the work that blocks its key",
            "Owner",
            "&& Thread.currentThread().isInterrupted()) {",
            "&& false) {"),
        new Edit(
            "an interrupt that has work done once more whose last write it kept back",
            "Owner",
            "holds(() -> Uninterrupted.run(this::hold))",
            "holds()"),
        new Edit(
            "an interrupted claim that blocks its key",
            "Claims",
            "stopped && next.state() == State.RUNNING",
            "stopped && next.state() == State.PARKED"),
        new Edit(
            "a claim of an invocation that is over, and blocks its key",
            "Claims",
            "owner.giveUp();",
            "owner.state();"),
        new Edit(
            "a last write behind a lease that is over",
            "Ending",
            "if (!owner.stillHolds()) {",
            "if (owner.hasStopped()) {"),
        new Edit(
            "an interrupt that keeps an end from the store",
            "Owner",
            "      Uninterrupted.run(() -> write(state, result));",
            "      write(state, result);"),
        new Edit(
            "an interrupt that keeps a long result from the store",
            "Owner",
            "Uninterrupted.call(() -> claims.fit(ledger, own, value))",
            "claims.fit(ledger, own, value)"),
        new Edit(
            "an interrupt that keeps a last write from its store",
            "Ending",
            "return Uninterrupted.call(completion::get);",
            "return completion.get();"),
        new Edit(
            "a loser that does not notice",
            "Owner",
            "lost = true;\n"
                + "      throw new ExecutionStoppedException(\"another owner took the key over\");",
            "own = next;"),
        new Edit(
            "a timestamp as revision",
            "Claims",
            "UUID.randomUUID().toString(),\n        State.RUNNING,",
            "Long.toString(now),\n        State.RUNNING,"),
        new Edit(
            "a lease that is over in its last millisecond",
            "ClaimJudge",
            "found.leaseEnd() - now + 1)",
            "found.leaseEnd() - now)"),
        new Edit(
            "a missing deadline that reads as over",
            "ClaimJudge",
            "if (found.leaseEnd() <= 0) {",
            "if (found.leaseEnd() < 0) {"),
        new Edit(
            "a missing deadline that reads as endless",
            "ClaimJudge",
            "return watched.isNegative() ? Duration.ZERO : watched.plusMillis(1);",
            "return length;"),
        new Edit(
            "a fault of the store that is stored as a failure",
            "Runs",
            "&& (error instanceof TidemarkException\n            || ",
            "&& ("),
        new Edit(
            "an error of the store's client that is stored as a failure",
            "Runs",
            "            || owner.isFault(error)\n",
            ""),
        new Edit(
            "a cause that makes a fault of the store a failure",
            "Runs",
            "causes > 0 &&",
            "causes < 0 &&"),
        new Edit(
            "a step in doubt that was never said to begin",
            "Owner",
            "if (known == null) {",
            "if (known != null) {"),
        new Edit(
            "a finished record that an escaped step overwrites",
            "Owner",
            "if (hasStopped() || ended) {",
            "if (hasStopped()) {"),
        new Edit(
            "an interrupted thread that spins",
            "Claims",
            "if (stopped || waiting.isNegative()",
            "if (waiting.isNegative()"),
        new Edit(
            "a step that acts again since a person named another one",
            "Commands",
            "if (known == null || (known.done() &&",
            "if (known != null && (known.done() &&"),
        new Edit(
            "a key that waits for a person and is forgotten",
            "Claims",
            "(state == State.PARKED ? ASKED : 0)",
            "0"),
        new Edit(
            "a key that is kept for ever once a person has looked",
            "ExecutionRecord",
            "return state == State.PARKED && expires > ASKED ? expires - ASKED : expires;",
            "return expires;"),
        new Edit(
            "a doubt that is released by a person who saw another one",
            "Commands",
            "seen.equals(found.revision())",
            "!seen.isEmpty()"),
        new Edit(
            "a step that acts again since another one was settled",
            "Commands",
            "if (said == null) {",
            "if (said == null || !points.isEmpty()) {"),
        new Edit(
            "a write that is not looked for",
            "Claims",
            "verdict.asksForWrite() && hasWrite(Objects.requireNonNull(found))",
            "verdict == Verdict.TAKE_OVER && hasWrite(Objects.requireNonNull(found))"),
        new Edit(
            "work that is done anew, and written under the message of before",
            "Claims",
            "stored == null\n",
            "stored == null || point != null\n"),
        new Edit(
            "a write that each attempt makes under a message of its own",
            "Claims",
            "points.putIfAbsent(Ending.BY_WRITE,",
            "points.put(Ending.BY_WRITE,"),
        new Edit(
            "a last write by an owner that has lost its key",
            "Runs",
            "return owner.stopped();\n    }\n    owner.requireTransactionsEnded();\n",
            "owner.hasStopped();\n    }\n    owner.requireTransactionsEnded();\n"),
        new Edit(
            "a write that is forgotten before its key",
            "Ending",
            "told.get().compareTo(unfinishedFor) < 0",
            "told.get().isNegative()"),
        new Edit(
            "what a completion throws behind its write, as the work's failure",
            "Ending",
            "owner.release(e);",
            "owner.fail(\"thrown\");"),
        new Edit(
            "a null that a method returned, and that leaves its key free",
            "Owner",
            "if (value == null) {\n      park(null);",
            "if (value == null) {\n      release();"),
        new Edit(
            "work that runs again without its completion",
            "ClaimJudge",
            "if (found.state() != State.PARKED && !live && isElsewhere) {",
            "if (found.isOpen() && live && isElsewhere) {"),
        new Edit(
            "a silent owner's completion that waits for a person",
            "ClaimJudge",
            "&& !live && isElsewhere) {",
            "&& !live && !parks && isElsewhere) {"),
        new Edit(
            "a completion that was given up and shuts out the version before",
            "Owner",
            "if (untried) {",
            "if (untried && named.size() > 9) {"),
        new Edit(
            "a write that was tried, and counts as given up",
            "Owner",
            "untried = false;",
            "ended = false;"),
        new Edit(
            "a write that an earlier attempt tried, and counts as given up",
            "Owner",
            "before == null || !before.points().containsKey(Ending.BY_WRITE);",
            "true;"),
        new Edit(
            "a write that was tried, and is released with a step in doubt",
            "Commands",
            "if (write != null) {",
            "if (write != null && write.done()) {"),
        new Edit(
            "a write that may have been made, as a step in doubt",
            "ExecutionRecord",
            " && !point.getKey().equals(Ending.BY_WRITE)",
            ""),
        new Edit(
            "a step that passes for a completion's write",
            "Owner",
            "|| name.equals(Ending.BY_WRITE)\n",
            "\n"),
        new Edit(
            "a released execution that is always the first to go on",
            "Claims",
            "case RELEASED -> now - 1;",
            "case RELEASED -> 0;"),
        new Edit(
            "a forgotten flow that runs anew",
            "Resuming",
            "if (claims.isForgotten(found)) {",
            "if (found.flow().isEmpty()) {"),
        new Edit(
            "a request that cannot be read and stays the first",
            "Resuming",
            "pass(key, found, e);",
            "e.addSuppressed(new IllegalStateException());"),
        new Edit(
            "a flow whose time is over and that stays the first",
            "Resuming",
            "claims.pass(key, found);\n        return",
            "return"),
        new Edit(
            "a record that cannot be read, in the place of a sound one",
            "Resuming",
            "return !(e instanceof CorruptRecordException);",
            "return true;"),
        new Edit(
            "a store that is away, asked again and again",
            "Resuming",
            "return !(e instanceof CorruptRecordException);",
            "return false;"),
        new Edit(
            "a look that ends where nobody can go on",
            "Resuming",
            "more = left > 0 &&",
            "more = left < 0 &&"),
        new Edit(
            "a look at all that nobody can go on with",
            "Resuming",
            "MOST_IN_VAIN = 1_000;",
            "MOST_IN_VAIN = 10_000;"),
        new Edit(
            "an owner at work, in the place of one that went silent",
            "Resuming",
            "&& !claims.isLive(key, one)",
            ""),
        new Edit(
            "a clock that was ahead, and an execution that waits for it",
            "Flow",
            "if (looksAhead(claims)) {",
            "if (most < 0) {"),
        new Edit(
            "a look ahead at each call",
            "Flow",
            "boolean isTime = now - nextAhead >= 0;",
            "boolean isTime = true;"),
        new Edit(
            "executions that are resumed though none is wanted",
            "Resuming",
            "boolean more = left > 0;",
            "boolean more = true;"),
        new Edit(
            "less than none, of which stores make what they like",
            "kernel/Most",
            "if (most < 1) {",
            "if (most < -100) {"),
        new Edit(
            "parts that are forgotten before what names them",
            "Claims",
            "expires(now(), longer(known, unfinishedFor.plus(keptFor)), 0)",
            "expires(now(), keptFor.minusSeconds(60), 0)"),
        new Edit(
            "parts that are forgotten before a claim that its completion prolongs",
            "Claims",
            "Math.max(record.lasts(), after)",
            "after"),
        new Edit(
            "parts that are forgotten before the write that they tell of",
            "Claims",
            "longer(known, unfinishedFor.plus(keptFor))",
            "unfinishedFor.plus(keptFor)"),
        new Edit(
            "a claim that is forgotten before the write that ends its work",
            "Claims",
            "longer(unfinishedFor, ending.toldFor())",
            "unfinishedFor"),
        new Edit(
            "a result that is forgotten before the write that told it",
            "Claims",
            "return longer(keptFor, ending.toldFor());",
            "return keptFor;"),
        new Edit(
            "a step that shortens the time for which its claim is kept",
            "Claims",
            "Math.max(soonest, expires(now, known, leaseEnd))",
            "expires(now, known, leaseEnd)"),
        new Edit(
            "parts that are forgotten before a record that went on",
            "Parts",
            ">= record.lasts()) {",
            ">= 0) {"),
        new Edit(
            "a step that finds no room, though earlier results could leave the record",
            "Claims",
            "return ledger.parts().fitting(ledger.parts().lasting(next, until), until);",
            "return ledger.parts().lasting(next, until);"),
        new Edit(
            "a compressed result that is compressed again as it leaves the record",
            "Packed",
            "if (text.startsWith(START)) {\n      return text;\n    }\n    ByteArrayOutputStream",
            "ByteArrayOutputStream"),
        new Edit(
            "a step's result that is forgotten while its key waits for a person",
            "Parts",
            "part.expires() + ASKED",
            "part.expires()"),
        new Edit(
            "a result that is forgotten while its key waits for somebody who can read it",
            "Parts",
            "    of(record.result(), parts);\n",
            ""),
        new Edit(
            "a result that is forgotten before its key once somebody could read it",
            "Parts",
            "record.with(points, lasting(record.result(), record, until))",
            "record.with(points, record.result())"),
        new Edit(
            "parts that stay for ever once a person has looked",
            "Parts",
            "Math.max(told, soonest)",
            "part.expires()"),
        new Edit(
            "parts that are gone where a process was killed before it let their key go on",
            "Parts",
            "Math.max(told, soonest)",
            "told"),
        new Edit(
            "parts that stay for ever though a person was quicker",
            "Parts",
            "part != null && part.revision().equals(read.revision())",
            "part != null"),
        new Edit(
            "parts that stay for ever where a process was killed before their key waited",
            "Ledger",
            "    ExecutionRecord left = writes.write(",
            "    named.forEach(parts::keep);\n    ExecutionRecord left = writes.write("),
        new Edit(
            "an owner that takes itself for another one where parts cannot be kept",
            "Ledger",
            "      writes.mayHaveLeft(record); // what",
            "      // what"),
        new Edit(
            "a key that is left to a person and taken back where no answer came",
            "Owner",
            "    parks = true;\n    try {\n      save(State.PARKED, result);",
            "    try {\n      save(State.PARKED, result);\n      parks = true;"),
        new Edit(
            "a key that a fault keeps from being left to a person",
            "Owner",
            "if (lost || e instanceof Error) {",
            "if (e != null) {"),
        new Edit(
            "parts that are gone where a fault kept them from being kept",
            "Answers",
            "&& ledger.parts().mayExpire(found)",
            "&& found.points() == null"),
        new Edit(
            "parts that stay for ever though their key was forgotten",
            "Ledger",
            "    parts.letGo(before);\n    return writes.remove(key, before);",
            "    return writes.remove(key, before);"),
        new Edit(
            "a result of few letters that takes more than a record",
            "Parts",
            "(json.length() < LONG && bytes(json) <= Math.max(SHORT, room))",
            "json.length() < LONG"),
        new Edit(
            "a step found by its place",
            "Owner",
            "Point known = points.get(name);",
            "Point known = points.values().stream().skip(named.size() -"
                + " 1L).findFirst().orElse(null);"),
        new Edit(
            "a fingerprint of the key alone",
            "Executions",
            "return new Call(at(key), fingerprint, flow",
            "return new Call(at(key), json.fingerprint(key), flow"),
        new Edit(
            "expiry that is left to the store",
            "ClaimJudge",
            "return found.expires() > 0 && found.expires() <= now / 1000;",
            "return false;"),
        new Edit(
            "a claim whose lost reply is taken for another's",
            "ExecutionRecord",
            "return revision.equals(other.revision);",
            "return this == other;"),
        new Edit(
            "a step that acts before it is known to begin",
            "Owner",
            "begin(name, known);\n",
            "effect.act(downstreamKey);\n    begin(name, known);\n"),
        new Edit(
            "a step in doubt that acts again",
            "Owner",
            "if (doubt.parks()) {",
            "if (doubt.parks() && named.isEmpty()) {"),
        new Edit(
            "a fence that starts anew",
            "Claims",
            "Math.max(now, found == null ? 0 : found.fence() + 1)",
            "found == null ? 1 : found.fence() + 1"),
        new Edit(
            "a take-over on a stale snapshot",
            "Claims",
            "      found = left;\n    }\n  }\n\n  /** No pause",
            """
                if (found != null && left != null) {
                  ledger.write(left, next);
                  Owner owner = new Owner(this, ledger, next, found, lease);
                  return new Claim<>(owner, null, Kind.CLAIMED);
                }
                found = left;
              }
            }

            /** No pause\
            """),
        new Edit(
            "a flow that nobody can go on with once a version without it has tried",
            "Claims",
            "kept == null ? call.flow : kept.flow()",
            "call.flow"),
        new Edit(
            "a flow without its request once a version without it has tried",
            "Claims",
            "kept == null ? call.request : kept.request()",
            "call.request"),
        new Edit(
            "work that is forgotten as early as who took it over would forget its own",
            "Claims",
            "goesOn == null ? 0 : goesOn.lasts()",
            "0"),
        new Edit(
            "work that is forgotten as early as who let it go would forget its own",
            "Claims",
            "hasWrite(before) || !finished ? before",
            "hasWrite(before) ? before"),
        new Edit(
            "a completion without a condition",
            "Owner",
            "ExecutionRecord found = ledger.write(own, next);\n",
            """
            ExecutionRecord found = ledger.write(own, next);
                if (found != null && !found.isOf(next) && state == State.DONE) {
                  found = ledger.write(found, next);
                }
            """),
        new Edit(
            "a removal that throttling or a lost reply ends",
            "kernel/RecordWrites",
            "return told(revision, ask(() -> records.remove(key, revision), null));",
            "return records.remove(key, revision) instanceof Answer.Refused<V> r ? r.found() : null;"),
        new Edit(
            "a removal that lost its reply and takes what came since",
            "Ledger",
            "while (found != null && !stays.test(found)) {",
            "while (found != null) {"),
        new Edit(
            "a record that cannot be read and stays for ever",
            "Ledger",
            "if (writes.removeUnreadable(key) != null) {",
            "if (key != null) {"),
        new Edit(
            "a record that can be read again and passes for removed",
            "Ledger",
            "if (writes.removeUnreadable(key) != null) {",
            "if (writes.removeUnreadable(key) != null && key.isEmpty()) {"),
        new Edit(
            "a record that is tried for ever",
            "kernel/RecordWrites",
            "if (found != null && records.revision(found).equals(before)) {",
            "if (found != null && records.revision(found).isEmpty()) {"),
        new Edit(
            "a deadline that is tried again like a lost reply",
            "kernel/RecordWrites",
            "late += none.late() ? 1 : 0;",
            "late += 0;"),
        new Edit(
            "a failure that forgets the write that may come behind it",
            "Claims",
            "Point write = state == State.FAILED ?",
            "Point write = state == State.PARKED ?"),
        new Edit(
            "a failure that is told though the write came behind it",
            "ClaimJudge",
            "return this != FRESH &&",
            "return this != FRESH && this != FINISHED &&"),
        new Edit(
            "a failure that is told by a call that cannot look for the write",
            "ClaimJudge",
            "found.state() != State.PARKED && !live &&",
            "found.isOpen() && !live &&"),
        new Edit(
            "a failure that is stored over a write that was made",
            "Ending",
            "owner.isTried()",
            "owner.hasStopped()"),
        new Edit(
            "a failure that asks for a write that nobody has tried",
            "Owner",
            "StoredFailure fail(String code) {\n    takeBack();",
            "StoredFailure fail(String code) {"),
        new Edit(
            "the code of a failure, taken for a result that cannot be read",
            "Answers",
            "found.state() == State.FAILED ? null : found.result();",
            "found.result();"),
        new Edit(
            "keys of parts as long as the key",
            "Parts",
            "String digest = Json.digest(key.getBytes(StandardCharsets.UTF_8));",
            "String digest = key;"));
  }
}
