# What AWS would answer, where the provider checks the shape.

mock_data "aws_caller_identity" {
  defaults = {
    account_id = "123456789012"
  }
}

mock_data "aws_partition" {
  defaults = {
    partition = "aws"
  }
}

mock_resource "aws_kms_key" {
  defaults = {
    arn    = "arn:aws:kms:eu-central-1:123456789012:key/11111111-2222-3333-4444-555555555555"
    key_id = "11111111-2222-3333-4444-555555555555"
  }
}

mock_resource "aws_iam_role" {
  defaults = {
    arn = "arn:aws:iam::123456789012:role/mock"
  }
}

mock_resource "aws_dynamodb_table" {
  defaults = {
    arn        = "arn:aws:dynamodb:eu-central-1:123456789012:table/mock"
    stream_arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/mock/stream/2026-01-01T00:00:00.000"
  }
}

mock_resource "aws_sqs_queue" {
  defaults = {
    arn = "arn:aws:sqs:eu-central-1:123456789012:mock"
    url = "https://sqs.eu-central-1.amazonaws.com/123456789012/mock"
  }
}

mock_resource "aws_lambda_function" {
  defaults = {
    arn     = "arn:aws:lambda:eu-central-1:123456789012:function:mock"
    version = "1"
  }
}

mock_resource "aws_lambda_alias" {
  defaults = {
    arn = "arn:aws:lambda:eu-central-1:123456789012:function:mock:live"
  }
}

mock_resource "aws_cloudwatch_log_group" {
  defaults = {
    arn = "arn:aws:logs:eu-central-1:123456789012:log-group:mock"
  }
}

mock_resource "aws_cloudwatch_metric_alarm" {
  defaults = {
    arn = "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:mock"
  }
}

mock_resource "aws_sns_topic" {
  defaults = {
    arn = "arn:aws:sns:eu-central-1:123456789012:mock"
  }
}

mock_resource "aws_ecr_repository" {
  defaults = {
    arn            = "arn:aws:ecr:eu-central-1:123456789012:repository/mock"
    repository_url = "123456789012.dkr.ecr.eu-central-1.amazonaws.com/mock"
  }
}

mock_resource "aws_ecs_cluster" {
  defaults = {
    arn = "arn:aws:ecs:eu-central-1:123456789012:cluster/mock"
  }
}

mock_resource "aws_ecs_task_definition" {
  defaults = {
    arn = "arn:aws:ecs:eu-central-1:123456789012:task-definition/mock:1"
  }
}

mock_resource "aws_cloudwatch_event_rule" {
  defaults = {
    arn = "arn:aws:events:eu-central-1:123456789012:rule/mock"
  }
}
