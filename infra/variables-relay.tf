# Variables of the relay.

variable "relay" {
  description = "What sends the changes of statuses that rows publish: service (tasks on Fargate, which send at once), function (Lambda, called by the tables' streams and by a timer), or none: then rows publish nothing."
  type        = string
  default     = "none"

  validation {
    condition     = contains(["none", "service", "function"], var.relay)
    error_message = "relay must be none, service or function."
  }
}

variable "relay_tasks" {
  description = "How many tasks share the relay's work. Another one takes over what a killed one had. More than the four shards of a table's outbox have nothing to do."
  type        = number
  default     = 2

  validation {
    condition     = var.relay_tasks >= 2 && var.relay_tasks <= 4 && floor(var.relay_tasks) == var.relay_tasks
    error_message = "relay_tasks must be 2 to 4."
  }
}

variable "relay_concurrency" {
  description = "How many invocations of the relay's function there are at once at most, held back for it from the account's; null holds none back. A hint that has to wait for one is late, and no message is lost."
  type        = number
  default     = 5
  nullable    = true

  validation {
    condition     = var.relay_concurrency == null ? true : var.relay_concurrency >= 2 && var.relay_concurrency <= 100
    error_message = "relay_concurrency must be 2 to 100, so that a hint does not keep the timer out, or null."
  }
}
