package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.undertow.util.CanonicalPathUtils;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A path")
class VendorTest {
  @Test
  @DisplayName("has its dots resolved as Undertow resolves them")
  void canonical() {
    List<String> paths = List.of("");
    for (int length = 1; length <= 6; length++) {
      List<String> longer = new ArrayList<>();
      for (String path : paths) {
        for (String segment : List.of("", ".", "..", "...", "a.b")) {
          longer.add(path + "/" + segment);
        }
      }
      longer.forEach(
          path ->
              assertEquals(CanonicalPathUtils.canonicalize(path), Vendor.canonical(path), path));
      paths = longer;
    }
  }
}
