# Variables of the service.

variable "image_tag" {
  description = "The tag of the image in the repository that this makes; tags there never change."
  type        = string
  default     = "0.1.0"

  validation {
    condition     = can(regex("^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$", var.image_tag)) && var.image_tag != "latest"
    error_message = "image_tag must be a tag that names one build, not latest."
  }
}

variable "vpc_id" {
  description = "The network of the tasks."
  type        = string

  validation {
    condition     = can(regex("^vpc-[0-9a-f]+$", var.vpc_id))
    error_message = "vpc_id must be the id of a VPC."
  }
}

variable "subnet_ids" {
  description = "The subnets of the tasks, in at least two availability zones; with a way to AWS by NAT or endpoints, or public ones."
  type        = list(string)

  validation {
    condition     = length(var.subnet_ids) >= 2 && alltrue([for id in var.subnet_ids : can(regex("^subnet-[0-9a-f]+$", id))])
    error_message = "subnet_ids must be the ids of at least two subnets."
  }
}

variable "assign_public_ip" {
  description = "Whether tasks get public addresses: where the subnets are public and have no endpoints."
  type        = bool
  default     = false
}

variable "client_security_group_ids" {
  description = "Security groups that may reach the HTTP port of the tasks: a load balancer's, a Prometheus'."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for id in var.client_security_group_ids : can(regex("^sg-[0-9a-f]+$", id))])
    error_message = "client_security_group_ids must be ids of security groups."
  }
}

variable "service_port" {
  description = "The port on which a task serves HTTP."
  type        = number
  default     = 8080

  validation {
    condition     = var.service_port >= 1024 && var.service_port <= 65535
    error_message = "service_port must be 1024 to 65535, since the task is not root."
  }
}

variable "service_cpu" {
  description = "Processor of a task in 1/1024."
  type        = number
  default     = 512

  validation {
    condition     = contains([256, 512, 1024, 2048, 4096], var.service_cpu)
    error_message = "service_cpu must be 256, 512, 1024, 2048 or 4096."
  }
}

variable "service_memory" {
  description = "Memory of a task in MB."
  type        = number
  default     = 1024

  validation {
    condition     = var.service_memory >= 2 * var.service_cpu && var.service_memory <= min(8 * var.service_cpu, 30720) && var.service_memory % 1024 == 0
    error_message = "service_memory must be a multiple of 1024 and, as Fargate wants it, 2 to 8 times service_cpu and at most 30720."
  }
}

variable "service_tasks" {
  description = "How many tasks run at least and at most; between, the backlog decides."
  type        = object({ min = number, max = number })
  default     = { min = 2, max = 10 }

  validation {
    condition     = var.service_tasks.min >= 1 && var.service_tasks.max >= var.service_tasks.min && var.service_tasks.max <= 100
    error_message = "service_tasks must be 1 <= min <= max <= 100."
  }
}

variable "backlog_per_task" {
  description = "How many waiting events a task is expected to work off in time: events a second of one task, times the delay in seconds that is good enough."
  type        = number
  default     = 500

  validation {
    condition     = var.backlog_per_task >= 1
    error_message = "backlog_per_task must be at least 1."
  }
}

variable "spot_percent" {
  description = "What share of the tasks above the minimum runs on spot capacity, in percent."
  type        = number
  default     = 0

  validation {
    condition     = var.spot_percent >= 0 && var.spot_percent <= 100
    error_message = "spot_percent must be 0 to 100."
  }
}

variable "stop_timeout" {
  description = "For how long, in seconds, a task that is told to stop may finish the batch in hand."
  type        = number
  default     = 60

  validation {
    condition     = var.stop_timeout >= 30 && var.stop_timeout <= 120
    error_message = "stop_timeout must be 30 to 120 seconds."
  }
}

variable "kafka" {
  description = "The Kafka that keeps all events, for rebuilds; null if there is none. Its clients must be let in from the service's security group."
  type = object({
    bootstrap_servers = string
    port              = optional(number, 9092)
    cidr              = optional(string, "10.0.0.0/8")
    topics            = optional(list(string), ["orders", "tickets", "deliveries"])
  })
  default = null

  validation {
    condition     = var.kafka == null || can(regex("^[^,:]+:[0-9]+(,[^,:]+:[0-9]+)*$", var.kafka.bootstrap_servers))
    error_message = "kafka.bootstrap_servers must be host:port, with commas between."
  }
}

variable "payments_url" {
  description = "Where the payment provider is. With it the service takes checkouts, whose keys are kept in the table executions."
  type        = string
  default     = null
}
