locals {
  fifo         = var.queue_kind == "fifo"
  queue_suffix = local.fifo ? ".fifo" : ""

  # A function must be able to end, and to be tried again where it is throttled, before its messages
  # show up again: six times its time-out, as the service's makers advise. A task prolongs by itself
  # what takes it longer.
  function_visibility = 6 * var.function_timeout + coalesce(local.batching_window, 0)
  visibility          = var.consumer == "function" ? local.function_visibility : var.service_visibility_timeout
}

resource "aws_sqs_queue" "events" {
  name                       = "${var.name}-events${local.queue_suffix}"
  visibility_timeout_seconds = local.visibility
  message_retention_seconds  = var.queue_retention_days * 86400
  receive_wait_time_seconds  = 20

  # A group is an aggregate, so groups go on side by side.
  fifo_queue            = local.fifo
  deduplication_scope   = local.fifo ? "messageGroup" : null
  fifo_throughput_limit = local.fifo ? "perMessageGroupId" : null

  sqs_managed_sse_enabled           = var.customer_managed_key ? null : true
  kms_master_key_id                 = local.data_key_arn
  kms_data_key_reuse_period_seconds = var.customer_managed_key ? 3600 : null

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead_letters.arn
    maxReceiveCount     = var.max_receive_count
  })
}

# What cannot be handled, put here with the reason by the code itself; and what was received too often,
# put here by the queue.
resource "aws_sqs_queue" "dead_letters" {
  name                       = "${var.name}-dead-letters${local.queue_suffix}"
  visibility_timeout_seconds = 300
  message_retention_seconds  = 14 * 86400
  receive_wait_time_seconds  = 20

  fifo_queue            = local.fifo
  deduplication_scope   = local.fifo ? "messageGroup" : null
  fifo_throughput_limit = local.fifo ? "perMessageGroupId" : null

  sqs_managed_sse_enabled           = var.customer_managed_key ? null : true
  kms_master_key_id                 = local.data_key_arn
  kms_data_key_reuse_period_seconds = var.customer_managed_key ? 3600 : null
}

resource "aws_sqs_queue_redrive_allow_policy" "dead_letters" {
  queue_url = aws_sqs_queue.dead_letters.url

  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.events.arn]
  })
}

# Where the service that reads a table's stream says which records it gave up. It takes standard queues only.
resource "aws_sqs_queue" "stream_failures" {
  count = var.events_table ? 1 : 0

  name                              = "${var.name}-stream-failures"
  message_retention_seconds         = 14 * 86400
  receive_wait_time_seconds         = 20
  sqs_managed_sse_enabled           = var.customer_managed_key ? null : true
  kms_master_key_id                 = local.data_key_arn
  kms_data_key_reuse_period_seconds = var.customer_managed_key ? 3600 : null
}

# Nobody speaks to the queues without TLS.
resource "aws_sqs_queue_policy" "tls" {
  for_each = merge(
    { events = aws_sqs_queue.events, dead_letters = aws_sqs_queue.dead_letters },
    var.events_table ? { stream_failures = aws_sqs_queue.stream_failures[0] } : {},
    local.relayed ? { status = aws_sqs_queue.status[0], status_dead_letters = aws_sqs_queue.status_dead_letters[0] } : {}
  )

  queue_url = each.value.url

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "OnlyTls"
      Effect    = "Deny"
      Principal = "*"
      Action    = "sqs:*"
      Resource  = each.value.arn
      Condition = { Bool = { "aws:SecureTransport" = "false" } }
    }]
  })
}
