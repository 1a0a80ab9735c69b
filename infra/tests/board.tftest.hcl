# The board of restaurants, as a service and as a function: what it is, what it takes, and what it may do.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

override_resource {
  target = aws_dynamodb_table.view["restaurant-board"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/board"
  }
}

override_resource {
  target = aws_dynamodb_table.view["order-history-1"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-1"
  }
}

override_resource {
  target = aws_dynamodb_table.generations
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/generations"
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
    url = "https://sqs.eu-central-1.amazonaws.com/123456789012/status-dead-letters"
  }
}

run "none_unless_asked_for" {
  variables {
    relay = "service"
  }

  assert {
    condition     = !contains(keys(aws_dynamodb_table.view), "restaurant-board") && length(aws_ecs_service.board) + length(aws_ecs_task_definition.board) + length(aws_lambda_event_source_mapping.board) == 0
    error_message = "Nobody counts, and there is no table for it."
  }

  assert {
    condition     = !contains(jsondecode(aws_ecs_task_definition.service.container_definitions)[0].environment[*].name, "SHOW_BOARD") && !strcontains(aws_iam_role_policy.process["service"].policy, "dynamodb:Scan")
    error_message = "The service shows no board, and may scan nothing."
  }

  assert {
    condition     = !contains(keys(aws_cloudwatch_metric_alarm.alarm), "status-oldest-message")
    error_message = "How late consumers of others may be is theirs to say."
  }
}

run "service" {
  variables {
    relay       = "function"
    board       = "service"
    board_tasks = 3
    image_tag   = "1.2.3"
  }

  assert {
    condition     = aws_dynamodb_table.view["restaurant-board"].name == "order-history-restaurant-board" && aws_dynamodb_table.view["restaurant-board"].hash_key == "restaurant" && aws_dynamodb_table.view["restaurant-board"].deletion_protection_enabled && aws_dynamodb_table.view["restaurant-board"].point_in_time_recovery[0].enabled
    error_message = "The board has a table, which is kept as those of the views are."
  }

  assert {
    condition     = toset([for a in aws_dynamodb_table.view["restaurant-board"].attribute : "${a.name}:${a.type}"]) == toset(["restaurant:S"]) && length(aws_dynamodb_table.view["restaurant-board"].global_secondary_index) == 0 && !aws_dynamodb_table.view["restaurant-board"].stream_enabled
    error_message = "It has neither an index nor a stream."
  }

  assert {
    condition     = aws_ecs_service.board[0].name == "order-history-board" && aws_ecs_service.board[0].desired_count == 3 && aws_ecs_service.board[0].task_definition == aws_ecs_task_definition.board[0].arn && aws_ecs_service.board[0].deployment_circuit_breaker[0].rollback
    error_message = "So many tasks as were said count."
  }

  assert {
    condition     = jsondecode(aws_ecs_task_definition.board[0].container_definitions)[0].image == "${aws_ecr_repository.service.repository_url}:1.2.3" && jsondecode(aws_ecs_task_definition.board[0].container_definitions)[0].healthCheck.command == ["CMD", "/app/healthy"] && jsondecode(aws_ecs_task_definition.board[0].container_definitions)[0].logConfiguration.options["awslogs-stream-prefix"] == "board"
    error_message = "A task is the image of the consumer, is asked how it is, and logs under its name."
  }

  assert {
    condition = { for e in jsondecode(aws_ecs_task_definition.board[0].container_definitions)[0].environment : e.name => e.value } == {
      STORE                 = "dynamodb"
      TABLE_PREFIX          = "order-history-"
      VIEWS                 = "board"
      CARRIER               = "sqs"
      QUEUE_URL             = "https://sqs.eu-central-1.amazonaws.com/123456789012/status"
      DEAD_LETTER_QUEUE_URL = "https://sqs.eu-central-1.amazonaws.com/123456789012/status-dead-letters"
      SERVER_PORT           = "8080"
    }
    error_message = "A task takes changes of statuses, and neither publishes nor relays."
  }

  assert {
    condition     = { for e in jsondecode(aws_ecs_task_definition.service.container_definitions)[0].environment : e.name => e.value if contains(["SHOW_BOARD", "VIEWS", "QUEUE_URL"], e.name) } == { SHOW_BOARD = "true", QUEUE_URL = aws_sqs_queue.events.url }
    error_message = "The service shows the board, and goes on with events."
  }

  assert {
    condition     = one([for s in jsondecode(aws_iam_role_policy.process["service"].policy).Statement : "${join(" ", s.Action)} ${join(" ", s.Resource)}" if s.Sid == "CodeRestaurantBoard"]) == "dynamodb:Scan arn:aws:dynamodb:eu-central-1:123456789012:table/board"
    error_message = "The service may read the board, and not write it."
  }

  assert {
    condition = { for s in jsondecode(aws_iam_role_policy.process["board"].policy).Statement : s.Sid => s.Resource } == {
      CodeRestaurantBoard   = ["arn:aws:dynamodb:eu-central-1:123456789012:table/board"]
      CodeOrderHistory      = ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-1"]
      CodeGenerations       = ["arn:aws:dynamodb:eu-central-1:123456789012:table/generations"]
      CodeStatusQueue       = ["arn:aws:sqs:eu-central-1:123456789012:status"]
      CodeStatusDeadLetters = ["arn:aws:sqs:eu-central-1:123456789012:status-dead-letters"]
    }
    error_message = "Each right is for its own resource."
  }

  assert {
    condition = alltrue([for s in jsondecode(aws_iam_role_policy.process["board"].policy).Statement :
      toset(s.Action) == toset({ for resource, actions in jsondecode(file("contract.json")).rights.board : "Code${title(resource)}" => actions }[s.Sid])
    ])
    error_message = "The board may do what the code was seen to do."
  }

  assert {
    condition     = jsondecode(aws_iam_role.process["board"].assume_role_policy).Statement[0].Principal.Service == "ecs-tasks.amazonaws.com" && aws_ecs_task_definition.board[0].task_role_arn == aws_iam_role.process["board"].arn
    error_message = "The board has a role of its own, for tasks alone."
  }

  assert {
    condition     = length(setsubtract(["board-unhealthy", "status-oldest-message", "status-dead-letters", "restaurant-board-failed-conditions", "restaurant-board-throttled"], keys(aws_cloudwatch_metric_alarm.alarm))) == 0
    error_message = "Its tasks, its queue and its table are watched."
  }
}

run "function" {
  variables {
    relay      = "service"
    board      = "function"
    queue_kind = "fifo"
  }

  assert {
    condition     = toset(keys(aws_lambda_function.function)) == toset(["boardFunction"]) && aws_lambda_function.function["boardFunction"].handler == "dev.tidemark.example.orderhistory.lambda.SqsHandler" && length(aws_ecs_service.board) == 0
    error_message = "The function counts, and no task does."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.board[0].event_source_arn == "arn:aws:sqs:eu-central-1:123456789012:status" && aws_lambda_event_source_mapping.board[0].function_name == aws_lambda_alias.live["boardFunction"].arn && aws_lambda_event_source_mapping.board[0].function_response_types == toset(["ReportBatchItemFailures"]) && aws_lambda_event_source_mapping.board[0].batch_size == 10
    error_message = "The queue of statuses calls it, and is told which messages are not done."
  }

  assert {
    condition     = aws_sqs_queue.status[0].visibility_timeout_seconds == 180 && aws_sqs_queue.events.visibility_timeout_seconds == 60
    error_message = "Only what a function takes is hidden for six times its time."
  }

  assert {
    condition = aws_lambda_function.function["boardFunction"].environment[0].variables == tomap({
      STORE                 = "dynamodb"
      TABLE_PREFIX          = "order-history-"
      VIEWS                 = "board"
      DEAD_LETTER_QUEUE_URL = "https://sqs.eu-central-1.amazonaws.com/123456789012/status-dead-letters"
    })
    error_message = "The function is told which view it keeps."
  }

  assert {
    condition = { for s in jsondecode(aws_iam_role_policy.process["boardFunction"].policy).Statement : s.Sid => s.Action } == {
      CodeRestaurantBoard   = jsondecode(file("contract.json")).rights.boardFunction.restaurantBoard
      CodeStatusDeadLetters = ["sqs:SendMessage"]
      PlatformLogs          = ["logs:CreateLogStream", "logs:PutLogEvents"]
      PlatformQueue         = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"]
    }
    error_message = "It may do what the code was seen to do, and the queue is read in its name."
  }

  assert {
    condition     = contains(keys(aws_cloudwatch_metric_alarm.alarm), "boardFunction-errors") && !contains(keys(aws_cloudwatch_metric_alarm.alarm), "board-unhealthy")
    error_message = "A function that fails is told."
  }
}

run "a_key_of_ones_own" {
  variables {
    relay                = "service"
    board                = "service"
    customer_managed_key = true
  }

  assert {
    condition     = aws_dynamodb_table.view["restaurant-board"].server_side_encryption[0].kms_key_arn == aws_kms_key.data[0].arn && strcontains(aws_iam_role_policy.process["board"].policy, "PlatformKey")
    error_message = "The board is encrypted with the key, and its process may use it."
  }
}

run "of_another_kind" {
  command = plan

  variables {
    relay = "service"
    board = "tasks"
  }

  expect_failures = [var.board]
}

run "without_a_relay" {
  command = plan

  variables {
    board = "service"
  }

  expect_failures = [var.board]
}

run "no_task" {
  command = plan

  variables {
    relay       = "service"
    board       = "service"
    board_tasks = 0
  }

  expect_failures = [var.board_tasks]
}
