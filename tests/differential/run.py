"""Random operations against the server and against a small reference, answers compared one by one.

run.py [--binary PATH | --url URL] [--seed N] [--operations M]
A mismatch prints the operation, both answers and the seed that replays it.
"""

import argparse
import os
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture"), str(HERE.parent / "protocol")]

import endpoint  # noqa: E402
from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from operations import Mismatch, Operations, tables  # noqa: E402
from stream_reader import read_stream  # noqa: E402
from values import item_from_wire  # noqa: E402
from wait import wait_until  # noqa: E402

CHECK_EVERY = 500  # operations between two comparisons of everything


def create(db, table):
    kinds = dict(table.keys())
    request = {"TableName": table.name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": schema(table),
               "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}
    for index in table.indexes:
        kinds.update(index.keys())
        projection = {"ProjectionType": index.projection}
        if index.included:
            projection["NonKeyAttributes"] = list(index.included)
        parameter = "LocalSecondaryIndexes" if index.local else "GlobalSecondaryIndexes"
        request.setdefault(parameter, []).append(
            {"IndexName": index.name, "KeySchema": schema(index), "Projection": projection})
    request["AttributeDefinitions"] = [{"AttributeName": n, "AttributeType": k} for n, k in kinds.items()]
    db.create_table(**request)
    wait_until(lambda: db.describe_table(TableName=table.name)["Table"]["TableStatus"] == "ACTIVE", 30, table.name)


def schema(keyed):
    roles = zip(keyed.keys(), ("HASH", "RANGE"))
    return [{"AttributeName": name, "KeyType": role} for (name, _), role in roles]


def check_everything(operations):
    """Table and every index, row by row."""
    for table in operations.tables:
        for index in [None, *table.indexes]:
            operations.log = f"all of {table.name} {index.name if index else ''}"
            where = {"IndexName": index.name} if index else {}
            found, _ = operations.pages(operations.db.scan, {"TableName": table.name, **where}, None)
            operations.compare_rows("rows", table.rows(index), found)


def check_streams(operations, streams):
    """Replaying the stream from its beginning gives the table; each old image is the state before it."""
    for table in operations.tables:
        operations.log = f"stream of {table.name}"
        arn = operations.db.describe_table(TableName=table.name)["Table"]["LatestStreamArn"]
        state = {}
        for record in read_stream(streams, arn):
            data = record["dynamodb"]
            key = table.key_of(item_from_wire(data["Keys"]))
            old = item_from_wire(data["OldImage"]) if "OldImage" in data else None
            operations.compare(f"old image of {record['eventName']} {data['SequenceNumber']}", state.pop(key, None), old)
            if "NewImage" in data:
                state[key] = item_from_wire(data["NewImage"])
        operations.compare("replayed stream", table.items, state)


def compare_sides(url, seed, count):
    db = endpoint.client(url)
    prefix = f"diff-{os.getpid()}"
    operations = Operations(db, tables(prefix), random.Random(seed))
    number = 0
    try:
        for table in operations.tables:
            create(db, table)
        for number in range(1, count + 1):
            operations.random_operation()
            if number % CHECK_EVERY == 0:
                check_everything(operations)
        check_everything(operations)
        check_streams(operations, endpoint.client(url, "dynamodbstreams"))
    except Mismatch as mismatch:
        print(f"MISMATCH at operation {number}, replay with --seed {seed} --operations {number}\n{mismatch}")
        return 1
    finally:
        for table in operations.tables:
            try:
                db.delete_table(TableName=table.name)
            except db.exceptions.ResourceNotFoundException:
                pass
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=binary_from_environment())
    parser.add_argument("--url", help="an endpoint that is already running")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--operations", type=int, default=3000)
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.operations} operations", flush=True)
    started = time.monotonic()
    if options.url:
        code = compare_sides(options.url.rstrip("/"), options.seed, options.operations)
    else:
        # Relaxed: what is asked here is meaning, not durability, and a slow disk must not make it slow.
        with CairnServer(options.binary, flags=["--durability", "relaxed"]) as server:
            code = compare_sides(server.url, options.seed, options.operations)
    if code == 0:
        print(f"no difference in {time.monotonic() - started:.1f} s")
    return code


if __name__ == "__main__":
    sys.exit(main())
