"""UpdateItem: every clause, what it returns, and that a refused update changes nothing."""

from decimal import Decimal

from case import ProtocolTest
from tables import gsi, item, value, values


class UpdateTest(ProtocolTest):
    def setUp(self):
        self.name = self.table()

    def update(self, expression, names=None, **bound):
        more = {}
        if bound:
            more["ExpressionAttributeValues"] = values(**bound)
        if names:
            more["ExpressionAttributeNames"] = names
        answer = self.db.update_item(TableName=self.name, Key=item(pk="a"), UpdateExpression=expression,
                                     ReturnValues="ALL_NEW", **more)
        found = self.get(self.name, item(pk="a"))
        self.assertEqual(answer["Attributes"], found)
        return found

    def has(self, **attributes):
        self.put(self.name, item(pk="a", **attributes))

    def becomes(self, found, **attributes):
        self.assertEqual(found, item(pk="a", **attributes))


class Set(UpdateTest):
    def test_missing_item_is_created_with_its_key(self):
        self.becomes(self.update("SET n = :n", n=1), n=1)

    def test_update_without_expression_creates_the_bare_key(self):
        self.db.update_item(TableName=self.name, Key=item(pk="a"))
        self.assertEqual(self.get(self.name, item(pk="a")), item(pk="a"))

    def test_all_right_sides_see_the_item_as_it_was(self):
        self.has(x=1, y=2)
        self.becomes(self.update("SET x = y, y = x"), x=2, y=1)

    def test_arithmetic_is_exact_to_38_digits(self):
        self.put(self.name, {"pk": value("a"), "n": {"N": "9999999999999999999999999999999999999"},
                             "tiny": {"N": "0.1"}})
        found = self.update("SET n = n + :one, tiny = tiny + :two", one=1, two=Decimal("0.2"))
        self.assertEqual(found["n"], {"N": "10000000000000000000000000000000000000"})
        self.assertEqual(found["tiny"], {"N": "0.3"})

    def test_subtraction_and_if_not_exists(self):
        self.has(n=10)
        self.becomes(self.update("SET n = n - :d, c = if_not_exists(c, :z) + :d, d = if_not_exists(n, :z)",
                                 d=3, z=0), n=7, c=3, d=10)

    def test_lists_are_appended_at_either_end(self):
        self.has(l=[2])
        self.becomes(self.update("SET l = list_append(:head, l)", head=[1]), l=[1, 2])
        self.becomes(self.update("SET l = list_append(l, :tail)", tail=[3, 4]), l=[1, 2, 3, 4])
        self.becomes(self.update("SET extra = list_append(if_not_exists(extra, :none), :one)", none=[], one=[1]),
                     l=[1, 2, 3, 4], extra=[1])

    def test_list_elements_are_replaced_and_beyond_the_end_appended(self):
        self.has(l=["a", "b"])
        self.becomes(self.update("SET l[0] = :x, l[7] = :y, l[9] = :z", x="A", y="c", z="d"), l=["A", "b", "c", "d"])

    def test_elements_beyond_the_end_are_in_the_order_of_their_positions(self):
        self.has(l=["one"])
        self.becomes(self.update("SET l[84] = :a, l[37] = :b, l[17] = :c, l[50] = :d", a="a", b="b", c="c", d="d"),
                     l=["one", "c", "b", "d", "a"])
        self.has(l=[1])
        self.becomes(self.update("ADD l[84] :a, l[37] :b, l[17] :c, l[50] :d", a=84, b=37, c=17, d=50),
                     l=[1, 17, 37, 50, 84])
        self.has(l=[1])
        self.becomes(self.update("ADD l[9] :a, l[4] :b SET l[7] = :c, l[2] = :d", a=9, b=4, c=7, d=2), l=[1, 2, 4, 7, 9])

    def test_nested_paths_change_only_their_place(self):
        self.has(m={"keep": 1, "in": {"n": 1}})
        self.becomes(self.update("SET m.#in.n = m.#in.n + :one, m.#in.fresh = :one", {"#in": "in"}, one=1),
                     m={"keep": 1, "in": {"n": 2, "fresh": 1}})

    def test_path_through_nothing_is_refused(self):
        self.has(n=1)
        message = "The document path provided in the update expression is invalid for update"
        for expression, bound in (("SET absent.x = :v", {"v": 1}), ("SET n.x = :v", {"v": 1}),
                                  ("SET n[0] = :v", {"v": 1}), ("REMOVE absent.x", {})):
            with self.subTest(expression=expression), self.fails("ValidationException", message):
                self.update(expression, **bound)
        self.assertEqual(self.get(self.name, item(pk="a")), item(pk="a", n=1))


class Remove(UpdateTest):
    def test_attributes_and_nested_members_go(self):
        self.has(x=1, y=2, m={"p": 1, "q": 2})
        self.becomes(self.update("REMOVE x, m.p, nothing"), y=2, m={"q": 2})

    def test_update_that_only_removes_creates_no_item(self):
        self.db.update_item(TableName=self.name, Key=item(pk="nobody"), UpdateExpression="REMOVE x")
        self.assert_absent(self.name, item(pk="nobody"))

    def test_list_elements_are_named_by_their_old_position(self):
        self.has(l=["a", "b", "c", "d"])
        self.becomes(self.update("REMOVE l[0], l[2], l[9]"), l=["b", "d"])


class Add(UpdateTest):
    def test_numbers_are_added_and_start_at_zero(self):
        self.has(n=5)
        self.becomes(self.update("ADD n :d, fresh :d", d=-7), n=-2, fresh=-7)

    def test_sets_are_united(self):
        self.has(s={"a"})
        found = self.update("ADD s :more, t :more", more={"a", "b"})
        self.assertCountEqual(found["s"]["SS"], ["a", "b"])
        self.assertCountEqual(found["t"]["SS"], ["a", "b"])

    def test_other_types_are_refused(self):
        self.has(t="text", s={"a"})
        for expression, operand in (("ADD t :v", 1), ("ADD s :v", 1), ("ADD s :v", {1}), ("ADD fresh :v", "x")):
            with self.subTest(expression=expression, operand=operand), self.fails("ValidationException"):
                self.update(expression, v=operand)


class Delete(UpdateTest):
    def test_members_leave_the_set_and_the_last_takes_it_away(self):
        self.has(s={"a", "b"}, n={1})
        found = self.update("DELETE s :gone, n :none", gone={"a", "z"}, none={1})
        self.assertEqual(found, item(pk="a", s={"b"}))

    def test_set_of_another_type_is_refused(self):
        self.has(s={"a"})
        with self.fails("ValidationException"):
            self.update("DELETE s :v", v={1})


class ReturnValues(UpdateTest):
    def test_each_kind_returns_its_part(self):
        expected = {"NONE": None, "ALL_OLD": item(pk="a", x=1, y=1), "ALL_NEW": item(pk="a", x=2, z=3),
                    "UPDATED_OLD": item(x=1, y=1), "UPDATED_NEW": item(x=2, z=3)}
        for kind, attributes in expected.items():
            with self.subTest(kind=kind):
                self.has(x=1, y=1)
                answer = self.db.update_item(TableName=self.name, Key=item(pk="a"), ReturnValues=kind,
                                             UpdateExpression="SET x = :x, z = :z REMOVE y",
                                             ExpressionAttributeValues=values(x=2, z=3))
                self.assertEqual(answer.get("Attributes"), attributes)

    def test_old_values_of_a_new_item_are_nothing(self):
        for kind in ("ALL_OLD", "UPDATED_OLD"):
            with self.subTest(kind=kind):
                self.db.delete_item(TableName=self.name, Key=item(pk="a"))
                answer = self.db.update_item(TableName=self.name, Key=item(pk="a"), ReturnValues=kind,
                                             UpdateExpression="SET x = :x", ExpressionAttributeValues=values(x=2))
                self.assertNotIn("Attributes", answer)

    def test_updated_new_returns_only_the_touched_nested_part(self):
        self.has(m={"a": 1, "b": 2})
        answer = self.db.update_item(TableName=self.name, Key=item(pk="a"), ReturnValues="UPDATED_NEW",
                                     UpdateExpression="SET m.a = :x", ExpressionAttributeValues=values(x=9))
        self.assertEqual(answer["Attributes"], item(m={"a": 9}))


class Refused(UpdateTest):
    def refused(self, expression, text, names=None, **bound):
        self.has(n=1)
        with self.fails("ValidationException", text):
            self.update(expression, names, **bound)
        self.assertEqual(self.get(self.name, item(pk="a")), item(pk="a", n=1))

    def test_key_attribute(self):
        self.refused("SET pk = :v", "Cannot update attribute pk. This attribute is part of the key", v="b")

    def test_path_into_a_key_attribute(self):
        self.name = self.table("pk:S", gsi("by-x", "x:S"))
        rule = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
        for expression, bound in (("ADD x.b :v", {"v": 1}), ("SET x[1] = :v", {"v": 1}), ("SET f = x[1]", {}),
                                  ("SET f = if_not_exists(x.a, :v)", {"v": 1}), ("REMOVE x.y", {})):
            with self.subTest(expression=expression), self.fails("ValidationException", rule + "IndexKey: x"):
                self.update(expression, **bound)
        for reading in (
                lambda path: self.get(self.name, item(pk="a"), ProjectionExpression=path),
                lambda path: self.db.scan(TableName=self.name, ProjectionExpression=path),
                lambda path: self.db.scan(TableName=self.name, FilterExpression=f"attribute_exists({path})"),
                lambda path: self.db.batch_get_item(RequestItems={self.name: {"Keys": [item(pk="a")],
                                                                              "ProjectionExpression": path}}),
                lambda path: self.db.query(TableName=self.name, KeyConditionExpression="pk = :p",
                                           ProjectionExpression=path, ExpressionAttributeValues=values(p="a"))):
            for path, end in (("pk.b", "Key: pk"), ("pk[0]", "Key: pk"), ("x.b", "IndexKey: x"), ("x[0]", "IndexKey: x")):
                with self.subTest(path=path), self.fails("ValidationException", rule + end):
                    reading(path)
        with self.fails("ValidationException", rule + "IndexKey: x"):
            self.db.query(TableName=self.name, KeyConditionExpression="pk = :p", FilterExpression="x[1] = :p",
                          ExpressionAttributeValues=values(p="a"))

    def test_same_path_twice(self):
        self.refused("SET n = :v, n = :v", "Two document paths overlap with each other", v=1)

    def test_overlapping_paths(self):
        self.refused("SET m = :v, m.x = :v", "Two document paths overlap with each other", v=1)

    def test_same_clause_twice(self):
        self.refused("SET n = :v SET x = :v", 'The "SET" section can only be used once in an update expression', v=1)

    def test_empty_expression(self):
        self.refused("", "Invalid UpdateExpression: The expression can not be empty;")

    def test_unknown_attribute_on_the_right_side(self):
        self.refused("SET x = absent",
                     "The provided expression refers to an attribute that does not exist in the item")

    def test_arithmetic_on_text(self):
        self.refused("SET n = n + :v", "Incorrect operand type for operator or function; operator or function: +, "
                     "operand type: S", v="x")

    def test_append_to_what_is_no_list(self):
        self.refused("SET n = list_append(n, :v)", "An operand in the update expression has an incorrect data type",
                     v=[1])

    def test_number_that_would_overflow(self):
        self.put(self.name, {"pk": value("a"), "n": {"N": "9.9e125"}})
        with self.fails("ValidationException", "Number overflow"):
            self.update("SET n = n + n")

    def test_syntax(self):
        for expression in ("SET", "SET n", "SET n = ", "n = :v", "REMOVE", "ADD n", "SET n = :v,", "FOO n"):
            with self.subTest(expression=expression):
                self.refused(expression, "Invalid UpdateExpression: Syntax error; token: ", v=1)

    def test_index_key_of_the_wrong_type(self):

        name = self.table("pk:S", gsi("global", "a:S"))
        self.put(name, item(pk="p", a="x"))
        with self.fails("ValidationException", "Type mismatch for Index Key a Expected: S Actual: N"):
            self.db.put_item(TableName=name, Item=item(pk="q", a=1))
        with self.fails("ValidationException"):
            self.db.update_item(TableName=name, Key=item(pk="p"), UpdateExpression="SET a = :v",
                                ExpressionAttributeValues=values(v=1))
        self.assertEqual(self.db.scan(TableName=name)["Items"], [item(pk="p", a="x")])
