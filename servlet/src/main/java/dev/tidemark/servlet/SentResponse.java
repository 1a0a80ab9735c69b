package dev.tidemark.servlet;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A response whose status and headers stay as they are once it counts as sent. */
abstract class SentResponse extends HttpServletResponseWrapper {
  static final String CONTENT_TYPE = "Content-Type";
  static final String LOCATION = "Location";
  private static final String CONTENT_LENGTH = "Content-Length";

  private long length = -1;
  private final Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  SentResponse(HttpServletResponse response) {
    super(response);
  }

  @Override
  public abstract boolean isCommitted();

  /** Whether a resource writes that another one includes, and which may write nothing but text. */
  abstract boolean isIncluded();

  /** Changes the content type. The charset of text that was begun stays what it is. */
  abstract void typed(Runnable change);

  /** The length of the body that was said last; -1 if none was. */
  long length() {
    return length;
  }

  /**
   * Where a redirect leads to that is made when the response is sent; null if there is none. This
   * response tells that location as a header; the client's response does not tell it before.
   */
  abstract @Nullable String redirect();

  /** The values of a header that the client's response has. */
  Collection<String> sent(String header) {
    return super.getHeaders(header);
  }

  /** Whether a header was set by this response, and not by what stands before it alone. */
  boolean hasSet(String header) {
    return set.contains(header);
  }

  /** What was set is gone. */
  void unset() {
    set.clear();
    length = -1;
    super.setContentLengthLong(-1); // which Undertow would keep
  }

  private void header(String name, @Nullable String value, Runnable change) {
    if (CONTENT_TYPE.equalsIgnoreCase(name)) {
      typed(() -> header(name, change));
    } else if (CONTENT_LENGTH.equalsIgnoreCase(name)) {
      setContentLengthLong(isNumber(value) ? Long.parseLong(value) : -1); // as -1 takes it back
    } else {
      header(name, change);
    }
  }

  private static boolean isNumber(@Nullable String value) {
    return value != null && value.matches("\\d{1,18}");
  }

  private void sized(long bytes, Runnable change) {
    if (!isCommitted() && !isIncluded()) {
      length = bytes;
    }
    change.run();
  }

  private void header(String name, Runnable change) {
    unlessSent(
        () -> {
          change.run();
          if (!isIncluded()) {
            set.add(String.valueOf(name)); // servers ignore null
          }
        });
  }

  private void unlessSent(Runnable change) {
    if (!isCommitted()) {
      change.run();
    }
  }

  private @Nullable String redirected(String name) {
    return LOCATION.equalsIgnoreCase(name) ? redirect() : null;
  }

  @Override
  public @Nullable String getHeader(String name) {
    String location = redirected(name);
    return location == null ? super.getHeader(name) : location;
  }

  @Override
  public Collection<String> getHeaders(String name) {
    String location = redirected(name);
    return location == null ? sent(name) : List.of(location);
  }

  @Override
  public Collection<String> getHeaderNames() {
    Set<String> names = new LinkedHashSet<>(super.getHeaderNames());
    if (redirect() != null) {
      names.add(LOCATION);
    }
    return names;
  }

  @Override
  public boolean containsHeader(String name) {
    return redirected(name) != null || super.containsHeader(name);
  }

  @Override
  public void setStatus(int status) {
    unlessSent(() -> super.setStatus(status));
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    header(name, value, () -> super.setHeader(name, value));
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    if (value != null) { // which servers ignore
      header(name, value, () -> super.addHeader(name, value));
    }
  }

  @Override
  public void setDateHeader(String name, long date) {
    header(name, () -> super.setDateHeader(name, date));
  }

  @Override
  public void addDateHeader(String name, long date) {
    header(name, () -> super.addDateHeader(name, date));
  }

  @Override
  public void setIntHeader(String name, int value) {
    header(name, "" + value, () -> super.setIntHeader(name, value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    header(name, "" + value, () -> super.addIntHeader(name, value));
  }

  @Override
  public void addCookie(Cookie cookie) {
    header("Set-Cookie", () -> super.addCookie(cookie));
  }

  @Override
  public void setContentType(@Nullable String type) {
    typed(() -> unlessSent(() -> super.setContentType(type)));
  }

  @Override
  public void setCharacterEncoding(@Nullable String charset) {
    unlessSent(() -> super.setCharacterEncoding(charset));
  }

  @Override
  public void setContentLength(int length) {
    sized(length, () -> unlessSent(() -> super.setContentLength(length)));
  }

  @Override
  public void setContentLengthLong(long length) {
    sized(length, () -> unlessSent(() -> super.setContentLengthLong(length)));
  }

  @Override
  public void setLocale(@Nullable Locale locale) {
    unlessSent(() -> super.setLocale(locale));
  }
}
