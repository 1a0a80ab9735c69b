/**
 * The views as AWS Lambda functions, one for each kind of event source: {@code SqsHandler}, {@code
 * DynamoDbStreamHandler} and {@code KafkaHandler}; and what sends the messages that rows publish,
 * {@code RelayHandler}. No Spring here, so that a container starts fast.
 */
@NullMarked
package dev.tidemark.example.orderhistory.lambda;

import org.jspecify.annotations.NullMarked;
