"""Conditions: what passes, what fails, and that a failed write leaves no trace."""

from case import ProtocolTest
from tables import gsi, item, value, values


class Writes(ProtocolTest):
    def test_put_only_if_absent_keeps_the_first(self):
        name = self.table()
        put = {"TableName": name, "ConditionExpression": "attribute_not_exists(pk)"}
        self.db.put_item(Item=item(pk="a", n=1), **put)
        with self.fails("ConditionalCheckFailedException", "The conditional request failed", status=400):
            self.db.put_item(Item=item(pk="a", n=2), **put)
        self.assertEqual(self.get(name, item(pk="a")), item(pk="a", n=1))

    def test_failed_update_creates_no_item(self):
        name = self.table()
        with self.fails("ConditionalCheckFailedException"):
            self.db.update_item(TableName=name, Key=item(pk="a"), UpdateExpression="SET n = :n",
                                ConditionExpression="attribute_exists(pk)", ExpressionAttributeValues=values(n=1))
        self.assert_absent(name, item(pk="a"))

    def test_failed_delete_keeps_the_item_and_its_index_row(self):
        name = self.table("pk:S", gsi("global", "a:S"))
        self.put(name, item(pk="p", a="x", n=1))
        with self.fails("ConditionalCheckFailedException"):
            self.db.delete_item(TableName=name, Key=item(pk="p"), ConditionExpression="n = :n",
                                ExpressionAttributeValues=values(n=2))
        self.assertEqual(self.get(name, item(pk="p")), item(pk="p", a="x", n=1))
        self.assertEqual(self.db.scan(TableName=name, IndexName="global")["Count"], 1)

    def test_failed_write_returns_the_existing_item_when_asked(self):
        name = self.table()
        self.put(name, item(pk="a", n=1))
        writes = {"PutItem": {"Item": item(pk="a", n=2)}, "DeleteItem": {"Key": item(pk="a")},
                  "UpdateItem": {"Key": item(pk="a"), "UpdateExpression": "SET n = :two",
                                 "ExpressionAttributeValues": values(two=2)}}
        for operation, parameters in writes.items():
            for wish, expected in (("ALL_OLD", item(pk="a", n=1)), ("NONE", None)):
                with self.subTest(operation=operation, wish=wish):
                    with self.fails("ConditionalCheckFailedException") as failure:
                        self.call(operation, TableName=name, ConditionExpression="attribute_not_exists(pk)",
                                  ReturnValuesOnConditionCheckFailure=wish, **parameters)
                    self.assertEqual(failure.body.get("Item"), expected)


class Truth(ProtocolTest):
    """One item, many conditions: each passes or fails as DynamoDB would have it."""

    ITEM = {
        **item(pk="a", n=5, s="hello", t=True, z=None, b=b"\x01\x02", zero=0, blank="",
               l=[1, "two", {"k": 3}], m={"x": 1, "y": {"deep": "yes"}}, ss={"p", "q"}, ns={1, 2}, bs={b"\x01"}),
        "neg": {"N": "-0.5"},
    }

    def setUp(self):
        self.name = self.table()
        self.put(self.name, self.ITEM)

    def holds(self, condition, names=None, **bound):
        more = {}
        if bound:
            more["ExpressionAttributeValues"] = values(**bound)
        if names:
            more["ExpressionAttributeNames"] = names
        answer = self.db.scan(TableName=self.name, FilterExpression=condition, **more)
        filtered = answer["Count"] == 1
        try:
            self.db.delete_item(TableName=self.name, Key=item(pk="a"),
                                ConditionExpression=f"({condition}) AND attribute_exists(pk)", **more)
            self.put(self.name, self.ITEM)
            conditioned = True
        except self.db.exceptions.ConditionalCheckFailedException:
            conditioned = False
        self.assertEqual(filtered, conditioned, "filter and condition disagree")
        return filtered

    def check(self, expected, rows):
        for condition, bound in rows:
            with self.subTest(condition=condition, **{k: repr(v) for k, v in bound.items()}):
                self.assertEqual(self.holds(condition, **bound), expected)

    def test_comparisons_that_hold(self):
        self.check(True, [
            ("n = :v", {"v": 5}), ("n <> :v", {"v": 6}), ("n < :v", {"v": 6}), ("n <= :v", {"v": 5}),
            ("n > :v", {"v": -1}), ("n >= :v", {"v": 5}), ("n BETWEEN :a AND :b", {"a": 5, "b": 5}),
            ("n IN (:a, :b)", {"a": 1, "b": 5}), ("neg < zero", {}), ("s < :v", {"v": "hellp"}),
            ("s >= :v", {"v": "hell"}), ("b < :v", {"v": b"\x01\x03"}), ("s = :v", {"v": "hello"}),
            ("t = :v", {"v": True}), ("z = :v", {"v": None}), ("ss = :v", {"v": {"q", "p"}}),
            ("m.y.deep = :v", {"v": "yes"}), ("l[1] = :v", {"v": "two"}), ("l[2].k > l[0]", {}),
            ("l = :v", {"v": [1, "two", {"k": 3}]}), ("m = :v", {"v": {"y": {"deep": "yes"}, "x": 1}}),
            ("n <> :v", {"v": "5"}), ("absent <> :v", {"v": 1}), ("blank = :v", {"v": ""}),
        ])

    def test_comparisons_that_do_not_hold(self):
        self.check(False, [
            ("n = :v", {"v": "5"}), ("n < :v", {"v": "6"}), ("absent = :v", {"v": 1}), ("absent < :v", {"v": 1}),
            ("s > :v", {"v": 1}), ("l[9] = :v", {"v": 1}), ("m.nil = :v", {"v": 1}), ("n <> :v", {"v": 5}),
            ("n IN (:a)", {"a": "5"}), ("s BETWEEN :a AND :b", {"a": "i", "b": "z"}),
            ("ss = :v", {"v": {"p"}}), ("s[0] = :v", {"v": "h"}), ("n = absent", {}),
        ])

    def test_functions_that_hold(self):
        self.check(True, [
            ("attribute_exists(m.y.deep)", {}), ("attribute_exists(l[2])", {}), ("attribute_not_exists(l[3])", {}),
            ("attribute_not_exists(m.y.shallow)", {}), ("attribute_type(n, :v)", {"v": "N"}),
            ("attribute_type(z, :v)", {"v": "NULL"}), ("attribute_type(ss, :v)", {"v": "SS"}),
            ("attribute_type(m, :v)", {"v": "M"}), ("attribute_type(t, :v)", {"v": "BOOL"}),
            ("begins_with(s, :v)", {"v": "he"}), ("begins_with(s, :v)", {"v": ""}),
            ("begins_with(b, :v)", {"v": b"\x01"}), ("contains(s, :v)", {"v": "ell"}),
            ("contains(ss, :v)", {"v": "p"}), ("contains(ns, :v)", {"v": 2}), ("contains(bs, :v)", {"v": b"\x01"}),
            ("contains(l, :v)", {"v": "two"}), ("contains(l, :v)", {"v": 1}), ("size(s) = :v", {"v": 5}),
            ("size(l) = :v", {"v": 3}), ("size(m) = :v", {"v": 2}), ("size(ss) > :v", {"v": 1}),
            ("size(b) = :v", {"v": 2}), ("size(blank) = :v", {"v": 0}),
        ])

    def test_functions_that_do_not_hold(self):
        self.check(False, [
            ("attribute_exists(absent)", {}), ("attribute_not_exists(pk)", {}), ("attribute_type(n, :v)", {"v": "S"}),
            ("begins_with(n, :v)", {"v": "5"}), ("begins_with(s, :v)", {"v": "hello!"}),
            ("contains(s, :v)", {"v": 1}), ("contains(ss, :v)", {"v": 1}), ("contains(n, :v)", {"v": 5}),
            ("contains(l, :v)", {"v": "tw"}), ("size(absent) = :v", {"v": 0}), ("size(n) = :v", {"v": 1}),
            ("contains(m, :v)", {"v": "x"}),
        ])

    def test_logic_binds_not_before_and_before_or(self):
        self.check(True, [
            ("n = :five OR n = :six AND s = :no", {"five": 5, "six": 6, "no": "no"}),
            ("NOT n = :six AND n = :five", {"five": 5, "six": 6}),
            ("NOT (n = :six OR s = :no)", {"six": 6, "no": "no"}),
            ("not not n = :five", {"five": 5}),
            ("n = :five and (s = :no or t = :yes)", {"five": 5, "no": "no", "yes": True}),
        ])
        self.check(False, [("(n = :five OR n = :six) AND s = :no", {"five": 5, "six": 6, "no": "no"})])

    def test_names_reach_reserved_and_strange_attributes(self):
        self.put(self.name, {**self.ITEM, "size": value(1), "a.b": value(2), "name": value({"first": "x"})})
        answer = self.db.scan(TableName=self.name, FilterExpression="#s = :one AND #ab = :two AND #n.#f = :x",
                              ExpressionAttributeNames={"#s": "size", "#ab": "a.b", "#n": "name", "#f": "first"},
                              ExpressionAttributeValues=values(one=1, two=2, x="x"))
        self.assertEqual(answer["Count"], 1)


class Refused(ProtocolTest):
    def refused(self, condition, text="", names=None, bound=None):
        name = self.table()
        more = {}
        if names is not None:
            more["ExpressionAttributeNames"] = names
        if bound is not None:
            more["ExpressionAttributeValues"] = bound
        with self.fails("ValidationException", text):
            self.db.put_item(TableName=name, Item=item(pk="a"), ConditionExpression=condition, **more)
        self.assert_absent(name, item(pk="a"))

    def test_undefined_value(self):
        self.refused("n = :v", "An expression attribute value used in expression is not defined; attribute value: :v")

    def test_undefined_name(self):
        self.refused("attribute_exists(#n)",
                     "An expression attribute name used in the document path is not defined; attribute name: #n")

    def test_unused_value(self):
        self.refused("attribute_not_exists(pk)",
                     "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
                     bound=values(v=1))

    def test_unused_name(self):
        self.refused("attribute_not_exists(pk)",
                     "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}",
                     names={"#n": "n"})

    def test_reserved_word(self):
        self.refused("attribute_exists(size)", "Attribute name is a reserved keyword; reserved keyword: size")

    def test_empty_expression(self):
        self.refused("", "Invalid ConditionExpression: The expression can not be empty;")

    def test_broken_syntax(self):
        for text in ("n =", "n = :v AND", "(n = :v", "n == :v", "attribute_exists(n", "AND", "n = :v n = :v",
                     "n BETWEEN :v", "n IN ()"):
            with self.subTest(text=text):
                self.refused(text, "Invalid ConditionExpression: Syntax error; token: ", bound=values(v=1))

    def test_unknown_function(self):
        self.refused("starts_with(n, :v)", "Invalid function name; function: starts_with", bound=values(v=1))

    def test_function_with_wrong_number_of_operands(self):
        self.refused("begins_with(n)", "Incorrect number of operands for operator or function; "
                     "operator or function: begins_with, number of operands: 1")

    def test_redundant_parentheses(self):
        self.refused("((attribute_not_exists(pk)))", "The expression has redundant parentheses;")

    def test_names_and_values_without_expression(self):
        name = self.table()
        with self.fails("ValidationException",
                        "ExpressionAttributeNames can only be specified when using expressions"):
            self.db.put_item(TableName=name, Item=item(pk="a"), ExpressionAttributeNames={"#n": "n"})
        with self.fails("ValidationException",
                        "ExpressionAttributeValues can only be specified when using expressions"):
            self.db.put_item(TableName=name, Item=item(pk="a"), ExpressionAttributeValues=values(v=1))

    def test_between_with_bounds_the_wrong_way_round(self):
        self.refused("n BETWEEN :a AND :b", "The BETWEEN operator requires upper bound to be greater than or equal "
                     "to lower bound", bound=values(a=2, b=1))
