variable "name" {
  description = "What the names of all resources begin with."
  type        = string
  default     = "order-history"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}[a-z0-9]$", var.name))
    error_message = "name must be 3 to 32 lower-case letters, digits and hyphens, beginning with a letter."
  }
}

variable "region" {
  description = "The AWS region of everything."
  type        = string
  default     = "eu-central-1"

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]$", var.region))
    error_message = "region must be one of AWS, such as eu-central-1."
  }
}

variable "tags" {
  description = "Tags that every resource gets beside its own."
  type        = map(string)
  default     = {}
}

# Tables

variable "generations" {
  description = "The generations of the views that have tables. A rebuild wants one more than the one that serves."
  type        = list(number)
  default     = [1]

  validation {
    condition     = length(var.generations) > 0
    error_message = "generations must name at least the one that serves."
  }

  validation {
    condition     = alltrue([for g in var.generations : g >= 1 && floor(g) == g])
    error_message = "generations must be whole numbers from 1 on."
  }

  validation {
    condition     = length(distinct(var.generations)) == length(var.generations)
    error_message = "generations must differ."
  }
}

variable "records" {
  description = "Which tables of records there are: executions for idempotency keys and the leases of relays, inbox for handlers whose writes are not tracked, outbox for messages that transactions and inboxes publish."
  type        = set(string)
  default     = []

  validation {
    condition     = length(setsubtract(var.records, ["executions", "inbox", "outbox"])) == 0
    error_message = "records may name executions, inbox and outbox."
  }
}

variable "retired_generations" {
  description = "Generations that serve no longer: their tables lose their deletion protection, so that the next change may take them out of generations."
  type        = list(number)
  default     = []

  validation {
    condition     = length(setsubtract(var.retired_generations, var.generations)) == 0
    error_message = "retired_generations must be among generations."
  }

  validation {
    condition     = length(setsubtract(var.generations, var.retired_generations)) > 0
    error_message = "retired_generations must leave one that serves."
  }
}

variable "deletion_protection" {
  description = "Whether tables refuse to be deleted."
  type        = bool
  default     = true
}

variable "customer_managed_key" {
  description = "Whether tables, queues and the topic of alarms are encrypted with a key of this account, at its price. They are encrypted either way."
  type        = bool
  default     = false
}

variable "events_table" {
  description = "Whether there is a table of events, and a function that reads its stream."
  type        = bool
  default     = false
}

# Queues

variable "queue_kind" {
  description = "standard, or fifo: with one group per aggregate."
  type        = string
  default     = "standard"

  validation {
    condition     = contains(["standard", "fifo"], var.queue_kind)
    error_message = "queue_kind must be standard or fifo."
  }
}

variable "queue_retention_days" {
  description = "For how long an event waits in the queue at most. Shorter than sums remember events (30 days), or a late duplicate may be counted."
  type        = number
  default     = 14

  validation {
    condition     = var.queue_retention_days >= 1 && var.queue_retention_days <= 14
    error_message = "queue_retention_days must be 1 to 14."
  }
}

variable "max_receive_count" {
  description = "How often an event is received before the queue itself puts it to the dead letters. The code puts poison there at once; this is for what keeps failing, and must outlast a store that is away: 100 are about 90 minutes of a task's pauses, and 100 visibility timeouts of a function."
  type        = number
  default     = 100

  validation {
    condition     = var.max_receive_count >= 10 && var.max_receive_count <= 1000
    error_message = "max_receive_count must be 10 to 1000: fewer put good events aside while a store is away."
  }
}

variable "service_visibility_timeout" {
  description = "For how long, in seconds, an event that a task holds is not shown to others. The task prolongs it while it works; what a killed task held waits this long."
  type        = number
  default     = 60

  validation {
    condition     = var.service_visibility_timeout >= 30 && var.service_visibility_timeout <= 43200
    error_message = "service_visibility_timeout must be 30 to 43200 seconds."
  }
}

# Who consumes

variable "consumer" {
  description = "What takes events from the queue: service (tasks on Fargate) or function (Lambda)."
  type        = string
  default     = "service"

  validation {
    condition     = contains(["service", "function"], var.consumer)
    error_message = "consumer must be service or function."
  }
}

variable "architecture" {
  description = "The processors of tasks and functions: arm64 or x86_64. The image must be built for it."
  type        = string
  default     = "arm64"

  validation {
    condition     = contains(["arm64", "x86_64"], var.architecture)
    error_message = "architecture must be arm64 or x86_64."
  }
}

variable "log_retention_days" {
  description = "For how long logs are kept."
  type        = number
  default     = 30

  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731], var.log_retention_days)
    error_message = "log_retention_days must be one that CloudWatch knows: 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545 or 731."
  }
}

# Alarms

variable "alarm_mails" {
  description = "Addresses that get a mail for each alarm, once they confirmed."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for mail in var.alarm_mails : can(regex("^[^@[:space:]]+@[^@[:space:]]+$", mail))])
    error_message = "alarm_mails must be mail addresses."
  }
}

variable "alarm_age_seconds" {
  description = "How old the oldest event that waits may be."
  type        = number
  default     = 300

  validation {
    condition     = var.alarm_age_seconds >= 60
    error_message = "alarm_age_seconds must be at least 60."
  }
}

variable "alarm_failed_conditions_percent" {
  description = "What share of a table's writes may meet a failed condition, in percent: duplicates of sums and races for rows that are to be expected. A replay wants more for its time."
  type        = number
  default     = 5

  validation {
    condition     = var.alarm_failed_conditions_percent >= 0 && var.alarm_failed_conditions_percent <= 100
    error_message = "alarm_failed_conditions_percent must be 0 to 100."
  }
}

variable "alarm_minimum_writes" {
  description = "Below so many writes a minute their share says nothing."
  type        = number
  default     = 60

  validation {
    condition     = var.alarm_minimum_writes >= 1
    error_message = "alarm_minimum_writes must be at least 1."
  }
}

variable "outbox_alarms" {
  description = "Relays of other processes to watch: the tables or collections whose messages they send, as meters have them in the tag records, by a short name. Processes put their meters into the namespace by Micrometer's registry for CloudWatch each minute, without common tags. None unless given."
  type = object({
    namespace = string
    records   = map(string)
    clusters  = optional(set(string), []) # the others, where several share a replicated store
  })
  default = null

  validation {
    condition     = var.outbox_alarms == null || (length(try(var.outbox_alarms.records, {})) > 0 && !startswith(try(var.outbox_alarms.namespace, ""), "AWS/"))
    error_message = "outbox_alarms must name at least one table or collection, and a namespace that is not AWS's."
  }

  validation {
    condition     = !contains(keys(try(var.outbox_alarms.records, {})), "relay")
    error_message = "outbox_alarms must not call one relay: the alarms of the relay that is made here have that name."
  }
}

variable "alarm_no_pass_minutes" {
  description = "For how many minutes a relay may make no good pass."
  type        = number
  default     = 5

  validation {
    condition     = var.alarm_no_pass_minutes >= 1 && floor(var.alarm_no_pass_minutes) == var.alarm_no_pass_minutes
    error_message = "alarm_no_pass_minutes must be a whole number from 1 on."
  }
}
