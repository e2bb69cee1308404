"""ProtocolTest: what the tests in this folder start from. run.py says which endpoint they speak to."""

import contextlib
import itertools
import os
import unittest

from botocore.exceptions import BotoCoreError, ClientError

import endpoint
from tables import table_definition
from wait import wait_until

_numbers = itertools.count(1)


class Failure:
    """What `fails` caught, the same for boto3 and raw calls."""
    code = message = None
    body = {}
    status = 0


class ProtocolTest(unittest.TestCase):
    url = None     # of the endpoint under test
    server = None  # our own CairnServer, or None when --url points elsewhere
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.db = endpoint.client(cls.url)
        cls.streams = endpoint.client(cls.url, "dynamodbstreams")

    def call(self, operation, service="dynamodb", **parameters):
        """A raw call, for parameters that this boto3 does not know or would hide."""
        return endpoint.call(self.url, operation, service, **parameters)

    @contextlib.contextmanager
    def fails(self, code, text="", status=None):
        """The block's call must fail with this exception and a message that contains `text`."""
        failure = Failure()
        try:
            yield failure
        except ClientError as error:
            failure.code = error.response["Error"]["Code"]
            failure.message = error.response["Error"].get("Message", "")
            failure.body = error.response
            failure.status = error.response["ResponseMetadata"]["HTTPStatusCode"]
        except endpoint.WireError as error:
            failure.code, failure.message, failure.body = error.code, error.message, error.body
            failure.status = error.status
        else:
            self.fail(f"succeeded, but {code} was expected")
        self.assertEqual(failure.code, code, failure.message)
        self.assertIn(text, failure.message)
        if status is not None:
            self.assertEqual(failure.status, status)

    def new_name(self, stem="t"):
        return f"{stem}-{os.getpid()}-{next(_numbers)}"

    def table(self, keys="pk:S", *indexes, name=None, stream=None, **more):
        """Creates a table that lives as long as the test, and returns its name."""
        name = name or self.new_name(type(self).__name__)
        endpoint.call(self.url, "CreateTable", **table_definition(name, keys, *indexes, stream=stream, **more))
        self.addCleanup(self.drop, name)
        self.wait_active(name)
        return name

    def drop(self, name):
        with contextlib.suppress(ClientError, BotoCoreError):  # gone already, or the server is
            self.db.delete_table(TableName=name)

    def describe(self, name):
        return self.call("DescribeTable", TableName=name)["Table"]

    def wait_active(self, name, seconds=30):
        def active():
            table = self.describe(name)
            indexes = table.get("GlobalSecondaryIndexes", [])
            if table["TableStatus"] == "ACTIVE" and all(i["IndexStatus"] == "ACTIVE" for i in indexes):
                return table
            return None
        return wait_until(active, seconds, f"{name} to be active")

    def put(self, table, *items):
        for one in items:
            self.db.put_item(TableName=table, Item=one)

    def put_many(self, table, items):
        """BatchWriteItem in chunks of 25."""
        items = list(items)
        for start in range(0, len(items), 25):
            requests = [{"PutRequest": {"Item": one}} for one in items[start:start + 25]]
            while requests:
                answer = self.db.batch_write_item(RequestItems={table: requests})
                requests = answer.get("UnprocessedItems", {}).get(table)

    def get(self, table, key, **more):
        """The item, or None."""
        return self.db.get_item(TableName=table, Key=key, ConsistentRead=True, **more).get("Item")

    def assert_absent(self, table, key):
        self.assertIsNone(self.get(table, key))

    def pages(self, operation, **parameters):
        """All answers of a paged Query or Scan; fails when a page does not advance."""
        seen = set()
        while True:
            answer = operation(**parameters)
            yield answer
            last = answer.get("LastEvaluatedKey")
            if not last:
                return
            self.assertNotIn(repr(last), seen, "the same LastEvaluatedKey came twice")
            seen.add(repr(last))
            parameters["ExclusiveStartKey"] = last

    def all_items(self, operation, **parameters):
        return [one for page in self.pages(operation, **parameters) for one in page["Items"]]

    def own_server(self):
        """Skips a test that has to stop, restart or look inside the server when the endpoint is not ours."""
        if self.server is None:
            self.skipTest("needs a server of its own")
        return self.server
