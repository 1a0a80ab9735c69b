# Values that are refused, each before anything is made.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json"
}

run "name" {
  command = plan

  variables {
    name = "Order History"
  }

  expect_failures = [var.name]
}

run "region" {
  command = plan

  variables {
    region = "Frankfurt"
  }

  expect_failures = [var.region]
}

run "generations" {
  command = plan

  variables {
    generations = []
  }

  expect_failures = [var.generations]
}

run "generations_2" {
  command = plan

  variables {
    generations = [0]
  }

  expect_failures = [var.generations]
}

run "generations_3" {
  command = plan

  variables {
    generations = [1.5]
  }

  expect_failures = [var.generations]
}

run "generations_4" {
  command = plan

  variables {
    generations = [1, 1]
  }

  expect_failures = [var.generations]
}

run "retired_generations" {
  command = plan

  variables {
    retired_generations = [2]
  }

  expect_failures = [var.retired_generations]
}

run "retired_generations_2" {
  command = plan

  variables {
    retired_generations = [1]
  }

  expect_failures = [var.retired_generations]
}

run "queue_kind" {
  command = plan

  variables {
    queue_kind = "lifo"
  }

  expect_failures = [var.queue_kind]
}

run "queue_retention_days" {
  command = plan

  variables {
    queue_retention_days = 15
  }

  expect_failures = [var.queue_retention_days]
}

run "max_receive_count" {
  command = plan

  variables {
    max_receive_count = 3
  }

  expect_failures = [var.max_receive_count]
}

run "service_visibility_timeout" {
  command = plan

  variables {
    service_visibility_timeout = 10
  }

  expect_failures = [var.service_visibility_timeout]
}

run "consumer" {
  command = plan

  variables {
    consumer = "both"
  }

  expect_failures = [var.consumer]
}

run "architecture" {
  command = plan

  variables {
    architecture = "sparc"
  }

  expect_failures = [var.architecture]
}

run "log_retention_days" {
  command = plan

  variables {
    log_retention_days = 2
  }

  expect_failures = [var.log_retention_days]
}

run "alarm_mails" {
  command = plan

  variables {
    alarm_mails = ["nobody"]
  }

  expect_failures = [var.alarm_mails]
}

run "alarm_age_seconds" {
  command = plan

  variables {
    alarm_age_seconds = 5
  }

  expect_failures = [var.alarm_age_seconds]
}

run "alarm_failed_conditions_percent" {
  command = plan

  variables {
    alarm_failed_conditions_percent = 101
  }

  expect_failures = [var.alarm_failed_conditions_percent]
}

run "alarm_minimum_writes" {
  command = plan

  variables {
    alarm_minimum_writes = 0
  }

  expect_failures = [var.alarm_minimum_writes]
}
