# Who takes the changes of statuses that the relay sends, and counts them on the board of restaurants: as a service or
# as a function. The board's table is among those of the views, and the service shows it.
locals {
  boarded       = var.board != "none"
  board_service = var.board == "service" ? 1 : 0
}

# As a service: the image of the consumer, with another queue and another view.
resource "aws_ecs_task_definition" "board" {
  count = local.board_service

  family                   = "${var.name}-board"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = var.service_cpu
  memory                   = var.service_memory
  task_role_arn            = aws_iam_role.process["board"].arn
  execution_role_arn       = aws_iam_role.execution.arn

  runtime_platform {
    operating_system_family = "LINUX"
    cpu_architecture        = upper(var.architecture)
  }

  volume {
    name = "tmp"
  }

  container_definitions = jsonencode([merge(local.container, local.serving, {
    name             = "board"
    environment      = [for name, value in local.environments.board : { name = name, value = value }]
    logConfiguration = local.logs.board
  })])
}

resource "aws_ecs_service" "board" {
  count = local.board_service

  name            = "${var.name}-board"
  cluster         = aws_ecs_cluster.service.id
  task_definition = aws_ecs_task_definition.board[0].arn
  desired_count   = var.board_tasks
  launch_type     = "FARGATE"
  propagate_tags  = "SERVICE"

  # Old and new tasks may both see one message, which counts once.
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

# As a function: as that of the events.
resource "aws_lambda_event_source_mapping" "board" {
  count = var.board == "function" ? 1 : 0

  event_source_arn                   = aws_sqs_queue.status[0].arn
  function_name                      = aws_lambda_alias.live["boardFunction"].arn
  batch_size                         = local.batch_size
  maximum_batching_window_in_seconds = local.batching_window
  function_response_types            = ["ReportBatchItemFailures"]

  scaling_config {
    maximum_concurrency = var.function_maximum_concurrency
  }
}
