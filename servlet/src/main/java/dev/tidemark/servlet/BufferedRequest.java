package dev.tidemark.servlet;

import dev.tidemark.execution.MapperIndependent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A request whose body has been read, so that it can be compared, and is read once more. */
final class BufferedRequest extends HttpServletRequestWrapper {
  private static final String FORM = "application/x-www-form-urlencoded";

  /**
   * Where a client without cookies has its session, which does not tell one request from another.
   */
  private static final Pattern SESSION = Pattern.compile("(?i);jsessionid=[^;/]*");

  private final byte[] body;
  private @Nullable ServletInputStream stream;
  private @Nullable BufferedReader reader;
  private @Nullable Form form;
  private @Nullable String encoding;
  private boolean exceeded;
  private @Nullable RuntimeException malformed;

  private BufferedRequest(HttpServletRequest request, byte[] body) {
    super(request);
    this.body = body;
  }

  /**
   * Reads a request's body.
   *
   * @return null if it is longer than that
   * @throws IllegalStateException if somebody else has read it
   */
  static @Nullable BufferedRequest read(HttpServletRequest request, int mostBytes)
      throws IOException {
    if (request.getContentLengthLong() > mostBytes) {
      return null;
    }
    ServletInputStream stream = request.getInputStream();
    boolean finished = stream.isFinished(); // before anything was read here
    byte[] body = stream.readNBytes(mostBytes + 1);
    if (body.length > mostBytes) {
      return null;
    }
    boolean lacks =
        finished
            ? body.length == 0 && hasBody(request)
            : body.length < request.getContentLengthLong()
                && Vendor.of(request).keepsLength(stream);
    if (lacks && !(body.length == 0 && isForm(request) && hasFields(request))) {
      throw new IllegalStateException(
          "the request's body was read before the IdempotencyFilter; put the filter before whatever reads it");
    }
    return new BufferedRequest(request, body);
  }

  private static boolean hasBody(HttpServletRequest request) {
    return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
  }

  /** Whether a filter before this one has read the body as parameters, which are compared. */
  private static boolean hasFields(HttpServletRequest request) {
    String query = Objects.requireNonNullElse(request.getQueryString(), "");
    long asked = Arrays.stream(query.split("&")).filter(pair -> !pair.isEmpty()).count();
    return request.getParameterMap().values().stream().mapToLong(all -> all.length).sum() > asked;
  }

  /**
   * Reads what is left of a body that nobody wants, so that the server can go on with the
   * connection, which a client may have taken for its next request.
   *
   * @return whether that was all of it
   */
  static boolean drain(HttpServletRequest request, int mostBytes) {
    if (request.getContentLengthLong() > mostBytes || request.getHeader("Expect") != null) {
      return false;
    }
    try {
      return request.getInputStream().readNBytes(mostBytes + 1).length <= mostBytes;
    } catch (IOException | IllegalStateException e) { // it has gone away, or somebody has read it
      return false;
    }
  }

  static boolean isMultipart(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/");
  }

  /**
   * Whether the work has asked for what no request with a key can do, and may have acted before.
   */
  boolean isExceeded() {
    return exceeded;
  }

  /** What a key stands for, compared alike whatever the mapper of the executions. */
  static final class Parts extends ArrayList<Object> implements MapperIndependent {
    private static final long serialVersionUID = 1L;

    private Parts() {}
  }

  /** What a key stands for. */
  Parts fingerprint() {
    String query = getQueryString();
    String type = getContentType();
    Parts parts = new Parts();
    parts.add(getMethod());
    String path = SESSION.matcher(getRequestURI()).replaceAll("");
    parts.add(query == null ? path : path + "?" + query);
    parts.add(type == null ? "" : type);
    parts.add(Base64.getEncoder().encodeToString(body));
    if (isForm(this)) { // a filter before this one may have read the body as parameters
      try {
        parts.add(new TreeMap<>(super.getParameterMap()));
      } catch (RuntimeException e) { // the query is malformed, and is compared as it came
        malformed = e;
      }
    }
    return parts;
  }

  private static boolean isForm(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null && type.toLowerCase(Locale.ROOT).startsWith(FORM);
  }

  @Override
  public ServletInputStream getInputStream() {
    if (reader != null) {
      throw new IllegalStateException("getReader was called before");
    }
    if (stream == null) {
      stream = new BodyStream(unread());
    }
    return stream;
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (stream != null) {
      throw new IllegalStateException("getInputStream was called before");
    }
    if (reader == null) {
      Charset charset = charset(StandardCharsets.ISO_8859_1);
      reader =
          new BufferedReader(new InputStreamReader(new ByteArrayInputStream(unread()), charset));
    }
    return reader;
  }

  /** The body, of which nothing is left once its fields were parameters. */
  private byte[] unread() {
    return form == null ? body : new byte[0];
  }

  private boolean hasBegun() {
    return stream != null || reader != null || form != null;
  }

  private Charset charset(Charset otherwise) throws UnsupportedEncodingException {
    String name = getCharacterEncoding();
    return name == null ? otherwise : charset(name);
  }

  private static Charset charset(String name) throws UnsupportedEncodingException {
    try {
      return Charset.forName(name);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedEncodingException("the request's charset is not known here");
    }
  }

  @Override
  public @Nullable String getCharacterEncoding() {
    return encoding == null ? super.getCharacterEncoding() : encoding;
  }

  /** Kept here too, as most servers know that the body was read, and set it no more. */
  @Override
  public void setCharacterEncoding(String name) throws UnsupportedEncodingException {
    if (reader == null) {
      super.setCharacterEncoding(name); // in which Tomcat reads the query of a forward
    }
    if (!hasBegun()) {
      encoding = charset(name).name();
    }
  }

  /** Of Servlet 6.1. */
  public void setCharacterEncoding(Charset charset) {
    try {
      setCharacterEncoding(charset.name());
    } catch (UnsupportedEncodingException e) {
      throw new IllegalArgumentException(charset.name(), e);
    }
  }

  @Override
  public @Nullable String getParameter(String name) {
    String field = form().first(name); // read now, also where the query has the name
    String first = super.getParameter(name);
    return first == null ? field : first;
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    Map<String, String[]> all = new LinkedHashMap<>(super.getParameterMap());
    form().names().forEach(name -> all.put(name, getParameterValues(name)));
    return Collections.unmodifiableMap(all);
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(getParameterMap().keySet());
  }

  /** The server's, which change while it forwards or includes, and behind them the form's. */
  @Override
  public String @Nullable [] getParameterValues(String name) {
    String[] values = super.getParameterValues(name);
    List<String> fields = form().values(name);
    return fields.isEmpty()
        ? values
        : Stream.concat(values == null ? Stream.empty() : Arrays.stream(values), fields.stream())
            .toArray(String[]::new);
  }

  /** The body's fields, which the server finds no more. */
  private Form form() {
    if (malformed != null) { // which servers throw once
      throw malformed;
    }
    if (form == null) {
      Vendor vendor = Vendor.of(this);
      if (hasBegun() || !isForm(this) || !vendor.readsForms(getMethod())) {
        return Form.NONE;
      }
      try {
        form = Form.of(body, charset(vendor.charsetOfForms()));
      } catch (UnsupportedEncodingException e) {
        form = vendor.formInUnknownCharset(body);
      }
    }
    return form;
  }

  @Override
  public @Nullable RequestDispatcher getRequestDispatcher(String path) {
    RequestDispatcher found = super.getRequestDispatcher(path);
    return found == null ? null : new Dispatcher(found);
  }

  @Override
  public Collection<Part> getParts() {
    exceeded = true;
    throw noParts();
  }

  @Override
  public Part getPart(String name) {
    exceeded = true;
    throw noParts();
  }

  private static IllegalStateException noParts() {
    return new IllegalStateException(
        "the IdempotencyFilter does not support multipart requests; exclude them by its appliesTo");
  }

  /** Whoever is told no may fail by itself, as Spring does, once it has acted. */
  @Override
  public boolean isAsyncSupported() {
    boolean supported = super.isAsyncSupported();
    exceeded |= !supported;
    return supported;
  }

  @Override
  public AsyncContext startAsync() {
    exceeded = true;
    throw noAsync();
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    exceeded = true;
    throw noAsync();
  }

  static IllegalStateException noAsync() {
    return new IllegalStateException(
        "the IdempotencyFilter does not support asynchronous requests; exclude them by its appliesTo");
  }

  /** Clears the response before a forward. */
  private record Dispatcher(RequestDispatcher found) implements RequestDispatcher {
    @Override
    public void forward(ServletRequest request, ServletResponse response)
        throws ServletException, IOException {
      CapturedResponse.reopen(response);
      found.forward(request, response);
    }

    @Override
    public void include(ServletRequest request, ServletResponse response)
        throws ServletException, IOException {
      found.include(request, response);
    }
  }

  private static final class BodyStream extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    BodyStream(byte[] body) {
      this.bytes = new ByteArrayInputStream(body);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int from, int length) {
      return bytes.read(into, from, length);
    }

    @Override
    public int available() {
      return bytes.available();
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw noAsync();
    }
  }
}
