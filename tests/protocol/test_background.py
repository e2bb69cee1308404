"""The store's own work beside requests, held in its middle."""

import unittest
from email.utils import parsedate_to_datetime

import endpoint
from cairn_server import CairnServer, binary_from_environment
from tables import item, table_definition
from wait import wait_until




class Held(unittest.TestCase):
    """A server of its own that is stopped at test points."""

    def start(self, points="", flags=("--ttl-sweep-seconds", "1")):
        self.server = CairnServer(binary_from_environment(), flags=list(flags))
        self.addCleanup(self.server.close)
        self.server.start(test_points=points)
        self.db = endpoint.client(self.server.url)

    def table(self, name):
        self.db.create_table(**table_definition(name, "pk:S"))
        return name

    def status(self, name):
        return self.db.describe_table(TableName=name)["Table"]["TableStatus"]

    def count(self, name):
        return self.db.scan(TableName=name, Select="COUNT")["Count"]

    def test_settings_of_a_table_stay_that_change_while_it_is_restored(self):
        self.start("engine.restore=1:hold")
        source = self.table("source")
        self.db.put_item(TableName=source, Item=item(pk="old", ttl=self.expired()))
        self.db.put_item(TableName=source, Item=item(pk="new"))
        backup = self.db.create_backup(TableName=source, BackupName="backup")["BackupDetails"]["BackupArn"]
        self.db.restore_table_from_backup(BackupArn=backup, TargetTableName="restored")
        self.server.await_point("engine.restore")
        arn = self.db.describe_table(TableName="restored")["Table"]["TableArn"]
        self.db.tag_resource(ResourceArn=arn, Tags=[{"Key": "team", "Value": "blue"}])
        self.db.update_time_to_live(TableName="restored",
                                    TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        self.server.let_go("engine.restore")
        wait_until(lambda: self.status("restored") == "ACTIVE", 60, "the restored table")
        self.assertEqual(self.db.list_tags_of_resource(ResourceArn=arn)["Tags"], [{"Key": "team", "Value": "blue"}])
        setting = self.db.describe_time_to_live(TableName="restored")["TimeToLiveDescription"]
        self.assertEqual((setting["TimeToLiveStatus"], setting.get("AttributeName")), ("ENABLED", "ttl"))
        wait_until(lambda: self.count("restored") == 1, 60, "the old item to expire")

    def test_new_index_does_not_wait_for_items_that_expire(self):
        self.start("engine.expire=1:hold")
        name = self.table("busy")
        self.db.put_item(TableName=name, Item=item(pk="old", ttl=self.expired()))
        self.db.put_item(TableName=name, Item=item(pk="new", grp="g"))
        self.db.update_time_to_live(TableName=name,
                                    TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        self.server.await_point("engine.expire")
        self.db.update_table(
            TableName=name, AttributeDefinitions=[{"AttributeName": "grp", "AttributeType": "S"}],
            GlobalSecondaryIndexUpdates=[{"Create": {
                "IndexName": "by-grp", "KeySchema": [{"AttributeName": "grp", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"}}}])
        wait_until(lambda: self.status(name) == "ACTIVE", 60, "the index")
        self.assertEqual(self.count(name), 2)  # it still waits
        self.server.let_go("engine.expire")
        wait_until(lambda: self.count(name) == 1, 60, "the old item to expire")

    def expired(self):
        """A moment an hour ago, by the server's clock."""
        reply = endpoint.send(self.server.url, b"", {}, method="GET", path="/healthz")
        return int(parsedate_to_datetime(reply.headers["Date"]).timestamp()) - 3600
