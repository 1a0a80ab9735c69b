# Variables of the relay, and of the board of restaurants, to which it sends.

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

variable "relay_hints" {
  description = "Whether the tables whose rows publish have streams, which tell the relay's tasks at once what there is to send; else it is found at their next look, within a second. A stream that fails costs that second. DynamoDB allows two readers of a stream, so there must be two tasks."
  type        = bool
  default     = false

  validation {
    condition     = !var.relay_hints || (var.relay == "service" && var.relay_tasks == 2)
    error_message = "relay_hints is for relay = \"service\" with two tasks: a stream has two readers at most, and a function is called by streams anyway."
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

variable "board" {
  description = "What takes changes of statuses from their queue and counts them on the board of restaurants: service (tasks on Fargate), function (Lambda), or none: then the queue is for consumers of yours."
  type        = string
  default     = "none"

  validation {
    condition     = contains(["none", "service", "function"], var.board)
    error_message = "board must be none, service or function."
  }

  validation {
    condition     = var.board == "none" || var.relay != "none"
    error_message = "board must be none without a relay, since nobody sends to it."
  }
}

variable "board_tasks" {
  description = "How many tasks take changes of statuses for the board. Any number may; they need no leases."
  type        = number
  default     = 2

  validation {
    condition     = var.board_tasks >= 1 && var.board_tasks <= 100 && floor(var.board_tasks) == var.board_tasks
    error_message = "board_tasks must be a whole number from 1 to 100."
  }
}
