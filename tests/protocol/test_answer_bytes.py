"""Every page and batch stays within its bytes, as counted and on the wire, for any data; and nothing is left out."""

import json

import endpoint
from case import ProtocolTest
from chance import seeded_random
from tables import gsi, lsi

MB = 1024 * 1024
PAGE_WIRE_MAX = 16 * MB    # and the item that crosses it
ANSWER_WIRE_MAX = 33 * MB  # the same; with what is around the items
WIDE = "1E125"             # counts 2 bytes, has 126 digits


def wide(count):
    return {"L": [{"N": WIDE}] * count}


def any_value(random):
    """Values of every kind that is larger on the wire than it counts, and ordinary ones."""
    count = random.randint(1, 20_000)
    return random.choice([
        {"S": "x" * count}, {"S": "\x01" * count}, {"S": "\"" * count}, {"B": "AAAA" * (count // 4)},
        {"L": [{"NULL": True}] * count}, {"L": [{"S": ""}] * count}, {"L": [{"BOOL": False}] * count},
        {"M": {str(n): {"N": "1"} for n in range(count // 4)}}, {"NS": [f"{n}E120" for n in range(1, count // 20 + 2)]},
        wide(count // 4),
    ])


class AnswerBytes(ProtocolTest):
    def setUp(self):
        random = seeded_random()
        self.name = self.table("pk:S sk:S", lsi("slim", "pk:S b:S", projection="KEYS_ONLY"), gsi("all", "g:S b:S"),
                               stream="NEW_AND_OLD_IMAGES")
        self.keys = []
        values = [wide(6_000)] * 30 + [wide(20_000)] * 8 + [{"S": "s" * 100_000}] * 12
        values += [any_value(random) for _ in range(50)]
        random.shuffle(values)
        for number, value in enumerate(values):
            key = {"pk": {"S": "p"}, "sk": {"S": f"{number:03}"}}
            self.keys.append(key)
            self.call("PutItem", TableName=self.name,
                      Item={**key, "b": {"S": f"{number:03}"}, "g": {"S": "g"}, "value": value})

    def read(self, operation, service="dynamodb", **parameters):
        """The answer, and its length on the wire."""
        body = json.dumps(parameters).encode()
        reply = endpoint.send(self.url, body, endpoint.signed_headers(self.url, operation, body, service))
        if reply.status != 200:
            raise endpoint.WireError(reply)
        return reply.json(), len(reply.body)

    def assert_within(self, wire, bound, items):
        largest = max((len(json.dumps(one, separators=(",", ":"))) for one in items), default=0)
        self.assertLessEqual(wire, bound + largest)

    def read_pages(self, operation, pages=1000, **parameters):
        seen = []
        for _ in range(pages):
            answer, wire = self.read(operation, TableName=self.name, ReturnConsumedCapacity="TOTAL", **parameters)
            self.assert_within(wire, PAGE_WIRE_MAX, answer["Items"])
            self.assertLess(answer["ConsumedCapacity"]["CapacityUnits"], 2 * 128 + 200)  # twice 1 MB, and an item
            seen += [one["sk"]["S"] for one in answer["Items"]]
            if "LastEvaluatedKey" not in answer:
                self.assertEqual(sorted(seen), [key["sk"]["S"] for key in self.keys])
                return
            self.assertTrue(answer["Items"])
            parameters["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def partition(self, name, value):
        return {"KeyConditionExpression": f"{name} = :p", "ExpressionAttributeValues": {":p": {"S": value}}}

    def test_pages_of_the_table_and_of_every_index(self):
        self.read_pages("Query", **self.partition("pk", "p"))
        # A local index that gives whole items reads each of them.
        self.read_pages("Query", IndexName="slim", Select="ALL_ATTRIBUTES", **self.partition("pk", "p"))
        self.read_pages("Query", pages=2, IndexName="all", ScanIndexForward=False, **self.partition("g", "g"))
        self.read_pages("Scan", pages=2)

    def test_batches_leave_the_rest_for_the_next_call(self):
        wanted, seen = {self.name: {"Keys": self.keys, "ConsistentRead": True}}, []
        calls = 0
        while wanted:
            answer, wire = self.read("BatchGetItem", RequestItems=wanted)
            self.assert_within(wire, ANSWER_WIRE_MAX, answer["Responses"][self.name])
            seen += [one["sk"]["S"] for one in answer["Responses"][self.name]]
            wanted = answer["UnprocessedKeys"]
            calls += 1
        self.assertEqual(sorted(seen), [key["sk"]["S"] for key in self.keys])
        self.assertGreater(calls, 1)

    def test_transactions_are_refused(self):
        wide_keys = [key for key in self.keys if self.is_wide(key)]
        gets = [{"Get": {"TableName": self.name, "Key": key}} for key in wide_keys]
        with self.fails("ValidationException", "32 MB"):
            self.read("TransactGetItems", TransactItems=gets)
        answer, wire = self.read("TransactGetItems", TransactItems=gets[:5])
        self.assertLessEqual(wire, ANSWER_WIRE_MAX)
        self.assertEqual(len(answer["Responses"]), 5)

    def is_wide(self, key):
        """Whether it is one of those with 6,000 or 20,000 wide numbers."""
        answer = self.call("Query", TableName=self.name, Select="COUNT",
                           KeyConditionExpression="pk = :p AND sk = :s",
                           FilterExpression="#v[5999] = :w", ExpressionAttributeNames={"#v": "value"},
                           ExpressionAttributeValues={":p": key["pk"], ":s": key["sk"], ":w": {"N": WIDE}})
        return answer["Count"] == 1

    def test_statements_of_a_batch_say_that_they_were_not_run(self):
        wide_keys = [key for key in self.keys if self.is_wide(key)]
        by_width = sorted(wide_keys, key=lambda key: -len(self.get(self.name, key)["value"]["L"]))[:25]
        statements = [{"Statement": f"SELECT * FROM \"{self.name}\" WHERE pk = ? AND sk = ?",
                       "Parameters": [key["pk"], key["sk"]]} for key in by_width]
        answer, wire = self.read("BatchExecuteStatement", Statements=statements)
        self.assert_within(wire, ANSWER_WIRE_MAX, [one["Item"] for one in answer["Responses"] if "Item" in one])
        left = [one["Error"]["Code"] for one in answer["Responses"] if "Error" in one]
        self.assertTrue(left)
        self.assertEqual(set(left), {"RequestLimitExceeded"})
        self.assertIn("Item", answer["Responses"][0])

    def test_statement_of_many_keys_answers_in_pages(self):
        places = ",".join("?" * 60)
        parameters = [{"S": "p"}] + [key["sk"] for key in self.keys[:60]]
        token, seen = {}, 0
        while True:
            answer, wire = self.read("ExecuteStatement", Parameters=parameters, **token,
                                     Statement=f"SELECT * FROM \"{self.name}\" WHERE pk = ? AND sk IN [{places}]")
            self.assert_within(wire, PAGE_WIRE_MAX, answer["Items"])
            seen += len(answer["Items"])
            if "NextToken" not in answer:
                break
            token = {"NextToken": answer["NextToken"]}
        self.assertEqual(seen, 60)

    def test_records_of_a_stream(self):
        arn = self.describe(self.name)["LatestStreamArn"]
        shard = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
        iterator = self.streams.get_shard_iterator(StreamArn=arn, ShardId=shard,
                                                   ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        seen = 0
        while seen < len(self.keys):
            answer, wire = self.read("GetRecords", service="streams", ShardIterator=iterator)
            self.assert_within(wire, PAGE_WIRE_MAX, answer["Records"])
            self.assertTrue(answer["Records"])
            seen += len(answer["Records"])
            iterator = answer["NextShardIterator"]

    def test_batch_that_is_much_larger_as_stored_is_written_whole(self):
        # 25 items of 2.7 MB each as they are stored, from a request of 7 MB.
        puts = [{"PutRequest": {"Item": {"pk": {"S": "w"}, "sk": {"S": str(n)}, "value": wide(20_000)}}}
                for n in range(25)]
        answer, _ = self.read("BatchWriteItem", RequestItems={self.name: puts})
        self.assertEqual(answer["UnprocessedItems"], {})
        pages = self.pages(lambda **more: self.call(
            "Query", TableName=self.name, Select="COUNT", **self.partition("pk", "w"), **more))
        self.assertEqual(sum(page["Count"] for page in pages), 25)
