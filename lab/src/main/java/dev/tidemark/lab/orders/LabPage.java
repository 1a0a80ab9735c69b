package dev.tidemark.lab.orders;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Adds the control panel to the service's page, which knows nothing of it. */
@RestController
final class LabPage {
  private static final String PANEL =
      """
        <link rel="stylesheet" href="lab.css">
        <script type="module" src="lab.js"></script>
      </head>""";

  private final String page;

  LabPage() {
    try (InputStream in =
        Objects.requireNonNull(LabPage.class.getResourceAsStream("/static/index.html"))) {
      String own = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      page = own.replaceFirst("</head>", PANEL);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE)
  String page() {
    return page;
  }
}
