package dev.tidemark.servlet;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A response whose status and headers stay as they are once it counts as sent. */
abstract class SentResponse extends HttpServletResponseWrapper {
  SentResponse(HttpServletResponse response) {
    super(response);
  }

  @Override
  public abstract boolean isCommitted();

  private void unlessSent(Runnable change) {
    if (!isCommitted()) {
      change.run();
    }
  }

  @Override
  public void setStatus(int status) {
    unlessSent(() -> super.setStatus(status));
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    unlessSent(() -> super.setHeader(name, value));
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    unlessSent(() -> super.addHeader(name, value));
  }

  @Override
  public void setDateHeader(String name, long date) {
    unlessSent(() -> super.setDateHeader(name, date));
  }

  @Override
  public void addDateHeader(String name, long date) {
    unlessSent(() -> super.addDateHeader(name, date));
  }

  @Override
  public void setIntHeader(String name, int value) {
    unlessSent(() -> super.setIntHeader(name, value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    unlessSent(() -> super.addIntHeader(name, value));
  }

  @Override
  public void addCookie(Cookie cookie) {
    unlessSent(() -> super.addCookie(cookie));
  }

  @Override
  public void setContentType(@Nullable String type) {
    unlessSent(() -> super.setContentType(type));
  }

  @Override
  public void setCharacterEncoding(@Nullable String charset) {
    unlessSent(() -> super.setCharacterEncoding(charset));
  }

  @Override
  public void setContentLength(int length) {
    unlessSent(() -> super.setContentLength(length));
  }

  @Override
  public void setContentLengthLong(long length) {
    unlessSent(() -> super.setContentLengthLong(length));
  }

  @Override
  public void setLocale(@Nullable Locale locale) {
    unlessSent(() -> super.setLocale(locale));
  }
}
