"""Single items: every type keeps its value, reads and deletes answer what they promise."""

from decimal import Decimal

from case import ProtocolTest
from tables import gsi, item, lsi, value


class Values(ProtocolTest):
    def round_trip(self, attributes):
        name = self.table()
        self.db.put_item(TableName=name, Item={"pk": {"S": "k"}, **attributes})
        found = self.get(name, item(pk="k"))
        found.pop("pk")
        return found

    def test_every_type_comes_back_as_it_was_put(self):
        attributes = {
            "string": {"S": "grün \u0000 \U0001F600 \"\\/\b\f\n\r\t"}, "empty": {"S": ""},
            "number": {"N": "-12.5"}, "binary": {"B": b"\x00\xff\x7f"}, "no_bytes": {"B": b""},
            "true": {"BOOL": True}, "false": {"BOOL": False}, "null": {"NULL": True},
            "list": {"L": [{"S": "a"}, {"N": "1"}, {"L": []}]}, "no_list": {"L": []},
            "map": {"M": {"a": {"M": {"b": {"NULL": True}}}}}, "no_map": {"M": {}},
        }
        self.assertEqual(self.round_trip(attributes), attributes)

    def test_sets_come_back_with_the_same_members(self):
        found = self.round_trip({"ss": {"SS": ["b", "a", "c"]}, "ns": {"NS": ["3", "-1", "2.50"]},
                                 "bs": {"BS": [b"\x01", b"\x00"]}})
        self.assertCountEqual(found["ss"]["SS"], ["a", "b", "c"])
        self.assertCountEqual(found["ns"]["NS"], ["3", "-1", "2.5"])
        self.assertCountEqual(found["bs"]["BS"], [b"\x00", b"\x01"])

    def test_numbers_come_back_in_their_shortest_form(self):
        cases = {"0": "0", "-0": "0", "0.0": "0", "007": "7", "1.50": "1.5", "1e3": "1000", "1E-3": "0.001",
                 "12345678901234567890123456789012345678": "12345678901234567890123456789012345678",
                 "0.12345678901234567890123456789012345678": "0.12345678901234567890123456789012345678",
                 "-1.5e2": "-150", "100": "100", "+5": "5"}
        for sent, expected in cases.items():
            with self.subTest(sent=sent):
                self.assertEqual(self.round_trip({"n": {"N": sent}}), {"n": {"N": expected}})

    def test_extreme_numbers_keep_their_value(self):
        for sent in ("9.9999999999999999999999999999999999999E+125", "-9.9999999999999999999999999999999999999E+125",
                     "1E-130", "-1E-130"):
            with self.subTest(sent=sent):
                found = self.round_trip({"n": {"N": sent}})["n"]["N"]
                self.assertEqual(Decimal(found), Decimal(sent))

    def test_values_that_are_no_values_are_refused(self):
        cases = [{"N": "abc"}, {"N": ""}, {"N": "1e126"}, {"N": "1e-131"}, {"N": "NaN"}, {"N": "Infinity"},
                 {"SS": []}, {"NS": []}, {"BS": []}, {"SS": ["a", "a"]}, {"NS": ["1", "1.0"]}, {"NULL": False},
                 {"N": "123456789012345678901234567890123456789"}, {}, {"S": "a", "N": "1"}]
        name = self.table()
        for bad in cases:
            with self.subTest(value=bad), self.fails("ValidationException"):
                self.call("PutItem", TableName=name, Item={"pk": {"S": "bad"}, "v": bad})
            with self.subTest(nested=bad), self.fails("ValidationException"):
                self.call("PutItem", TableName=name, Item={"pk": {"S": "bad"}, "v": {"L": [{"M": {"x": bad}}]}})
        self.assert_absent(name, item(pk="bad"))

    def test_attribute_names_may_be_any_text(self):
        attributes = {"a.b": {"S": "1"}, "ä b": {"S": "2"}, "[0]": {"S": "3"}, "#x": {"S": "4"}, ":y": {"S": "5"}}
        self.assertEqual(self.round_trip(attributes), attributes)


class PutAndGet(ProtocolTest):
    def test_put_replaces_the_whole_item(self):
        name = self.table()
        self.put(name, item(pk="a", old=1))
        self.put(name, item(pk="a", new=2))
        self.assertEqual(self.get(name, item(pk="a")), item(pk="a", new=2))

    def test_put_returns_the_old_item_when_asked(self):
        name = self.table()
        first = self.db.put_item(TableName=name, Item=item(pk="a", n=1), ReturnValues="ALL_OLD")
        self.assertNotIn("Attributes", first)
        second = self.db.put_item(TableName=name, Item=item(pk="a", n=2), ReturnValues="ALL_OLD")
        self.assertEqual(second["Attributes"], item(pk="a", n=1))

    def test_get_of_a_missing_item_has_no_item_member(self):
        name = self.table()
        answer = self.db.get_item(TableName=name, Key=item(pk="nobody"))
        self.assertNotIn("Item", answer)

    def test_items_of_different_sort_keys_do_not_touch(self):
        name = self.table("pk:S sk:S")
        self.put(name, item(pk="a", sk="1", v=1), item(pk="a", sk="2", v=2), item(pk="a1", sk="2", v=3))
        self.assertEqual(self.get(name, item(pk="a", sk="1"))["v"], value(1))
        self.assertEqual(self.get(name, item(pk="a", sk="2"))["v"], value(2))
        self.assertEqual(self.get(name, item(pk="a1", sk="2"))["v"], value(3))

    def test_equal_numbers_are_the_same_key(self):
        name = self.table("pk:N")
        self.put(name, {"pk": {"N": "1.0"}, "v": value("first")})
        self.put(name, {"pk": {"N": "1"}, "v": value("second")})
        self.put(name, {"pk": {"N": "10e-1"}, "v": value("third")})
        self.assertEqual(self.db.scan(TableName=name)["Items"], [{"pk": {"N": "1"}, "v": value("third")}])

    def test_binary_keys_with_zero_bytes_stay_apart(self):
        name = self.table("pk:B sk:B")
        keys = [(b"a", b"b"), (b"a\x00", b"b"), (b"a", b"\x00b"), (b"a\x00b", b"\x00"), (b"\xff", b"\xff\xff")]
        for number, (pk, sk) in enumerate(keys):
            self.put(name, item(pk=pk, sk=sk, n=number))
        for number, (pk, sk) in enumerate(keys):
            self.assertEqual(self.get(name, item(pk=pk, sk=sk))["n"], value(number))

    def test_wrong_keys_are_refused(self):
        name = self.table("pk:S sk:N")
        mismatch = "The provided key element does not match the schema"
        for key in (item(pk="a"), item(pk="a", sk="1"), item(pk="a", sk=1, more=1), item(other="a", sk=1), {}):
            with self.subTest(key=key), self.fails("ValidationException", mismatch):
                self.db.get_item(TableName=name, Key=key)
            with self.subTest(delete=key), self.fails("ValidationException", mismatch):
                self.db.delete_item(TableName=name, Key=key)
        with self.fails("ValidationException", "Missing the key sk in the item"):
            self.db.put_item(TableName=name, Item=item(pk="a"))
        with self.fails("ValidationException", "Type mismatch for key sk expected: N actual: S"):
            self.db.put_item(TableName=name, Item=item(pk="a", sk="1"))

    def test_empty_key_values_are_refused(self):
        name = self.table("pk:S sk:B")
        with self.fails("ValidationException", "empty string value. Key: pk"):
            self.db.put_item(TableName=name, Item=item(pk="", sk=b"x"))
        with self.fails("ValidationException", "empty binary value. Key: sk"):
            self.db.put_item(TableName=name, Item=item(pk="a", sk=b""))

    def test_put_answers_only_with_return_values_it_knows(self):
        name = self.table()
        with self.fails("ValidationException"):
            self.db.put_item(TableName=name, Item=item(pk="a"), ReturnValues="ALL_NEW")
        self.assert_absent(name, item(pk="a"))


class Delete(ProtocolTest):
    def test_delete_returns_the_old_item_when_asked_and_is_idempotent(self):
        name = self.table()
        self.put(name, item(pk="a", n=1))
        first = self.db.delete_item(TableName=name, Key=item(pk="a"), ReturnValues="ALL_OLD")
        self.assertEqual(first["Attributes"], item(pk="a", n=1))
        second = self.db.delete_item(TableName=name, Key=item(pk="a"), ReturnValues="ALL_OLD")
        self.assertNotIn("Attributes", second)
        self.assert_absent(name, item(pk="a"))


class Projections(ProtocolTest):
    def test_projection_returns_only_the_named_paths(self):
        name = self.table()
        self.put(name, item(pk="a", keep=1, drop=2, deep={"x": {"y": 1, "z": 2}}, list=[10, 20, 30, 40]))
        answer = self.db.get_item(TableName=name, Key=item(pk="a"),
                                  ProjectionExpression="keep, deep.x.y, #l[1], #l[3], absent, deep.nil",
                                  ExpressionAttributeNames={"#l": "list"})
        self.assertEqual(answer["Item"], item(keep=1, deep={"x": {"y": 1}}, list=[20, 40]))

    def test_projection_of_nothing_present_is_an_empty_item(self):
        name = self.table()
        self.put(name, item(pk="a"))
        answer = self.db.get_item(TableName=name, Key=item(pk="a"), ProjectionExpression="absent")
        self.assertEqual(answer["Item"], {})

    def test_overlapping_paths_are_refused(self):
        name = self.table()
        with self.fails("ValidationException", "Two document paths overlap"):
            self.db.get_item(TableName=name, Key=item(pk="a"), ProjectionExpression="deep, deep.x")

    def test_reserved_word_needs_a_substitute_name(self):
        name = self.table()
        with self.fails("ValidationException",
                        "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: name"):
            self.db.get_item(TableName=name, Key=item(pk="a"), ProjectionExpression="name")


class Capacity(ProtocolTest):
    def test_reads_cost_half_a_unit_per_4_kb_and_double_when_consistent(self):
        name = self.table()
        self.put(name, item(pk="a", text="x" * 5000))
        for consistent, units in ((False, 1.0), (True, 2.0)):
            answer = self.db.get_item(TableName=name, Key=item(pk="a"), ConsistentRead=consistent,
                                      ReturnConsumedCapacity="TOTAL")
            self.assertEqual(answer["ConsumedCapacity"], {"TableName": name, "CapacityUnits": units})

    def test_writes_cost_a_unit_per_kb_and_per_index_touched(self):
        name = self.table("pk:S", gsi("global", "a:S"))
        answer = self.db.put_item(TableName=name, Item=item(pk="p", a="x", text="y" * 1500),
                                  ReturnConsumedCapacity="INDEXES")
        capacity = answer["ConsumedCapacity"]
        self.assertEqual(capacity["Table"]["CapacityUnits"], 2.0)
        self.assertEqual(capacity["GlobalSecondaryIndexes"]["global"]["CapacityUnits"], 2.0)
        self.assertEqual(capacity["CapacityUnits"], 4.0)
        self.assertNotIn("ConsumedCapacity", self.db.put_item(TableName=name, Item=item(pk="p")))

    def test_item_collections_are_measured_only_with_local_indexes(self):
        name = self.table("pk:S sk:S", lsi("local", "pk:S at:N"))
        answer = self.db.put_item(TableName=name, Item=item(pk="p", sk="s"), ReturnItemCollectionMetrics="SIZE")
        metrics = answer["ItemCollectionMetrics"]
        self.assertEqual(metrics["ItemCollectionKey"], item(pk="p"))
        low, high = metrics["SizeEstimateRangeGB"]
        self.assertLessEqual(low, high)
        plain = self.table()
        answer = self.db.put_item(TableName=plain, Item=item(pk="p"), ReturnItemCollectionMetrics="SIZE")
        self.assertNotIn("ItemCollectionMetrics", answer)
