# Each role has what the contract lists for its process, what the platform does in its name, and nothing more.

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
  }
}

override_resource {
  target = aws_sqs_queue.dead_letters
  values = {
    arn = "arn:aws:sqs:eu-central-1:123456789012:dead-letters"
  }
}

override_resource {
  target = aws_sqs_queue.stream_failures
  values = {
    arn = "arn:aws:sqs:eu-central-1:123456789012:stream-failures"
  }
}

override_resource {
  target = aws_dynamodb_table.view["order-history-1"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-1"
  }
}

override_resource {
  target = aws_dynamodb_table.view["order-history-2"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2"
  }
}

override_resource {
  target = aws_dynamodb_table.view["consumer-spending-1"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/spending-1"
  }
}

override_resource {
  target = aws_dynamodb_table.view["consumer-spending-2"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/spending-2"
  }
}

override_resource {
  target = aws_dynamodb_table.generations
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/generations"
  }
}

run "service" {
  variables {
    generations = [1, 2]
  }

  assert {
    condition     = toset(keys(aws_iam_role.process)) == toset(["service"])
    error_message = "Only what is deployed has a role."
  }

  assert {
    condition = { for s in jsondecode(aws_iam_role_policy.process["service"].policy).Statement : s.Sid => s.Resource } == {
      CodeOrderHistory      = ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-1", "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2"]
      CodeOrderHistoryIndex = ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-1/index/byConsumer", "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2/index/byConsumer"]
      CodeConsumerSpending  = ["arn:aws:dynamodb:eu-central-1:123456789012:table/spending-1", "arn:aws:dynamodb:eu-central-1:123456789012:table/spending-2"]
      CodeGenerations       = ["arn:aws:dynamodb:eu-central-1:123456789012:table/generations"]
      CodeQueue             = ["arn:aws:sqs:eu-central-1:123456789012:events"]
      CodeDeadLetters       = ["arn:aws:sqs:eu-central-1:123456789012:dead-letters"]
    }
    error_message = "Each right is for its own resource, of all generations."
  }

  assert {
    condition = alltrue([for s in jsondecode(aws_iam_role_policy.process["service"].policy).Statement :
      s.Effect == "Allow" && alltrue([for a in concat(s.Action, s.Resource) : !strcontains(a, "*")])
    ])
    error_message = "No right is for everything."
  }

  assert {
    condition = alltrue([for s in jsondecode(aws_iam_role_policy.process["service"].policy).Statement :
      toset(s.Action) == toset({ for resource, actions in jsondecode(file("contract.json")).rights.service : "Code${title(resource)}" => actions }[s.Sid])
    ])
    error_message = "The service may do what the code was seen to do."
  }

  assert {
    condition     = !strcontains(aws_iam_role_policy.execution.policy, "dynamodb:") && !strcontains(aws_iam_role_policy.execution.policy, "sqs:") && strcontains(aws_iam_role_policy.execution.policy, "ecr:BatchGetImage")
    error_message = "What starts tasks reads images, not views."
  }

  assert {
    condition     = jsondecode(aws_iam_role.process["service"].assume_role_policy).Statement[0].Principal.Service == "ecs-tasks.amazonaws.com"
    error_message = "Only tasks get the service's role."
  }
}

run "functions" {
  variables {
    consumer     = "function"
    events_table = true
  }

  assert {
    condition     = toset(keys(aws_iam_role.process)) == toset(["queueFunction", "streamFunction", "service"])
    error_message = "Each function has a role of its own."
  }

  assert {
    condition = {
      for s in jsondecode(aws_iam_role_policy.process["queueFunction"].policy).Statement : s.Sid => s.Action if startswith(s.Sid, "Platform")
      } == {
      PlatformLogs  = ["logs:CreateLogStream", "logs:PutLogEvents"]
      PlatformQueue = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"]
    }
    error_message = "The queue is read in the function's name."
  }

  assert {
    condition = {
      for s in jsondecode(aws_iam_role_policy.process["streamFunction"].policy).Statement : s.Sid => s.Action if startswith(s.Sid, "Platform")
      } == {
      PlatformLogs    = ["logs:CreateLogStream", "logs:PutLogEvents"]
      PlatformStream  = ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"]
      PlatformStreams = ["dynamodb:ListStreams"]
      PlatformGivenUp = ["sqs:SendMessage"]
    }
    error_message = "The stream is read in the function's name, and the queue is not."
  }

  assert {
    condition = alltrue(flatten([for process in ["queueFunction", "streamFunction"] : [
      for s in jsondecode(aws_iam_role_policy.process[process].policy).Statement :
      toset(s.Action) == toset({ for resource, actions in jsondecode(file("contract.json")).rights[process] : "Code${title(resource)}" => actions }[s.Sid]) if startswith(s.Sid, "Code")
    ]]))
    error_message = "Functions may do what the code was seen to do."
  }

  assert {
    condition     = jsondecode(aws_iam_role.process["queueFunction"].assume_role_policy).Statement[0].Principal.Service == "lambda.amazonaws.com"
    error_message = "Only functions get a function's role."
  }
}

run "key" {
  variables {
    customer_managed_key = true
  }

  assert {
    condition = one([for s in jsondecode(aws_iam_role_policy.process["service"].policy).Statement : s if s.Sid == "PlatformKey"]) == {
      Sid       = "PlatformKey"
      Effect    = "Allow"
      Action    = ["kms:Decrypt", "kms:GenerateDataKey"]
      Resource  = [aws_kms_key.data[0].arn]
      Condition = { StringEquals = { "kms:ViaService" = ["dynamodb.eu-central-1.amazonaws.com", "sqs.eu-central-1.amazonaws.com"] } }
    }
    error_message = "The key is used through DynamoDB and SQS alone."
  }
}

run "rebuild" {
  variables {
    generations = [1, 2]
    kafka       = { bootstrap_servers = "b-1.example.com:9092,b-2.example.com:9092" }
  }

  assert {
    condition     = toset(keys(aws_iam_role.process)) == toset(["rebuild", "service"])
    error_message = "The rebuild has a role of its own."
  }

  assert {
    condition = {
      for s in jsondecode(aws_iam_role_policy.process["rebuild"].policy).Statement : s.Sid => contains(s.Action, "dynamodb:PutItem")
      } == {
      CodeOrderHistory     = false
      CodeConsumerSpending = false
      CodeGenerations      = true
    }
    error_message = "Only the rebuild switches generations, and it reads no queue."
  }

  assert {
    condition     = one([for s in jsondecode(aws_iam_role_policy.process["rebuild"].policy).Statement : s.Resource if s.Sid == "CodeOrderHistory" && contains(s.Action, "dynamodb:UpdateItem")]) == ["arn:aws:dynamodb:eu-central-1:123456789012:table/orders-1", "arn:aws:dynamodb:eu-central-1:123456789012:table/orders-2"]
    error_message = "The rebuild writes rows of the old generation too: at its end they are told that they have a successor."
  }

  assert {
    condition     = !strcontains(aws_iam_role_policy.process["service"].policy, "dynamodb:PutItem")
    error_message = "The service switches no generation."
  }

  assert {
    condition     = jsondecode(aws_ecs_task_definition.rebuild[0].container_definitions)[0].command == [jsondecode(file("contract.json")).processes.rebuild.main]
    error_message = "The task runs the rebuild."
  }

  assert {
    condition = { for e in jsondecode(aws_ecs_task_definition.rebuild[0].container_definitions)[0].environment : e.name => e.value } == {
      STORE                   = "dynamodb"
      TABLE_PREFIX            = "order-history-"
      KAFKA_BOOTSTRAP_SERVERS = "b-1.example.com:9092,b-2.example.com:9092"
      KAFKA_TOPICS            = "orders,tickets,deliveries"
    }
    error_message = "The rebuild is told where the events are."
  }
}
