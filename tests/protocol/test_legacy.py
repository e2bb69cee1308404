"""The parameters from before expressions: Expected, AttributeUpdates, KeyConditions, filters, AttributesToGet."""

from case import ProtocolTest
from tables import item, value


def operator(name, *operands):
    condition = {"ComparisonOperator": name}
    if operands:
        condition["AttributeValueList"] = [value(v) for v in operands]
    return condition


class Expected(ProtocolTest):
    def setUp(self):
        self.name = self.table()
        self.put(self.name, item(pk="a", n=5, s="hello", ss={"x", "y"}))

    def passes(self, **more):
        try:
            self.db.put_item(TableName=self.name, Item=item(pk="a", n=5, s="hello", ss={"x", "y"}), **more)
            return True
        except self.db.exceptions.ConditionalCheckFailedException:
            return False

    def test_value_and_exists(self):
        self.assertTrue(self.passes(Expected={"n": {"Value": value(5)}}))
        self.assertFalse(self.passes(Expected={"n": {"Value": value(6)}}))
        self.assertTrue(self.passes(Expected={"m": {"Exists": False}}))
        self.assertFalse(self.passes(Expected={"n": {"Exists": False}}))
        self.assertTrue(self.passes(Expected={"n": {"Exists": True, "Value": value(5)}}))

    def test_every_operator(self):
        holding = {"EQ": ("n", 5), "NE": ("n", 6), "LT": ("n", 6), "LE": ("n", 5), "GT": ("n", 4), "GE": ("n", 5),
                   "BEGINS_WITH": ("s", "he"), "CONTAINS": ("s", "ell"), "NOT_CONTAINS": ("ss", "z")}
        for name, (attribute, operand) in holding.items():
            with self.subTest(operator=name):
                self.assertTrue(self.passes(Expected={attribute: operator(name, operand)}))
        failing = {"EQ": ("n", 6), "NE": ("n", 5), "LT": ("n", 5), "LE": ("n", 4), "GT": ("n", 5), "GE": ("n", 6),
                   "BEGINS_WITH": ("s", "hi"), "CONTAINS": ("ss", "z"), "NOT_CONTAINS": ("s", "ell")}
        for name, (attribute, operand) in failing.items():
            with self.subTest(failing=name):
                self.assertFalse(self.passes(Expected={attribute: operator(name, operand)}))
        self.assertTrue(self.passes(Expected={"n": operator("IN", 1, 5)}))
        self.assertTrue(self.passes(Expected={"n": operator("BETWEEN", 5, 6)}))
        self.assertTrue(self.passes(Expected={"m": operator("NULL"), "n": operator("NOT_NULL")}))
        self.assertFalse(self.passes(Expected={"n": operator("NULL")}))

    def test_not_contains_wants_the_attribute(self):
        for attribute, operand, expected in (("s", "z", True), ("n", "z", True), ("absent", "z", False)):
            with self.subTest(attribute=attribute):
                self.assertEqual(self.passes(Expected={attribute: operator("NOT_CONTAINS", operand)}), expected)

    def test_conditional_operator(self):
        pair = {"n": operator("EQ", 5), "s": operator("EQ", "no")}
        self.assertFalse(self.passes(Expected=pair))
        self.assertFalse(self.passes(Expected=pair, ConditionalOperator="AND"))
        self.assertTrue(self.passes(Expected=pair, ConditionalOperator="OR"))

    def test_mixing_old_and_new_is_refused(self):
        with self.fails("ValidationException", "Can not use both expression and non-expression parameters"):
            self.db.put_item(TableName=self.name, Item=item(pk="b"), Expected={"n": {"Exists": False}},
                             ConditionExpression="attribute_not_exists(n)")
        self.assert_absent(self.name, item(pk="b"))

    def test_delete_and_update_take_it_too(self):
        with self.fails("ConditionalCheckFailedException"):
            self.db.delete_item(TableName=self.name, Key=item(pk="a"), Expected={"n": {"Value": value(6)}})
        self.db.delete_item(TableName=self.name, Key=item(pk="a"), Expected={"n": {"Value": value(5)}})
        self.assert_absent(self.name, item(pk="a"))


class AttributeUpdates(ProtocolTest):
    def test_put_add_and_delete(self):
        name = self.table()
        self.put(name, item(pk="a", n=1, gone=1, ss={"x", "y"}, l=[1]))
        answer = self.db.update_item(TableName=name, Key=item(pk="a"), ReturnValues="ALL_NEW", AttributeUpdates={
            "fresh": {"Action": "PUT", "Value": value("v")}, "plain": {"Value": value(1)},
            "n": {"Action": "ADD", "Value": value(2)}, "gone": {"Action": "DELETE"},
            "ss": {"Action": "DELETE", "Value": value({"x"})}, "l": {"Action": "ADD", "Value": value([2])}})
        self.assertEqual(answer["Attributes"], item(pk="a", n=3, ss={"y"}, l=[1, 2], fresh="v", plain=1))

    def test_key_attribute_is_refused(self):
        name = self.table()
        with self.fails("ValidationException", "This attribute is part of the key"):
            self.db.update_item(TableName=name, Key=item(pk="a"), AttributeUpdates={
                "pk": {"Action": "PUT", "Value": value("b")}})

    def test_only_deletions_do_not_create_an_item(self):
        name = self.table()
        self.db.update_item(TableName=name, Key=item(pk="a"), AttributeUpdates={"x": {"Action": "DELETE"}})
        self.assert_absent(name, item(pk="a"))


class Reads(ProtocolTest):
    def setUp(self):
        self.name = self.table("pk:S sk:S")
        self.put_many(self.name, [item(pk="p", sk=f"s{n}", n=n, color="red" if n % 2 else "blue") for n in range(10)])

    def found(self, operation, **more):
        return [one["sk"]["S"] for one in operation(TableName=self.name, **more)["Items"]]

    def test_key_conditions(self):
        for condition, expected in ((operator("EQ", "s3"), ["s3"]), (operator("GE", "s8"), ["s8", "s9"]),
                                    (operator("BEGINS_WITH", "s1"), ["s1"]),
                                    (operator("BETWEEN", "s2", "s4"), ["s2", "s3", "s4"])):
            with self.subTest(condition=condition):
                self.assertEqual(self.found(self.db.query, KeyConditions={"pk": operator("EQ", "p"),
                                                                          "sk": condition}), expected)

    def test_query_filter_and_scan_filter(self):
        red = {"color": operator("EQ", "red"), "n": operator("GT", 4)}
        self.assertEqual(self.found(self.db.query, KeyConditions={"pk": operator("EQ", "p")}, QueryFilter=red),
                         ["s5", "s7", "s9"])
        self.assertEqual(self.found(self.db.scan, ScanFilter=red), ["s5", "s7", "s9"])
        self.assertEqual(len(self.found(self.db.scan, ScanFilter=red, ConditionalOperator="OR")), 7)

    def test_not_contains_leaves_out_items_without_the_attribute(self):
        self.put(self.name, item(pk="p", sk="plain"))
        blue = {"color": operator("NOT_CONTAINS", "red")}
        expected = [f"s{n}" for n in range(0, 10, 2)]
        self.assertEqual(self.found(self.db.query, KeyConditions={"pk": operator("EQ", "p")}, QueryFilter=blue), expected)
        self.assertEqual(self.found(self.db.scan, ScanFilter=blue), expected)

    def test_attributes_to_get(self):
        key = item(pk="p", sk="s1")
        self.assertEqual(self.get(self.name, key, AttributesToGet=["n", "absent"]), item(n=1))
        answer = self.db.batch_get_item(RequestItems={self.name: {"Keys": [key], "AttributesToGet": ["color"]}})
        self.assertEqual(answer["Responses"][self.name], [item(color="red")])
        answer = self.db.scan(TableName=self.name, AttributesToGet=["color"], Limit=1)
        self.assertEqual(answer["Items"], [item(color="blue")])

    def test_mixing_old_and_new_is_refused(self):
        text = "Can not use both expression and non-expression parameters"
        with self.fails("ValidationException", text):
            self.db.scan(TableName=self.name, ScanFilter={"n": operator("EQ", 1)}, ProjectionExpression="n")
        with self.fails("ValidationException", text):
            self.db.get_item(TableName=self.name, Key=item(pk="p", sk="s1"), AttributesToGet=["n"],
                             ProjectionExpression="n")
