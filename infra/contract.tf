# What the code and these files have to agree on. Tests of the code read the same file.
locals {
  contract = jsondecode(file("${path.module}/contract.json"))

  # What a process can be told, by the names that the code knows. A process gets those that the contract
  # lists for it; a name that is not here fails the plan.
  settings = {
    STORE                   = "dynamodb"
    TABLE_PREFIX            = local.table_prefix
    CARRIER                 = "sqs"
    QUEUE_URL               = aws_sqs_queue.events.url
    DEAD_LETTER_QUEUE_URL   = aws_sqs_queue.dead_letters.url
    KAFKA_BOOTSTRAP_SERVERS = var.kafka == null ? "" : var.kafka.bootstrap_servers
    KAFKA_TOPICS            = var.kafka == null ? "" : join(",", var.kafka.topics)
    STATUS_EVENTS           = "true"
    RELAY_TO                = "sqs"
    STATUS_QUEUE_URL        = local.relayed ? aws_sqs_queue.status[0].url : ""
    RELAY_METRICS           = var.name
    VIEWS                   = "board"
    SHOW_BOARD              = "true"
  }

  # What brings events to the board are changes of statuses.
  board_settings = merge(local.settings, {
    QUEUE_URL             = local.relayed ? aws_sqs_queue.status[0].url : ""
    DEAD_LETTER_QUEUE_URL = local.relayed ? aws_sqs_queue.status_dead_letters[0].url : ""
  })

  environments = {
    for process, about in local.contract.processes :
    process => merge(
      {
        for name in concat(about.environment, local.relayed ? try(about.relayed, []) : [], local.boarded ? try(about.boarded, []) : []) :
        name => contains(["board", "boardFunction"], process) ? local.board_settings[name] : local.settings[name]
      },
      process == "service" && var.payments_url != null ? { PAYMENTS_URL = var.payments_url } : {},
      # Spring's own: who serves HTTP, and the image's health check with it.
      contains(["service", "relay", "board"], process) ? { SERVER_PORT = tostring(var.service_port) } : {}
    )
  }
}
