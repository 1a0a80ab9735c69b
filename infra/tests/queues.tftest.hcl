# Queues of both kinds.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

override_resource {
  target = aws_sqs_queue.events
  values = {
    arn = "arn:aws:sqs:eu-central-1:123456789012:events"
    url = "https://sqs.eu-central-1.amazonaws.com/123456789012/events"
  }
}

override_resource {
  target = aws_sqs_queue.dead_letters
  values = {
    arn = "arn:aws:sqs:eu-central-1:123456789012:dead-letters"
    url = "https://sqs.eu-central-1.amazonaws.com/123456789012/dead-letters"
  }
}

run "standard" {
  assert {
    condition     = aws_sqs_queue.events.name == "order-history-events" && !aws_sqs_queue.events.fifo_queue && aws_sqs_queue.dead_letters.name == "order-history-dead-letters" && !aws_sqs_queue.dead_letters.fifo_queue
    error_message = "A standard queue has standard dead letters."
  }

  assert {
    condition     = jsondecode(aws_sqs_queue.events.redrive_policy).deadLetterTargetArn == aws_sqs_queue.dead_letters.arn && jsondecode(aws_sqs_queue.events.redrive_policy).maxReceiveCount == 100
    error_message = "What keeps failing goes to the dead letters."
  }

  assert {
    condition     = jsondecode(aws_sqs_queue_redrive_allow_policy.dead_letters.redrive_allow_policy) == { redrivePermission = "byQueue", sourceQueueArns = [aws_sqs_queue.events.arn] } && aws_sqs_queue_redrive_allow_policy.dead_letters.queue_url == aws_sqs_queue.dead_letters.url
    error_message = "Only this queue's dead letters come here."
  }

  assert {
    condition     = aws_sqs_queue.events.sqs_managed_sse_enabled && aws_sqs_queue.dead_letters.sqs_managed_sse_enabled
    error_message = "Queues are encrypted."
  }

  assert {
    condition     = aws_sqs_queue.events.receive_wait_time_seconds == 20
    error_message = "Receives wait for messages."
  }

  assert {
    condition     = aws_sqs_queue.dead_letters.message_retention_seconds == 1209600 && aws_sqs_queue.dead_letters.message_retention_seconds >= aws_sqs_queue.events.message_retention_seconds
    error_message = "Dead letters are kept as long as a queue can, since the time in the first queue counts."
  }

  assert {
    condition     = aws_sqs_queue.events.visibility_timeout_seconds == 60
    error_message = "The service prolongs by itself; what a killed task held comes back soon."
  }

  assert {
    condition     = toset(keys(aws_sqs_queue_policy.tls)) == toset(["events", "dead_letters"]) && alltrue([for p in aws_sqs_queue_policy.tls : jsondecode(p.policy).Statement[0].Effect == "Deny" && jsondecode(p.policy).Statement[0].Condition.Bool["aws:SecureTransport"] == "false"])
    error_message = "No queue is spoken to without TLS."
  }
}

run "fifo" {
  variables {
    queue_kind = "fifo"
  }

  assert {
    condition     = aws_sqs_queue.events.name == "order-history-events.fifo" && aws_sqs_queue.events.fifo_queue && aws_sqs_queue.dead_letters.name == "order-history-dead-letters.fifo" && aws_sqs_queue.dead_letters.fifo_queue
    error_message = "A FIFO queue has FIFO dead letters."
  }

  assert {
    condition     = aws_sqs_queue.events.deduplication_scope == "messageGroup" && aws_sqs_queue.events.fifo_throughput_limit == "perMessageGroupId"
    error_message = "Groups go on side by side."
  }
}

run "visibility_of_a_function" {
  variables {
    consumer         = "function"
    function_timeout = 45
  }

  assert {
    condition     = aws_sqs_queue.events.visibility_timeout_seconds >= 6 * aws_lambda_function.function["queueFunction"].timeout + aws_lambda_event_source_mapping.queue[0].maximum_batching_window_in_seconds
    error_message = "Messages of a function are hidden for six times its time-out and the window."
  }
}
