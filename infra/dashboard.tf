locals {
  dashboard_tables = concat(values(local.view_table_names), [aws_dynamodb_table.generations.name])

  dashboard_relay = [
    for widget in [
      {
        title   = "Age of the oldest message that is not sent (s)"
        metrics = [[var.name, "tidemark.outbox.oldest.value", "relay", var.name, { stat = "Maximum" }]]
      },
      {
        title = "Messages sent, tries that failed, messages parked"
        metrics = [
          for count in ["sent", "failed", "parked"] : [var.name, "tidemark.outbox.${count}.count", "relay", var.name, { stat = "Sum" }]
        ]
      },
      {
        title = "Changes of statuses that wait for their consumer, and dead letters"
        metrics = [
          for queue in concat(aws_sqs_queue.status[*].name, aws_sqs_queue.status_dead_letters[*].name) :
          ["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", queue, { stat = "Maximum" }]
        ]
      },
    ] : widget if local.relayed
  ]

  dashboard_service = var.consumer != "service" ? [] : [{
    title = "Tasks"
    metrics = [
      for metric in ["DesiredTaskCount", "RunningTaskCount", "PendingTaskCount"] :
      ["ECS/ContainerInsights", metric, "ClusterName", aws_ecs_cluster.service.name, "ServiceName", var.name, { stat = "Maximum" }]
    ]
    }, {
    title = "Processor and memory (%)"
    metrics = [
      for metric in ["CPUUtilization", "MemoryUtilization"] :
      ["AWS/ECS", metric, "ClusterName", aws_ecs_cluster.service.name, "ServiceName", var.name, { stat = "Maximum" }]
    ]
  }]

  dashboard_functions = flatten([
    for function in values(aws_lambda_function.function)[*].function_name : [{
      title = "${function}: invocations"
      metrics = [
        for metric in ["Invocations", "Errors", "Throttles"] : ["AWS/Lambda", metric, "FunctionName", function, { stat = "Sum" }]
      ]
      }, {
      title = "${function}: duration (ms)"
      metrics = [
        for stat in ["p50", "p99", "Maximum"] : ["AWS/Lambda", "Duration", "FunctionName", function, { stat = stat, label = stat }]
      ]
    }]
  ])

  dashboard = concat([
    {
      title = "Events that wait"
      metrics = [
        for metric in ["ApproximateNumberOfMessagesVisible", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed"] :
        ["AWS/SQS", metric, "QueueName", aws_sqs_queue.events.name, { stat = "Maximum" }]
      ]
    },
    {
      title   = "Age of the oldest event (s)"
      metrics = [["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", aws_sqs_queue.events.name, { stat = "Maximum" }]]
    },
    {
      title = "Events in, received, done"
      metrics = [
        for metric in ["NumberOfMessagesSent", "NumberOfMessagesReceived", "NumberOfMessagesDeleted"] :
        ["AWS/SQS", metric, "QueueName", aws_sqs_queue.events.name, { stat = "Sum" }]
      ]
    },
    {
      title   = "Dead letters"
      metrics = [["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", aws_sqs_queue.dead_letters.name, { stat = "Maximum" }]]
    },
    {
      title = "Failed conditions: duplicates of sums, races for rows"
      metrics = [
        for table in local.dashboard_tables : ["AWS/DynamoDB", "ConditionalCheckFailedRequests", "TableName", table, { stat = "Sum" }]
      ]
    },
    {
      title = "Capacity units written"
      metrics = [
        for table in local.dashboard_tables : ["AWS/DynamoDB", "ConsumedWriteCapacityUnits", "TableName", table, { stat = "Sum" }]
      ]
    },
    {
      title = "Capacity units read"
      metrics = [
        for table in local.dashboard_tables : ["AWS/DynamoDB", "ConsumedReadCapacityUnits", "TableName", table, { stat = "Sum" }]
      ]
    },
    {
      title = "Latency of updates (ms)"
      metrics = [
        for table in local.dashboard_tables : ["AWS/DynamoDB", "SuccessfulRequestLatency", "TableName", table, "Operation", "UpdateItem", { stat = "p99" }]
      ]
    },
  ], local.dashboard_relay, local.dashboard_service, local.dashboard_functions)
}

resource "aws_cloudwatch_dashboard" "views" {
  dashboard_name = var.name

  dashboard_body = jsonencode({
    widgets = concat([{
      type       = "alarm"
      x          = 0
      y          = 0
      width      = 24
      height     = 3
      properties = { title = "Alarms", alarms = sort(values(aws_cloudwatch_metric_alarm.alarm)[*].arn) }
      }], [
      for i, widget in local.dashboard : {
        type   = "metric"
        x      = 12 * (i % 2)
        y      = 3 + 6 * floor(i / 2)
        width  = 12
        height = 6
        properties = {
          title   = widget.title
          region  = var.region
          view    = "timeSeries"
          period  = 60
          metrics = widget.metrics
        }
      }
    ])
  })
}
