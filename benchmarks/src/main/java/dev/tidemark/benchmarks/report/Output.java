package dev.tidemark.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where results go: the module's build folder, and the docs if they are published.
 *
 * @param publish whether docs/performance gets them too
 */
public record Output(boolean publish) {
  private static final Path PAGE = Path.of("docs", "performance.md");

  /**
   * Writes a file.
   *
   * @param name its name
   * @param content its text
   */
  public void write(String name, String content) {
    List<Path> folders = new ArrayList<>(List.of(Path.of("benchmarks", "target", "results")));
    if (publish) {
      folders.add(Path.of("docs", "performance"));
    }
    for (Path folder : folders) {
      try {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name), content);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      System.out.println("wrote " + folder.resolve(name));
    }
  }

  /**
   * Puts a block into the page about performance, if results are published.
   *
   * @param block the block's name
   * @param content its text, as Markdown
   */
  public void page(String block, String content) {
    page(PAGE, block, content);
  }

  /**
   * Puts a block into a page of the docs, if results are published.
   *
   * @param path of the page
   * @param block the block's name
   * @param content its text, as Markdown
   */
  public void page(Path path, String block, String content) {
    if (!publish) {
      return;
    }
    try {
      Page page = new Page(Files.readString(path)).with(block, content);
      Files.writeString(path, page.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
