# A task that is started by hand when a projector was wrong: it replays Kafka into the next generation.
resource "aws_ecs_task_definition" "rebuild" {
  count = var.kafka == null ? 0 : 1

  family                   = "${var.name}-rebuild"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = var.service_cpu
  memory                   = var.service_memory
  task_role_arn            = aws_iam_role.process["rebuild"].arn
  execution_role_arn       = aws_iam_role.execution.arn

  runtime_platform {
    operating_system_family = "LINUX"
    cpu_architecture        = upper(var.architecture)
  }

  volume {
    name = "tmp"
  }

  container_definitions = jsonencode([merge(local.container, {
    name             = "rebuild"
    entryPoint       = ["java", "-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError", "-cp", "app.jar"]
    command          = [local.contract.processes.rebuild.main]
    environment      = [for name, value in local.environments.rebuild : { name = name, value = value }]
    logConfiguration = local.logs.rebuild
  })])
}

resource "aws_vpc_security_group_egress_rule" "kafka" {
  count = var.kafka == null ? 0 : 1

  security_group_id = aws_security_group.service.id
  description       = "Kafka, for rebuilds"
  ip_protocol       = "tcp"
  from_port         = var.kafka.port
  to_port           = var.kafka.port
  cidr_ipv4         = var.kafka.cidr
}
