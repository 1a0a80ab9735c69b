locals {
  writes_of_minute = "FILL(failed, 0) + FILL(updates, 0) + FILL(puts, 0)"

  # Where a table's requests are counted, for the alarms and the dashboard.
  view_table_names = { for key, table in aws_dynamodb_table.view : key => table.name }

  queue_metrics = {
    oldest = { namespace = "AWS/SQS", name = "ApproximateAgeOfOldestMessage", stat = "Maximum", dimensions = { QueueName = aws_sqs_queue.events.name } }
    dead   = { namespace = "AWS/SQS", name = "ApproximateNumberOfMessagesVisible", stat = "Maximum", dimensions = { QueueName = aws_sqs_queue.dead_letters.name } }
  }

  status_queue_alarms = local.relayed ? {
    status-dead-letters = {
      description = "A change of a status could not be handled by its consumer, or was received too often."
      expression  = "FILL(dead, 0)"
      metrics     = { dead = merge(local.queue_metrics.dead, { dimensions = { QueueName = aws_sqs_queue.status_dead_letters[0].name } }) }
      threshold   = 0
      minutes     = 1
    }
  } : {}

  board_alarms = local.boarded ? {
    status-oldest-message = {
      description = "The board is behind: a change of a status has waited longer than it should."
      expression  = "FILL(oldest, 0)"
      metrics     = { oldest = merge(local.queue_metrics.oldest, { dimensions = { QueueName = aws_sqs_queue.status[0].name } }) }
      threshold   = var.alarm_age_seconds
      minutes     = 5
    }
  } : {}

  status_alarms = merge(local.status_queue_alarms, local.board_alarms)

  queue_alarms = {
    oldest-message = {
      description = "Views are behind: an event has waited longer than it should."
      expression  = "FILL(oldest, 0)"
      metrics     = { oldest = local.queue_metrics.oldest }
      threshold   = var.alarm_age_seconds
      minutes     = 5
    }
    dead-letters = {
      description = "An event could not be handled. Its reason is in the message's attributes, or it was received too often."
      expression  = "FILL(dead, 0)"
      metrics     = { dead = local.queue_metrics.dead }
      threshold   = 0
      minutes     = 1
    }
  }

  # A table's own metrics do not count what its indexes throttle, so each index is asked for, too.
  throttle_metrics = {
    for key, table in local.view_table_names : key => merge([
      for index in concat([""], [for index in local.view_tables[key].indexes : index.name]) : {
        for kind in ["Read", "Write"] : join("_", compact([lower(kind), index])) => {
          namespace  = "AWS/DynamoDB"
          name       = "${kind}ThrottleEvents"
          stat       = "Sum"
          dimensions = merge({ TableName = table }, index == "" ? {} : { GlobalSecondaryIndexName = index })
        }
      }
    ]...)
  }

  # What a failed condition is depends on the handlers. Sums are written without a read: there it is a
  # duplicate, and normal up to a share; more means a producer or a queue that repeats itself, or marks that
  # are lost. Most handlers of the order history read first and find a duplicate in what they read, without
  # a write: there it is another writer of the same row that came between, or the duplicate of a tip.
  table_alarms = merge([
    for key, table in local.view_table_names : {
      "${key}-failed-conditions" = {
        description = "More writes of ${table} met a failed condition than redelivery explains."
        expression  = "IF(${local.writes_of_minute} > ${var.alarm_minimum_writes}, 100 * FILL(failed, 0) / (${local.writes_of_minute}), 0)"
        metrics = {
          failed  = { namespace = "AWS/DynamoDB", name = "ConditionalCheckFailedRequests", stat = "Sum", dimensions = { TableName = table } }
          updates = { namespace = "AWS/DynamoDB", name = "SuccessfulRequestLatency", stat = "SampleCount", dimensions = { TableName = table, Operation = "UpdateItem" } }
          puts    = { namespace = "AWS/DynamoDB", name = "SuccessfulRequestLatency", stat = "SampleCount", dimensions = { TableName = table, Operation = "PutItem" } }
        }
        threshold = var.alarm_failed_conditions_percent
        minutes   = 15
      }
      "${key}-throttled" = {
        description = "DynamoDB throttles ${table} or an index of it: a hot key, or more at once than on-demand capacity has grown to."
        expression  = join(" + ", [for id in keys(local.throttle_metrics[key]) : "FILL(${id}, 0)"])
        metrics     = local.throttle_metrics[key]
        threshold   = 0
        minutes     = 5
      }
    }
  ]...)

  function_alarms = merge(concat([
    for process, function in aws_lambda_function.function : {
      "${process}-errors" = {
        description = "Invocations of ${function.function_name} fail as a whole; single events that fail do not count."
        expression  = "FILL(errors, 0)"
        metrics     = { errors = { namespace = "AWS/Lambda", name = "Errors", stat = "Sum", dimensions = { FunctionName = function.function_name } } }
        threshold   = 0
        minutes     = 5
      }
    }
    ], [
    # Of the relay's function more hints at once than are worked on at once are no trouble.
    for process, function in aws_lambda_function.function : {
      "${process}-throttles" = {
        description = "Invocations of ${function.function_name} are throttled: the account has too little concurrency."
        expression  = "FILL(throttles, 0)"
        metrics     = { throttles = { namespace = "AWS/Lambda", name = "Throttles", stat = "Sum", dimensions = { FunctionName = function.function_name } } }
        threshold   = 0
        minutes     = 5
      }
    } if process != "relayFunction"
  ])...)

  stream_alarms = var.events_table ? {
    stream-behind = {
      description = "Views are behind: records of the stream wait longer than they should. They are lost after 24 hours."
      expression  = "age / 1000"
      metrics     = { age = { namespace = "AWS/Lambda", name = "IteratorAge", stat = "Maximum", dimensions = { FunctionName = aws_lambda_function.function["streamFunction"].function_name } } }
      threshold   = var.alarm_age_seconds
      minutes     = 5
    }
    stream-given-up = {
      description = "Records of the stream were given up. The message says which; they have to be read from the table."
      expression  = "FILL(given_up, 0)"
      metrics     = { given_up = { namespace = "AWS/SQS", name = "ApproximateNumberOfMessagesVisible", stat = "Maximum", dimensions = { QueueName = aws_sqs_queue.stream_failures[0].name } } }
      threshold   = 0
      minutes     = 1
    }
  } : {}

  # The services that are there, with the least number of their tasks.
  services = merge(
    var.consumer == "service" ? { "" = { who = "the consumer", name = var.name, least = var.service_tasks.min } } : {},
    var.relay == "service" ? { "relay-" = { who = "the relay", name = "${var.name}-relay", least = var.relay_tasks } } : {},
    var.board == "service" ? { "board-" = { who = "the board", name = "${var.name}-board", least = var.board_tasks } } : {}
  )

  service_alarms = {
    for key, service in local.services : "${key}unhealthy" => {
      description = "Tasks of ${service.who} are missing: they do not start, do not get healthy, or die."
      expression  = "FILL(desired, ${service.least}) - FILL(running, 0)"
      metrics = {
        for id, metric in {
          desired = { name = "DesiredTaskCount", stat = "Minimum" }
          running = { name = "RunningTaskCount", stat = "Maximum" }
          } : id => merge(metric, {
            namespace  = "ECS/ContainerInsights"
            dimensions = { ClusterName = aws_ecs_cluster.service.name, ServiceName = service.name }
        })
      }
      threshold = 0
      minutes   = 10
    }
  }

  alarms = merge(
    local.queue_alarms, local.status_alarms, local.table_alarms, local.function_alarms, local.stream_alarms,
    local.service_alarms, local.outbox_alarms
  )
}

resource "aws_cloudwatch_metric_alarm" "alarm" {
  for_each = local.alarms

  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.description
  comparison_operator = "GreaterThanThreshold"
  threshold           = each.value.threshold
  evaluation_periods  = each.value.minutes
  datapoints_to_alarm = max(1, floor(each.value.minutes * 0.6))
  treat_missing_data  = try(each.value.missing, "notBreaching")
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]

  metric_query {
    id          = "value"
    expression  = each.value.expression
    label       = each.key
    return_data = true
  }

  dynamic "metric_query" {
    for_each = each.value.metrics

    content {
      id          = metric_query.key
      return_data = false

      metric {
        namespace   = metric_query.value.namespace
        metric_name = metric_query.value.name
        dimensions  = metric_query.value.dimensions
        stat        = metric_query.value.stat
        period      = 60
      }
    }
  }
}

resource "aws_sns_topic" "alarms" {
  name              = "${var.name}-alarms"
  kms_master_key_id = one(aws_kms_key.data[*].key_id)
}

resource "aws_sns_topic_policy" "alarms" {
  arn = aws_sns_topic.alarms.arn

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "AlarmsOfThisAccount"
      Effect    = "Allow"
      Principal = { Service = "cloudwatch.amazonaws.com" }
      Action    = "sns:Publish"
      Resource  = aws_sns_topic.alarms.arn
      Condition = { StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id } }
    }]
  })
}

resource "aws_sns_topic_subscription" "mail" {
  for_each = toset(var.alarm_mails)

  topic_arn = aws_sns_topic.alarms.arn
  protocol  = "email"
  endpoint  = each.value
}
