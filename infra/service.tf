locals {
  service = var.consumer == "service" ? 1 : 0
  image   = "${aws_ecr_repository.service.repository_url}:${var.image_tag}"

  # What all tasks of the image have in common.
  container = {
    image                  = local.image
    essential              = true
    readonlyRootFilesystem = true
    mountPoints            = [{ sourceVolume = "tmp", containerPath = "/tmp", readOnly = false }]
    stopTimeout            = var.stop_timeout
  }

  # What those of them have in common that go on until they are stopped.
  serving = {
    portMappings = [{ containerPort = var.service_port, protocol = "tcp" }]
    healthCheck = {
      command     = ["CMD", "/app/healthy"]
      interval    = 15
      timeout     = 5
      retries     = 3
      startPeriod = 60
    }
  }
}

resource "aws_ecr_repository" "service" {
  name                 = var.name
  image_tag_mutability = "IMMUTABLE"

  image_scanning_configuration {
    scan_on_push = true
  }
}

resource "aws_ecr_lifecycle_policy" "service" {
  repository = aws_ecr_repository.service.name

  policy = jsonencode({
    rules = [{
      rulePriority = 1
      description  = "Keeps what a rollback may want"
      selection    = { tagStatus = "any", countType = "imageCountMoreThan", countNumber = 20 }
      action       = { type = "expire" }
    }]
  })
}

resource "aws_cloudwatch_log_group" "service" {
  name              = "/ecs/${var.name}"
  retention_in_days = var.log_retention_days
}

resource "aws_ecs_cluster" "service" {
  name = var.name

  setting {
    name  = "containerInsights"
    value = "enabled"
  }
}

resource "aws_ecs_cluster_capacity_providers" "service" {
  cluster_name       = aws_ecs_cluster.service.name
  capacity_providers = ["FARGATE", "FARGATE_SPOT"]
}

resource "aws_ecs_task_definition" "service" {
  family                   = var.name
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = var.service_cpu
  memory                   = var.service_memory
  task_role_arn            = aws_iam_role.process["service"].arn
  execution_role_arn       = aws_iam_role.execution.arn

  runtime_platform {
    operating_system_family = "LINUX"
    cpu_architecture        = upper(var.architecture)
  }

  volume {
    name = "tmp"
  }

  container_definitions = jsonencode([merge(local.container, local.serving, {
    name             = "service"
    environment      = [for name, value in local.environments.service : { name = name, value = value }]
    logConfiguration = local.logs.service
  })])
}

locals {
  # Logs are given up before the consumer waits for them.
  logs = {
    for kind in ["service", "rebuild", "relay", "board"] : kind => {
      logDriver = "awslogs"
      options = {
        awslogs-group         = aws_cloudwatch_log_group.service.name
        awslogs-region        = var.region
        awslogs-stream-prefix = kind
        mode                  = "non-blocking"
        max-buffer-size       = "4m"
      }
    }
  }
}

resource "aws_security_group" "service" {
  name        = var.name
  description = "Tasks of ${var.name}: out to AWS by TLS, in for who asks for the views"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_egress_rule" "aws" {
  security_group_id = aws_security_group.service.id
  description       = "DynamoDB, SQS, ECR, CloudWatch"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = "0.0.0.0/0"
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each = toset(var.client_security_group_ids)

  security_group_id            = aws_security_group.service.id
  description                  = "HTTP API, health and metrics"
  ip_protocol                  = "tcp"
  from_port                    = var.service_port
  to_port                      = var.service_port
  referenced_security_group_id = each.value
}

resource "aws_ecs_service" "service" {
  count = local.service

  name            = var.name
  cluster         = aws_ecs_cluster.service.id
  task_definition = aws_ecs_task_definition.service.arn
  desired_count   = var.service_tasks.min
  propagate_tags  = "SERVICE"

  # New tasks work beside the old ones before those are told to stop: both may see one message, which
  # is what the marks are for.
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = 200

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }

  # A spot task that is taken away is a consumer that was killed.
  dynamic "capacity_provider_strategy" {
    for_each = { for name, weight in {
      FARGATE      = 100 - var.spot_percent
      FARGATE_SPOT = var.spot_percent
    } : name => weight if weight > 0 || name == "FARGATE" }

    content {
      capacity_provider = capacity_provider_strategy.key
      weight            = capacity_provider_strategy.value
      base              = capacity_provider_strategy.key == "FARGATE" ? var.service_tasks.min : 0
    }
  }

  network_configuration {
    subnets          = var.subnet_ids
    security_groups  = [aws_security_group.service.id]
    assign_public_ip = var.assign_public_ip
  }

  lifecycle {
    ignore_changes = [desired_count] # scaling's
  }

  depends_on = [aws_ecs_cluster_capacity_providers.service, aws_iam_role_policy.process, aws_iam_role_policy.execution]
}
