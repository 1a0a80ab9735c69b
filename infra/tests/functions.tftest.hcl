# The functions and what starts them.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

run "queue_function" {
  variables {
    consumer = "function"
  }

  assert {
    condition     = toset(keys(aws_lambda_function.function)) == toset(["queueFunction"]) && length(aws_ecs_service.service) == 0
    error_message = "The function, and only it, takes events from the queue."
  }

  assert {
    condition     = aws_lambda_function.function["queueFunction"].handler == "dev.tidemark.example.orderhistory.lambda.SqsHandler"
    error_message = "The function has the queue's handler."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.queue[0].function_response_types == toset(["ReportBatchItemFailures"])
    error_message = "Only what failed comes again."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.queue[0].scaling_config[0].maximum_concurrency == 20
    error_message = "Invocations are held back at the queue."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.queue[0].batch_size == 100 && aws_lambda_event_source_mapping.queue[0].maximum_batching_window_in_seconds == 1
    error_message = "A batch above ten wants a window."
  }

  assert {
    condition     = aws_lambda_function.function["queueFunction"].publish && aws_lambda_function.function["queueFunction"].snap_start[0].apply_on == "PublishedVersions"
    error_message = "Published versions start from a snapshot."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.queue[0].function_name == aws_lambda_alias.live["queueFunction"].arn && aws_lambda_alias.live["queueFunction"].function_version == aws_lambda_function.function["queueFunction"].version
    error_message = "The queue calls the published version: $LATEST has no snapshot."
  }

  assert {
    condition = aws_lambda_function.function["queueFunction"].environment[0].variables == tomap({
      STORE                 = "dynamodb"
      TABLE_PREFIX          = "order-history-"
      DEAD_LETTER_QUEUE_URL = aws_sqs_queue.dead_letters.url
    })
    error_message = "The function is told what the contract says."
  }

  assert {
    condition     = aws_cloudwatch_log_group.function["queueFunction"].retention_in_days == 30 && aws_lambda_function.function["queueFunction"].logging_config[0].log_group == aws_cloudwatch_log_group.function["queueFunction"].name
    error_message = "Logs go to a group that forgets."
  }
}

run "queue_function_of_a_fifo_queue" {
  variables {
    consumer   = "function"
    queue_kind = "fifo"
  }

  assert {
    condition     = aws_lambda_event_source_mapping.queue[0].batch_size == 10 && aws_lambda_event_source_mapping.queue[0].maximum_batching_window_in_seconds == null
    error_message = "A FIFO queue gives ten at most and knows no window."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.queue[0].function_response_types == toset(["ReportBatchItemFailures"])
    error_message = "Only what failed, and the rest of its group, comes again."
  }

  assert {
    condition     = aws_sqs_queue.events.visibility_timeout_seconds == 6 * 30
    error_message = "There is no window to add."
  }
}

run "stream_function" {
  variables {
    events_table = true
  }

  assert {
    condition     = toset(keys(aws_lambda_function.function)) == toset(["streamFunction"]) && aws_lambda_function.function["streamFunction"].handler == "dev.tidemark.example.orderhistory.lambda.DynamoDbStreamHandler"
    error_message = "The function has the stream's handler, and the queue stays the service's."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.stream[0].event_source_arn == aws_dynamodb_table.events[0].stream_arn && aws_lambda_event_source_mapping.stream[0].starting_position == "TRIM_HORIZON"
    error_message = "The stream is read from its start."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.stream[0].function_response_types == toset(["ReportBatchItemFailures"]) && aws_lambda_event_source_mapping.stream[0].bisect_batch_on_function_error
    error_message = "Only what failed, and what follows it in its shard, comes again."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.stream[0].destination_config[0].on_failure[0].destination_arn == aws_sqs_queue.stream_failures[0].arn && aws_sqs_queue.stream_failures[0].name == "order-history-stream-failures"
    error_message = "What is given up is told."
  }
}

run "a_fifo_queue_beside_a_stream" {
  variables {
    events_table = true
    queue_kind   = "fifo"
  }

  assert {
    condition     = aws_sqs_queue.stream_failures[0].fifo_queue != true && aws_lambda_event_source_mapping.stream[0].maximum_batching_window_in_seconds == 1
    error_message = "What a stream gives up goes to a standard queue, and its batches keep their window."
  }
}
