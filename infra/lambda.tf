locals {
  # The functions that are wanted, by their names in the contract.
  functions = {
    for process, wanted in {
      queueFunction  = var.consumer == "function"
      streamFunction = var.events_table
      relayFunction  = var.relay == "function"
      boardFunction  = var.board == "function"
    } : process => local.contract.processes[process] if wanted
  }

  function_names = {
    queueFunction  = "${var.name}-queue"
    streamFunction = "${var.name}-stream"
    relayFunction  = "${var.name}-relay"
    boardFunction  = "${var.name}-board"
  }

  # A sweep may go on until the next one begins.
  function_timeouts = { for process in keys(local.functions) : process => process == "relayFunction" ? 60 : var.function_timeout }

  # A FIFO queue knows no window, and gives at most ten messages at once.
  batching_window = local.fifo ? null : var.function_batching_window
  batch_size      = local.fifo ? min(10, var.function_batch_size) : var.function_batch_size
}

resource "aws_cloudwatch_log_group" "function" {
  for_each = local.functions

  name              = "/aws/lambda/${local.function_names[each.key]}"
  retention_in_days = var.log_retention_days
}

resource "aws_lambda_function" "function" {
  for_each = local.functions

  function_name    = local.function_names[each.key]
  description      = each.key == "relayFunction" ? "Sends what rows of ${var.name} publish" : "Keeps the views of ${var.name} up to date"
  role             = aws_iam_role.process[each.key].arn
  handler          = each.value.handler
  runtime          = var.function_runtime
  architectures    = [var.architecture]
  filename         = var.function_zip
  source_code_hash = filebase64sha256(var.function_zip)
  memory_size      = var.function_memory
  timeout          = local.function_timeouts[each.key]
  publish          = true

  reserved_concurrent_executions = each.key == "relayFunction" ? var.relay_concurrency : null

  environment {
    variables = local.environments[each.key]
  }

  # Only published versions start from a snapshot, so the event sources call the alias.
  snap_start {
    apply_on = "PublishedVersions"
  }

  logging_config {
    log_format            = "JSON"
    application_log_level = "INFO"
    system_log_level      = "WARN"
    log_group             = aws_cloudwatch_log_group.function[each.key].name
  }

  depends_on = [aws_iam_role_policy.process]
}

resource "aws_lambda_alias" "live" {
  for_each = local.functions

  name             = "live"
  function_name    = aws_lambda_function.function[each.key].function_name
  function_version = aws_lambda_function.function[each.key].version
}

resource "aws_lambda_event_source_mapping" "queue" {
  count = var.consumer == "function" ? 1 : 0

  event_source_arn                   = aws_sqs_queue.events.arn
  function_name                      = aws_lambda_alias.live["queueFunction"].arn
  batch_size                         = local.batch_size
  maximum_batching_window_in_seconds = local.batching_window
  function_response_types            = ["ReportBatchItemFailures"]

  # Holds invocations back at the queue; throttled ones would use up receives of good messages.
  scaling_config {
    maximum_concurrency = var.function_maximum_concurrency
  }
}

resource "aws_lambda_event_source_mapping" "stream" {
  count = var.events_table ? 1 : 0

  event_source_arn                   = aws_dynamodb_table.events[0].stream_arn
  function_name                      = aws_lambda_alias.live["streamFunction"].arn
  starting_position                  = "TRIM_HORIZON"
  batch_size                         = var.function_batch_size
  maximum_batching_window_in_seconds = var.function_batching_window
  function_response_types            = ["ReportBatchItemFailures"]
  parallelization_factor             = var.stream_parallelization
  bisect_batch_on_function_error     = true

  # The code puts poison aside by itself; what is tried again is a store that does not answer. Half a
  # stream's day, then the shard goes on and says where the records are.
  maximum_retry_attempts        = -1
  maximum_record_age_in_seconds = 43200

  destination_config {
    on_failure {
      destination_arn = aws_sqs_queue.stream_failures[0].arn
    }
  }
}
