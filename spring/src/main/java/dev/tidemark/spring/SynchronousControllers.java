package dev.tidemark.spring;

import dev.tidemark.servlet.IdempotencyFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.AsyncHandlerMethodReturnValueHandler;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.AsyncTaskMethodReturnValueHandler;
import org.springframework.web.servlet.mvc.method.annotation.CallableMethodReturnValueHandler;
import org.springframework.web.servlet.mvc.method.annotation.DeferredResultMethodReturnValueHandler;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitterReturnValueHandler;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBodyReturnValueHandler;

/**
 * Lets requests with a key reach no controller whose declared type says that it goes on
 * asynchronously: Spring MVC would ask for that once the controller has acted.
 */
final class SynchronousControllers implements HandlerInterceptor {
  private static final Logger LOGGER = LoggerFactory.getLogger(SynchronousControllers.class);

  /** Those of Spring MVC that go on asynchronously with whatever they handle. */
  private static final Set<Class<?>> ASYNCHRONOUS =
      Set.of(
          AsyncHandlerMethodReturnValueHandler.class,
          AsyncTaskMethodReturnValueHandler.class,
          CallableMethodReturnValueHandler.class,
          DeferredResultMethodReturnValueHandler.class,
          ResponseBodyEmitterReturnValueHandler.class,
          StreamingResponseBodyReturnValueHandler.class);

  private final ObjectProvider<RequestMappingHandlerAdapter> adapters;

  SynchronousControllers(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
    this.adapters = adapters;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod method
        && adapters.stream().anyMatch(adapter -> isAsynchronous(adapter, method.getReturnType()))
        && IdempotencyFilter.refuseAsynchronous(request)) {
      LOGGER.error(
          "A request with an Idempotency-Key was refused before it began: {} gives a {}, which is"
              + " asynchronous. Let it give the result itself, or exclude its requests by the"
              + " filter's appliesTo.",
          method.getShortLogMessage(),
          method.getReturnType().getParameterType().getSimpleName());
      return false;
    }
    return true;
  }

  /** Whether the handler that Spring MVC takes for such a type goes on asynchronously. */
  private static boolean isAsynchronous(
      RequestMappingHandlerAdapter adapter, MethodParameter returned) {
    List<HandlerMethodReturnValueHandler> handlers = adapter.getReturnValueHandlers();
    return handlers != null
        && handlers.stream()
            .filter(handler -> handler.supportsReturnType(returned))
            .findFirst()
            .filter(handler -> ASYNCHRONOUS.stream().anyMatch(type -> type.isInstance(handler)))
            .isPresent();
  }
}
