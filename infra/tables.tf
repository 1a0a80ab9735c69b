locals {
  table_prefix = "${var.name}-"

  # Two tables for each generation, by their names without the prefix, order-history-1 and so on; and that of the board.
  view_tables = merge(concat([
    for key, table in local.contract.tables : {
      for generation in var.generations : "${table.name}${generation}" => {
        key       = table.key
        index     = try(table.index, null)
        outbox    = try(table.outbox, null)
        indexes   = [for index in [try(table.index, null), try(table.outbox, null)] : index if index != null]
        ttl       = table.ttl
        protected = var.deletion_protection && !contains(var.retired_generations, generation)
      }
    } if table.perGeneration
    ], [{
      for table in [local.contract.tables.restaurantBoard] : table.name => {
        key       = table.key
        index     = null
        outbox    = null
        indexes   = []
        ttl       = table.ttl
        protected = var.deletion_protection
      } if local.boarded
  }])...)

  data_key_arn = one(aws_kms_key.data[*].arn)
}

resource "aws_dynamodb_table" "view" {
  for_each = local.view_tables

  name                        = "${local.table_prefix}${each.key}"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = each.value.key
  deletion_protection_enabled = each.value.protected

  # For the relay, which wants to know at once which rows have something to send.
  stream_enabled   = each.value.outbox != null && local.streamed
  stream_view_type = each.value.outbox != null && local.streamed ? "NEW_IMAGE" : null

  dynamic "attribute" {
    for_each = merge({ (each.value.key) = "S" }, [
      for index in each.value.indexes : {
        (index.key)     = try(index.keyType, "S")
        (index.sortKey) = try(index.sortKeyType, "S")
      }
    ]...)

    content {
      name = attribute.key
      type = attribute.value
    }
  }

  # Of outgoing messages only rows have the key that have some.
  dynamic "global_secondary_index" {
    for_each = each.value.indexes

    content {
      name            = global_secondary_index.value.name
      hash_key        = global_secondary_index.value.key
      range_key       = global_secondary_index.value.sortKey
      projection_type = global_secondary_index.value.projection
    }
  }

  # Only what was deleted has the attribute.
  ttl {
    attribute_name = each.value.ttl
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = var.customer_managed_key
    kms_key_arn = local.data_key_arn
  }
}

# Says which generation serves.
resource "aws_dynamodb_table" "generations" {
  name                        = "${local.table_prefix}${local.contract.tables.generations.name}"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = local.contract.tables.generations.key
  deletion_protection_enabled = var.deletion_protection

  attribute {
    name = local.contract.tables.generations.key
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = var.customer_managed_key
    kms_key_arn = local.data_key_arn
  }
}

# Where a writing service may put its events, for the function that reads them from the table's stream: the
# event as JSON in one attribute, by its aggregate and version, so that an aggregate's events stay in order.
resource "aws_dynamodb_table" "events" {
  count = var.events_table ? 1 : 0

  name                        = "${local.table_prefix}${local.contract.tables.events.name}"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = local.contract.tables.events.key
  range_key                   = local.contract.tables.events.sortKey
  stream_enabled              = true
  stream_view_type            = local.contract.tables.events.stream
  deletion_protection_enabled = var.deletion_protection

  attribute {
    name = local.contract.tables.events.key
    type = "S"
  }

  attribute {
    name = local.contract.tables.events.sortKey
    type = local.contract.tables.events.sortKeyType
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = var.customer_managed_key
    kms_key_arn = local.data_key_arn
  }
}
