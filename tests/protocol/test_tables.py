"""Tables: create, describe, list, update, delete, and what is refused."""

from case import ProtocolTest
from tables import gsi, item, key_schema, lsi, table_definition
from wait import wait_until


class CreateTable(ProtocolTest):
    def test_created_table_is_described_as_it_was_asked_for(self):
        name = self.table("pk:S sk:N", gsi("by-owner", "owner:S", "KEYS_ONLY"),
                          lsi("by-age", "pk:S age:N", include=["title"]), stream="NEW_IMAGE")
        table = self.describe(name)
        self.assertEqual(table["TableName"], name)
        self.assertEqual(table["TableStatus"], "ACTIVE")
        self.assertEqual(table["KeySchema"], key_schema("pk:S sk:N"))
        self.assertCountEqual([d["AttributeName"] for d in table["AttributeDefinitions"]],
                              ["pk", "sk", "owner", "age"])
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertRegex(table["TableArn"], rf"^arn:aws:dynamodb:[a-z0-9-]+:\d{{12}}:table/{name}$")
        self.assertRegex(table["TableId"], r"^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$")
        self.assertEqual(table["ItemCount"], 0)
        self.assertEqual(table["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        self.assertTrue(table["LatestStreamArn"].startswith(table["TableArn"] + "/stream/"))
        index = table["GlobalSecondaryIndexes"][0]
        self.assertEqual(index["Projection"], {"ProjectionType": "KEYS_ONLY"})
        self.assertEqual(index["IndexArn"], table["TableArn"] + "/index/by-owner")
        local = table["LocalSecondaryIndexes"][0]
        self.assertEqual(local["Projection"], {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"]})

    def test_provisioned_throughput_is_kept_and_reported(self):
        request = table_definition(self.new_name(), "pk:S")
        request.update(BillingMode="PROVISIONED",
                       ProvisionedThroughput={"ReadCapacityUnits": 3, "WriteCapacityUnits": 4})
        self.addCleanup(self.drop, request["TableName"])
        self.db.create_table(**request)
        table = self.wait_active(request["TableName"])
        self.assertEqual(table["ProvisionedThroughput"]["ReadCapacityUnits"], 3)
        self.assertEqual(table["ProvisionedThroughput"]["WriteCapacityUnits"], 4)

    def test_second_table_of_the_same_name_is_refused(self):
        name = self.table()
        with self.fails("ResourceInUseException", f"Table already exists: {name}"):
            self.db.create_table(**table_definition(name, "pk:S"))

    def test_undefined_key_attribute_is_refused(self):
        request = table_definition(self.new_name(), "pk:S")
        request["AttributeDefinitions"] = [{"AttributeName": "other", "AttributeType": "S"}]
        with self.fails("ValidationException"):
            self.db.create_table(**request)

    def test_unused_attribute_definition_is_refused(self):
        request = table_definition(self.new_name(), "pk:S")
        request["AttributeDefinitions"].append({"AttributeName": "spare", "AttributeType": "S"})
        with self.fails("ValidationException", "Number of attributes in KeySchema does not exactly match"):
            self.db.create_table(**request)

    def test_billing_by_request_with_throughput_is_refused(self):
        request = table_definition(self.new_name(), "pk:S")
        request["ProvisionedThroughput"] = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
        with self.fails("ValidationException",
                        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
                        "PAY_PER_REQUEST"):
            self.db.create_table(**request)

    def test_provisioned_billing_without_throughput_is_refused(self):
        request = table_definition(self.new_name(), "pk:S")
        request["BillingMode"] = "PROVISIONED"
        with self.fails("ValidationException", "must both be specified"):
            self.db.create_table(**request)

    def test_local_index_needs_the_tables_partition_key(self):
        with self.fails("ValidationException"):
            self.db.create_table(**table_definition(self.new_name(), "pk:S sk:S", lsi("local", "other:S at:N")))

    def test_local_index_on_a_table_without_sort_key_is_refused(self):
        with self.fails("ValidationException", "Table KeySchema does not have a range key"):
            self.db.create_table(**table_definition(self.new_name(), "pk:S", lsi("local", "pk:S at:N")))

    def test_two_indexes_of_one_name_are_refused(self):
        with self.fails("ValidationException", "Duplicate index name: same"):
            self.db.create_table(**table_definition(self.new_name(), "pk:S", gsi("same", "a:S"), gsi("same", "b:S")))

    def test_include_projection_without_attributes_is_refused(self):
        request = table_definition(self.new_name(), "pk:S", gsi("global", "a:S"))
        request["GlobalSecondaryIndexes"][0]["Projection"] = {"ProjectionType": "INCLUDE"}
        with self.fails("ValidationException"):
            self.db.create_table(**request)

    def test_attribute_projected_twice_is_refused(self):
        with self.fails("ValidationException", "Duplicate"):
            self.table("pk:S", gsi("global", "a:S", include=["x", "y", "x"]))

    def test_what_is_not_served_is_refused_by_name(self):
        name = self.new_name()
        vectors = [{"IndexName": "vix", "VectorAttribute": {"AttributeName": "e"}, "Dimensions": 3,
                    "DistanceFunction": "COSINE", "Projection": {"ProjectionType": "KEYS_ONLY"}}]
        for member, what in (("VectorIndexes", vectors), ("ResourcePolicy", "{}"), ("GlobalTableSourceArn", "arn:x")):
            with self.subTest(member=member), self.fails("ValidationException", f"{member} is not supported"):
                self.call("CreateTable", **table_definition(name, "pk:S", **{member: what}))
        made = self.table()
        for member, what in (("ReplicaUpdates", [{"Create": {"RegionName": "eu-west-1"}}]), ("VectorIndexUpdates", []),
                             ("MultiRegionConsistency", "STRONG"), ("GlobalTableWitnessUpdates", [])):
            with self.subTest(member=member), self.fails("ValidationException", f"{member} is not supported"):
                self.call("UpdateTable", TableName=made, DeletionProtectionEnabled=True, **{member: what})
        self.assertFalse(self.describe(made)["DeletionProtectionEnabled"])

    def test_refused_table_does_not_exist(self):
        request = table_definition(self.new_name(), "pk:S sk:S", lsi("local", "other:S at:N"))
        with self.fails("ValidationException"):
            self.db.create_table(**request)
        with self.fails("ResourceNotFoundException"):
            self.db.describe_table(TableName=request["TableName"])

    def test_table_with_protection_cannot_be_deleted_until_it_is_off(self):
        name = self.table(DeletionProtectionEnabled=True)
        self.assertTrue(self.describe(name)["DeletionProtectionEnabled"])
        with self.fails("ValidationException", "deletion protection"):
            self.db.delete_table(TableName=name)
        self.call("UpdateTable", TableName=name, DeletionProtectionEnabled=False)
        self.wait_active(name)
        self.db.delete_table(TableName=name)


class DeleteTable(ProtocolTest):
    def test_deleted_table_is_gone_with_its_items(self):
        name = self.table()
        self.put(name, item(pk="a"))
        answer = self.db.delete_table(TableName=name)
        self.assertEqual(answer["TableDescription"]["TableStatus"], "DELETING")
        self.wait_gone(name)
        self.table(name=name)
        self.assert_absent(name, item(pk="a"))
        self.assertEqual(self.db.scan(TableName=name)["Count"], 0)

    def test_recreated_table_may_have_another_schema(self):
        name = self.table("pk:S", gsi("global", "a:S"))
        self.put(name, item(pk="1", a="x"))
        self.db.delete_table(TableName=name)
        self.wait_gone(name)
        self.table("id:N at:N", name=name)
        self.put(name, item(id=1, at=2))
        self.assertEqual(self.db.scan(TableName=name)["Items"], [item(id=1, at=2)])

    def test_unknown_table_is_reported_by_every_operation(self):
        missing = "no-such-table"
        key = item(pk="a")
        calls = [
            lambda: self.db.delete_table(TableName=missing),
            lambda: self.db.put_item(TableName=missing, Item=key),
            lambda: self.db.get_item(TableName=missing, Key=key),
            lambda: self.db.update_item(TableName=missing, Key=key),
            lambda: self.db.delete_item(TableName=missing, Key=key),
            lambda: self.db.scan(TableName=missing),
            lambda: self.db.batch_get_item(RequestItems={missing: {"Keys": [key]}}),
            lambda: self.db.batch_write_item(RequestItems={missing: [{"PutRequest": {"Item": key}}]}),
            lambda: self.db.update_table(TableName=missing, BillingMode="PAY_PER_REQUEST"),
            lambda: self.db.describe_time_to_live(TableName=missing),
        ]
        for number, attempt in enumerate(calls):
            with self.subTest(number=number), self.fails("ResourceNotFoundException", status=400):
                attempt()
        with self.fails("ResourceNotFoundException", f"Requested resource not found: Table: {missing} not found"):
            self.db.describe_table(TableName=missing)

    def wait_gone(self, name):
        wait_until(lambda: name not in self.names(), 30, f"{name} to be deleted")

    def names(self):
        return [n for page in self.db.get_paginator("list_tables").paginate() for n in page["TableNames"]]


class ListTables(ProtocolTest):
    def test_pages_name_every_table_once_in_order(self):
        stem = self.new_name("list")
        made = sorted(self.table(name=f"{stem}-{letter}") for letter in "cabed")
        seen, start = [], None
        while True:
            more = {"ExclusiveStartTableName": start} if start else {}
            page = self.db.list_tables(Limit=2, **more)
            self.assertLessEqual(len(page["TableNames"]), 2)
            seen += page["TableNames"]
            start = page.get("LastEvaluatedTableName")
            if not start:
                break
        self.assertEqual([name for name in seen if name.startswith(stem)], made)
        self.assertEqual(len(seen), len(set(seen)))

    def test_limit_outside_its_range_is_refused(self):
        for limit in (0, 101):
            with self.subTest(limit=limit), self.fails("ValidationException"):
                self.db.list_tables(Limit=limit)


class UpdateTable(ProtocolTest):
    def test_billing_mode_changes(self):
        name = self.table()
        self.db.update_table(TableName=name, BillingMode="PROVISIONED",
                             ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6})
        table = self.wait_active(name)
        self.assertEqual(table["ProvisionedThroughput"]["WriteCapacityUnits"], 6)

    def test_throughput_of_a_table_billed_by_request_is_refused(self):
        name = self.table("pk:S", gsi("global", "a:S"))
        units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}
        rule = "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
        with self.fails("ValidationException", rule + "when BillingMode is PAY_PER_REQUEST"):
            self.db.update_table(TableName=name, ProvisionedThroughput=units)
        with self.fails("ValidationException", rule + "for index: global when BillingMode is PAY_PER_REQUEST"):
            self.db.update_table(TableName=name, GlobalSecondaryIndexUpdates=[
                {"Update": {"IndexName": "global", "ProvisionedThroughput": units}}])
        with self.fails("ValidationException", rule + "for index: more when BillingMode is PAY_PER_REQUEST"):
            self.db.update_table(TableName=name, AttributeDefinitions=[{"AttributeName": "b", "AttributeType": "S"}],
                                 GlobalSecondaryIndexUpdates=[{"Create": {
                                     "IndexName": "more", "KeySchema": key_schema("b:S"),
                                     "Projection": {"ProjectionType": "ALL"}, "ProvisionedThroughput": units}}])
        self.assertEqual(self.describe(name)["ProvisionedThroughput"]["ReadCapacityUnits"], 0)

    def test_new_index_needs_its_attributes_defined_in_the_request(self):
        name = self.table("pk:S sk:S", gsi("global", "a:S"))
        for keys in ("b:S", "a:S", "sk:S"):
            create = {"IndexName": "more", "KeySchema": key_schema(keys), "Projection": {"ProjectionType": "ALL"}}
            with self.subTest(keys=keys), self.fails("ValidationException", "Some index key attributes are not defined"):
                self.db.update_table(TableName=name, GlobalSecondaryIndexUpdates=[{"Create": create}])

    def test_stream_can_be_switched_on_and_off(self):
        name = self.table()
        self.assertNotIn("LatestStreamArn", self.describe(name))
        self.db.update_table(TableName=name, StreamSpecification={"StreamEnabled": True,
                                                                  "StreamViewType": "KEYS_ONLY"})
        table = self.wait_active(name)
        self.assertEqual(table["StreamSpecification"]["StreamViewType"], "KEYS_ONLY")
        self.db.update_table(TableName=name, StreamSpecification={"StreamEnabled": False})
        table = self.wait_active(name)
        self.assertNotIn("StreamSpecification", table)
        self.assertIn("LatestStreamArn", table)

    def test_update_that_asks_for_nothing_is_refused(self):
        name = self.table()
        with self.fails("ValidationException"):
            self.db.update_table(TableName=name)

    def test_removing_an_unknown_index_is_refused(self):
        name = self.table()
        with self.fails("ResourceNotFoundException"):
            self.db.update_table(TableName=name,
                                 GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "no-such-index"}}])


class Descriptions(ProtocolTest):
    def test_item_count_and_size_follow_the_items(self):
        name = self.table()
        self.put(name, item(pk="a", text="x" * 100), item(pk="b"))

        def counted():
            table = self.describe(name)
            return table if table["ItemCount"] == 2 and table["TableSizeBytes"] > 100 else None
        wait_until(counted, 60, "ItemCount to be 2")

    def test_limits_and_endpoints_are_described(self):
        limits = self.db.describe_limits()
        self.assertGreater(limits["AccountMaxReadCapacityUnits"], 0)
        self.assertGreater(limits["TableMaxWriteCapacityUnits"], 0)
        endpoints = self.call("DescribeEndpoints")["Endpoints"]
        self.assertEqual(len(endpoints), 1)
        self.assertIn("Address", endpoints[0])
