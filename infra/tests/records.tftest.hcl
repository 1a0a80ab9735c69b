# Tables of records: keys, the sparse index, expiry, and the rights of the service.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json" # any file: what is in the zip is the build's to test
}

override_resource {
  target = aws_dynamodb_table.records["executions"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/executions"
  }
}

override_resource {
  target = aws_dynamodb_table.records["inbox"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/inbox"
  }
}

override_resource {
  target = aws_dynamodb_table.records["outbox"]
  values = {
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/outbox"
  }
}

run "none_unless_asked_for" {
  assert {
    condition     = length(aws_dynamodb_table.records) == 0 && length(aws_iam_role_policy.records) == 0
    error_message = "Tables of records are only there where they are asked for."
  }
}

run "both" {
  variables {
    records = ["executions", "inbox"]
  }

  assert {
    condition     = toset([for t in aws_dynamodb_table.records : t.name]) == toset(["order-history-executions", "order-history-inbox"])
    error_message = "Each kind of record has one table."
  }

  assert {
    condition     = alltrue([for t in aws_dynamodb_table.records : t.hash_key == "key" && t.range_key == null])
    error_message = "Records have one key, so that none of its parts is hot."
  }

  assert {
    condition     = toset([for a in aws_dynamodb_table.records["executions"].attribute : "${a.name}:${a.type}"]) == toset(["key:S", "pending:S", "leaseEnd:N"]) && toset([for a in aws_dynamodb_table.records["inbox"].attribute : "${a.name}:${a.type}"]) == toset(["key:S"])
    error_message = "Only key attributes are declared."
  }

  assert {
    condition = [for index in aws_dynamodb_table.records["executions"].global_secondary_index :
      "${index.name} ${index.hash_key} ${index.range_key} ${index.projection_type}"
    ] == ["stale pending leaseEnd KEYS_ONLY"]
    error_message = "What is unfinished is found by its flow and the end of its lease, and keys are enough."
  }

  assert {
    condition     = length(aws_dynamodb_table.records["inbox"].global_secondary_index) == 0
    error_message = "An inbox has no index."
  }

  assert {
    condition     = alltrue([for t in aws_dynamodb_table.records : t.ttl[0].enabled && t.ttl[0].attribute_name == "expires"])
    error_message = "Records expire."
  }

  assert {
    condition     = alltrue([for t in aws_dynamodb_table.records : t.billing_mode == "PAY_PER_REQUEST" && t.deletion_protection_enabled && t.point_in_time_recovery[0].enabled])
    error_message = "Records are kept as the views are."
  }

  assert {
    condition = { for s in jsondecode(aws_iam_role_policy.records["executions"].policy).Statement : s.Sid => s } == {
      CodeExecutions = {
        Sid      = "CodeExecutions"
        Effect   = "Allow"
        Action   = ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem"]
        Resource = ["arn:aws:dynamodb:eu-central-1:123456789012:table/executions"]
      }
      CodeExecutionsIndex = {
        Sid      = "CodeExecutionsIndex"
        Effect   = "Allow"
        Action   = ["dynamodb:Query"]
        Resource = ["arn:aws:dynamodb:eu-central-1:123456789012:table/executions/index/stale"]
      }
    }
    error_message = "Keys are claimed, renewed, read and forgotten one by one; the index is asked."
  }

  assert {
    condition = jsondecode(aws_iam_role_policy.records["inbox"].policy).Statement == [{
      Sid      = "CodeInbox"
      Effect   = "Allow"
      Action   = ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem"]
      Resource = ["arn:aws:dynamodb:eu-central-1:123456789012:table/inbox"]
    }]
    error_message = "An inbox is written and read one by one."
  }
}

run "checkouts" {
  variables {
    payments_url         = "https://payments.example.com"
    customer_managed_key = true
  }

  assert {
    condition     = keys(aws_dynamodb_table.records) == ["executions"]
    error_message = "Checkouts have keys."
  }

  assert {
    condition     = aws_dynamodb_table.records["executions"].server_side_encryption[0].kms_key_arn == aws_kms_key.data[0].arn
    error_message = "Records are encrypted with the key."
  }

  assert {
    condition     = one([for e in jsondecode(aws_ecs_task_definition.service.container_definitions)[0].environment : e.value if e.name == "PAYMENTS_URL"]) == "https://payments.example.com"
    error_message = "The service is told where payments are made."
  }
}

run "outgoing_messages" {
  variables {
    records = ["outbox"]
  }

  assert {
    condition     = aws_dynamodb_table.records["outbox"].name == "order-history-outbox" && aws_dynamodb_table.records["outbox"].hash_key == "id" && aws_dynamodb_table.records["outbox"].range_key == null
    error_message = "A message is a record by its ID."
  }

  assert {
    condition     = toset([for a in aws_dynamodb_table.records["outbox"].attribute : "${a.name}:${a.type}"]) == toset(["id:S", "_outbox#shard:N", "_outbox#due:N"])
    error_message = "Only key attributes are declared."
  }

  assert {
    condition = [for index in aws_dynamodb_table.records["outbox"].global_secondary_index :
      "${index.name} ${index.hash_key} ${index.range_key} ${index.projection_type}"
    ] == ["outbox _outbox#shard _outbox#due KEYS_ONLY"]
    error_message = "What waits is found by its shard and its time, and keys are enough."
  }

  assert {
    condition     = length(aws_dynamodb_table.records["outbox"].ttl) == 0
    error_message = "No message expires before it is sent."
  }

  assert {
    condition = { for s in jsondecode(aws_iam_role_policy.records["outbox"].policy).Statement : s.Sid => s.Resource } == {
      CodeOutbox      = ["arn:aws:dynamodb:eu-central-1:123456789012:table/outbox"]
      CodeOutboxIndex = ["arn:aws:dynamodb:eu-central-1:123456789012:table/outbox/index/outbox"]
    }
    error_message = "A relay reads the index, and reads and changes the records."
  }
}

run "of_another_kind" {
  command = plan

  variables {
    records = ["sagas"]
  }

  expect_failures = [var.records]
}
