package dev.tidemark.dynamodb;

import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;
import org.junit.platform.suite.api.SuiteDisplayName;

@Suite
@SuiteDisplayName("DynamoDB")
@SelectPackages("dev.tidemark.tck.contract")
@IncludeClassNamePatterns(".*Contract")
@ConfigurationParameter(
    key = "tidemark.backend",
    value = "dev.tidemark.dynamodb.DynamoDbBackend$Factory")
final class DynamoDbSuiteTest {}
