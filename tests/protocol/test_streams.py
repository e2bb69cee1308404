"""Streams: every change once and in order, with the images that were asked for."""

from case import ProtocolTest
from stream_reader import drain, read_stream
from tables import item, values


class StreamTest(ProtocolTest):
    def stream_table(self, view="NEW_AND_OLD_IMAGES", keys="pk:S"):
        name = self.table(keys, stream=view)
        return name, self.describe(name)["LatestStreamArn"]

    def change(self, name):
        """One insert, one change, one deletion, and three writes that change nothing."""
        self.put(name, item(pk="a", n=1))
        self.put(name, item(pk="a", n=1))
        self.db.update_item(TableName=name, Key=item(pk="a"), UpdateExpression="SET n = :n",
                            ExpressionAttributeValues=values(n=2))
        self.db.update_item(TableName=name, Key=item(pk="a"), UpdateExpression="SET n = :n",
                            ExpressionAttributeValues=values(n=2))
        self.db.delete_item(TableName=name, Key=item(pk="a"))
        self.db.delete_item(TableName=name, Key=item(pk="a"))


class Views(StreamTest):
    OLD_AND_NEW = [(None, item(pk="a", n=1)), (item(pk="a", n=1), item(pk="a", n=2)), (item(pk="a", n=2), None)]

    def check_view(self, view, has_old, has_new):
        name, arn = self.stream_table(view)
        self.change(name)
        records = read_stream(self.streams, arn)
        self.assertEqual([r["eventName"] for r in records], ["INSERT", "MODIFY", "REMOVE"])
        for record, (old, new) in zip(records, self.OLD_AND_NEW):
            data = record["dynamodb"]
            self.assertEqual(data["Keys"], item(pk="a"))
            self.assertEqual(data["StreamViewType"], view)
            self.assertEqual(data.get("OldImage"), old if has_old else None)
            self.assertEqual(data.get("NewImage"), new if has_new else None)

    def test_keys_only(self):
        self.check_view("KEYS_ONLY", False, False)

    def test_new_image(self):
        self.check_view("NEW_IMAGE", False, True)

    def test_old_image(self):
        self.check_view("OLD_IMAGE", True, False)

    def test_both_images(self):
        self.check_view("NEW_AND_OLD_IMAGES", True, True)


class Records(StreamTest):
    def test_record_has_its_envelope(self):
        name, arn = self.stream_table()
        self.put(name, item(pk="a"))
        record = read_stream(self.streams, arn)[0]
        self.assertEqual(record["eventSource"], "aws:dynamodb")
        self.assertEqual(record["eventVersion"], "1.1")
        self.assertIn("awsRegion", record)
        self.assertTrue(record["eventID"])
        self.assertNotIn("userIdentity", record)
        self.assertGreater(record["dynamodb"]["SizeBytes"], 0)
        self.assertIn("ApproximateCreationDateTime", record["dynamodb"])
        self.assertTrue(record["dynamodb"]["SequenceNumber"].isdigit())

    def test_changes_of_batches_and_transactions_are_recorded(self):
        name, arn = self.stream_table()
        self.put_many(name, [item(pk=f"b{n}") for n in range(3)])
        self.db.transact_write_items(TransactItems=[
            {"Put": {"TableName": name, "Item": item(pk="t1")}},
            {"Delete": {"TableName": name, "Key": item(pk="b0")}}])
        events = [(r["eventName"], r["dynamodb"]["Keys"]["pk"]["S"]) for r in read_stream(self.streams, arn)]
        self.assertCountEqual(events[:3], [("INSERT", "b0"), ("INSERT", "b1"), ("INSERT", "b2")])
        self.assertCountEqual(events[3:], [("INSERT", "t1"), ("REMOVE", "b0")])

    def test_failed_writes_are_not_recorded(self):
        name, arn = self.stream_table()
        with self.fails("ConditionalCheckFailedException"):
            self.db.put_item(TableName=name, Item=item(pk="a"), ConditionExpression="attribute_exists(pk)")
        self.assertEqual(read_stream(self.streams, arn), [])

    def test_order_per_item_and_sequence_numbers_rise(self):
        name, arn = self.stream_table()
        for n in range(60):
            self.put(name, item(pk=str(n % 3), n=n))
        records = read_stream(self.streams, arn, limit=7)
        self.assertEqual([int(r["dynamodb"]["NewImage"]["n"]["N"]) for r in records], list(range(60)))
        numbers = [int(r["dynamodb"]["SequenceNumber"]) for r in records]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual(len({r["eventID"] for r in records}), 60)


class Iterators(StreamTest):
    def iterator(self, arn, kind, sequence=None):
        shard = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
        more = {"SequenceNumber": sequence} if sequence else {}
        return self.streams.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType=kind,
                                               **more)["ShardIterator"]

    def names(self, records):
        return [r["dynamodb"]["Keys"]["pk"]["S"] for r in records]

    def test_each_type_starts_where_it_says(self):
        name, arn = self.stream_table()
        self.put(name, *(item(pk=letter) for letter in "abc"))
        latest = self.iterator(arn, "LATEST")
        sequence = read_stream(self.streams, arn)[1]["dynamodb"]["SequenceNumber"]
        self.put(name, item(pk="d"))
        self.assertEqual(self.names(drain(self.streams, self.iterator(arn, "TRIM_HORIZON"))), list("abcd"))
        self.assertEqual(self.names(drain(self.streams, self.iterator(arn, "AT_SEQUENCE_NUMBER", sequence))),
                         list("bcd"))
        self.assertEqual(self.names(drain(self.streams, self.iterator(arn, "AFTER_SEQUENCE_NUMBER", sequence))),
                         list("cd"))
        self.assertEqual(self.names(drain(self.streams, latest)), ["d"])

    def test_the_shards_own_numbers_are_its_beginning_and_its_end(self):
        """On an empty shard, after another table has written, with records, and once the shard is closed."""
        name, arn = self.stream_table()
        other = self.table()
        kinds = ("AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER")

        def numbers():
            return self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["SequenceNumberRange"]

        start = numbers()["StartingSequenceNumber"]
        early = [self.iterator(arn, kind, start) for kind in kinds]
        self.put(other, item(pk="elsewhere"))
        early += [self.iterator(arn, kind, start) for kind in kinds]
        for iterator in early:
            self.assertEqual(self.streams.get_records(ShardIterator=iterator)["Records"], [])
        self.put(name, item(pk="a"), item(pk="b"))
        for iterator in early + [self.iterator(arn, kind, start) for kind in kinds]:
            self.assertEqual(self.names(drain(self.streams, iterator)), ["a", "b"])
        self.assertEqual(numbers()["StartingSequenceNumber"], start)
        self.db.update_table(TableName=name, StreamSpecification={"StreamEnabled": False})
        for kind in kinds:
            self.assertEqual(self.names(drain(self.streams, self.iterator(arn, kind, start))), ["a", "b"])
            end = self.iterator(arn, kind, numbers()["EndingSequenceNumber"])
            self.assertEqual(self.streams.get_records(ShardIterator=end)["Records"], [])

    def test_numbers_of_no_record_are_refused(self):
        name, arn = self.stream_table()
        self.put(name, item(pk="a"))
        last = int(read_stream(self.streams, arn)[0]["dynamodb"]["SequenceNumber"])
        for number in (last + 1_000_000, 10 ** 30):
            with self.subTest(number=number), self.fails("ValidationException"):
                self.iterator(arn, "AT_SEQUENCE_NUMBER", str(number).zfill(21))

    def test_reader_at_the_end_gets_an_iterator_and_later_the_new_records(self):
        name, arn = self.stream_table()
        answer = self.streams.get_records(ShardIterator=self.iterator(arn, "TRIM_HORIZON"))
        self.assertEqual(answer["Records"], [])
        self.put(name, item(pk="a"))
        self.assertEqual(self.names(drain(self.streams, answer["NextShardIterator"])), ["a"])

    def test_disabled_stream_can_be_read_to_its_end(self):
        name, arn = self.stream_table()
        self.put(name, item(pk="a"))
        self.db.update_table(TableName=name, StreamSpecification={"StreamEnabled": False})
        self.wait_active(name)
        self.put(name, item(pk="unseen"))
        description = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]
        self.assertEqual(description["StreamStatus"], "DISABLED")
        self.assertEqual(self.names(read_stream(self.streams, arn)), ["a"])
        answer = self.streams.get_records(ShardIterator=self.iterator(arn, "LATEST"))
        self.assertNotIn("NextShardIterator", answer)

    def test_bad_iterators_are_refused(self):
        _, arn = self.stream_table()
        with self.fails("ValidationException"):
            self.streams.get_records(ShardIterator="not-an-iterator")
        with self.fails("ResourceNotFoundException"):
            self.streams.get_shard_iterator(StreamArn=arn, ShardId="shardId-00000000000000000000-00000000",
                                            ShardIteratorType="LATEST")
        with self.fails("ResourceNotFoundException"):
            self.streams.describe_stream(StreamArn=arn.rpartition("/")[0] + "/2001-01-01T00:00:00.000")
        with self.fails("ValidationException"):
            self.streams.get_records(ShardIterator=self.iterator(arn, "LATEST"), Limit=1001)


class Listing(StreamTest):
    def test_streams_are_listed_and_described(self):
        name, arn = self.stream_table("OLD_IMAGE", "pk:S sk:N")
        listed = self.streams.list_streams(TableName=name)["Streams"]
        self.assertEqual([s["StreamArn"] for s in listed], [arn])
        self.assertEqual(listed[0]["StreamLabel"], arn.rpartition("/")[2])
        description = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]
        self.assertEqual(description["TableName"], name)
        self.assertEqual(description["StreamStatus"], "ENABLED")
        self.assertEqual(description["StreamViewType"], "OLD_IMAGE")
        self.assertEqual([k["AttributeName"] for k in description["KeySchema"]], ["pk", "sk"])
        self.assertIn("StartingSequenceNumber", description["Shards"][0]["SequenceNumberRange"])

    def test_shard_filter(self):
        """The one shard has no children."""
        _, arn = self.stream_table()

        def shards(**shard_filter):
            answer = self.call("DescribeStream", service="streams", StreamArn=arn, ShardFilter=shard_filter)
            return answer["StreamDescription"]["Shards"]

        shard = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
        self.assertEqual(shards(Type="CHILD_SHARDS", ShardId=shard), [])
        for wrong in ({"Type": "CHILD_SHARDS"}, {"ShardId": shard}, {"Type": "foo", "ShardId": shard},
                      {"Type": "CHILD_SHARDS", "ShardId": "qwerty"}):
            with self.subTest(wrong=wrong), self.fails("ValidationException", "shardFilter"):
                shards(**wrong)
        with self.fails("ResourceNotFoundException"):
            shards(Type="CHILD_SHARDS", ShardId=shard[:-1] + "z")

    def test_listing_is_paged(self):
        made = {self.stream_table()[1] for _ in range(3)}
        seen, start = [], {}
        while True:
            page = self.streams.list_streams(Limit=2, **start)
            seen += [s["StreamArn"] for s in page["Streams"]]
            if "LastEvaluatedStreamArn" not in page:
                break
            start = {"ExclusiveStartStreamArn": page["LastEvaluatedStreamArn"]}
        self.assertLessEqual(made, set(seen))
        self.assertEqual(len(seen), len(set(seen)))
