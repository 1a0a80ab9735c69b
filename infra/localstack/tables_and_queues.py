# Makes the tables of generation 1, that of leases, and the queues, once LocalStack is ready; from the contract, as Terraform does.
import json
import pathlib

import boto3

PREFIX = "order-history-"
GENERATION = 1

contract = json.loads(pathlib.Path("/opt/tidemark/contract.json").read_text())
client = {"region_name": "eu-central-1", "endpoint_url": "http://localhost:4566",
          "aws_access_key_id": "test", "aws_secret_access_key": "test"}
dynamodb = boto3.client("dynamodb", **client)
sqs = boto3.client("sqs", **client)


def keys(table):
    return [{"AttributeName": table["key"], "KeyType": "HASH"}] + (
        [{"AttributeName": table["sortKey"], "KeyType": "RANGE"}] if "sortKey" in table else [])


def attributes(table):
    parts = [table] + indexes(table)
    return {part[at]: part.get(at + "Type", "S") for part in parts for at in ("key", "sortKey") if at in part}


def indexes(table):
    return [table[of] for of in ("index", "outbox") if of in table]


def make_table(table):
    name = PREFIX + table["name"] + (str(GENERATION) if table["perGeneration"] else "")
    request = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": keys(table),
        "AttributeDefinitions": [
            {"AttributeName": at, "AttributeType": kind} for at, kind in attributes(table).items()],
    }
    if indexes(table):
        request["GlobalSecondaryIndexes"] = [{
            "IndexName": index["name"],
            "KeySchema": keys(index),
            "Projection": {"ProjectionType": index["projection"]},
        } for index in indexes(table)]
    if "stream" in table:
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table["stream"]}
    dynamodb.create_table(**request)
    dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    if "ttl" in table:
        dynamodb.update_time_to_live(
            TableName=name, TimeToLiveSpecification={"AttributeName": table["ttl"], "Enabled": True})


def make_queue(name, **more):
    url = sqs.create_queue(QueueName=PREFIX + name, Attributes=more)["QueueUrl"]
    return sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]


def make_queues(suffix, **kind):
    dead = make_queue("dead-letters" + suffix, **kind)
    redrive = json.dumps({"deadLetterTargetArn": dead, "maxReceiveCount": 100})
    make_queue("events" + suffix, VisibilityTimeout="60", RedrivePolicy=redrive, **kind)
    dead = make_queue("status-dead-letters" + suffix, **kind)
    redrive = json.dumps({"deadLetterTargetArn": dead, "maxReceiveCount": 100})
    make_queue("status" + suffix, VisibilityTimeout="60", RedrivePolicy=redrive, **kind)


for table in [*contract["tables"].values(), contract["records"]["executions"]]:
    make_table(table)
make_queues("")
make_queues(".fifo", FifoQueue="true")
pathlib.Path("/tmp/tidemark-ready").touch()
