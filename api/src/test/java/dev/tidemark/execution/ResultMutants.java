package dev.tidemark.execution;

import dev.tidemark.Edit;
import java.util.List;

/** Defects in what is stored of results, and read again. */
final class ResultMutants {
  private ResultMutants() {}

  static List<Edit> all() {
    return List.of(
        new Edit(
            "work that runs again where its result cannot be stored or read",
            "Owner",
            "throw leave(result, e);",
            "release();\n      throw e;"),
        new Edit(
            "a result that nobody reads back",
            "Owner",
            "R read = unlessUnread(fitting, () -> claims.json().readBack(\"the result\", type,"
                + " stored));",
            "R read = value;"),
        new Edit(
            "a step's result that nobody reads back",
            "Owner",
            "return unlessUnread(null, () -> claims.json().readBack(\"step '\" + name + \"'\","
                + " type, stored));",
            "return value;"),
        new Edit(
            "a result of a write that nobody reads back",
            "Ending",
            "R result = owner.told(type, made.get().result());",
            "R result = made.get().result();"),
        new Edit(
            "a result of an earlier write that nobody reads back",
            "Answers",
            "result = claims.json().readBack(\"the result\", ending.type(), stored);",
            "result = told;"),
        new Edit(
            "a step that cannot be read, for ever",
            "Owner",
            "throw leave(null, e);\n    }\n  }\n\n  /** What became",
            "throw e;\n    }\n  }\n\n  /** What became"),
        new Edit(
            "a failure that is too large, and happens again",
            "Owner",
            "throw leave(null, e);\n    }\n    return new StoredFailure",
            "throw e;\n    }\n    return new StoredFailure"),
        new Edit(
            "a failure that is told otherwise later",
            "Owner",
            "return new StoredFailure(told);",
            "return new StoredFailure(code);"),
        new Edit(
            "a result that cannot be read, and is forgotten",
            "Answers",
            "become(State.PARKED, ledger, found);\n      throw e;",
            "throw e;"),
        new Edit(
            "a result that can be read, and waits for a person all the same",
            "Answers",
            "become(State.DONE, ledger, found);",
            ""),
        new Edit(
            "a release that throws a result away",
            "Commands",
            "if (found.result() != null) {\n        throw",
            "if (found.result() != null && found.fence() < 0) {\n        throw"),
        new Edit(
            "a person asked about an owner's write that is on its way",
            "Answers",
            "if (!live) {",
            "if (found != null) {"),
        new Edit(
            "a write that nobody can read, which no person sees",
            "Answers",
            "if (!live) {",
            "if (found == null) {"),
        new Edit(
            "a text that unpacks to whatever it likes",
            "Packed",
            "bytes.length > most",
            "bytes.length < 0"),
        new Edit(
            "a memory that a text fills as it likes",
            "Packed",
            "in.readNBytes(most + 1)",
            "in.readAllBytes()"),
        new Edit(
            "a value that is too large to be read",
            "Json",
            "if (bytes.length > mostBytes()) {",
            "if (bytes.length < 0) {"),
        new Edit(
            "a library's own form that the user's mapper chooses",
            "Json",
            "MapperIndependent.class.isAssignableFrom(type) ? plain : mapper",
            "MapperIndependent.class == type ? plain : mapper"),
        new Edit(
            "a mapper that changes later", "OwnMapper", "return given.copy();", "return given;"),
        new Edit(
            "a stored text that chooses among all classes",
            "OwnMapper",
            "name.startsWith(\"java.\")",
            "name.isEmpty()"),
        new Edit(
            "a property of a later version that is not tolerated",
            "OwnMapper",
            "own.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);",
            "own.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);"),
        new Edit(
            "a property that was renamed, and is read as nothing",
            "Renamed",
            "lacks(read, stored) && lacks(stored, read)",
            "lacks(read, stored) && stored == read"),
        new Edit(
            "a property that is new, and is taken for a renamed one",
            "Renamed",
            "lacks(read, stored) && lacks(stored, read)",
            "lacks(read, stored)"),
        new Edit(
            "a computed property that has another name, and is taken for a renamed one",
            "Renamed",
            "!one.has(name) && !computed.contains(name)",
            "!one.has(name)"),
        new Edit(
            "a set that is read in another order, and taken for another shape",
            "Renamed",
            "&& isInNone(stored.get(i), read)",
            ""),
        new Edit(
            "a type that cannot be read, and is only found out behind the work",
            "Json",
            "if (readable.contains(type)) {",
            "if (readable.contains(type) || type != null) {"),
        new Edit(
            "a request that works now, and never again",
            "Flow",
            "runs.apply(executions.call(key, fingerprint, name, text), readBack(text))",
            "runs.apply(executions.call(key, fingerprint, name, text), request)"),
        new Edit(
            "a name that is written and never read",
            "StoredNames",
            "names.getOrDefault(type, List.of()).contains(name)",
            "name.isEmpty()"),
        new Edit(
            "a class's own name that is read no more",
            "StoredNames",
            "name.equals(type.getName()) ||",
            "name.isEmpty() ||"),
        new Edit(
            "a name of two classes",
            "StoredNames",
            "if (name.isEmpty() || !known.add(name)) {",
            "if (name.isEmpty()) {"),
        new Edit(
            "a step that was handed in over one that can be read",
            "Commands",
            "(known.done() && isReadable(ledger, said.type(), known.value()))",
            "(known == null && found == null)"),
        new Edit(
            "a step that cannot be handed in, since it is done",
            "Commands",
            "(known.done() && isReadable(ledger, said.type(), known.value()))",
            "known.done()"),
        new Edit(
            "a result that a person writes over another",
            "Commands",
            "found.state() != State.FAILED && !isReadable(ledger, type, found.result())",
            "found.state() != State.FAILED"),
        new Edit(
            "a failure that a person makes undone",
            "Commands",
            "found.state() != State.FAILED && !isReadable(ledger, type, found.result())",
            "!isReadable(ledger, type, found.result())"),
        new Edit(
            "work that a person ends while it goes on",
            "Commands",
            "!claims.isLive(ledger.key(), found);",
            "found != null;"),
        new Edit(
            "a null that makes another request",
            "Fingerprints",
            "if (value != null) { // a",
            "if (name != null) { // a"),
        new Edit(
            "a property that is written twice, and counts once",
            "Fingerprints",
            "fields.computeIfAbsent(name, any -> new ArrayList<>()).add(value);",
            "fields.put(name, new ArrayList<>(List.of(value)));"),
        new Edit(
            "a mapper that is not the user's",
            "Fingerprints",
            "read(written(mapper.writer(), request))",
            "read(written(EARLIER, request))"),
        new Edit(
            "an argument without its declared type",
            "Fingerprints",
            "constructReferenceType(AtomicReference.class, type)",
            "constructReferenceType(AtomicReference.class, types().constructType(Object.class))"),
        new Edit(
            "an argument that is declared in terms of another interface",
            "Proxies",
            "types.resolveMemberType(parameter, known)",
            "types.resolveMemberType(parameter, TypeBindings.emptyBindings())"),
        new Edit(
            "a method that another interface has too, and that runs without its key",
            "Proxies",
            "parameters.stream().<Class<?>>map(JavaType::getRawClass).toList()",
            "List.of(method.getParameterTypes())"),
        new Edit(
            "two interfaces that share their keys",
            "Proxies",
            "owners.put(scope, owner(type, method))",
            "owners.put(type.getName() + scope, owner(type, method))"),
        new Edit(
            "an overload taken for what a bridge calls",
            "Proxies",
            "!method.isBridge() && meant.contains(Signature.of(method))",
            "!method.isBridge() && method.getName().equals(bridge.getName())"),
        new Edit(
            "a method that is overridden without its annotations",
            "Proxies",
            "isIdempotent(method) && !methods",
            "method.isBridge() && !methods"),
        new Edit(
            "a set in its own order",
            "Fingerprints",
            "return set ? sorted(elements) : elements;",
            "return elements;"),
        new Edit(
            "a list in any order",
            "Fingerprints",
            "return set ? sorted(elements) : elements;",
            "return sorted(elements);"),
        new Edit(
            "a digest of an earlier version that is another request's",
            "Fingerprint",
            "text.equals(stored) || earlier.test(stored)",
            "text.equals(stored)"),
        new Edit(
            "a digest of an earlier version, whatever the mapper means",
            "Fingerprints",
            "getBytes(StandardCharsets.UTF_8)).equals(stored)\n          &&",
            "getBytes(StandardCharsets.UTF_8)).equals(stored)\n          ||"),
        new Edit(
            "a checked exception of a mapper that nobody declared",
            "Json",
            "} catch (Throwable e) {\n      throw new CorruptRecordException(",
            "} catch (java.io.IOException | RuntimeException e) {\n"
                + "      throw new CorruptRecordException("),
        new Edit(
            "a code that hides the failure it is for",
            "Runs",
            "} catch (Throwable e) {\n      Faults.suppress(e, error);",
            "} catch (RuntimeException e) {\n      Faults.suppress(e, error);"),
        new Edit(
            "an execution that ends the look for all others",
            "Resuming",
            "} catch (Throwable e) {\n      pass",
            "} catch (RuntimeException e) {\n      pass"),
        new Edit(
            "a record that is forgotten while its claim holds",
            "Claims",
            "Math.max(now + after.toMillis(), leaseEnd + judge.skew().toMillis())",
            "(now + after.toMillis())"),
        new Edit(
            "a step that is stored under another name",
            "Owner",
            "Text.wellFormed(\"a step's name\", name).isEmpty()",
            "name.isEmpty()"),
        new Edit(
            "a store that hides what the work threw",
            "Owner",
            "} catch (Throwable e) {\n      Faults.suppress",
            "} catch (RuntimeException e) {\n      Faults.suppress"),
        new Edit(
            "a date without its module, after the work",
            "Json",
            "    if (missing != null) {",
            "    if (missing != null && missing.isEmpty()) {"),
        new Edit(
            "a date in a list, after the work",
            "MissingModules",
            "type.hasContentType() ?",
            "type.isFinal() ?"),
        new Edit(
            "an Optional of a property, after the work",
            "MissingModules",
            "missing = of(property.getValueDeserializer(), property.getType());",
            ""));
  }
}
