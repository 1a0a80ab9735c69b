package dev.tidemark.lab.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A Chromium that is installed on this machine, without a window. */
final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final List<String> ARGS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--no-first-run",
          "--lang=en-GB");

  private final Playwright playwright;
  private final Browser browser;

  Chromium() {
    Path executable = executable();
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new LaunchOptions().setExecutablePath(executable).setArgs(ARGS).setHeadless(true));
  }

  private static Path executable() {
    String named = System.getProperty("tidemark.chromium", "");
    Stream<Path> candidates = named.isEmpty() ? onPath() : Stream.of(Path.of(named));
    return candidates
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no Chromium found "
                        + (named.isEmpty() ? "on the PATH" : "at " + named)
                        + ": install it (Debian and Ubuntu: apt-get install chromium),"
                        + " or name one with -Dtidemark.chromium=/path/to/chromium"));
  }

  private static Stream<Path> onPath() {
    List<String> folders =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator));
    return NAMES.stream().flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)));
  }

  Browser browser() {
    return browser;
  }

  @Override
  public void close() {
    playwright.close();
  }
}
