package dev.tidemark.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response that is held back until it is stored. Status and headers go through to the client's
 * response, which is not committed before the body is sent; the body and errors stay here.
 */
final class CapturedResponse extends SentResponse {
  private final HttpServletRequest request;
  private final HttpServletResponse client;
  private final int statusBefore;
  private final Map<String, List<String>> before = new LinkedHashMap<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable ServletOutputStream stream;
  private @Nullable PrintWriter writer;
  private @Nullable Integer error;
  private @Nullable String message;
  private @Nullable String redirect;
  private final int mostBytes;
  private boolean closed;
  private boolean tooLarge;

  CapturedResponse(HttpServletRequest request, HttpServletResponse client, int mostBytes) {
    super(Vendor.of(request) == Vendor.TOMCAT ? opaque(client) : client);
    this.request = request;
    this.client = client;
    this.mostBytes = mostBytes;
    this.statusBefore = client.getStatus();
    client.getHeaderNames().forEach(name -> before.put(name, List.copyOf(client.getHeaders(name))));
  }

  /**
   * The client's response in a form that Tomcat does not recognize. Tomcat 11 closes its own
   * response after a forward, through all wrappers, before the body is sent. Other servers look for
   * their own response, and fail without it.
   */
  private static HttpServletResponse opaque(HttpServletResponse client) {
    return (HttpServletResponse)
        Proxy.newProxyInstance(
            CapturedResponse.class.getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(client, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** What was answered, with those of its headers that the work has set. */
  StoredResponse captured(ReplayedHeaders headers) {
    flush();
    return new StoredResponse(
        getStatus(),
        error != null,
        message,
        sentType(),
        headers.in(this),
        redirect,
        error != null ? "" : Base64.getEncoder().encodeToString(content()));
  }

  /** The type that the client is told. Undertow remembers another one through a reset. */
  private @Nullable String sentType() {
    return Vendor.of(request) == Vendor.UNDERTOW
        ? client.getHeader(CONTENT_TYPE)
        : getContentType();
  }

  /** The body up to the length that the work has said: it is complete there, as servers have it. */
  private byte[] content() {
    byte[] all = body.toByteArray();
    return length() < 0 || length() > all.length ? all : Arrays.copyOf(all, (int) length());
  }

  /**
   * Sends it to the client. Whoever makes the error's page or the redirect finds the status that a
   * replay has, too.
   */
  void send() throws IOException {
    flush();
    boolean ends = error != null || redirect != null;
    if (ends && client.getStatus() != statusBefore) {
      client.setStatus(statusBefore);
    }
    if (ends ? length() >= 0 : length() > body.size()) {
      client.setContentLengthLong(-1); // which would cut or break the answer
    }
    if (error != null) {
      StoredResponse.sendError(client, error, message);
    } else if (redirect != null) {
      StoredResponse.sendRedirect(client, redirect);
    } else if (body.size() > 0) {
      client.getOutputStream().write(content());
    }
  }

  /** Takes back what the work has set on the client's response. */
  void discard() {
    client.setCharacterEncoding((String) null); // which Undertow would keep
    client.reset();
    unset();
    before.forEach((name, values) -> values.forEach(value -> client.addHeader(name, value)));
  }

  /** Whether more was written than is held here; none of it is. */
  boolean isTooLarge() {
    flush();
    return tooLarge;
  }

  /** Answers so, in place of what the work has answered. */
  void replaceBy(Problem problem) {
    discard();
    clear();
    closed = false;
    error = null;
    message = null;
    redirect = null;
    stream = null;
    writer = null;
    try {
      problem.send(this);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void clear() {
    body.reset();
    tooLarge = false;
  }

  private void flush() {
    if (writer != null) {
      writer.flush();
    }
  }

  @Override
  public int getStatus() {
    return error != null ? error : redirect != null ? SC_FOUND : super.getStatus();
  }

  @Override
  @Nullable String redirect() {
    return redirect;
  }

  @Override
  public void sendError(int status) {
    sendError(status, null);
  }

  @Override
  public void sendError(int status, @Nullable String text) {
    if (isIncluded()) {
      return;
    }
    resetBuffer();
    error = status;
    message = text;
    closed = true;
  }

  @Override
  public void sendRedirect(String location) {
    sendRedirect(location, SC_FOUND, true);
  }

  /** Of Servlet 6.1, as the next two: a wrapper of that version hands each on to the client's. */
  public void sendRedirect(String location, int status) {
    sendRedirect(location, status, true);
  }

  /** See above. */
  public void sendRedirect(String location, boolean clearBuffer) {
    sendRedirect(location, SC_FOUND, clearBuffer);
  }

  /** See above. */
  public void sendRedirect(@Nullable String location, int status, boolean clearBuffer) {
    if (isIncluded()) {
      return;
    }
    requireOpen();
    if (location == null) {
      throw new IllegalArgumentException("sendRedirect needs a location, was null");
    }
    flush();
    if (clearBuffer) {
      clear();
    }
    String from = Vendor.of(request).redirected(request, location);
    if (status == SC_FOUND && clearBuffer) {
      redirect = from;
    } else {
      setStatus(status);
      setHeader(LOCATION, from);
    }
    closed = true;
  }

  @Override
  boolean isIncluded() {
    return switch (request.getDispatcherType()) {
      case INCLUDE -> true;
      case FORWARD -> Vendor.of(request).includes(getResponse()); // which may forward
      default -> false;
    };
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the response was sent before");
    }
  }

  @Override
  public boolean isCommitted() {
    return closed;
  }

  /** Sends nothing: the response is stored first. */
  @Override
  public void flushBuffer() {
    flush();
  }

  @Override
  public void resetBuffer() {
    requireOpen();
    flush();
    clear();
  }

  /**
   * Clears it before a forward, as Jetty, or a server that is not known, may clear its own response
   * alone. On Jetty that is so in an include, too, and the forward chooses anew between text and
   * bytes.
   */
  static void reopen(ServletResponse response) {
    if (response instanceof CapturedResponse captured) {
      Vendor vendor = Vendor.of(captured.request);
      if (vendor == Vendor.JETTY || vendor == Vendor.OTHER) {
        captured.resetBuffer();
      }
      if (vendor == Vendor.JETTY) {
        captured.stream = null;
        captured.writer = null;
      }
    } else if (response instanceof ServletResponseWrapper wrapper) {
      reopen(wrapper.getResponse());
    }
  }

  @Override
  public void reset() {
    if (isIncluded()) {
      return;
    }
    resetBuffer();
    super.setCharacterEncoding((String) null); // which Undertow would keep
    super.reset();
    unset();
    stream = null;
    writer = null;
  }

  @Override
  public ServletOutputStream getOutputStream() {
    if (writer != null) {
      throw new IllegalStateException("getWriter was called before");
    }
    if (stream == null) {
      stream = new BodyStream();
    }
    return stream;
  }

  @Override
  public PrintWriter getWriter() {
    if (stream != null) {
      throw new IllegalStateException("getOutputStream was called before");
    }
    if (writer == null) {
      String charset = getCharacterEncoding();
      super.setCharacterEncoding(charset); // so that the content type names it
      writer = new PrintWriter(new OutputStreamWriter(new BodyStream(), Charset.forName(charset)));
    }
    return writer;
  }

  @Override
  public void setCharacterEncoding(@Nullable String charset) {
    if (writer == null) {
      super.setCharacterEncoding(charset);
    }
  }

  /** Of Servlet 6.1. */
  public void setCharacterEncoding(@Nullable Charset charset) {
    setCharacterEncoding(charset == null ? null : charset.name());
  }

  @Override
  void typed(Runnable change) {
    String charset = getCharacterEncoding();
    change.run();
    if (writer != null) {
      super.setCharacterEncoding(charset);
    }
  }

  /** Also as a header, since Tomcat does not show a locale's language among the headers. */
  @Override
  public void setLocale(@Nullable Locale locale) {
    super.setLocale(locale);
    if (locale != null) {
      super.setHeader("Content-Language", locale.toLanguageTag());
    }
  }

  private boolean hasRoom(int length) {
    if (!closed && length > mostBytes - body.size()) {
      body.reset();
      tooLarge = true;
    }
    return !closed && !tooLarge;
  }

  private final class BodyStream extends ServletOutputStream {
    @Override
    public void write(int b) {
      if (hasRoom(1)) {
        body.write(b);
      }
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      if (hasRoom(length)) {
        body.write(bytes, from, length);
      }
    }

    /** As servers do after a forward, too. */
    @Override
    public void close() {
      closed = true;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw BufferedRequest.noAsync();
    }
  }
}
