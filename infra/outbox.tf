# Alarms on relays of outgoing messages, by the meters of tidemark-micrometer in CloudWatch. docs/operating-outbox.md
# says what each one means and what to do.
locals {
  # Relays of other processes, by the short names that were given.
  outbox_records = try(var.outbox_alarms.records, {})

  # The relay that is made here writes its metrics as lines of its log, over all generations together. Others have
  # one metric for each table or collection.
  outbox_relays = merge(
    local.relayed ? { relay = { of = "the order history", namespace = var.name, dimensions = { relay = var.name } } } : {},
    { for key, records in local.outbox_records :
      key => { of = records, namespace = var.outbox_alarms.namespace, dimensions = { records = records } }
    }
  )

  # Micrometer's registry for CloudWatch ends a gauge's name in value and a counter's in count; tags are dimensions.
  outbox_metrics = {
    for key, relay in local.outbox_relays : key => {
      for metric, name in { oldest = "oldest.value", age = "pass.age.value", parked = "parked.count", takeovers = "takeovers.count" } :
      metric => {
        namespace  = relay.namespace
        name       = "tidemark.outbox.${name}"
        stat       = endswith(name, "count") ? "Sum" : "Maximum"
        dimensions = relay.dimensions
      }
    }
  }

  outbox_alarms = merge(concat([
    for key, metrics in local.outbox_metrics : {
      "${key}-outbox-behind" = {
        description = "A message of ${local.outbox_relays[key].of} waits for longer than it should. None is lost."
        expression  = "oldest"
        metrics     = { oldest = metrics.oldest }
        threshold   = var.alarm_age_seconds
        minutes     = 5
      }
      # Of a relay that is gone there is no metric, so its absence is an alarm, too.
      "${key}-outbox-no-pass" = {
        description = "A relay of ${local.outbox_relays[key].of} makes no good pass: it hangs, cannot read its index, or nobody runs one."
        expression  = "age"
        metrics     = { age = metrics.age }
        threshold   = 60
        minutes     = var.alarm_no_pass_minutes
        missing     = "breaching"
      }
      "${key}-outbox-parked" = {
        description = "Messages of ${local.outbox_relays[key].of} were parked after many tries. They wait for a person."
        expression  = "FILL(parked, 0)"
        metrics     = { parked = metrics.parked }
        threshold   = 0
        minutes     = 1
      }
      "${key}-outbox-takeover" = {
        description = "A relay of ${local.outbox_relays[key].of} went silent, and another one has its shards."
        expression  = "FILL(takeovers, 0)"
        metrics     = { takeovers = metrics.takeovers }
        threshold   = 0
        minutes     = 1
      }
    }
    ], [
    for pair in setproduct(keys(local.outbox_records), try(var.outbox_alarms.clusters, [])) : {
      "${pair[0]}-outbox-cluster-${pair[1]}" = {
        description = "Cluster ${pair[1]} does not send its messages of ${local.outbox_records[pair[0]]}, and this one did in its place."
        expression  = "FILL(takeovers, 0)"
        metrics = { takeovers = {
          namespace  = var.outbox_alarms.namespace
          name       = "tidemark.outbox.cluster.takeovers.count"
          stat       = "Sum"
          dimensions = { records = local.outbox_records[pair[0]], origin = pair[1] }
        } }
        threshold = 0
        minutes   = 1
      }
    }
  ])...)
}
