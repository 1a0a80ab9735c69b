# Tables: keys, index, expiry, and what keeps them from being lost.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

run "two_generations" {
  variables {
    generations = [1, 2]
  }

  assert {
    condition     = toset([for t in aws_dynamodb_table.view : t.name]) == toset(["order-history-order-history-1", "order-history-order-history-2", "order-history-consumer-spending-1", "order-history-consumer-spending-2"])
    error_message = "Each generation has two tables."
  }

  assert {
    condition     = aws_dynamodb_table.view["order-history-2"].hash_key == "orderId" && aws_dynamodb_table.view["consumer-spending-2"].hash_key == "id" && aws_dynamodb_table.generations.hash_key == "id"
    error_message = "Keys are the code's."
  }

  assert {
    condition     = alltrue([for t in aws_dynamodb_table.view : t.range_key == null])
    error_message = "No table has a sort key."
  }

  assert {
    condition     = length(aws_dynamodb_table.view["order-history-1"].global_secondary_index) == 2 && length(aws_dynamodb_table.view["consumer-spending-1"].global_secondary_index) == 0
    error_message = "Only the order history has indexes."
  }

  assert {
    condition = toset([for index in aws_dynamodb_table.view["order-history-1"].global_secondary_index :
      "${index.name} ${index.hash_key} ${index.range_key} ${index.projection_type}"
    ]) == toset(["byConsumer consumerId createdAt ALL", "outbox _outbox#shard _outbox#due KEYS_ONLY"])
    error_message = "The index is by consumer and time, and has all attributes; that of outgoing messages has keys."
  }

  assert {
    condition     = toset([for a in aws_dynamodb_table.view["order-history-1"].attribute : "${a.name}:${a.type}"]) == toset(["orderId:S", "consumerId:S", "createdAt:S", "_outbox#shard:N", "_outbox#due:N"])
    error_message = "Key attributes have their types, and no others are declared."
  }

  assert {
    condition     = alltrue([for t in aws_dynamodb_table.view : t.ttl[0].enabled && t.ttl[0].attribute_name == "deletedUntil"])
    error_message = "Tombstones expire."
  }

  assert {
    condition     = alltrue([for t in concat(values(aws_dynamodb_table.view), [aws_dynamodb_table.generations]) : t.point_in_time_recovery[0].enabled])
    error_message = "Every table can be recovered."
  }

  assert {
    condition     = alltrue([for t in concat(values(aws_dynamodb_table.view), [aws_dynamodb_table.generations]) : t.deletion_protection_enabled])
    error_message = "Every table refuses to be deleted."
  }

  assert {
    condition     = alltrue([for t in concat(values(aws_dynamodb_table.view), [aws_dynamodb_table.generations]) : t.billing_mode == "PAY_PER_REQUEST"])
    error_message = "Every table is on demand."
  }

  assert {
    condition     = length(aws_kms_key.data) == 0 && length(aws_dynamodb_table.events) == 0
    error_message = "A key and a table of events are only there where they are asked for."
  }
}

run "a_generation_retires" {
  variables {
    generations         = [1, 2]
    retired_generations = [1]
  }

  assert {
    condition     = alltrue([for key, t in aws_dynamodb_table.view : t.deletion_protection_enabled == endswith(key, "-2")])
    error_message = "Only the tables of the retired generation may be deleted."
  }

  assert {
    condition     = aws_dynamodb_table.generations.deletion_protection_enabled
    error_message = "The table of generations stays protected."
  }
}

run "a_key_of_ones_own" {
  variables {
    customer_managed_key = true
    events_table         = true
  }

  assert {
    condition     = aws_kms_key.data[0].enable_key_rotation && aws_kms_key.data[0].deletion_window_in_days == 30
    error_message = "The key is rotated, and not gone at once."
  }

  assert {
    condition = alltrue([
      for t in concat(values(aws_dynamodb_table.view), [aws_dynamodb_table.generations], aws_dynamodb_table.events) :
      t.server_side_encryption[0].enabled && t.server_side_encryption[0].kms_key_arn == aws_kms_key.data[0].arn
    ])
    error_message = "All tables are encrypted with the key."
  }

  assert {
    condition     = aws_sqs_queue.events.kms_master_key_id == aws_kms_key.data[0].arn && aws_sqs_queue.dead_letters.kms_master_key_id == aws_kms_key.data[0].arn && aws_sqs_queue.stream_failures[0].kms_master_key_id == aws_kms_key.data[0].arn
    error_message = "All queues are encrypted with the key."
  }

  assert {
    condition     = aws_sns_topic.alarms.kms_master_key_id == aws_kms_key.data[0].key_id && strcontains(aws_kms_key.data[0].policy, "cloudwatch.amazonaws.com")
    error_message = "Alarms reach the encrypted topic."
  }
}

run "events_with_a_stream" {
  variables {
    events_table = true
  }

  assert {
    condition     = aws_dynamodb_table.events[0].hash_key == "aggregate" && aws_dynamodb_table.events[0].range_key == "version"
    error_message = "An aggregate's events have one key, so that the stream keeps their order."
  }

  assert {
    condition     = aws_dynamodb_table.events[0].stream_enabled && aws_dynamodb_table.events[0].stream_view_type == "NEW_IMAGE"
    error_message = "The stream has what was written."
  }

  assert {
    condition     = aws_dynamodb_table.events[0].point_in_time_recovery[0].enabled && aws_dynamodb_table.events[0].deletion_protection_enabled
    error_message = "Events are kept as the views are."
  }
}
