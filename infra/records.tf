# Records of idempotency keys, of an inbox, and of outgoing messages that transactions publish: tables of their own,
# made where they are asked for. Leases of relays are in the table of executions.
locals {
  records = {
    for key, table in local.contract.records : key => table
    if contains(local.service_records, key) || (key == "executions" && local.relayed)
  }

  # Those that the service works with.
  service_records = setunion(var.records, var.payments_url == null ? [] : ["executions"])
}

resource "aws_dynamodb_table" "records" {
  for_each = local.records

  name                        = "${local.table_prefix}${each.value.name}"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = each.value.key
  deletion_protection_enabled = var.deletion_protection

  dynamic "attribute" {
    for_each = merge(
      { (each.value.key) = "S" },
      try({ (each.value.index.key) = try(each.value.index.keyType, "S"), (each.value.index.sortKey) = each.value.index.sortKeyType }, {})
    )

    content {
      name = attribute.key
      type = attribute.value
    }
  }

  # Only what is unfinished of a flow, or waits for a person, has the key of the index, behind one of eight digits;
  # and only messages that wait or are parked have that of the outbox.
  dynamic "global_secondary_index" {
    for_each = try([each.value.index], [])

    content {
      name            = global_secondary_index.value.name
      hash_key        = global_secondary_index.value.key
      range_key       = global_secondary_index.value.sortKey
      projection_type = global_secondary_index.value.projection
    }
  }

  # An outgoing message is deleted once it is sent, and never before.
  dynamic "ttl" {
    for_each = try([each.value.ttl], [])

    content {
      attribute_name = ttl.value
      enabled        = true
    }
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = var.customer_managed_key
    kms_key_arn = local.data_key_arn
  }
}

# What the code was seen to do with records; a scan, by which operators list a scope, is not in it.
resource "aws_iam_role_policy" "records" {
  for_each = { for key, table in local.records : key => table if contains(local.service_records, key) }

  name = each.key
  role = aws_iam_role.process["service"].id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      for resource, actions in local.contract.recordRights[each.key] : {
        Sid    = "Code${title(resource)}"
        Effect = "Allow"
        Action = sort(actions)
        Resource = [
          resource == each.key
          ? aws_dynamodb_table.records[each.key].arn
          : "${aws_dynamodb_table.records[each.key].arn}/index/${each.value.index.name}"
        ]
      }
    ]
  })
}
