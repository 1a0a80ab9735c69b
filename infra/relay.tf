# What sends the changes of statuses that rows of the order history publish, and the queue that takes them: as a
# service that looks each second, or as a function that the tables' streams and a timer call.
locals {
  relayed        = var.relay != "none"
  relay_service  = var.relay == "service" ? 1 : 0
  relay_function = var.relay == "function" ? 1 : 0

  # Whether their tables have a stream: for the function, and for tasks that take hints.
  streamed = var.relay == "function" || (var.relay == "service" && var.relay_hints)

  # The tables whose rows publish.
  outbox_tables = { for key, table in local.view_tables : key => table if table.outbox != null }
}

resource "aws_sqs_queue" "status" {
  count = local.relayed ? 1 : 0

  name                       = "${var.name}-status${local.queue_suffix}"
  visibility_timeout_seconds = var.board == "function" ? local.function_visibility : var.service_visibility_timeout
  message_retention_seconds  = var.queue_retention_days * 86400
  receive_wait_time_seconds  = 20

  # A group is an order.
  fifo_queue            = local.fifo
  deduplication_scope   = local.fifo ? "messageGroup" : null
  fifo_throughput_limit = local.fifo ? "perMessageGroupId" : null

  sqs_managed_sse_enabled           = var.customer_managed_key ? null : true
  kms_master_key_id                 = local.data_key_arn
  kms_data_key_reuse_period_seconds = var.customer_managed_key ? 3600 : null

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.status_dead_letters[0].arn
    maxReceiveCount     = var.max_receive_count
  })
}

resource "aws_sqs_queue" "status_dead_letters" {
  count = local.relayed ? 1 : 0

  name                       = "${var.name}-status-dead-letters${local.queue_suffix}"
  visibility_timeout_seconds = 300
  message_retention_seconds  = 14 * 86400
  receive_wait_time_seconds  = 20

  fifo_queue            = local.fifo
  deduplication_scope   = local.fifo ? "messageGroup" : null
  fifo_throughput_limit = local.fifo ? "perMessageGroupId" : null

  sqs_managed_sse_enabled           = var.customer_managed_key ? null : true
  kms_master_key_id                 = local.data_key_arn
  kms_data_key_reuse_period_seconds = var.customer_managed_key ? 3600 : null
}

resource "aws_sqs_queue_redrive_allow_policy" "status_dead_letters" {
  count = local.relayed ? 1 : 0

  queue_url = aws_sqs_queue.status_dead_letters[0].url

  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.status[0].arn]
  })
}

# As a service: the image of the consumer, which relays where it is told to and consumes nothing.
resource "aws_ecs_task_definition" "relay" {
  count = local.relay_service

  family                   = "${var.name}-relay"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = var.service_cpu
  memory                   = var.service_memory
  task_role_arn            = aws_iam_role.process["relay"].arn
  execution_role_arn       = aws_iam_role.execution.arn

  runtime_platform {
    operating_system_family = "LINUX"
    cpu_architecture        = upper(var.architecture)
  }

  volume {
    name = "tmp"
  }

  container_definitions = jsonencode([merge(local.container, local.serving, {
    name             = "relay"
    environment      = [for name, value in local.environments.relay : { name = name, value = value }]
    logConfiguration = local.logs.relay
  })])
}

resource "aws_ecs_service" "relay" {
  count = local.relay_service

  name            = "${var.name}-relay"
  cluster         = aws_ecs_cluster.service.id
  task_definition = aws_ecs_task_definition.relay[0].arn
  desired_count   = var.relay_tasks
  launch_type     = "FARGATE"
  propagate_tags  = "SERVICE"

  # Old and new tasks share the work by leases, and a task that stops gives its leases back.
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = 200

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }

  network_configuration {
    subnets          = var.subnet_ids
    security_groups  = [aws_security_group.service.id]
    assign_public_ip = var.assign_public_ip
  }

  depends_on = [aws_iam_role_policy.process, aws_iam_role_policy.execution]
}

# As a function: streams say at once which rows have something to send. They are hints and nothing more, since all
# that waits is in the tables' indexes; so a batch that fails is tried again twice, and then let go.
resource "aws_lambda_event_source_mapping" "relay" {
  for_each = var.relay == "function" ? local.outbox_tables : {}

  event_source_arn               = aws_dynamodb_table.view[each.key].stream_arn
  function_name                  = aws_lambda_alias.live["relayFunction"].arn
  starting_position              = "LATEST"
  batch_size                     = 100
  maximum_retry_attempts         = 2
  maximum_record_age_in_seconds  = 60
  bisect_batch_on_function_error = false

  # Only rows in the index have something to send; what the relay takes off calls nobody.
  filter_criteria {
    filter {
      pattern = jsonencode({
        eventName = ["INSERT", "MODIFY"]
        dynamodb  = { NewImage = { (each.value.outbox.key) = { N = [{ exists = true }] } } }
      })
    }
  }
}

# The timer: it finds what no stream told of, and what was put off after a failure.
resource "aws_cloudwatch_event_rule" "relay" {
  count = local.relay_function

  name                = "${var.name}-relay"
  description         = "Lets the relay look for what waits"
  schedule_expression = "rate(1 minute)"
}

resource "aws_cloudwatch_event_target" "relay" {
  count = local.relay_function

  rule = aws_cloudwatch_event_rule.relay[0].name
  arn  = aws_lambda_alias.live["relayFunction"].arn
}

resource "aws_lambda_permission" "relay" {
  count = local.relay_function

  statement_id  = "Timer"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.function["relayFunction"].function_name
  qualifier     = aws_lambda_alias.live["relayFunction"].name
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.relay[0].arn
}

# What the timer called in vain is not called again: the next minute does that.
resource "aws_lambda_function_event_invoke_config" "relay" {
  count = local.relay_function

  function_name                = aws_lambda_function.function["relayFunction"].function_name
  qualifier                    = aws_lambda_alias.live["relayFunction"].name
  maximum_retry_attempts       = 0
  maximum_event_age_in_seconds = 60
}
