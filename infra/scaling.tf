# As many tasks as keep the backlog of each at the target.
resource "aws_appautoscaling_target" "service" {
  count = local.service

  service_namespace  = "ecs"
  scalable_dimension = "ecs:service:DesiredCount"
  resource_id        = "service/${aws_ecs_cluster.service.name}/${aws_ecs_service.service[0].name}"
  min_capacity       = var.service_tasks.min
  max_capacity       = var.service_tasks.max
}

resource "aws_appautoscaling_policy" "backlog" {
  count = local.service

  name               = "${var.name}-backlog-per-task"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.service[0].service_namespace
  scalable_dimension = aws_appautoscaling_target.service[0].scalable_dimension
  resource_id        = aws_appautoscaling_target.service[0].resource_id

  target_tracking_scaling_policy_configuration {
    target_value       = var.backlog_per_task
    scale_out_cooldown = 60
    scale_in_cooldown  = 300

    customized_metric_specification {
      metrics {
        id          = "backlog"
        return_data = false

        metric_stat {
          stat = "Average"

          metric {
            namespace   = "AWS/SQS"
            metric_name = "ApproximateNumberOfMessagesVisible"

            dimensions {
              name  = "QueueName"
              value = aws_sqs_queue.events.name
            }
          }
        }
      }

      metrics {
        id          = "tasks"
        return_data = false

        metric_stat {
          stat = "Average"

          metric {
            namespace   = "ECS/ContainerInsights"
            metric_name = "RunningTaskCount"

            dimensions {
              name  = "ClusterName"
              value = aws_ecs_cluster.service.name
            }

            dimensions {
              name  = "ServiceName"
              value = aws_ecs_service.service[0].name
            }
          }
        }
      }

      metrics {
        id          = "backlog_per_task"
        label       = "Messages that wait for each task"
        expression  = "backlog / IF(FILL(tasks, 0) > 0, tasks, 1)"
        return_data = true
      }
    }
  }
}
