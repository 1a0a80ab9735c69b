# One key for tables, queues and the topic of alarms, for who wants to hold the key.
resource "aws_kms_key" "data" {
  count = var.customer_managed_key ? 1 : 0

  description             = "Data of ${var.name}"
  enable_key_rotation     = true
  deletion_window_in_days = 30

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid       = "RightsOfThisAccountComeFromItsRoles"
        Effect    = "Allow"
        Principal = { AWS = "arn:${data.aws_partition.current.partition}:iam::${data.aws_caller_identity.current.account_id}:root" }
        Action    = "kms:*"
        Resource  = "*"
      },
      {
        Sid       = "AlarmsReachTheEncryptedTopic"
        Effect    = "Allow"
        Principal = { Service = "cloudwatch.amazonaws.com" }
        Action    = ["kms:Decrypt", "kms:GenerateDataKey"]
        Resource  = "*"
        Condition = { StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id } }
      },
    ]
  })
}

resource "aws_kms_alias" "data" {
  count = var.customer_managed_key ? 1 : 0

  name          = "alias/${var.name}"
  target_key_id = aws_kms_key.data[0].key_id
}
