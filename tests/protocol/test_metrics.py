"""What GET /metrics tells of the operations that a client has called."""

import urllib.request

from case import ProtocolTest
from tables import item, values


class Metrics(ProtocolTest):
    def numbers(self):
        """Samples by name with labels; every line is a comment or a sample."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=10) as answer:
            self.assertEqual(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
            lines = answer.read().decode().splitlines()
        samples = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in samples}

    def growth(self, before, name):
        return self.numbers().get(name, 0) - before.get(name, 0)

    def test_operations_are_counted_by_name_and_result(self):
        table = self.table("pk:S")
        before = self.numbers()
        for _ in range(3):
            self.db.put_item(TableName=table, Item=item(pk="a"))
        with self.fails("ConditionalCheckFailedException"):
            self.db.put_item(TableName=table, Item=item(pk="a"), ConditionExpression="attribute_not_exists(pk)")
        with self.fails("ValidationException"):
            self.db.put_item(TableName=table, Item=item(other="a"))
        total = 'cairn_dynamodb_operations_total{operation="PutItem",result="%s"}'
        self.assertEqual(self.growth(before, total % "ok"), 3)
        self.assertEqual(self.growth(before, total % "condition_failed"), 1)
        self.assertEqual(self.growth(before, total % "invalid_argument"), 1)
        self.assertEqual(self.growth(before, 'cairn_dynamodb_operation_seconds_count{operation="PutItem"}'), 5)

    def test_histograms_add_up(self):
        table = self.table("pk:S")
        self.db.get_item(TableName=table, Key=item(pk="a"))
        numbers = self.numbers()
        buckets = [value for name, value in numbers.items()
                   if name.startswith('cairn_dynamodb_operation_seconds_bucket{operation="GetItem"')]
        self.assertEqual(buckets, sorted(buckets))
        self.assertEqual(buckets[-1], numbers['cairn_dynamodb_operation_seconds_count{operation="GetItem"}'])
        self.assertGreater(numbers['cairn_dynamodb_operation_seconds_sum{operation="GetItem"}'], 0)

    def test_commits_and_scans(self):
        table = self.table("pk:S")
        before = self.numbers()
        self.db.put_item(TableName=table, Item=item(pk="a", n=1))
        self.db.scan(TableName=table)
        self.db.query(TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues=values(p="a"))
        self.assertEqual(self.growth(before, "cairn_store_scans_total"), 1)
        self.assertGreaterEqual(self.growth(before, "cairn_store_commit_seconds_count"), 1)
        self.assertGreaterEqual(self.growth(before, "cairn_store_commit_writes_sum"), 1)
        self.assertGreaterEqual(self.growth(before, "cairn_store_sync_seconds_count"), 1)

    def test_the_store_and_the_process(self):
        numbers = self.numbers()
        self.assertEqual(numbers["cairn_store_writable"], 1)
        self.assertGreater(numbers["cairn_rocksdb_memtable_bytes"], 0)
        self.assertGreater(numbers["process_resident_memory_bytes"], 1 << 20)
        self.assertGreater(numbers["process_open_fds"], 3)
