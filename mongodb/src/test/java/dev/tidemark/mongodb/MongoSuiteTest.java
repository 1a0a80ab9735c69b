package dev.tidemark.mongodb;

import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;
import org.junit.platform.suite.api.SuiteDisplayName;

@Suite
@SuiteDisplayName("MongoDB")
@SelectPackages("dev.tidemark.tck.contract")
@IncludeClassNamePatterns(".*Contract")
@ConfigurationParameter(
    key = "tidemark.backend",
    value = "dev.tidemark.mongodb.MongoBackend$Factory")
final class MongoSuiteTest {}
