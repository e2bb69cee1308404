"""Access keys limited to leading keys: each user reaches the own items, whatever is asked, and no one else's."""

import json
import pathlib
import unittest
import uuid

import endpoint
from cairn_server import CairnServer, StartFailed
from case import ProtocolTest
from tables import gsi, item, lsi, table_definition, values

# Every id is a prefix of another one.
USERS = ("1", "12", "ab", "abc")
TABLE, HIDDEN = "App", "Hidden"


def user_key(user):
    return {"accessKeyId": f"AKIA{user}", "secretAccessKey": f"secret of {user}",
            "user": user, "leadingKeys": ["U#${user}", "U#${user}#*"], "tables": [TABLE], "indexes": ["by-year"]}


CREDENTIALS = {"credentials": [
    {"accessKeyId": endpoint.ACCESS_KEY, "secretAccessKey": endpoint.SECRET_KEY},
    *map(user_key, USERS),
    {**user_key("1"), "accessKeyId": "AKIAREADER", "access": "read"},
    {**user_key("1"), "accessKeyId": "AKIAFEW", "actions": ["GetItem", "dynamodb:PutItem", "ExecuteStatement"]},
    {"accessKeyId": "AKIATABLE", "secretAccessKey": "whole tables", "tables": [TABLE], "access": "read"},
]}


def own(user, sk="a", **more):
    return item(pk=f"U#{user}", sk=sk, **more)


def key(user, sk="a"):
    return item(pk=f"U#{user}", sk=sk)


class LeadingKeysTest(ProtocolTest):
    """A server of its own with two tables: App has three items of every user, Hidden is in nobody's list."""

    @classmethod
    def setUpClass(cls):
        if cls.server is None:
            raise unittest.SkipTest("needs a server of its own")
        cls.limited_server = CairnServer(cls.server.binary, flags=["--memory"])
        cls.addClassCleanup(cls.limited_server.close)
        path = pathlib.Path(cls.limited_server.data).parent / "credentials.json"
        path.write_text(json.dumps(CREDENTIALS))
        cls.limited_server.flags += ["--credentials", str(path)]
        cls.url = cls.limited_server.start().url
        super().setUpClass()
        cls.clients = {one["accessKeyId"]: endpoint.client(cls.url, key=(one["accessKeyId"], one["secretAccessKey"]))
                       for one in CREDENTIALS["credentials"]}
        cls.reader = cls.clients["AKIAREADER"]

    def setUp(self):
        indexes = (lsi("by-at", "pk:S at:S"), gsi("by-status", "status:S pk:S"), gsi("by-mood", "pk:S mood:S"),
                   gsi("by-year", "year:S at:S"))
        self.table("pk:S sk:S", *indexes, name=TABLE, stream="NEW_AND_OLD_IMAGES",
                   Tags=[{"Key": "cost", "Value": "center"}])
        self.table("pk:S sk:S", name=HIDDEN)
        for user in USERS:
            self.put(TABLE, *(own(user, sk, at=sk, status="open", mood="good", year=f"U#{user}#2026", of=user) for sk in "abc"))
            self.put(HIDDEN, own(user))
        self.before = self.snapshot()

    def snapshot(self):
        return sorted(map(str, self.all_items(self.db.scan, TableName=TABLE)))

    def as_user(self, user):
        return self.clients[f"AKIA{user}"]

    def others(self, user):
        return [other for other in USERS if other != user]

    def denied(self, text=""):
        return self.fails("AccessDeniedException", text, status=400)

    def assert_nothing_written(self):
        self.assertEqual(self.snapshot(), self.before)

    def query(self, db, user, **more):
        return db.query(TableName=TABLE, KeyConditionExpression="pk = :p", ExpressionAttributeValues=values(p=f"U#{user}"),
                        **more)


class Actions(LeadingKeysTest):
    """A key that may call some operations only, and one that has whole tables."""

    def test_only_what_is_listed(self):
        db = self.clients["AKIAFEW"]
        db.put_item(TableName=TABLE, Item=own("1", "new"))
        self.assertEqual(db.get_item(TableName=TABLE, Key=key("1", "new"))["Item"], own("1", "new"))
        for name, call in {
            "DeleteItem": lambda: db.delete_item(TableName=TABLE, Key=key("1", "new")),
            "UpdateItem": lambda: db.update_item(TableName=TABLE, Key=key("1", "new"), UpdateExpression="REMOVE x"),
            "Query": lambda: self.query(db, "1"),
            "BatchGetItem": lambda: db.batch_get_item(RequestItems={TABLE: {"Keys": [key("1")]}}),
            "TransactWriteItems": lambda: db.transact_write_items(
                TransactItems=[{"Put": {"TableName": TABLE, "Item": own("1", "newer")}}]),
            "DescribeTable": lambda: db.describe_table(TableName=TABLE),
        }.items():
            with self.subTest(name), self.denied(f"may not call {name}"):
                call()
        self.assertNotIn("Item", db.get_item(TableName=TABLE, Key=key("1", "newer")))

    def test_statements_come_down_to_listed_ones_or_are_refused(self):
        db = self.clients["AKIAFEW"]
        got = db.execute_statement(Statement=f"SELECT * FROM {TABLE} WHERE pk = 'U#1' AND sk = 'a'")
        self.assertEqual(len(got["Items"]), 1)
        with self.denied("may not call DeleteItem"):
            db.execute_statement(Statement=f"DELETE FROM {TABLE} WHERE pk = 'U#1' AND sk = 'a'")
        with self.denied("may not call Query"):
            db.execute_statement(Statement=f"SELECT * FROM {TABLE} WHERE pk = 'U#1'")
        self.assert_nothing_written()

    def test_leading_keys_hold_as_well(self):
        with self.denied():
            self.clients["AKIAFEW"].get_item(TableName=TABLE, Key=key("12"))

    def test_whole_tables_are_read_with_scan_and_all_indexes(self):
        db = self.clients["AKIATABLE"]
        self.assertEqual(db.scan(TableName=TABLE)["Count"], 3 * len(USERS))
        by_status = db.query(TableName=TABLE, IndexName="by-status", KeyConditionExpression="#s = :s",
                             ExpressionAttributeNames={"#s": "status"}, ExpressionAttributeValues=values(s="open"))
        self.assertEqual(by_status["Count"], 3 * len(USERS))
        self.assertEqual(db.list_tables()["TableNames"], [TABLE])
        with self.fails("ResourceNotFoundException"):
            db.scan(TableName=HIDDEN)
        with self.denied("may only read"):
            db.put_item(TableName=TABLE, Item=own("1", "new"))
        with self.denied():
            db.delete_table(TableName=TABLE)
        self.assert_nothing_written()


class SingleItems(LeadingKeysTest):
    def test_users_read_and_write_what_is_theirs(self):
        for user in USERS:
            db = self.as_user(user)
            for pk in (f"U#{user}", f"U#{user}#lists"):
                db.put_item(TableName=TABLE, Item=item(pk=pk, sk="new", of=user))
                db.update_item(TableName=TABLE, Key=item(pk=pk, sk="new"), UpdateExpression="SET n = :n",
                               ExpressionAttributeValues=values(n=1))
                got = db.get_item(TableName=TABLE, Key=item(pk=pk, sk="new"))["Item"]
                self.assertEqual(got, item(pk=pk, sk="new", of=user, n=1))
                db.delete_item(TableName=TABLE, Key=item(pk=pk, sk="new"))
            self.assertEqual(self.query(db, user)["Count"], 3)
        self.assert_nothing_written()

    def test_sizes_are_of_the_own_collection(self):
        metrics = self.as_user("1").put_item(TableName=TABLE, Item=own("1", "new"), ReturnItemCollectionMetrics="SIZE",
                                             ReturnConsumedCapacity="TOTAL")
        self.assertEqual(metrics["ItemCollectionMetrics"]["ItemCollectionKey"], item(pk="U#1"))
        self.assertEqual(metrics["ConsumedCapacity"]["CapacityUnits"], 1)

    def test_no_user_reaches_another(self):
        for user in USERS:
            db = self.as_user(user)
            for other in self.others(user):
                for pk in (f"U#{other}", f"U#{other}#lists", "U#", f"u#{user}", user, f"U#{user}\0"):
                    with self.subTest(user=user, pk=pk):
                        foreign = item(pk=pk, sk="a")
                        with self.denied():
                            db.get_item(TableName=TABLE, Key=foreign)
                        with self.denied():
                            db.put_item(TableName=TABLE, Item=foreign, ReturnValues="ALL_OLD")
                        with self.denied():
                            db.put_item(TableName=TABLE, Item=foreign, ConditionExpression="attribute_not_exists(pk)")
                        with self.denied():
                            db.update_item(TableName=TABLE, Key=foreign, UpdateExpression="SET n = :n",
                                           ExpressionAttributeValues=values(n=1))
                        with self.denied():
                            db.delete_item(TableName=TABLE, Key=foreign)
        self.assert_nothing_written()

    def test_refusal_does_not_tell_whether_the_item_exists(self):
        db = self.as_user("1")
        with self.denied() as there:
            db.get_item(TableName=TABLE, Key=key("12"))
        with self.denied() as absent:
            db.get_item(TableName=TABLE, Key=key("nobody"))
        self.assertEqual(there.message, absent.message)

    def test_key_that_is_missing_or_of_another_type(self):
        db = self.as_user("1")
        for wrong in ({"sk": {"S": "U#1"}}, {"pk": {"N": "1"}, "sk": {"S": "a"}}, {"pk": {"B": b"U#1"}, "sk": {"S": "a"}},
                      {}):
            with self.subTest(wrong=wrong), self.denied():
                db.get_item(TableName=TABLE, Key=wrong)
            with self.subTest(wrong=wrong), self.denied():
                db.put_item(TableName=TABLE, Item=wrong)

    def test_readers_do_not_write(self):
        self.assertEqual(self.reader.get_item(TableName=TABLE, Key=key("1"))["Item"]["of"], {"S": "1"})
        self.assertEqual(self.query(self.reader, "1")["Count"], 3)
        put = {"TableName": TABLE, "Item": own("1", "new")}
        for write in (
                lambda: self.reader.put_item(**put),
                lambda: self.reader.update_item(TableName=TABLE, Key=key("1", "new")),
                lambda: self.reader.delete_item(TableName=TABLE, Key=key("1")),
                lambda: self.reader.batch_write_item(RequestItems={TABLE: [{"PutRequest": {"Item": own("1", "new")}}]}),
                lambda: self.reader.transact_write_items(TransactItems=[{"Put": put}]),
                lambda: self.reader.execute_statement(Statement=f"DELETE FROM \"{TABLE}\" WHERE pk = 'U#1' AND sk = 'a'")):
            with self.denied("may only read"):
                write()
        self.assert_nothing_written()


class Many(LeadingKeysTest):
    """24 own items and one foreign one: nothing of it happens."""

    def mixed(self, user, other):
        mine = [key(user, f"n{n}") for n in range(24)]
        return mine[:12] + [key(other)] + mine[12:]

    def each_pair(self):
        for user in USERS:
            for other in self.others(user):
                with self.subTest(user=user, other=other):
                    yield self.as_user(user), self.mixed(user, other)

    def test_batch_get(self):
        for db, keys in self.each_pair():
            with self.denied():
                db.batch_get_item(RequestItems={TABLE: {"Keys": keys}})

    def test_batch_write(self):
        for db, keys in self.each_pair():
            with self.denied():
                db.batch_write_item(RequestItems={TABLE: [{"PutRequest": {"Item": one}} for one in keys]})
            deletes = [{"DeleteRequest": {"Key": keys[12]}}, {"PutRequest": {"Item": keys[0]}}]
            with self.denied():
                db.batch_write_item(RequestItems={TABLE: deletes})
        self.assert_nothing_written()

    def test_transact_write(self):
        for db, keys in self.each_pair():
            mine = [{"Put": {"TableName": TABLE, "Item": one}} for one in keys if one != keys[12]]
            condition = {"ConditionExpression": "attribute_exists(pk)"}
            for foreign in ({"Put": {"TableName": TABLE, "Item": keys[12]}},
                            {"Delete": {"TableName": TABLE, "Key": keys[12]}},
                            {"Update": {"TableName": TABLE, "Key": keys[12], "UpdateExpression": "REMOVE x"}},
                            {"ConditionCheck": {"TableName": TABLE, "Key": keys[12], **condition}}):
                with self.denied():
                    db.transact_write_items(TransactItems=mine + [foreign])
        self.assert_nothing_written()

    def test_transact_get(self):
        for db, keys in self.each_pair():
            with self.denied():
                db.transact_get_items(TransactItems=[{"Get": {"TableName": TABLE, "Key": one}} for one in keys])

    def test_another_table_makes_the_batch_fail_too(self):
        db = self.as_user("1")
        with self.fails("ResourceNotFoundException"):
            db.batch_write_item(RequestItems={TABLE: [{"PutRequest": {"Item": own("1", "new")}}],
                                              HIDDEN: [{"PutRequest": {"Item": own("1", "new")}}]})
        self.assert_nothing_written()

    def test_own_ones_go_through(self):
        db = self.as_user("12")
        keys = [key("12", f"n{n}") for n in range(25)]
        db.batch_write_item(RequestItems={TABLE: [{"PutRequest": {"Item": one}} for one in keys]})
        got = db.batch_get_item(RequestItems={TABLE: {"Keys": keys}}, ReturnConsumedCapacity="TOTAL")
        self.assertCountEqual(got["Responses"][TABLE], keys)
        self.assertEqual(got["ConsumedCapacity"][0]["CapacityUnits"], 12.5)
        db.transact_write_items(TransactItems=[{"Delete": {"TableName": TABLE, "Key": one}} for one in keys])
        self.assert_nothing_written()

    def test_client_tokens_of_users_do_not_meet(self):
        token = str(uuid.uuid4())
        for user in ("1", "12"):
            for _ in range(2):  # the second time it is the same request
                self.as_user(user).transact_write_items(
                    ClientRequestToken=token, TransactItems=[{"Put": {"TableName": TABLE, "Item": own(user, "token")}}])
            self.assertIsNotNone(self.get(TABLE, key(user, "token")))


class Queries(LeadingKeysTest):
    def test_partition_of_another(self):
        for user in USERS:
            for other in self.others(user):
                with self.subTest(user=user, other=other):
                    for more in ({}, {"Select": "COUNT"}, {"IndexName": "by-at"}, {"IndexName": "by-mood"}):
                        with self.denied():
                            self.query(self.as_user(user), other, **more)

    def test_numbers_are_of_the_own_partition(self):
        answer = self.query(self.as_user("1"), "1", Select="COUNT", ReturnConsumedCapacity="TOTAL")
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (3, 3))
        self.assertEqual(answer["ConsumedCapacity"]["CapacityUnits"], 0.5)

    def test_indexes_with_the_own_partition_key(self):
        for index in ("by-at", "by-mood"):
            items = self.query(self.as_user("ab"), "ab", IndexName=index)["Items"]
            self.assertEqual([one["of"] for one in items], [{"S": "ab"}] * 3)

    def test_index_with_another_partition_key(self):
        for condition, more in (("#s = :s", {}), ("#s = :s AND pk = :p", values(p="U#1"))):
            with self.denied("by-status"):
                self.as_user("1").query(TableName=TABLE, IndexName="by-status", KeyConditionExpression=condition,
                                        ExpressionAttributeNames={"#s": "status"},
                                        ExpressionAttributeValues={**values(s="open"), **more})

    def by_year(self, user, other, **more):
        return self.as_user(user).query(TableName=TABLE, IndexName="by-year", KeyConditionExpression="#y = :y",
                                        ExpressionAttributeNames={"#y": "year"},
                                        ExpressionAttributeValues=values(y=f"U#{other}#2026"), **more)

    def test_index_that_is_granted(self):
        for user in USERS:
            pages = self.pages(lambda **more: self.by_year(user, user, **more), Limit=2)
            self.assertEqual([one["of"]["S"] for page in pages for one in page["Items"]], [user] * 3)
            mine = self.as_user(user).execute_statement(
                Statement=f"SELECT * FROM \"{TABLE}\".\"by-year\" WHERE \"year\" = 'U#{user}#2026'")
            self.assertEqual(len(mine["Items"]), 3)
            for other in self.others(user):
                with self.subTest(user=user, other=other):
                    with self.denied():
                        self.by_year(user, other)
                    with self.denied():
                        self.by_year(user, user, ExclusiveStartKey={**key(other), **item(year=f"U#{other}#2026", at="a")})
                    with self.denied():
                        self.as_user(user).execute_statement(
                            Statement=f"SELECT * FROM \"{TABLE}\".\"by-year\" WHERE \"year\" = 'U#{other}#2026'")
            with self.denied("Scan"):
                self.as_user(user).scan(TableName=TABLE, IndexName="by-year")

    def test_no_equality_is_no_query(self):
        for condition in ("pk > :p", "begins_with(pk, :p)", "sk = :p"):
            with self.fails("ValidationException"):
                self.as_user("1").query(TableName=TABLE, KeyConditionExpression=condition,
                                        ExpressionAttributeValues=values(p="U#1"))

    def test_start_key_of_another(self):
        for user in USERS:
            for other in self.others(user):
                for index, more in ((None, {}), ("by-at", {"at": {"S": "a"}}), ("by-mood", {"mood": {"S": "good"}})):
                    with self.subTest(user=user, other=other, index=index), self.denied():
                        self.query(self.as_user(user), user, ExclusiveStartKey={**key(other), **more},
                                   **({"IndexName": index} if index else {}))

    def test_start_key_in_another_partition_of_ones_own(self):
        with self.fails("ValidationException", "outside query boundaries"):
            self.query(self.as_user("1"), "1", ExclusiveStartKey=item(pk="U#1#lists", sk="a"))

    def test_pages_go_through(self):
        pages = self.pages(lambda **more: self.query(self.as_user("abc"), "abc", **more), Limit=1)
        self.assertEqual([one["sk"]["S"] for page in pages for one in page["Items"]], ["a", "b", "c"])


class Statements(LeadingKeysTest):
    def run_statement(self, user, text, **more):
        return self.as_user(user).execute_statement(Statement=text.format(table=f'"{TABLE}"'), **more)

    def test_own_keys(self):
        for where in ("pk = 'U#1'", "pk = 'U#1' AND sk >= 'a'", "pk IN ['U#1', 'U#1#lists']"):
            self.assertEqual(len(self.run_statement("1", f"SELECT * FROM {{table}} WHERE {where}")["Items"]), 3)
        self.run_statement("1", "INSERT INTO {table} VALUE {{'pk': 'U#1', 'sk': 'new'}}")
        self.run_statement("1", "UPDATE {table} SET n = 1 WHERE pk = 'U#1' AND sk = 'new'")
        self.run_statement("1", "DELETE FROM {table} WHERE pk = 'U#1' AND sk = 'new'")
        self.assert_nothing_written()

    def test_without_own_keys(self):
        for text in ("SELECT * FROM {table}", "SELECT * FROM {table} WHERE sk = 'a'",
                     "SELECT * FROM {table} WHERE begins_with(pk, 'U#1')",
                     "SELECT * FROM {table} WHERE pk = 'U#1' OR sk = 'a'",
                     "SELECT * FROM {table} WHERE pk = 'U#12'",
                     "SELECT * FROM {table} WHERE pk IN ['U#1', 'U#12']",
                     "SELECT * FROM {table} WHERE pk = 'U#12' AND sk = 'a'",
                     "SELECT * FROM {table}.\"by-status\" WHERE status = 'open'",
                     "SELECT * FROM {table}.\"by-status\" WHERE status = 'open' AND pk = 'U#1'",
                     "INSERT INTO {table} VALUE {{'pk': 'U#12', 'sk': 'new'}}",
                     "UPDATE {table} SET n = 1 WHERE pk = 'U#12' AND sk = 'a'",
                     "DELETE FROM {table} WHERE pk = 'U#12' AND sk = 'a'"):
            with self.subTest(text=text), self.denied():
                self.run_statement("1", text)
        self.assert_nothing_written()

    def test_next_token_of_another_statement(self):
        select = "SELECT * FROM {table} WHERE pk = 'U#12'"
        token = self.run_statement("12", select, Limit=1)["NextToken"]
        with self.denied():
            self.run_statement("1", select, Limit=1, NextToken=token)
        with self.fails("ValidationException"):
            self.run_statement("1", "SELECT * FROM {table} WHERE pk = 'U#1'", Limit=1, NextToken=token)

    def test_transactions_are_refused_as_a_whole(self):
        insert = "INSERT INTO \"" + TABLE + "\" VALUE {{'pk': 'U#{user}', 'sk': 'new'}}"
        with self.denied():
            self.as_user("ab").execute_transaction(
                TransactStatements=[{"Statement": insert.format(user=user)} for user in ("ab", "abc")])
        self.assert_nothing_written()

    def test_statements_of_a_batch_are_answered_one_by_one(self):
        select = "SELECT * FROM \"" + TABLE + "\" WHERE pk = 'U#{user}' AND sk = 'a'"
        mine, foreign = self.as_user("ab").batch_execute_statement(
            Statements=[{"Statement": select.format(user=user)} for user in ("ab", "abc")])["Responses"]
        self.assertEqual(mine["Item"]["of"], {"S": "ab"})
        self.assertEqual(foreign["Error"]["Code"], "AccessDenied")
        self.assertNotIn("Item", foreign)


class WholeTables(LeadingKeysTest):
    def test_scan(self):
        for more in ({}, {"Select": "COUNT"}, {"Limit": 1}, {"IndexName": "by-at"},
                     {"FilterExpression": "pk = :p", "ExpressionAttributeValues": values(p="U#1")},
                     {"ExclusiveStartKey": key("1"), "Limit": 1}, {"Segment": 0, "TotalSegments": 4}):
            with self.subTest(more=more), self.denied("Scan"):
                self.as_user("1").scan(TableName=TABLE, **more)

    def test_administration(self):
        db, arn = self.as_user("1"), self.describe_as_owner()["TableArn"]
        for operation, parameters in (
                ("create_table", table_definition("New", "pk:S")), ("update_table", {"TableName": TABLE}),
                ("delete_table", {"TableName": TABLE}), ("describe_time_to_live", {"TableName": TABLE}),
                ("update_time_to_live", {"TableName": TABLE,
                                         "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "at"}}),
                ("tag_resource", {"ResourceArn": arn, "Tags": [{"Key": "a", "Value": "b"}]}),
                ("untag_resource", {"ResourceArn": arn, "TagKeys": ["cost"]}),
                ("list_tags_of_resource", {"ResourceArn": arn}),
                ("create_backup", {"TableName": TABLE, "BackupName": "copy"}), ("list_backups", {}),
                ("describe_backup", {"BackupArn": arn + "/backup/01"}),
                ("delete_backup", {"BackupArn": arn + "/backup/01"}),
                ("restore_table_from_backup", {"BackupArn": arn + "/backup/01", "TargetTableName": "New"}),
                ("describe_continuous_backups", {"TableName": TABLE})):
            with self.subTest(operation=operation), self.denied():
                getattr(db, operation)(**parameters)
        self.assertEqual(self.db.list_tables()["TableNames"], [TABLE, HIDDEN])

    def describe_as_owner(self):
        return self.db.describe_table(TableName=TABLE)["Table"]

    def test_streams(self):
        streams = endpoint.client(self.url, "dynamodbstreams", key=("AKIA1", "secret of 1"))
        arn = self.describe_as_owner()["LatestStreamArn"]
        shard = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
        position = {"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
        iterator = self.streams.get_shard_iterator(**position)["ShardIterator"]
        for operation, parameters in (("list_streams", {}), ("list_streams", {"TableName": TABLE}),
                                      ("describe_stream", {"StreamArn": arn}), ("get_shard_iterator", position),
                                      ("get_records", {"ShardIterator": iterator})):
            with self.subTest(operation=operation), self.denied():
                getattr(streams, operation)(**parameters)
        self.assertTrue(self.streams.get_records(ShardIterator=iterator)["Records"])

    def test_description_counts_nothing(self):
        table = self.as_user("1").describe_table(TableName=TABLE)["Table"]
        self.assertEqual(self.describe_as_owner()["ItemCount"], 12)
        self.assertEqual(table["KeySchema"], self.describe_as_owner()["KeySchema"])
        for counted in (table, *table["LocalSecondaryIndexes"], *table["GlobalSecondaryIndexes"]):
            self.assertEqual([value for name, value in counted.items() if name in
                              ("ItemCount", "TableSizeBytes", "IndexSizeBytes")], [0, 0])

    def test_tables_that_are_not_listed_do_not_exist(self):
        db = self.as_user("1")
        self.assertEqual(db.list_tables()["TableNames"], [TABLE])
        for read in (lambda name: db.describe_table(TableName=name),
                     lambda name: db.get_item(TableName=name, Key=key("1")),
                     lambda name: db.put_item(TableName=name, Item=own("1")),
                     lambda name: db.query(TableName=name, KeyConditionExpression="pk = :p",
                                           ExpressionAttributeValues=values(p="U#1")),
                     lambda name: db.batch_get_item(RequestItems={name: {"Keys": [key("1")]}}),
                     lambda name: db.transact_get_items(TransactItems=[{"Get": {"TableName": name, "Key": key("1")}}]),
                     lambda name: db.execute_statement(Statement=f"SELECT * FROM \"{name}\" WHERE pk = 'U#1'")):
            with self.fails("ResourceNotFoundException") as hidden:
                read(HIDDEN)
            with self.fails("ResourceNotFoundException") as absent:
                read("Nowhere")
            self.assertEqual(hidden.message.replace(HIDDEN, "Nowhere"), absent.message)

    def test_table_made_again_with_another_key(self):
        db = self.as_user("1")
        self.db.delete_table(TableName=TABLE)
        with self.fails("ResourceNotFoundException", "Requested resource not found"):
            db.get_item(TableName=TABLE, Key=key("1"))
        self.table("owner:S pk:S", name=TABLE)
        with self.denied():
            db.put_item(TableName=TABLE, Item=item(pk="U#1", owner="U#12"))
        db.put_item(TableName=TABLE, Item=item(pk="U#12", owner="U#1"))
        self.assertEqual(self.all_items(self.db.scan, TableName=TABLE), [item(pk="U#12", owner="U#1")])


class BadFiles(ProtocolTest):
    def test_doubtful_limits_stop_the_start_and_name_their_place(self):
        server = CairnServer(self.own_server().binary, flags=["--memory"])
        self.addCleanup(server.close)
        path = pathlib.Path(server.data).parent / "credentials.json"
        server.flags += ["--credentials", str(path)]
        for change, text in (({"leadingKeys": ["U#alice*"]}, '"U#alice*" would also match U#alice2'),
                             ({"leadingKeys": ["U#a", "*"]}, "credentials[1].leadingKeys[1]"),
                             ({"leadingKeys": ["U#*#x"]}, "before its end"), ({"leadingKeys": [""]}, "is empty"),
                             ({"leadingKeys": ["U#${user}", "U#?"]}, "contains a ?"),
                             ({"user": "a#b"}, "does not keep the user apart"), ({"indexes": ["*"]}, "no index's name"),
                             ({"tables": ["*"]}, "credentials[1].tables[0]"),
                             ({"access": "all"}, "credentials[1].access"), ({"leadingkeys": []}, "'leadingkeys'")):
            with self.subTest(change=change):
                path.write_text(json.dumps({"credentials": [user_key("1"), {**user_key("12"), **change}]}))
                with self.assertRaises(StartFailed) as failed:
                    server.start()
                self.assertIn(text, str(failed.exception))
                self.assertNotIn("secret of", str(failed.exception))
