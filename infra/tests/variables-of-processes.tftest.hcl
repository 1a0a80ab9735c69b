# Values that are refused, each before anything is made.

mock_provider "aws" {
  source = "./tests/mocks"
}

variables {
  vpc_id       = "vpc-0123456789abcdef0"
  subnet_ids   = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  function_zip = "./contract.json"
}

run "function_runtime" {
  command = plan

  variables {
    function_runtime = "java11"
  }

  expect_failures = [var.function_runtime]
}

run "function_memory" {
  command = plan

  variables {
    function_memory = 128
  }

  expect_failures = [var.function_memory]
}

run "function_timeout" {
  command = plan

  variables {
    function_timeout = 901
  }

  expect_failures = [var.function_timeout]
}

run "function_batch_size" {
  command = plan

  variables {
    function_batch_size = 0
  }

  expect_failures = [var.function_batch_size]
}

run "function_batching_window" {
  command = plan

  variables {
    function_batching_window = 0
  }

  expect_failures = [var.function_batching_window]
}

run "function_maximum_concurrency" {
  command = plan

  variables {
    function_maximum_concurrency = 1
  }

  expect_failures = [var.function_maximum_concurrency]
}

run "stream_parallelization" {
  command = plan

  variables {
    stream_parallelization = 11
  }

  expect_failures = [var.stream_parallelization]
}

run "image_tag" {
  command = plan

  variables {
    image_tag = "latest"
  }

  expect_failures = [var.image_tag]
}

run "vpc_id" {
  command = plan

  variables {
    vpc_id = "default"
  }

  expect_failures = [var.vpc_id]
}

run "subnet_ids" {
  command = plan

  variables {
    subnet_ids = ["subnet-0123456789abcdef0"]
  }

  expect_failures = [var.subnet_ids]
}

run "client_security_group_ids" {
  command = plan

  variables {
    client_security_group_ids = ["0.0.0.0/0"]
  }

  expect_failures = [var.client_security_group_ids]
}

run "service_port" {
  command = plan

  variables {
    service_port = 80
  }

  expect_failures = [var.service_port]
}

run "service_cpu" {
  command = plan

  variables {
    service_cpu = 300
  }

  expect_failures = [var.service_cpu]
}

run "service_memory" {
  command = plan

  variables {
    service_memory = 9216
  }

  expect_failures = [var.service_memory]
}

run "service_tasks" {
  command = plan

  variables {
    service_tasks = { min = 3, max = 2 }
  }

  expect_failures = [var.service_tasks]
}

run "service_tasks_2" {
  command = plan

  variables {
    service_tasks = { min = 0, max = 2 }
  }

  expect_failures = [var.service_tasks]
}

run "backlog_per_task" {
  command = plan

  variables {
    backlog_per_task = 0
  }

  expect_failures = [var.backlog_per_task]
}

run "spot_percent" {
  command = plan

  variables {
    spot_percent = 150
  }

  expect_failures = [var.spot_percent]
}

run "stop_timeout" {
  command = plan

  variables {
    stop_timeout = 121
  }

  expect_failures = [var.stop_timeout]
}

run "kafka" {
  command = plan

  variables {
    kafka = { bootstrap_servers = "broker" }
  }

  expect_failures = [var.kafka]
}

run "function_zip" {
  command = plan

  variables {
    consumer     = "function"
    function_zip = "./no.zip"
  }

  expect_failures = [var.function_zip]
}

run "no_function_wants_no_zip" {
  command = plan

  variables {
    function_zip = "./no.zip"
  }
}
