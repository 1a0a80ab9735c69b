# Alarms on relays of outgoing messages.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

run "none_unless_asked_for" {
  assert {
    condition     = length([for key, a in aws_cloudwatch_metric_alarm.alarm : key if strcontains(key, "outbox")]) == 0
    error_message = "Where nobody sends meters to CloudWatch, no alarm waits for them."
  }
}

run "of_two_relays" {
  variables {
    outbox_alarms = {
      namespace = "OrderHistory"
      records   = { orders = "order-history-order-history-1", own = "order-history-outbox" }
    }
  }

  assert {
    condition = toset([for key, a in aws_cloudwatch_metric_alarm.alarm : key if strcontains(key, "-outbox-")]) == toset([
      "orders-outbox-behind", "orders-outbox-no-pass", "orders-outbox-parked", "orders-outbox-takeover",
      "own-outbox-behind", "own-outbox-no-pass", "own-outbox-parked", "own-outbox-takeover",
    ])
    error_message = "Each relay is watched for age, silence, parked messages and takeovers."
  }

  assert {
    condition = { for key in ["behind", "no-pass", "parked", "takeover"] : key => one([
      for q in aws_cloudwatch_metric_alarm.alarm["own-outbox-${key}"].metric_query : "${q.metric[0].namespace} ${q.metric[0].metric_name} ${q.metric[0].stat} ${q.metric[0].dimensions.records}" if !q.return_data
      ]) } == {
      behind   = "OrderHistory tidemark.outbox.oldest.value Maximum order-history-outbox"
      no-pass  = "OrderHistory tidemark.outbox.pass.age.value Maximum order-history-outbox"
      parked   = "OrderHistory tidemark.outbox.parked.count Sum order-history-outbox"
      takeover = "OrderHistory tidemark.outbox.takeovers.count Sum order-history-outbox"
    }
    error_message = "Alarms ask for the meters of their own relay."
  }

  assert {
    condition     = alltrue([for key, a in aws_cloudwatch_metric_alarm.alarm : a.treat_missing_data == (endswith(key, "-outbox-no-pass") ? "breaching" : "notBreaching")])
    error_message = "A relay of which there is no metric is silent; of all else no metric is no alarm."
  }

  assert {
    condition     = aws_cloudwatch_metric_alarm.alarm["own-outbox-behind"].threshold == 300 && aws_cloudwatch_metric_alarm.alarm["own-outbox-no-pass"].evaluation_periods == 5 && aws_cloudwatch_metric_alarm.alarm["own-outbox-parked"].threshold == 0
    error_message = "Five minutes are too long, and one parked message is enough."
  }
}

run "of_clusters" {
  variables {
    outbox_alarms = {
      namespace = "OrderHistory"
      records   = { orders = "orders@eu" }
      clusters  = ["us", "ap"]
    }
  }

  assert {
    condition = { for key in ["us", "ap"] : key => one([
      for q in aws_cloudwatch_metric_alarm.alarm["orders-outbox-cluster-${key}"].metric_query : "${q.metric[0].metric_name} ${q.metric[0].stat} ${q.metric[0].dimensions.records} ${q.metric[0].dimensions.origin}" if !q.return_data
      ]) } == {
      us = "tidemark.outbox.cluster.takeovers.count Sum orders@eu us"
      ap = "tidemark.outbox.cluster.takeovers.count Sum orders@eu ap"
    }
    error_message = "Takeovers are watched for each cluster whose messages may be taken over."
  }
}

run "nothing_to_watch" {
  command = plan

  variables {
    outbox_alarms = {
      namespace = "AWS/DynamoDB"
      records   = {}
    }
  }

  expect_failures = [var.outbox_alarms]
}
