# The service on Fargate and how it scales.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

run "service" {
  variables {
    image_tag                 = "1.2.3"
    client_security_group_ids = ["sg-0123456789abcdef0"]
  }

  assert {
    condition     = length(aws_ecs_service.service) == 1 && length(aws_lambda_event_source_mapping.queue) == 0
    error_message = "The service, and only it, takes events from the queue."
  }

  assert {
    condition     = aws_ecs_service.service[0].deployment_circuit_breaker[0].enable && aws_ecs_service.service[0].deployment_circuit_breaker[0].rollback
    error_message = "A deployment that does not get healthy is taken back."
  }

  assert {
    condition     = aws_ecs_service.service[0].deployment_minimum_healthy_percent == 100 && aws_ecs_service.service[0].deployment_maximum_percent == 200
    error_message = "New tasks run before old ones stop."
  }

  assert {
    condition     = toset([for s in aws_ecs_service.service[0].capacity_provider_strategy : "${s.capacity_provider}:${s.weight}:${s.base}"]) == toset(["FARGATE:100:2"])
    error_message = "Spot capacity is only used where it is asked for."
  }

  assert {
    condition     = aws_ecs_task_definition.service.network_mode == "awsvpc" && aws_ecs_task_definition.service.requires_compatibilities == toset(["FARGATE"]) && aws_ecs_task_definition.service.runtime_platform[0].cpu_architecture == "ARM64"
    error_message = "Tasks run on Fargate."
  }

  assert {
    condition     = jsondecode(aws_ecs_task_definition.service.container_definitions)[0].image == "${aws_ecr_repository.service.repository_url}:1.2.3" && aws_ecr_repository.service.image_tag_mutability == "IMMUTABLE"
    error_message = "The image is the one of the tag, for ever."
  }

  assert {
    condition     = jsondecode(aws_ecs_task_definition.service.container_definitions)[0].stopTimeout == 60 && jsondecode(aws_ecs_task_definition.service.container_definitions)[0].healthCheck.command == ["CMD", "/app/healthy"]
    error_message = "A task is asked how it is, and may finish its batch."
  }

  assert {
    condition     = jsondecode(aws_ecs_task_definition.service.container_definitions)[0].readonlyRootFilesystem && jsondecode(aws_ecs_task_definition.service.container_definitions)[0].mountPoints[0].containerPath == "/tmp"
    error_message = "A task writes nothing but to /tmp."
  }

  assert {
    condition = { for e in jsondecode(aws_ecs_task_definition.service.container_definitions)[0].environment : e.name => e.value } == {
      STORE                 = "dynamodb"
      TABLE_PREFIX          = "order-history-"
      CARRIER               = "sqs"
      QUEUE_URL             = aws_sqs_queue.events.url
      DEAD_LETTER_QUEUE_URL = aws_sqs_queue.dead_letters.url
      SERVER_PORT           = "8080"
    }
    error_message = "A task is told what the contract says."
  }

  assert {
    condition     = aws_cloudwatch_log_group.service.retention_in_days == 30 && jsondecode(aws_ecs_task_definition.service.container_definitions)[0].logConfiguration.options["awslogs-group"] == aws_cloudwatch_log_group.service.name
    error_message = "Logs go to a group that forgets."
  }

  assert {
    condition     = aws_vpc_security_group_egress_rule.aws.from_port == 443 && aws_vpc_security_group_egress_rule.aws.to_port == 443 && toset([for r in aws_vpc_security_group_ingress_rule.clients : r.referenced_security_group_id]) == toset(["sg-0123456789abcdef0"])
    error_message = "Tasks reach AWS alone, and are reached by who was named alone."
  }
}

run "scaling" {
  variables {
    service_tasks    = { min = 3, max = 30 }
    backlog_per_task = 200
  }

  assert {
    condition     = aws_appautoscaling_target.service[0].min_capacity == 3 && aws_appautoscaling_target.service[0].max_capacity == 30
    error_message = "There are as many tasks as was said."
  }

  assert {
    condition     = aws_appautoscaling_policy.backlog[0].target_tracking_scaling_policy_configuration[0].target_value == 200 && aws_appautoscaling_policy.backlog[0].policy_type == "TargetTrackingScaling"
    error_message = "Scaling holds the backlog per task at the target."
  }

  assert {
    condition = {
      for m in aws_appautoscaling_policy.backlog[0].target_tracking_scaling_policy_configuration[0].customized_metric_specification[0].metrics :
      m.id => m.return_data ? m.expression : m.metric_stat[0].metric[0].metric_name
      } == {
      backlog          = "ApproximateNumberOfMessagesVisible"
      tasks            = "RunningTaskCount"
      backlog_per_task = "backlog / IF(FILL(tasks, 0) > 0, tasks, 1)"
    }
    error_message = "The backlog per task is messages by running tasks, also where none runs."
  }

  assert {
    condition     = one([for s in aws_ecs_cluster.service.setting : s.value if s.name == "containerInsights"]) == "enabled"
    error_message = "Running tasks are only counted with Container Insights."
  }
}

run "spot" {
  variables {
    spot_percent = 70
  }

  assert {
    condition     = toset([for s in aws_ecs_service.service[0].capacity_provider_strategy : "${s.capacity_provider}:${s.weight}:${s.base}"]) == toset(["FARGATE:30:2", "FARGATE_SPOT:70:0"])
    error_message = "The least number of tasks never runs on spot capacity."
  }
}

run "port" {
  variables {
    service_port              = 9000
    relay                     = "service"
    board                     = "service"
    client_security_group_ids = ["sg-0123456789abcdef0"]
  }

  assert {
    condition = alltrue([
      for task in [aws_ecs_task_definition.service, aws_ecs_task_definition.relay[0], aws_ecs_task_definition.board[0]] :
      contains(jsondecode(task.container_definitions)[0].environment, { name = "SERVER_PORT", value = "9000" }) && jsondecode(task.container_definitions)[0].portMappings[0].containerPort == 9000
    ])
    error_message = "Each task serves HTTP on the port that is mapped."
  }

  assert {
    condition     = alltrue([for r in aws_vpc_security_group_ingress_rule.clients : r.from_port == 9000 && r.to_port == 9000])
    error_message = "Clients reach that port."
  }
}
