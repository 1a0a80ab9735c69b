package dev.tidemark.servlet;

import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.api.ServletInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;

/** The servers on which the filter is tested, each with one servlet, also for error pages. */
enum Container {
  TOMCAT {
    @Override
    Running start(boolean configured, HttpServlet servlet, Filter... filters) throws Exception {
      Path folder = Files.createTempDirectory("tomcat");
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(folder.toString());
      tomcat.setPort(0);
      Context context = tomcat.addContext("", folder.toString());
      Tomcat.addServlet(context, "action", servlet).setAsyncSupported(true);
      context.addServletMappingDecoded("/*", "action");
      context.addErrorPage(errorPage());
      context.setUseRelativeRedirects(!configured);
      for (Filter filter : filters) {
        addFilter(context, filter);
      }
      tomcat.getConnector();
      tomcat.start();
      return new Running(
          tomcat.getConnector().getLocalPort(),
          () -> {
            tomcat.stop();
            tomcat.destroy();
            delete(folder);
          });
    }
  },
  JETTY {
    @Override
    Running start(boolean configured, HttpServlet servlet, Filter... filters) throws Exception {
      ServletContextHandler context = new ServletContextHandler("/");
      context.addServlet(asynchronous(new ServletHolder("action", servlet)), "/*");
      ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
      errors.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, ERROR_PAGE);
      context.setErrorHandler(errors);
      for (Filter filter : filters) {
        FilterHolder holder = new FilterHolder(filter);
        holder.setAsyncSupported(true);
        context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
      }
      org.eclipse.jetty.server.Server jetty =
          new org.eclipse.jetty.server.Server(new InetSocketAddress("localhost", 0));
      jetty.setHandler(context);
      ServerConnector connector = (ServerConnector) jetty.getConnectors()[0];
      connector
          .getConnectionFactory(HttpConnectionFactory.class)
          .getHttpConfiguration()
          .setRelativeRedirectAllowed(!configured);
      jetty.start();
      return new Running(connector.getLocalPort(), jetty::stop);
    }
  },
  UNDERTOW {
    @Override
    Running start(boolean configured, HttpServlet servlet, Filter... filters) throws Exception {
      ServletInfo action =
          Servlets.servlet("action", HttpServlet.class, new ImmediateInstanceFactory<>(servlet))
              .addMapping("/*")
              .setAsyncSupported(true);
      DeploymentInfo deployment =
          Servlets.deployment()
              .setClassLoader(Container.class.getClassLoader())
              .setContextPath("")
              .setDeploymentName("action")
              .addServlet(action)
              .addErrorPage(Servlets.errorPage(ERROR_PAGE));
      deployment.setPreservePathOnForward(!configured);
      for (int i = 0; i < filters.length; i++) {
        addFilter(deployment, "filter" + i, filters[i]);
      }
      DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
      manager.deploy();
      Undertow undertow =
          Undertow.builder()
              .addHttpListener(0, "localhost", manager.start())
              .setIoThreads(1)
              .setWorkerThreads(8)
              .build();
      undertow.start();
      InetSocketAddress address =
          (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
      return new Running(
          address.getPort(),
          () -> {
            undertow.stop();
            manager.stop();
            manager.undeploy();
          });
    }
  };

  /** Where every server has its errors told. */
  private static final String ERROR_PAGE = "/error";

  private static final List<Logger> LOGS =
      Stream.of("org.apache", "io.undertow", "org.xnio").map(Logger::getLogger).toList();

  static {
    LOGS.forEach(log -> log.setLevel(Level.OFF)); // the tests let servlets fail
  }

  /**
   * Starts it, behind filters, which are asked for requests alone.
   *
   * @param configured whether locations of redirects are made absolute, as Undertow's always are,
   *     and a forward's path stays on Undertow: as Spring Boot has it
   */
  abstract Running start(boolean configured, HttpServlet servlet, Filter... filters)
      throws Exception;

  private static ServletHolder asynchronous(ServletHolder holder) {
    holder.setAsyncSupported(true);
    return holder;
  }

  private static ErrorPage errorPage() {
    ErrorPage page = new ErrorPage();
    page.setLocation(ERROR_PAGE);
    return page;
  }

  private static void addFilter(Context context, Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName("filter" + context.findFilterDefs().length);
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(definition.getFilterName());
    map.addURLPattern("/*");
    context.addFilterMap(map);
  }

  private static void addFilter(DeploymentInfo deployment, String name, Filter filter) {
    FilterInfo info =
        Servlets.filter(name, Filter.class, new ImmediateInstanceFactory<>(filter))
            .setAsyncSupported(true);
    deployment.addFilter(info).addFilterUrlMapping(name, "/*", DispatcherType.REQUEST);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> left = Files.walk(folder)) {
      left.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }

  /** A server that runs, and how it ends. */
  record Running(int port, End end) {
    interface End {
      void stop() throws Exception;
    }
  }
}
