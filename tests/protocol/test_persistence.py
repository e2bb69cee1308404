"""What was acknowledged is there after a restart, gentle or not."""

import itertools
import threading
import uuid

from botocore.exceptions import BotoCoreError, ClientError

import endpoint
from cairn_server import CairnServer, StartFailed
from case import ProtocolTest
from stream_reader import read_stream
from tables import gsi, item, lsi, plain, value, values


class PersistenceTest(ProtocolTest):
    def setUp(self):
        self.own = CairnServer(self.own_server().binary)
        self.addCleanup(self.own.close)
        self.own.start()
        self.connect()

    def connect(self):
        self.url = self.own.url
        self.db = endpoint.client(self.url)
        self.streams = endpoint.client(self.url, "dynamodbstreams")

    def stop_and_start(self):
        self.assertEqual(self.own.terminate(), 0)
        self.own.start()
        self.connect()

    def kill_and_start(self):
        self.own.restart()
        self.connect()


class Restart(PersistenceTest):
    def fill(self):
        name = self.table("pk:S sk:N", gsi("by-a", "a:S"), lsi("by-b", "pk:S b:N"), stream="NEW_AND_OLD_IMAGES",
                          Tags=[{"Key": "k", "Value": "v"}])
        self.put_many(name, [item(pk=f"p{n % 3}", sk=n, a=f"a{n % 5}", b=-n) for n in range(100)])
        self.db.delete_item(TableName=name, Key=item(pk="p0", sk=0))
        self.db.update_time_to_live(TableName=name, TimeToLiveSpecification={"Enabled": True,
                                                                             "AttributeName": "expires"})
        self.db.create_backup(TableName=name, BackupName="kept")
        return name

    def look(self, name):
        """Everything a client can see of the table."""
        table = self.describe(name)
        for count in ("ItemCount", "TableSizeBytes"):
            table.pop(count)
        for index in table["GlobalSecondaryIndexes"] + table["LocalSecondaryIndexes"]:
            for count in ("ItemCount", "IndexSizeBytes"):
                index.pop(count)
        return {
            "table": table,
            "items": self.all_items(self.db.scan, TableName=name),
            "by-a": self.all_items(self.db.scan, TableName=name, IndexName="by-a"),
            "by-b": self.all_items(self.db.scan, TableName=name, IndexName="by-b"),
            "stream": read_stream(self.streams, table["LatestStreamArn"]),
            "ttl": self.db.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
            "tags": self.db.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"],
            "backups": self.db.list_backups(TableName=name)["BackupSummaries"],
        }

    def test_everything_is_the_same_after_sigterm(self):
        name = self.fill()
        before = self.look(name)
        self.assertEqual(len(before["stream"]), 101)
        self.stop_and_start()
        self.assertEqual(self.look(name), before)

    def test_everything_is_the_same_after_kill(self):
        name = self.fill()
        before = self.look(name)
        self.kill_and_start()
        self.assertEqual(self.look(name), before)

    def test_deleted_table_stays_deleted(self):
        name = self.fill()
        self.db.delete_table(TableName=name)
        self.kill_and_start()
        self.assertNotIn(name, self.db.list_tables()["TableNames"])
        self.table(name=name)
        self.assertEqual(self.db.scan(TableName=name)["Count"], 0)

    def test_stream_goes_on_with_higher_numbers(self):
        name = self.table(stream="KEYS_ONLY")
        arn = self.describe(name)["LatestStreamArn"]
        self.put(name, item(pk="before"))
        iterator = self.streams.get_shard_iterator(
            StreamArn=arn, ShardIteratorType="LATEST",
            ShardId=self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"])
        self.kill_and_start()
        self.put(name, item(pk="after"))
        records = read_stream(self.streams, arn)
        self.assertEqual([plain(r["dynamodb"]["Keys"])["pk"] for r in records], ["before", "after"])
        self.assertLess(int(records[0]["dynamodb"]["SequenceNumber"]), int(records[1]["dynamodb"]["SequenceNumber"]))
        later = self.streams.get_records(ShardIterator=iterator["ShardIterator"])["Records"]
        self.assertEqual([plain(r["dynamodb"]["Keys"])["pk"] for r in later], ["after"])

    def test_token_is_remembered(self):
        name = self.table()
        request = {"ClientRequestToken": str(uuid.uuid4()), "TransactItems": [
            {"Update": {"TableName": name, "Key": item(pk="a"), "UpdateExpression": "ADD n :one",
                        "ExpressionAttributeValues": values(one=1)}}]}
        self.db.transact_write_items(**request)
        self.kill_and_start()
        self.db.transact_write_items(**request)
        self.assertEqual(self.get(name, item(pk="a"))["n"], value(1))
        request["TransactItems"][0]["Update"]["ExpressionAttributeValues"] = values(one=2)
        with self.fails("IdempotentParameterMismatchException"):
            self.db.transact_write_items(**request)

    def test_verify_finds_nothing_wrong(self):
        self.fill()
        self.own.kill()
        done = self.own.verify()
        self.assertEqual(done.code, 0, done)


class Drain(PersistenceTest):
    def test_sigterm_under_load_exits_0_and_loses_nothing(self):
        name = self.table()
        acknowledged, errors, started = [], [], threading.Event()

        def write(part):
            for number in itertools.count():
                try:
                    self.put(name, item(pk=f"{part}-{number}"))
                except ClientError as error:
                    errors.append(error)
                    return
                except BotoCoreError:
                    return  # the server is gone
                acknowledged.append(f"{part}-{number}")
                if len(acknowledged) > 20:
                    started.set()

        writers = [threading.Thread(target=write, args=(part,)) for part in range(4)]
        for writer in writers:
            writer.start()
        started.wait(30)
        self.assertEqual(self.own.terminate(), 0)
        for writer in writers:
            writer.join(30)
        self.assertEqual(errors, [])
        self.own.start()
        self.connect()
        found = {plain(one)["pk"] for one in self.all_items(self.db.scan, TableName=name)}
        self.assertLessEqual(set(acknowledged), found)


class Modes(PersistenceTest):
    def test_memory_keeps_nothing_on_disk(self):
        with CairnServer(self.own.binary, flags=["--memory"]) as memory:
            db = endpoint.client(memory.url)
            self.assertEqual(db.list_tables()["TableNames"], [])

    def test_relaxed_keeps_what_was_there_at_sigterm(self):
        self.own.terminate()
        self.own.flags = ["--durability", "relaxed"]
        self.own.start()
        self.connect()
        name = self.table()
        self.put_many(name, [item(pk=str(n)) for n in range(50)])
        self.stop_and_start()
        self.assertEqual(self.db.scan(TableName=name)["Count"], 50)

    def test_second_server_on_the_same_data_refuses_to_start(self):
        second = CairnServer(self.own.binary, data=self.own.data)
        self.addCleanup(second.close)
        with self.assertRaises(StartFailed):
            second.start()
        self.assertEqual(self.db.list_tables()["TableNames"], [])
