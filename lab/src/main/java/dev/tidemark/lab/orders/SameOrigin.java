package dev.tidemark.lab.orders;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets the control panel be used by its own page alone: a page of another site, open in the same
 * browser, could send its requests too. Browsers say with each POST where it comes from.
 */
final class SameOrigin extends OncePerRequestFilter {
  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    if (reads || !request.getRequestURI().startsWith("/api/lab/") || isOwn(request)) {
      chain.doFilter(request, response);
    } else {
      response.sendError(HttpStatus.FORBIDDEN.value());
    }
  }

  private static boolean isOwn(HttpServletRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    String host = request.getHeader(HttpHeaders.HOST);
    try {
      return origin != null && host != null && host.equals(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
