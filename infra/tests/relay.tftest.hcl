# The relay of the order history, as a service and as a function: what it is, what calls it, and what it may do.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

override_resource {
  target = aws_dynamodb_table.view["order-history-2"]
  values = {
    arn        = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2"
    stream_arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2/stream/2026-01-02T00:00:00.000"
  }
}

override_resource {
  target = aws_dynamodb_table.view["order-history-3"]
  values = {
    arn        = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-3"
    stream_arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-3/stream/2026-01-03T00:00:00.000"
  }
}

override_resource {
  target = aws_dynamodb_table.generations
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/generations"
  }
}

override_resource {
  target = aws_dynamodb_table.records["executions"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/executions"
  }
}

override_resource {
  target = aws_sqs_queue.status[0]
  values = {
    arn = "arn:aws:sqs:eu-central-1:123456789012:status"
    url = "https://sqs.eu-central-1.amazonaws.com/123456789012/status"
  }
}

override_resource {
  target = aws_sqs_queue.status_dead_letters[0]
  values = {
    arn = "arn:aws:sqs:eu-central-1:123456789012:status-dead-letters"
  }
}

run "none_unless_asked_for" {
  assert {
    condition     = length(aws_sqs_queue.status) + length(aws_sqs_queue.status_dead_letters) + length(aws_dynamodb_table.records) == 0 && output.status_queue_url == null
    error_message = "Without a relay there is neither a queue for what it sends nor a table for its leases."
  }

  assert {
    condition     = length(aws_ecs_task_definition.relay) + length(aws_ecs_service.relay) + length(aws_lambda_function.function) + length(aws_lambda_event_source_mapping.relay) + length(aws_cloudwatch_event_rule.relay) == 0
    error_message = "Nothing relays."
  }

  assert {
    condition     = alltrue([for t in aws_dynamodb_table.view : t.stream_enabled == false])
    error_message = "No table has a stream that nobody reads."
  }

  assert {
    condition     = !contains(jsondecode(aws_ecs_task_definition.service.container_definitions)[0].environment[*].name, "STATUS_EVENTS")
    error_message = "Rows publish nothing where nobody would send it."
  }
}

run "service" {
  variables {
    relay       = "service"
    generations = [2, 3]
    relay_tasks = 3
    image_tag   = "1.2.3"
    kafka       = { bootstrap_servers = "b-1.example.com:9092" }
  }

  assert {
    condition     = aws_ecs_service.relay[0].name == "order-history-relay" && aws_ecs_service.relay[0].desired_count == 3 && aws_ecs_service.relay[0].task_definition == aws_ecs_task_definition.relay[0].arn
    error_message = "So many tasks as were said share the work."
  }

  assert {
    condition     = aws_ecs_service.relay[0].deployment_minimum_healthy_percent == 100 && aws_ecs_service.relay[0].deployment_circuit_breaker[0].rollback
    error_message = "New tasks run before old ones stop, and a deployment that does not get healthy is taken back."
  }

  assert {
    condition     = jsondecode(aws_ecs_task_definition.relay[0].container_definitions)[0].image == "${aws_ecr_repository.service.repository_url}:1.2.3" && !can(jsondecode(aws_ecs_task_definition.relay[0].container_definitions)[0].command) && jsondecode(aws_ecs_task_definition.relay[0].container_definitions)[0].healthCheck.command == ["CMD", "/app/healthy"]
    error_message = "A task is the image of the consumer, and is asked how it is."
  }

  assert {
    condition = { for e in jsondecode(aws_ecs_task_definition.relay[0].container_definitions)[0].environment : e.name => e.value } == {
      STORE            = "dynamodb"
      TABLE_PREFIX     = "order-history-"
      RELAY_TO         = "sqs"
      STATUS_QUEUE_URL = "https://sqs.eu-central-1.amazonaws.com/123456789012/status"
      RELAY_METRICS    = "order-history"
      SERVER_PORT      = "8080"
    }
    error_message = "A task is told to relay, and of no carrier."
  }

  assert {
    condition = alltrue([for container in [
      jsondecode(aws_ecs_task_definition.service.container_definitions)[0], jsondecode(aws_ecs_task_definition.rebuild[0].container_definitions)[0],
    ] : one([for e in container.environment : e.value if e.name == "STATUS_EVENTS"]) == "true"])
    error_message = "Who writes rows publishes."
  }

  assert {
    condition     = alltrue([for t in aws_dynamodb_table.view : t.stream_enabled == false]) && length(aws_lambda_function.function) == 0
    error_message = "A service looks at the index, so there is no stream and no function."
  }

  assert {
    condition     = aws_ecs_task_definition.relay[0].task_role_arn == aws_iam_role.process["relay"].arn && jsondecode(aws_iam_role.process["relay"].assume_role_policy).Statement[0].Principal.Service == "ecs-tasks.amazonaws.com"
    error_message = "The relay has a role of its own, for tasks alone."
  }

  assert {
    condition = { for s in jsondecode(aws_iam_role_policy.process["relay"].policy).Statement : s.Sid => s.Resource } == {
      CodeOrderHistory       = ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2", "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-3"]
      CodeOrderHistoryOutbox = ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2/index/outbox", "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-3/index/outbox"]
      CodeGenerations        = ["arn:aws:dynamodb:eu-central-1:123456789012:table/generations"]
      CodeExecutions         = ["arn:aws:dynamodb:eu-central-1:123456789012:table/executions"]
      CodeStatusQueue        = ["arn:aws:sqs:eu-central-1:123456789012:status"]
      CodeAbsentGenerations  = ["arn:aws:dynamodb:eu-central-1:123456789012:table/order-history-order-history-1"]
    }
    error_message = "Each right is for its own resource, of all generations; of one that is gone it may ask whether it is there."
  }

  assert {
    condition = alltrue([for s in jsondecode(aws_iam_role_policy.process["relay"].policy).Statement :
      s.Sid == "CodeAbsentGenerations" ? s.Action == ["dynamodb:DescribeTable"] :
      toset(s.Action) == toset({ for resource, actions in jsondecode(file("contract.json")).rights.relay : "Code${title(resource)}" => actions }[s.Sid])
    ])
    error_message = "The relay may do what the code was seen to do."
  }

  assert {
    condition     = keys(aws_dynamodb_table.records) == ["executions"] && length(aws_iam_role_policy.records) == 0
    error_message = "Leases have a table, which is the relay's alone."
  }

  assert {
    condition     = aws_sqs_queue.status[0].name == "order-history-status" && jsondecode(aws_sqs_queue.status[0].redrive_policy).deadLetterTargetArn == aws_sqs_queue.status_dead_letters[0].arn && jsondecode(aws_sqs_queue_redrive_allow_policy.status_dead_letters[0].redrive_allow_policy).sourceQueueArns == [aws_sqs_queue.status[0].arn]
    error_message = "Changes of statuses have a queue, with dead letters of its own."
  }

  assert {
    condition     = toset(keys(aws_sqs_queue_policy.tls)) == toset(["events", "dead_letters", "status", "status_dead_letters"])
    error_message = "No queue is spoken to without TLS."
  }

  assert {
    condition     = length(setsubtract(["relay-unhealthy", "relay-outbox-behind", "relay-outbox-no-pass", "relay-outbox-parked", "relay-outbox-takeover", "status-dead-letters"], keys(aws_cloudwatch_metric_alarm.alarm))) == 0
    error_message = "Tasks, what waits, parked messages and dead letters are watched."
  }

  assert {
    condition     = toset([for q in aws_cloudwatch_metric_alarm.alarm["relay-unhealthy"].metric_query : q.metric[0].dimensions.ServiceName if !q.return_data]) == toset(["order-history-relay"]) && toset([for q in aws_cloudwatch_metric_alarm.alarm["unhealthy"].metric_query : q.metric[0].dimensions.ServiceName if !q.return_data]) == toset(["order-history"])
    error_message = "Each service is watched for its own tasks."
  }

  assert {
    condition     = one([for q in aws_cloudwatch_metric_alarm.alarm["relay-outbox-no-pass"].metric_query : "${q.metric[0].namespace} ${q.metric[0].metric_name} ${jsonencode(q.metric[0].dimensions)}" if !q.return_data]) == "order-history tidemark.outbox.pass.age.value {\"relay\":\"order-history\"}"
    error_message = "The relay is watched by the metrics that it is told to write, over all generations."
  }

  assert {
    condition     = length([for w in jsondecode(aws_cloudwatch_dashboard.views.dashboard_body).widgets : w if strcontains(jsonencode(w), "tidemark.outbox.")]) == 2
    error_message = "The dashboard has the relay."
  }
}

run "hints" {
  variables {
    relay       = "service"
    relay_hints = true
    generations = [2, 3]
  }

  assert {
    condition     = { for key, t in aws_dynamodb_table.view : key => t.stream_enabled ? t.stream_view_type : "" } == { order-history-2 = "NEW_IMAGE", order-history-3 = "NEW_IMAGE", consumer-spending-2 = "", consumer-spending-3 = "" }
    error_message = "The tables whose rows publish have a stream of images, and no others."
  }

  assert {
    condition = one([for s in jsondecode(aws_iam_role_policy.process["relay"].policy).Statement : s if s.Sid == "CodeOrderHistoryStream"]) == {
      Sid      = "CodeOrderHistoryStream"
      Effect   = "Allow"
      Action   = jsondecode(file("contract.json")).rights.relay.orderHistoryStream
      Resource = ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2/stream/2026-01-02T00:00:00.000", "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-3/stream/2026-01-03T00:00:00.000"]
    }
    error_message = "Tasks may read these streams, as the code was seen to do."
  }

  assert {
    condition     = length(aws_lambda_event_source_mapping.relay) == 0
    error_message = "The streams call no function."
  }
}

run "hints_for_many" {
  command = plan

  variables {
    relay       = "service"
    relay_hints = true
    relay_tasks = 3
  }

  expect_failures = [var.relay_hints]
}

run "hints_for_a_function" {
  command = plan

  variables {
    relay       = "function"
    relay_hints = true
  }

  expect_failures = [var.relay_hints]
}

run "function" {
  variables {
    relay       = "function"
    generations = [2, 3]
    consumer    = "function"
    queue_kind  = "fifo"
  }

  assert {
    condition     = toset(keys(aws_lambda_function.function)) == toset(["queueFunction", "relayFunction"]) && aws_lambda_function.function["relayFunction"].handler == "dev.tidemark.example.orderhistory.lambda.RelayHandler" && length(aws_ecs_service.relay) == 0
    error_message = "The function relays, and no task does."
  }

  assert {
    condition     = aws_lambda_function.function["relayFunction"].timeout == 60 && aws_lambda_function.function["queueFunction"].timeout == 30
    error_message = "A sweep may go on until the next one; the other functions keep their time."
  }

  assert {
    condition     = aws_lambda_function.function["relayFunction"].reserved_concurrent_executions == 5 && aws_lambda_function.function["queueFunction"].reserved_concurrent_executions == null
    error_message = "Hints neither take the account's concurrency nor go without."
  }

  assert {
    condition     = aws_lambda_function.function["relayFunction"].publish && aws_lambda_function.function["relayFunction"].snap_start[0].apply_on == "PublishedVersions"
    error_message = "It starts from a snapshot, as the others do."
  }

  assert {
    condition = aws_lambda_function.function["relayFunction"].environment[0].variables == tomap({
      STORE            = "dynamodb"
      TABLE_PREFIX     = "order-history-"
      RELAY_TO         = "sqs"
      STATUS_QUEUE_URL = "https://sqs.eu-central-1.amazonaws.com/123456789012/status"
      RELAY_METRICS    = "order-history"
    })
    error_message = "The function is told where to send."
  }

  assert {
    condition     = aws_lambda_function.function["queueFunction"].environment[0].variables["STATUS_EVENTS"] == "true"
    error_message = "Who writes rows publishes."
  }

  assert {
    condition     = { for key, t in aws_dynamodb_table.view : key => t.stream_enabled ? t.stream_view_type : "" } == { order-history-2 = "NEW_IMAGE", order-history-3 = "NEW_IMAGE", consumer-spending-2 = "", consumer-spending-3 = "" }
    error_message = "The tables whose rows publish have a stream of images, and no others."
  }

  assert {
    condition     = { for key, m in aws_lambda_event_source_mapping.relay : key => m.event_source_arn } == { order-history-2 = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2/stream/2026-01-02T00:00:00.000", order-history-3 = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-3/stream/2026-01-03T00:00:00.000" }
    error_message = "The stream of every generation calls the function."
  }

  assert {
    condition     = alltrue([for m in aws_lambda_event_source_mapping.relay : m.function_name == aws_lambda_alias.live["relayFunction"].arn && m.starting_position == "LATEST" && m.maximum_retry_attempts == 2 && m.maximum_record_age_in_seconds == 60])
    error_message = "A hint that fails is let go soon: the index knows what waits."
  }

  assert {
    condition = alltrue([for m in aws_lambda_event_source_mapping.relay : jsondecode(one(one(m.filter_criteria).filter).pattern) == {
      eventName = ["INSERT", "MODIFY"]
      dynamodb  = { NewImage = { "_outbox#shard" = { N = [{ exists = true }] } } }
    }])
    error_message = "Only rows that have something to send call the function."
  }

  assert {
    condition     = aws_cloudwatch_event_rule.relay[0].schedule_expression == "rate(1 minute)" && aws_cloudwatch_event_target.relay[0].arn == aws_lambda_alias.live["relayFunction"].arn
    error_message = "The published version sweeps each minute."
  }

  assert {
    condition     = aws_lambda_permission.relay[0].source_arn == aws_cloudwatch_event_rule.relay[0].arn && aws_lambda_permission.relay[0].qualifier == "live" && aws_lambda_function_event_invoke_config.relay[0].maximum_retry_attempts == 0
    error_message = "The timer alone may call it, and what it called in vain waits for the next minute."
  }

  assert {
    condition = {
      for s in jsondecode(aws_iam_role_policy.process["relayFunction"].policy).Statement : s.Sid => s.Resource if s.Sid == "PlatformStream" || s.Sid == "PlatformStreams"
      } == {
      PlatformStream  = ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2/stream/2026-01-02T00:00:00.000", "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-3/stream/2026-01-03T00:00:00.000"]
      PlatformStreams = ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2/stream/*", "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-3/stream/*"]
    }
    error_message = "The streams are read in the function's name."
  }

  assert {
    condition = alltrue([for s in jsondecode(aws_iam_role_policy.process["relayFunction"].policy).Statement :
      toset(s.Action) == toset({ for resource, actions in jsondecode(file("contract.json")).rights.relayFunction : "Code${title(resource)}" => actions }[s.Sid]) if startswith(s.Sid, "Code") && s.Sid != "CodeAbsentGenerations"
    ])
    error_message = "The function may do what the code was seen to do."
  }

  assert {
    condition     = aws_sqs_queue.status[0].name == "order-history-status.fifo" && aws_sqs_queue.status[0].fifo_queue && aws_sqs_queue.status_dead_letters[0].name == "order-history-status-dead-letters.fifo"
    error_message = "The queue is of the kind that was chosen."
  }

  assert {
    condition     = contains(keys(aws_cloudwatch_metric_alarm.alarm), "relayFunction-errors") && !contains(keys(aws_cloudwatch_metric_alarm.alarm), "relayFunction-throttles") && !contains(keys(aws_cloudwatch_metric_alarm.alarm), "relay-unhealthy")
    error_message = "A function that fails is told; hints that wait for each other are no trouble."
  }
}

run "a_key_of_ones_own" {
  variables {
    relay                = "service"
    customer_managed_key = true
  }

  assert {
    condition     = aws_sqs_queue.status[0].kms_master_key_id == aws_kms_key.data[0].arn && aws_sqs_queue.status_dead_letters[0].kms_master_key_id == aws_kms_key.data[0].arn && aws_dynamodb_table.records["executions"].server_side_encryption[0].kms_key_arn == aws_kms_key.data[0].arn
    error_message = "Queues and leases are encrypted with the key."
  }
}

run "of_another_kind" {
  command = plan

  variables {
    relay = "lambda"
  }

  expect_failures = [var.relay]
}

run "one_task" {
  command = plan

  variables {
    relay       = "service"
    relay_tasks = 1
  }

  expect_failures = [var.relay_tasks]
}

run "one_at_a_time" {
  command = plan

  variables {
    relay             = "function"
    relay_concurrency = 1
  }

  expect_failures = [var.relay_concurrency]
}

run "no_concurrency_held_back" {
  variables {
    relay             = "function"
    relay_concurrency = null
  }

  assert {
    condition     = aws_lambda_function.function["relayFunction"].reserved_concurrent_executions == null
    error_message = "An account that cannot hold any back need not."
  }
}

run "a_name_that_is_taken" {
  command = plan

  variables {
    outbox_alarms = {
      namespace = "OrderHistory"
      records   = { relay = "payments" }
    }
  }

  expect_failures = [var.outbox_alarms]
}
