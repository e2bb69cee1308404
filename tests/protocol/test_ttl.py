"""Time to live: the sweeper takes expired items, nothing else, and says who it was."""

import time

from case import ProtocolTest
from stream_reader import read_stream
from tables import gsi, item, value, values
from wait import wait_until


class Settings(ProtocolTest):
    def switch(self, name, enabled, attribute="expires"):
        return self.db.update_time_to_live(TableName=name, TimeToLiveSpecification={
            "Enabled": enabled, "AttributeName": attribute})

    def test_setting_is_described(self):
        name = self.table()
        self.assertEqual(self.db.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
                         {"TimeToLiveStatus": "DISABLED"})
        self.assertEqual(self.switch(name, True)["TimeToLiveSpecification"],
                         {"Enabled": True, "AttributeName": "expires"})
        self.assertEqual(self.db.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
                         {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})

    def test_switching_to_the_present_state_is_refused(self):
        name = self.table()
        with self.fails("ValidationException", "TimeToLive is already disabled"):
            self.switch(name, False)
        self.switch(name, True)
        with self.fails("ValidationException", "TimeToLive is already enabled"):
            self.switch(name, True)

    def test_empty_attribute_name_is_refused(self):
        name = self.table()
        with self.fails("ValidationException"):
            self.switch(name, True, "")


class Sweep(ProtocolTest):
    """The server under test sweeps every second."""

    def setUp(self):
        self.own_server()
        self.name = self.table("pk:S", gsi("global", "a:S"), stream="NEW_AND_OLD_IMAGES")
        self.db.update_time_to_live(TableName=self.name, TimeToLiveSpecification={
            "Enabled": True, "AttributeName": "expires"})

    def wait_gone(self, *names):
        for pk in names:
            wait_until(lambda pk=pk: self.get(self.name, item(pk=pk)) is None, 30, f"{pk} to expire")

    def test_expired_items_go_from_table_and_index_and_others_stay(self):
        now = int(time.time())
        self.put(self.name, item(pk="past", a="x", expires=now - 10), item(pk="future", a="x", expires=now + 10_000),
                 item(pk="none", a="x"), item(pk="text", a="x", expires=str(now - 10)),
                 item(pk="ancient", a="x", expires=1), item(pk="just", a="x", expires=now - 1))
        self.wait_gone("past", "just")
        left = {one["pk"]["S"] for one in self.db.scan(TableName=self.name)["Items"]}
        # An expiry more than five years ago is taken for a mistake, not for an expiry.
        self.assertEqual(left, {"future", "none", "text", "ancient"})
        indexed = {one["pk"]["S"] for one in self.db.scan(TableName=self.name, IndexName="global")["Items"]}
        self.assertEqual(indexed, left)

    def test_times_with_a_fraction_or_an_exponent_expire(self):
        now = int(time.time())
        self.put(self.name, {"pk": value("fraction"), "expires": {"N": f"{now - 60}.25"}},
                 {"pk": value("exponent"), "expires": {"N": f"{(now - 60) // 10}e1"}},
                 {"pk": value("later"), "expires": {"N": f"{now + 10_000}.5"}},
                 {"pk": value("negative"), "expires": {"N": "-0.5"}}, {"pk": value("tiny"), "expires": {"N": "0.5"}})
        self.wait_gone("fraction", "exponent")
        for pk in ("later", "negative", "tiny"):
            self.assertIsNotNone(self.get(self.name, item(pk=pk)), pk)

    def test_stream_record_names_the_service(self):
        old = item(pk="past", expires=int(time.time()) - 10)
        self.put(self.name, old)
        self.wait_gone("past")
        self.db.put_item(TableName=self.name, Item=item(pk="mine"))
        self.db.delete_item(TableName=self.name, Key=item(pk="mine"))
        records = read_stream(self.streams, self.describe(self.name)["LatestStreamArn"])
        self.assertEqual([r["eventName"] for r in records], ["INSERT", "REMOVE", "INSERT", "REMOVE"])
        self.assertEqual(records[1]["userIdentity"], {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"})
        self.assertEqual(records[1]["dynamodb"]["OldImage"], old)
        self.assertNotIn("userIdentity", records[3])

    def test_item_refreshed_in_time_is_not_deleted(self):
        now = int(time.time())
        self.put(self.name, item(pk="kept", expires=now + 2))
        self.db.update_item(TableName=self.name, Key=item(pk="kept"), UpdateExpression="SET expires = :e",
                            ExpressionAttributeValues=values(e=now + 10_000))
        self.put(self.name, item(pk="marker", expires=now + 3))
        self.wait_gone("marker")
        self.assertEqual(self.get(self.name, item(pk="kept"))["expires"], value(now + 10_000))

    def test_many_items_expire(self):
        now = int(time.time())
        self.put_many(self.name, [item(pk=f"n{n}", expires=now - 5) for n in range(300)])
        wait_until(lambda: self.db.scan(TableName=self.name)["Count"] == 0, 30, "300 items to expire")

    def test_switched_off_means_off(self):
        self.db.update_time_to_live(TableName=self.name, TimeToLiveSpecification={
            "Enabled": False, "AttributeName": "expires"})
        other = self.table()
        self.db.update_time_to_live(TableName=other, TimeToLiveSpecification={
            "Enabled": True, "AttributeName": "expires"})
        self.put(self.name, item(pk="kept", expires=int(time.time()) - 10))
        self.put(other, item(pk="marker", expires=int(time.time()) - 10))
        wait_until(lambda: self.get(other, item(pk="marker")) is None, 30, "the other table's item to expire")
        self.assertIsNotNone(self.get(self.name, item(pk="kept")))
