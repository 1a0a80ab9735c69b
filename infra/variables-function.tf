# Variables of the functions.

variable "function_zip" {
  description = "The zip of the functions, as mvn package makes it."
  type        = string
  default     = "../cqrs-view-example/target/tidemark-cqrs-view-example-0.1.0-SNAPSHOT-lambda.zip"

  validation {
    condition     = !(var.events_table || var.consumer == "function" || var.relay == "function" || var.board == "function") || fileexists(var.function_zip)
    error_message = "function_zip is not there: mvn package makes it."
  }
}

variable "function_runtime" {
  description = "java17, java21 or java25; the code is for 17 and later, and starts from a snapshot on all of them."
  type        = string
  default     = "java21"

  validation {
    condition     = contains(["java17", "java21", "java25"], var.function_runtime)
    error_message = "function_runtime must be java17, java21 or java25."
  }
}

variable "function_memory" {
  description = "Memory of a function in MB; its processor grows with it, to one whole at 1769."
  type        = number
  default     = 1024

  validation {
    condition     = var.function_memory >= 256 && var.function_memory <= 10240
    error_message = "function_memory must be 256 to 10240."
  }
}

variable "function_timeout" {
  description = "For how long, in seconds, a function may work on a batch. Six times as long are its messages hidden."
  type        = number
  default     = 30

  validation {
    condition     = var.function_timeout >= 5 && var.function_timeout <= 900
    error_message = "function_timeout must be 5 to 900 seconds."
  }
}

variable "function_batch_size" {
  description = "How many events a function gets at most at once. A batch is folded: one write for all events of one row. FIFO queues give at most 10."
  type        = number
  default     = 100

  validation {
    condition     = var.function_batch_size >= 1 && var.function_batch_size <= 1000
    error_message = "function_batch_size must be 1 to 1000."
  }
}

variable "function_batching_window" {
  description = "How long, in seconds, events are gathered for a batch. Standard queues and streams only."
  type        = number
  default     = 1

  validation {
    condition     = var.function_batching_window >= 0 && var.function_batching_window <= 300
    error_message = "function_batching_window must be 0 to 300 seconds."
  }

  validation {
    condition     = var.function_batch_size <= 10 || var.function_batching_window >= 1
    error_message = "function_batching_window must be at least 1 second where function_batch_size is above 10."
  }
}

variable "function_maximum_concurrency" {
  description = "How many invocations the queue starts at once at most."
  type        = number
  default     = 20

  validation {
    condition     = var.function_maximum_concurrency >= 2 && var.function_maximum_concurrency <= 1000
    error_message = "function_maximum_concurrency must be 2 to 1000."
  }
}

variable "stream_parallelization" {
  description = "How many batches of one shard of the stream are worked on at once; the events of one key stay in order."
  type        = number
  default     = 1

  validation {
    condition     = var.stream_parallelization >= 1 && var.stream_parallelization <= 10
    error_message = "stream_parallelization must be 1 to 10."
  }
}
