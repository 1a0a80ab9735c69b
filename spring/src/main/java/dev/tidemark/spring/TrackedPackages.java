package dev.tidemark.spring;

import dev.tidemark.Tracked;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** The packages of one {@link TrackedScan}, as a bean; and what is found in those of all. */
record TrackedPackages(List<String> packages) {
  /** The tracked classes of the packages that were asked for, else of the application's. */
  static List<Class<?>> classes(
      ListableBeanFactory beans, Environment environment, ResourceLoader resources) {
    var scanner = new Scanner(environment);
    scanner.setResourceLoader(resources);
    scanner.addIncludeFilter(new AnnotationTypeFilter(Tracked.class));
    Set<String> names = new LinkedHashSet<>();
    for (String searched : searched(beans)) {
      for (BeanDefinition found : scanner.findCandidateComponents(searched)) {
        names.add(String.valueOf(found.getBeanClassName()));
      }
    }
    List<Class<?>> classes = new ArrayList<>();
    names.forEach(
        name -> classes.add(ClassUtils.resolveClassName(name, resources.getClassLoader())));
    return classes;
  }

  /** Finds abstract classes and interfaces, too, whose rows are of their subclasses. */
  private static final class Scanner extends ClassPathScanningCandidateComponentProvider {
    Scanner(Environment environment) {
      super(false, environment);
    }

    @Override
    protected boolean isCandidateComponent(AnnotatedBeanDefinition found) {
      return found.getMetadata().isIndependent() && !found.getMetadata().isAnnotation();
    }
  }

  private static Set<String> searched(ListableBeanFactory beans) {
    Set<String> searched = new LinkedHashSet<>();
    beans
        .getBeansOfType(TrackedPackages.class)
        .values()
        .forEach(asked -> searched.addAll(asked.packages()));
    if (searched.isEmpty() && AutoConfigurationPackages.has((BeanFactory) beans)) {
      searched.addAll(AutoConfigurationPackages.get(beans));
    }
    return searched;
  }

  /** Makes a bean of each annotation. */
  static final class Registrar implements ImportBeanDefinitionRegistrar {
    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata annotated, BeanDefinitionRegistry registry) {
      AnnotationAttributes scan =
          AnnotationAttributes.fromMap(
              annotated.getAnnotationAttributes(TrackedScan.class.getName()));
      if (scan == null) {
        return;
      }
      List<String> packages = new ArrayList<>(List.of(scan.getStringArray("basePackages")));
      for (Class<?> type : scan.getClassArray("basePackageClasses")) {
        packages.add(type.getPackageName());
      }
      if (packages.isEmpty()) {
        packages.add(ClassUtils.getPackageName(annotated.getClassName()));
      }
      var bean = new RootBeanDefinition(TrackedPackages.class);
      bean.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
      bean.getConstructorArgumentValues().addIndexedArgumentValue(0, packages);
      registry.registerBeanDefinition(
          TrackedScan.class.getName() + "#" + annotated.getClassName(), bean);
    }
  }
}
