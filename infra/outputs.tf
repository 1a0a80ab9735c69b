output "table_prefix" {
  description = "What a process is given as TABLE_PREFIX."
  value       = local.table_prefix
}

output "table_names" {
  description = "The tables of the views, by generation, and the table that says which generation serves."
  value       = concat(sort(values(local.view_table_names)), [aws_dynamodb_table.generations.name])
}

output "queue_url" {
  description = "Where producers send events."
  value       = aws_sqs_queue.events.url
}

output "queue_arn" {
  description = "The same, for the rights of producers."
  value       = aws_sqs_queue.events.arn
}

output "dead_letter_queue_url" {
  description = "Where events are that could not be handled."
  value       = aws_sqs_queue.dead_letters.url
}

output "status_queue_url" {
  description = "Where changes of statuses are received; null if nothing sends them."
  value       = one(aws_sqs_queue.status[*].url)
}

output "status_queue_arn" {
  description = "The same, for the rights of consumers."
  value       = one(aws_sqs_queue.status[*].arn)
}

output "events_table_name" {
  description = "Where a writing service puts events for the stream; null if there is no such table."
  value       = one(aws_dynamodb_table.events[*].name)
}

output "repository_url" {
  description = "Where the image of the service is pushed to."
  value       = aws_ecr_repository.service.repository_url
}

output "function_aliases" {
  description = "The functions that are deployed, by process."
  value       = { for process, alias in aws_lambda_alias.live : process => alias.arn }
}

output "security_group_id" {
  description = "The group of the tasks, for the rules of what they reach."
  value       = aws_security_group.service.id
}

output "alarm_topic_arn" {
  description = "Where alarms are published."
  value       = aws_sns_topic.alarms.arn
}

output "role_arns" {
  description = "The role of each process."
  value       = { for process, role in aws_iam_role.process : process => role.arn }
}

output "rebuild_task" {
  description = "The task that rebuilds the views; null if there is no Kafka to replay."
  value       = one(aws_ecs_task_definition.rebuild[*].arn)
}
