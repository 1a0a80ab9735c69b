package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("The filter of idempotency keys behind Spring Security")
class SecuredFilterTest {
  private static void everywhere(ContextConsumer<AssertableWebApplicationContext> test) {
    for (WebApplicationContextRunner server : Web.everywhere()) {
      Web.secured(server).withUserConfiguration(Secured.class).withBean(Payments.class).run(test);
    }
  }

  private static HttpResponse<String> pay(
      AssertableWebApplicationContext context, String path, @Nullable String user)
      throws Exception {
    HttpRequest.Builder request = Web.post(context, path);
    return Web.send(user == null ? request : request.header("Authorization", basic(user)));
  }

  private static String basic(String user) {
    byte[] text = (user + ":" + user).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(text);
  }

  private static AtomicInteger effects(AssertableWebApplicationContext context) {
    return context.getBean(Payments.class).effects;
  }

  @Test
  @DisplayName("does Bob's own work where he sends Alice's key and body, and answers each alike")
  void principals() {
    everywhere(
        context -> {
          for (int i = 0; i < 3; i++) {
            assertThat(pay(context, "/payments/1", "alice").body()).isEqualTo("alice 1");
            assertThat(pay(context, "/payments/1", "bob").body()).isEqualTo("bob 2");
          }
          assertThat(effects(context)).hasValue(2);
        });
  }

  @Test
  @DisplayName("knows who has logged in by a form, in whatever session")
  void sessions() {
    everywhere(
        context -> {
          assertThat(pay(context, "/payments/1", "alice").body()).isEqualTo("alice 1");
          for (String user : new String[] {"alice", "alice", "bob"}) {
            HttpResponse<String> answer =
                Web.send(Web.post(context, "/payments/1").header("Cookie", login(context, user)));
            assertThat(answer.body()).isEqualTo(user.equals("bob") ? "bob 2" : "alice 1");
          }
          assertThat(effects(context)).hasValue(2);
        });
  }

  private static String login(AssertableWebApplicationContext context, String user)
      throws Exception {
    HttpResponse<String> answer =
        Web.send(
            Web.keyless(context, "/login")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("username=" + user + "&password=" + user)));
    return answer.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
  }

  @Test
  @DisplayName("does nothing for nobody, though the path is open to all")
  void anonymous() {
    everywhere(
        context -> {
          HttpResponse<String> answer = pay(context, "/payments/open", null);
          assertThat(answer.statusCode()).isEqualTo(401);
          assertThat(answer.body()).contains("idempotency-key-of-nobody");
          assertThat(effects(context)).hasValue(0);
          assertThat(pay(context, "/payments/open", "bob").body()).isEqualTo("bob 1");
        });
  }

  @Test
  @DisplayName("stores no refusal of Spring Security, before it or behind it")
  void refusals() {
    everywhere(
        context -> {
          for (String refused :
              new String[] {"/payments/1", "/payments/login", "/payments/denied"}) {
            HttpRequest.Builder wrong =
                Web.post(context, refused).header("Authorization", basic("mallory"));
            assertThat(Web.send(wrong).statusCode()).isEqualTo(401);
          }
          assertThat(pay(context, "/payments/1", "alice").body()).isEqualTo("alice 1");
          for (int i = 0; i < 2; i++) { // the first of which is refused by the controller
            HttpResponse<String> login =
                Web.send(
                    Web.post(context, "/payments/login")
                        .setHeader("Idempotency-Key", "login")
                        .header("Authorization", basic("alice")));
            HttpResponse<String> denied =
                Web.send(
                    Web.post(context, "/payments/denied")
                        .setHeader("Idempotency-Key", "denied")
                        .header("Authorization", basic("alice")));
            assertThat(login.statusCode()).isEqualTo(i == 0 ? 401 : 200);
            assertThat(denied.statusCode()).isEqualTo(i == 0 ? 403 : 200);
          }
          assertThat(effects(context)).hasValue(3);
        });
  }

  @Configuration(proxyBeanMethods = false)
  static class Secured {
    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(
              requests ->
                  requests
                      .requestMatchers("/payments/open")
                      .permitAll()
                      .anyRequest()
                      .authenticated())
          .httpBasic(withDefaults())
          .formLogin(withDefaults())
          .csrf(csrf -> csrf.disable())
          .build();
    }

    @Bean
    UserDetailsService users() {
      return new InMemoryUserDetailsManager(user("alice"), user("bob"));
    }

    private static UserDetails user(String name) {
      return User.withUsername(name).password("{noop}" + name).roles("USER").build();
    }
  }

  @RestController
  static class Payments {
    private final AtomicInteger effects = new AtomicInteger();
    private final AtomicInteger logins = new AtomicInteger();
    private final AtomicInteger denials = new AtomicInteger();

    @PostMapping({"/payments/1", "/payments/open"})
    String pay(Principal principal) {
      return principal.getName() + " " + effects.incrementAndGet();
    }

    @PostMapping("/payments/login")
    String login(Principal principal) {
      if (logins.getAndIncrement() == 0) {
        throw new AuthenticationCredentialsNotFoundException("log in again");
      }
      return pay(principal);
    }

    @PostMapping("/payments/denied")
    String denied(Principal principal) {
      if (denials.getAndIncrement() == 0) {
        throw new AccessDeniedException("not yet");
      }
      return pay(principal);
    }
  }
}
