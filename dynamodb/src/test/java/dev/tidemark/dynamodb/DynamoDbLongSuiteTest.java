package dev.tidemark.dynamodb;

import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;
import org.junit.platform.suite.api.SuiteDisplayName;

/** Beside the other contracts, in a JVM of its own. */
@Suite
@SuiteDisplayName("DynamoDB, contracts that take long")
@SelectPackages("dev.tidemark.tck.contract")
@IncludeClassNamePatterns(".*(BatchProperty|BoundedIds|Guards)Contract")
@ConfigurationParameter(
    key = "tidemark.backend",
    value = "dev.tidemark.dynamodb.DynamoDbBackend$Factory")
final class DynamoDbLongSuiteTest {}
