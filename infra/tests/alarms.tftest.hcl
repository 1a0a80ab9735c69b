# Alarms and the dashboard.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

run "alarms_of_the_service" {
  variables {
    generations = [1, 2]
    alarm_mails = ["oncall@example.com"]
  }

  assert {
    condition = toset(keys(aws_cloudwatch_metric_alarm.alarm)) == toset([
      "oldest-message", "dead-letters", "unhealthy",
      "order-history-1-failed-conditions", "order-history-1-throttled",
      "order-history-2-failed-conditions", "order-history-2-throttled",
      "consumer-spending-1-failed-conditions", "consumer-spending-1-throttled",
      "consumer-spending-2-failed-conditions", "consumer-spending-2-throttled",
    ])
    error_message = "Queue, tables of all generations and tasks are watched."
  }

  assert {
    condition     = alltrue([for a in aws_cloudwatch_metric_alarm.alarm : a.alarm_actions == toset([aws_sns_topic.alarms.arn]) && a.ok_actions == toset([aws_sns_topic.alarms.arn])])
    error_message = "Every alarm is told, and its end too."
  }

  assert {
    condition     = alltrue([for a in aws_cloudwatch_metric_alarm.alarm : length([for q in a.metric_query : q if q.return_data]) == 1 && length([for q in a.metric_query : q if !q.return_data]) >= 1])
    error_message = "Every alarm has one value, made of metrics."
  }

  assert {
    condition     = aws_cloudwatch_metric_alarm.alarm["dead-letters"].threshold == 0 && aws_cloudwatch_metric_alarm.alarm["dead-letters"].evaluation_periods == 1
    error_message = "One dead letter is enough."
  }

  assert {
    condition     = one([for q in aws_cloudwatch_metric_alarm.alarm["dead-letters"].metric_query : q.metric[0].dimensions.QueueName if !q.return_data]) == aws_sqs_queue.dead_letters.name && one([for q in aws_cloudwatch_metric_alarm.alarm["oldest-message"].metric_query : q.metric[0].dimensions.QueueName if !q.return_data]) == aws_sqs_queue.events.name
    error_message = "Each queue is watched for its own."
  }

  assert {
    condition     = one([for q in aws_cloudwatch_metric_alarm.alarm["oldest-message"].metric_query : q.metric[0].metric_name if !q.return_data]) == "ApproximateAgeOfOldestMessage" && aws_cloudwatch_metric_alarm.alarm["oldest-message"].threshold == 300
    error_message = "The age of the oldest event is watched."
  }

  assert {
    condition     = toset([for q in aws_cloudwatch_metric_alarm.alarm["order-history-2-failed-conditions"].metric_query : q.metric[0].metric_name if !q.return_data]) == toset(["ConditionalCheckFailedRequests", "SuccessfulRequestLatency"]) && aws_cloudwatch_metric_alarm.alarm["order-history-2-failed-conditions"].threshold == 5
    error_message = "Failed conditions count by their share of all writes."
  }

  assert {
    condition = alltrue(flatten([for key, a in aws_cloudwatch_metric_alarm.alarm : [
      for q in a.metric_query : startswith(key, trimprefix(q.metric[0].dimensions.TableName, "order-history-")) if !q.return_data && can(q.metric[0].dimensions.TableName)
    ]]))
    error_message = "Each table's alarm is about that table."
  }

  assert {
    condition     = length([for q in aws_cloudwatch_metric_alarm.alarm["order-history-1-throttled"].metric_query : q if !q.return_data && try(q.metric[0].dimensions.GlobalSecondaryIndexName, "") == "byConsumer"]) == 2 && length([for q in aws_cloudwatch_metric_alarm.alarm["consumer-spending-1-throttled"].metric_query : q if !q.return_data]) == 2
    error_message = "What an index throttles counts too, where there is one."
  }

  assert {
    condition     = toset([for q in aws_cloudwatch_metric_alarm.alarm["order-history-1-throttled"].metric_query : "${q.metric[0].metric_name} ${try(q.metric[0].dimensions.GlobalSecondaryIndexName, "")}" if !q.return_data]) == toset(["ReadThrottleEvents ", "WriteThrottleEvents ", "ReadThrottleEvents byConsumer", "WriteThrottleEvents byConsumer", "ReadThrottleEvents outbox", "WriteThrottleEvents outbox"])
    error_message = "Each index is watched: that of consumers, and that of outgoing messages."
  }

  assert {
    condition = alltrue([for a in aws_cloudwatch_metric_alarm.alarm : alltrue([
      for q in a.metric_query : strcontains(one([for v in a.metric_query : v.expression if v.return_data]), q.id) if !q.return_data
    ])])
    error_message = "An alarm's value is made of all of its metrics."
  }

  assert {
    condition     = toset([for s in aws_sns_topic_subscription.mail : s.endpoint]) == toset(["oncall@example.com"])
    error_message = "Who asked for mails gets them."
  }

  assert {
    condition     = length([for w in jsondecode(aws_cloudwatch_dashboard.views.dashboard_body).widgets : w if w.type == "alarm"]) == 1 && length(jsondecode(aws_cloudwatch_dashboard.views.dashboard_body).widgets) == 11
    error_message = "The dashboard has the alarms, queue, tables and tasks."
  }
}

run "alarms_of_functions" {
  variables {
    consumer     = "function"
    events_table = true
  }

  assert {
    condition = toset(keys(aws_cloudwatch_metric_alarm.alarm)) == toset([
      "oldest-message", "dead-letters", "stream-behind", "stream-given-up",
      "queueFunction-errors", "queueFunction-throttles", "streamFunction-errors", "streamFunction-throttles",
      "order-history-1-failed-conditions", "order-history-1-throttled",
      "consumer-spending-1-failed-conditions", "consumer-spending-1-throttled",
    ])
    error_message = "Functions and streams are watched, and no tasks."
  }

  assert {
    condition     = length([for w in jsondecode(aws_cloudwatch_dashboard.views.dashboard_body).widgets : w if can(regex("invocations", w.properties.title))]) == 2
    error_message = "The dashboard has the functions."
  }
}
