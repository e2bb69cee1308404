"""OnDemandThroughput and WarmThroughput: kept, reported, and refused where DynamoDB refuses them."""

from case import ProtocolTest
from tables import gsi, key_schema, table_definition

INVALID = "One or more parameter values were invalid: "
UNITS = {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4}


def ceilings(read=None, write=None):
    return {name: units for name, units in (("MaxReadRequestUnits", read), ("MaxWriteRequestUnits", write))
            if units is not None}


def warm(read=None, write=None):
    return {name: units for name, units in (("ReadUnitsPerSecond", read), ("WriteUnitsPerSecond", write))
            if units is not None}


class CapacityTest(ProtocolTest):
    """By plain requests: an older boto3 does not know these members."""

    def create(self, index=None, **more):
        """`index`: the members of an index "byA" beside its key."""
        indexes = [] if index is None else [gsi("byA", "a:S")]
        request = {**table_definition(self.new_name(), "pk:S", *indexes), **more}
        for definition in request.get("GlobalSecondaryIndexes", ()):
            definition.update(index)
        self.addCleanup(self.drop, request["TableName"])
        self.call("CreateTable", **request)
        return self.active(request["TableName"])

    def active(self, name):
        self.wait_active(name)
        return self.call("DescribeTable", TableName=name)["Table"]

    def update(self, name, **changes):
        self.call("UpdateTable", TableName=name, **changes)
        return self.active(name)

    def update_index(self, name, index, **changes):
        table = self.update(name, GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": index, **changes}}])
        return table["GlobalSecondaryIndexes"][0]

    def refused(self, text):
        return self.fails("ValidationException", INVALID + text)

    def warm_of(self, described):
        return described["WarmThroughput"]["ReadUnitsPerSecond"], described["WarmThroughput"]["WriteUnitsPerSecond"]


class OnDemand(CapacityTest):
    def test_is_kept_for_tables_and_indexes(self):
        table = self.create({"OnDemandThroughput": ceilings(5, 6)}, OnDemandThroughput=ceilings(100))
        self.assertEqual(table["OnDemandThroughput"], ceilings(100))
        self.assertEqual(table["GlobalSecondaryIndexes"][0]["OnDemandThroughput"], ceilings(5, 6))
        self.assertNotIn("OnDemandThroughput", self.create())

    def test_what_is_not_named_stays_and_minus_one_takes_it_away(self):
        name = self.create({})["TableName"]
        self.assertEqual(self.update(name, OnDemandThroughput=ceilings(1000, 500))["OnDemandThroughput"],
                         ceilings(1000, 500))
        self.assertEqual(self.update(name, OnDemandThroughput=ceilings(2000))["OnDemandThroughput"],
                         ceilings(2000, 500))
        self.assertEqual(self.update(name, OnDemandThroughput=ceilings(-1))["OnDemandThroughput"],
                         ceilings(write=500))
        self.assertNotIn("OnDemandThroughput", self.update(name, OnDemandThroughput=ceilings(-1, -1)))
        self.assertEqual(self.update_index(name, "byA", OnDemandThroughput=ceilings(7))["OnDemandThroughput"],
                         ceilings(7))
        self.assertNotIn("OnDemandThroughput", self.update_index(name, "byA", OnDemandThroughput=ceilings(-1)))

    def test_units_outside_their_range_are_refused(self):
        name = self.create({}, OnDemandThroughput=ceilings(9, 9))["TableName"]
        for units in (0, -2):
            with self.subTest(units=units):
                with self.refused("Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside"):
                    self.update(name, OnDemandThroughput=ceilings(write=units))
                with self.refused("Requested MaxReadRequestUnits for OnDemandThroughput for index byA is outside"):
                    self.update_index(name, "byA", OnDemandThroughput=ceilings(units))
        for units in (0, -1, -2):
            with self.subTest(units=units), self.refused("Requested MaxReadRequestUnits for OnDemandThroughput"):
                self.create(OnDemandThroughput=ceilings(units))
        self.assertEqual(self.active(name)["OnDemandThroughput"], ceilings(9, 9))

    def test_a_provisioned_table_has_none(self):
        text = ("MaxReadRequestUnits for OnDemandThroughput cannot be specified "
                "when the table BillingMode is PROVISIONED")
        provisioned = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": UNITS}
        with self.refused(text):
            self.create(OnDemandThroughput=ceilings(1), **provisioned)
        name = self.create(**provisioned)["TableName"]
        with self.refused(text):
            self.update(name, OnDemandThroughput=ceilings(1))
        name = self.create(OnDemandThroughput=ceilings(1))["TableName"]
        self.assertNotIn("OnDemandThroughput", self.update(name, **provisioned))

    def test_an_index_update_that_says_nothing_is_refused(self):
        name = self.create({})["TableName"]
        with self.refused("The only Updates for index: byA when TableThroughputMode is PAY_PER_REQUEST can be to"):
            self.call("UpdateTable", TableName=name, GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "byA"}}])

    def test_a_backup_keeps_it_and_a_restore_may_say_otherwise(self):
        name = self.create(OnDemandThroughput=ceilings(10, 20), WarmThroughput=warm(13_000, 5_000))["TableName"]
        arn = self.db.create_backup(TableName=name, BackupName="capacity")["BackupDetails"]["BackupArn"]
        self.addCleanup(self.db.delete_backup, BackupArn=arn)
        source = self.call("DescribeBackup", BackupArn=arn)["BackupDescription"]["SourceTableDetails"]
        self.assertEqual(source["OnDemandThroughput"], ceilings(10, 20))
        for override, expected in (({}, ceilings(10, 20)),
                                   ({"OnDemandThroughputOverride": ceilings(1, 2)}, ceilings(1, 2)),
                                   ({"BillingModeOverride": "PROVISIONED",
                                     "ProvisionedThroughputOverride": UNITS}, None)):
            target = self.new_name("restored")
            self.addCleanup(self.drop, target)
            self.call("RestoreTableFromBackup", BackupArn=arn, TargetTableName=target, **override)
            self.assertEqual(self.active(target).get("OnDemandThroughput"), expected)
        with self.refused("MaxReadRequestUnits for OnDemandThroughput cannot be specified"):
            self.call(
                "RestoreTableFromBackup", BackupArn=arn, TargetTableName=self.new_name(),
                BillingModeOverride="PROVISIONED", ProvisionedThroughputOverride=UNITS,
                OnDemandThroughputOverride=ceilings(1))


class Warm(CapacityTest):
    def test_a_table_comes_with_some(self):
        self.assertEqual(self.warm_of(self.create()), (12_000, 4_000))
        table = self.create({"ProvisionedThroughput": UNITS},
                            BillingMode="PROVISIONED", ProvisionedThroughput=UNITS)
        self.assertEqual(self.warm_of(table), (3, 4))
        self.assertEqual(self.warm_of(table["GlobalSecondaryIndexes"][0]), (3, 4))

    def test_more_is_kept_and_less_refused(self):
        table = self.create({"WarmThroughput": warm(14_000)}, WarmThroughput=warm(13_000))
        name = table["TableName"]
        self.assertEqual(self.warm_of(table), (13_000, 4_000))
        self.assertEqual(self.warm_of(table["GlobalSecondaryIndexes"][0]), (14_000, 4_000))
        self.assertEqual(self.warm_of(self.update(name, WarmThroughput=warm(write=5_000))), (13_000, 5_000))
        self.assertEqual(self.warm_of(self.update(name, WarmThroughput=warm(13_000, 5_000))), (13_000, 5_000))
        self.assertEqual(self.warm_of(self.update_index(name, "byA", WarmThroughput=warm(15_000))), (15_000, 4_000))
        with self.refused("Requested WriteUnitsPerSecond for WarmThroughput for table is lower than current"):
            self.update(name, WarmThroughput=warm(write=4_999))
        with self.refused("Requested ReadUnitsPerSecond for WarmThroughput for index byA is lower than current"):
            self.update_index(name, "byA", WarmThroughput=warm(12_000, 4_000))
        with self.refused("Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial"):
            self.create(WarmThroughput=warm(1, 1))
        with self.refused("WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond"):
            self.update(name, WarmThroughput={})
        self.assertEqual(self.warm_of(self.active(name)), (13_000, 5_000))

    def test_what_was_warm_once_stays_so(self):
        name = self.create(BillingMode="PROVISIONED", ProvisionedThroughput=UNITS)["TableName"]
        less = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 9}
        self.assertEqual(self.warm_of(self.update(name, ProvisionedThroughput=less)), (3, 9))
        self.assertEqual(self.warm_of(self.update(name, BillingMode="PAY_PER_REQUEST")), (12_000, 4_000))
        table = self.update(name, BillingMode="PROVISIONED", ProvisionedThroughput=less)
        self.assertEqual(self.warm_of(table), (12_000, 4_000))

    def test_a_new_index_may_come_with_more(self):
        name = self.create()["TableName"]
        create = {"IndexName": "byA", "KeySchema": key_schema("a:S"), "Projection": {"ProjectionType": "ALL"}}
        defined = [{"AttributeName": "a", "AttributeType": "S"}]
        with self.refused("Requested ReadUnitsPerSecond for WarmThroughput for index byA is lower than initial"):
            self.update(name, AttributeDefinitions=defined, GlobalSecondaryIndexUpdates=[
                {"Create": {**create, "WarmThroughput": warm(1)}}])
        self.update(name, AttributeDefinitions=defined, GlobalSecondaryIndexUpdates=[
            {"Create": {**create, "WarmThroughput": warm(20_000), "OnDemandThroughput": ceilings(8)}}])
        index = self.active(name)["GlobalSecondaryIndexes"][0]
        self.assertEqual(self.warm_of(index), (20_000, 4_000))
        self.assertEqual(index["OnDemandThroughput"], ceilings(8))


class Encryption(CapacityTest):
    def test_can_be_switched_off(self):
        table = self.create(SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": "alias/mine"})
        self.assertEqual(table["SSEDescription"]["Status"], "ENABLED")
        self.assertNotIn("SSEDescription", self.update(table["TableName"], SSESpecification={"Enabled": False}))
