# A role for each process. What the code itself calls is listed in the contract, and a test runs the code
# and compares; what the platform does in a process's name is listed here.
locals {
  rights = {
    for process, resources in local.contract.rights : process => resources
    if contains(keys(local.deployed), process)
  }

  # All generations: a switch needs no deployment.
  table_arns = {
    for key, table in local.contract.tables : key =>
    table.perGeneration
    ? [for generation in var.generations : aws_dynamodb_table.view["${table.name}${generation}"].arn]
    : key == "generations" ? [aws_dynamodb_table.generations.arn] : [for name, made in aws_dynamodb_table.view : made.arn if name == table.name]
    if key != "events"
  }

  # What the contract's names of resources stand for.
  resources = merge(local.table_arns, {
    orderHistoryIndex = [
      for arn in local.table_arns.orderHistory : "${arn}/index/${local.contract.tables.orderHistory.index.name}"
    ]
    orderHistoryOutbox = [
      for arn in local.table_arns.orderHistory : "${arn}/index/${local.contract.tables.orderHistory.outbox.name}"
    ]
    orderHistoryStream = [for key in keys(local.outbox_tables) : aws_dynamodb_table.view[key].stream_arn if local.streamed]

    executions  = [for key, table in aws_dynamodb_table.records : table.arn if key == "executions"]
    queue       = [aws_sqs_queue.events.arn]
    deadLetters = [aws_sqs_queue.dead_letters.arn]
    statusQueue = aws_sqs_queue.status[*].arn

    statusDeadLetters = aws_sqs_queue.status_dead_letters[*].arn
  })

  # A relay asks whether the generation before the one that serves is there still. Where it is not, the answer wants
  # a right, too.
  absent_generations = setsubtract([for generation in var.generations : generation - 1], concat(var.generations, [0]))

  relay_statements = length(local.absent_generations) == 0 ? [] : [{
    Sid    = "CodeAbsentGenerations"
    Effect = "Allow"
    Action = ["dynamodb:DescribeTable"]
    Resource = [
      for generation in sort(local.absent_generations) :
      "arn:${data.aws_partition.current.partition}:dynamodb:${var.region}:${data.aws_caller_identity.current.account_id}:table/${local.table_prefix}${local.contract.tables.orderHistory.name}${generation}"
    ]
  }]

  code_statements = {
    for process, rights in local.rights : process => [
      for resource, actions in rights : {
        Sid      = "Code${title(resource)}"
        Effect   = "Allow"
        Action   = sort(actions)
        Resource = local.resources[resource]
      } if length(local.resources[resource]) > 0 # a board or a stream is there on choice
    ]
  }

  function_log_statements = {
    for process in keys(local.functions) : process => [{
      Sid      = "PlatformLogs"
      Effect   = "Allow"
      Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
      Resource = ["${aws_cloudwatch_log_group.function[process].arn}:*"]
    }]
  }

  # The event source mappings read with the functions' roles.
  platform_statements = {
    queueFunction = concat(lookup(local.function_log_statements, "queueFunction", []), [{
      Sid      = "PlatformQueue"
      Effect   = "Allow"
      Action   = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"]
      Resource = [aws_sqs_queue.events.arn]
    }])
    streamFunction = concat(lookup(local.function_log_statements, "streamFunction", []), var.events_table ? [
      {
        Sid      = "PlatformStream"
        Effect   = "Allow"
        Action   = ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"]
        Resource = [aws_dynamodb_table.events[0].stream_arn]
      },
      {
        Sid      = "PlatformStreams"
        Effect   = "Allow"
        Action   = ["dynamodb:ListStreams"]
        Resource = ["${aws_dynamodb_table.events[0].arn}/stream/*"]
      },
      {
        Sid      = "PlatformGivenUp"
        Effect   = "Allow"
        Action   = ["sqs:SendMessage"]
        Resource = [aws_sqs_queue.stream_failures[0].arn]
      },
    ] : [])
    relayFunction = concat(lookup(local.function_log_statements, "relayFunction", []), local.relay_statements, var.relay == "function" ? [
      {
        Sid      = "PlatformStream"
        Effect   = "Allow"
        Action   = ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"]
        Resource = [for key in keys(local.outbox_tables) : aws_dynamodb_table.view[key].stream_arn]
      },
      {
        Sid      = "PlatformStreams"
        Effect   = "Allow"
        Action   = ["dynamodb:ListStreams"]
        Resource = [for key in keys(local.outbox_tables) : "${aws_dynamodb_table.view[key].arn}/stream/*"]
      },
    ] : [])
    boardFunction = concat(lookup(local.function_log_statements, "boardFunction", []), [{
      Sid      = "PlatformQueue"
      Effect   = "Allow"
      Action   = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"]
      Resource = aws_sqs_queue.status[*].arn
    }])
    relay   = local.relay_statements
    board   = []
    service = []
    rebuild = []
  }

  # DynamoDB and SQS use the key in the caller's name; data keys are made by who sends.
  key_statements = var.customer_managed_key ? [{
    Sid      = "PlatformKey"
    Effect   = "Allow"
    Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
    Resource = [aws_kms_key.data[0].arn]
    Condition = {
      StringEquals = {
        "kms:ViaService" = ["dynamodb.${var.region}.amazonaws.com", "sqs.${var.region}.amazonaws.com"]
      }
    }
  }] : []

  # Only what is deployed has a role.
  deployed = merge(
    { for process in keys(local.functions) : process => "lambda.amazonaws.com" },
    { service = "ecs-tasks.amazonaws.com" },
    var.kafka == null ? {} : { rebuild = "ecs-tasks.amazonaws.com" },
    var.relay == "service" ? { relay = "ecs-tasks.amazonaws.com" } : {},
    var.board == "service" ? { board = "ecs-tasks.amazonaws.com" } : {}
  )
}

resource "aws_iam_role" "process" {
  for_each = local.deployed

  name        = "${var.name}-${each.key}"
  description = "What ${each.key} of ${var.name} may do"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [merge(
      {
        Effect    = "Allow"
        Principal = { Service = each.value }
        Action    = "sts:AssumeRole"
      },
      each.value == "ecs-tasks.amazonaws.com" ? {
        Condition = { StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id } }
      } : {}
    )]
  })
}

resource "aws_iam_role_policy" "process" {
  for_each = local.deployed

  name = each.key
  role = aws_iam_role.process[each.key].id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      local.code_statements[each.key], local.platform_statements[each.key], local.key_statements
    )
  })
}

# What starts a task: it fetches the image and opens the log, and is never in the code's hands.
resource "aws_iam_role" "execution" {
  name        = "${var.name}-execution"
  description = "Starts the tasks of ${var.name}"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "ecs-tasks.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = { StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id } }
    }]
  })
}

resource "aws_iam_role_policy" "execution" {
  name = "execution"
  role = aws_iam_role.execution.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "PlatformRegistry"
        Effect   = "Allow"
        Action   = ["ecr:GetAuthorizationToken"]
        Resource = ["*"] # the call knows no resource
      },
      {
        Sid      = "PlatformImage"
        Effect   = "Allow"
        Action   = ["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"]
        Resource = [aws_ecr_repository.service.arn]
      },
      {
        Sid      = "PlatformLogs"
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = ["${aws_cloudwatch_log_group.service.arn}:*"]
      },
    ]
  })
}
