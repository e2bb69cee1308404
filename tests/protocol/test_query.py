"""Query: ranges, order, limits, paging, filters, and the orders of the three key types."""

from decimal import Decimal

from case import ProtocolTest
from tables import item, plain, value, values


class QueryTest(ProtocolTest):
    def query(self, name, condition, names=None, bound=None, **more):
        if names:
            more["ExpressionAttributeNames"] = names
        return self.db.query(TableName=name, KeyConditionExpression=condition,
                             ExpressionAttributeValues=values(**(bound or {})), **more)

    def sort_keys(self, answer):
        return [plain(one)["sk"] for one in answer["Items"]]


class Ranges(QueryTest):
    def setUp(self):
        self.name = self.table("pk:S sk:N")
        self.put_many(self.name, [item(pk="a", sk=n, even=n % 2 == 0) for n in range(-5, 6)])
        self.put_many(self.name, [item(pk="b", sk=1), item(pk="aa", sk=0)])

    def found(self, condition, **bound):
        answer = self.query(self.name, condition, bound={"p": "a", **bound})
        self.assertEqual(answer["Count"], len(answer["Items"]))
        return [int(n) for n in self.sort_keys(answer)]

    def test_partition_alone_returns_all_of_it_in_order(self):
        self.assertEqual(self.found("pk = :p"), list(range(-5, 6)))

    def test_every_operator_on_the_sort_key(self):
        self.assertEqual(self.found("pk = :p AND sk = :v", v=3), [3])
        self.assertEqual(self.found("pk = :p AND sk < :v", v=-3), [-5, -4])
        self.assertEqual(self.found("pk = :p AND sk <= :v", v=-4), [-5, -4])
        self.assertEqual(self.found("pk = :p AND sk > :v", v=4), [5])
        self.assertEqual(self.found("pk = :p AND sk >= :v", v=4), [4, 5])
        self.assertEqual(self.found("pk = :p AND sk BETWEEN :v AND :w", v=-1, w=1), [-1, 0, 1])
        self.assertEqual(self.found("sk > :v AND pk = :p", v=4), [5])
        self.assertEqual(self.found("(pk = :p) AND (sk > :v)", v=4), [5])

    def test_unknown_partition_is_empty_without_a_cursor(self):
        answer = self.query(self.name, "pk = :p", bound={"p": "nobody"})
        self.assertEqual((answer["Count"], answer["ScannedCount"], answer["Items"]), (0, 0, []))
        self.assertNotIn("LastEvaluatedKey", answer)

    def test_descending_is_the_exact_reverse(self):
        answer = self.query(self.name, "pk = :p AND sk < :v", bound={"p": "a", "v": 3}, ScanIndexForward=False)
        self.assertEqual(self.sort_keys(answer), list(range(2, -6, -1)))

    def test_pages_of_every_size_cover_everything_once_in_both_directions(self):
        for forward in (True, False):
            for limit in (1, 2, 3, 11, 12):
                with self.subTest(forward=forward, limit=limit):
                    found = self.all_items(self.db.query, TableName=self.name, KeyConditionExpression="pk = :p",
                                           ExpressionAttributeValues=values(p="a"), Limit=limit,
                                           ScanIndexForward=forward)
                    expected = list(range(-5, 6))
                    self.assertEqual([int(one["sk"]["N"]) for one in found], expected if forward else expected[::-1])

    def test_cursor_need_not_name_an_existing_item(self):
        self.db.delete_item(TableName=self.name, Key=item(pk="a", sk=0))
        answer = self.query(self.name, "pk = :p", bound={"p": "a"}, ExclusiveStartKey=item(pk="a", sk=0))
        self.assertEqual(self.sort_keys(answer), [1, 2, 3, 4, 5])

    def test_filter_counts_what_it_read_and_what_it_kept(self):
        answer = self.query(self.name, "pk = :p", bound={"p": "a", "t": True}, FilterExpression="even = :t")
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (5, 11))

    def test_limit_counts_before_the_filter(self):
        answer = self.query(self.name, "pk = :p", bound={"p": "a", "t": True}, FilterExpression="even = :t", Limit=3)
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (1, 3))
        self.assertEqual(answer["LastEvaluatedKey"], item(pk="a", sk=-3))

    def test_count_returns_no_items(self):
        answer = self.query(self.name, "pk = :p", bound={"p": "a"}, Select="COUNT")
        self.assertEqual(answer["Count"], 11)
        self.assertNotIn("Items", answer)

    def test_projection_limits_the_attributes(self):
        answer = self.query(self.name, "pk = :p AND sk = :v", bound={"p": "a", "v": 2}, ProjectionExpression="even")
        self.assertEqual(answer["Items"], [item(even=True)])

    def test_consistent_read_is_accepted_on_the_table(self):
        answer = self.query(self.name, "pk = :p", bound={"p": "a"}, ConsistentRead=True)
        self.assertEqual(answer["Count"], 11)


class Orders(QueryTest):
    def ordered(self, kind, keys):
        """Puts the keys in reverse and expects them back in the given order."""
        name = self.table(f"pk:S sk:{kind}")
        for key in reversed(keys):
            self.put(name, {"pk": value("p"), "sk": {kind: key}})
        answer = self.query(name, "pk = :p", bound={"p": "p"})
        found = [one["sk"][kind] for one in answer["Items"]]
        if kind == "N":
            self.assertEqual([Decimal(n) for n in found], [Decimal(n) for n in keys])
        else:
            self.assertEqual(found, keys)

    def test_numbers_are_ordered_by_value(self):
        self.ordered("N", ["-9.9e125", "-1e50", "-123456789", "-100", "-99.5", "-10", "-9", "-1.01", "-1", "-0.1",
                           "-1e-130", "0", "1e-130", "0.00001", "0.1", "0.11", "0.9", "1", "1.5", "2", "10", "11",
                           "99", "100", "12345678901234567890123456789012345678", "9.9e125"])

    def test_text_is_ordered_by_its_utf8_bytes(self):
        self.ordered("S", ["\u0000", "\u0000a", " ", "A", "Z", "a", "a\u0000", "aa", "ab", "z", "~", "\u00e4",
                           "\u20ac", "\uffee", "\U0001F600"])

    def test_bytes_are_ordered_unsigned(self):
        self.ordered("B", [b"\x00", b"\x00\x00", b"\x00\xff", b"\x01", b"\x7f", b"\x80", b"\xfe", b"\xff",
                           b"\xff\x00", b"\xff\xff"])

    def test_prefix_of_text_and_bytes(self):
        name = self.table("pk:S sk:S")
        self.put_many(name, [item(pk="p", sk=s) for s in ("a", "ab", "ab#1", "ab#2", "abc", "b", "ab\uffff")])
        answer = self.query(name, "pk = :p AND begins_with(sk, :v)", bound={"p": "p", "v": "ab"})
        self.assertEqual(self.sort_keys(answer), ["ab", "ab#1", "ab#2", "abc", "ab\uffff"])
        name = self.table("pk:S sk:B")
        self.put_many(name, [item(pk="p", sk=s) for s in (b"\xff", b"\xff\xff", b"\xff\x00", b"\xfe")])
        answer = self.query(name, "pk = :p AND begins_with(sk, :v)", bound={"p": "p", "v": b"\xff"})
        self.assertEqual(answer["Count"], 3)

    def test_partitions_of_every_type_are_found(self):
        for kind, keys in (("N", ["0", "-1", "1.5"]), ("B", [b"\x00", b"a"]), ("S", ["a", "a\u0000"])):
            name = self.table(f"pk:{kind} sk:N")
            for key in keys:
                self.put(name, {"pk": {kind: key}, "sk": value(1)})
            for key in keys:
                with self.subTest(kind=kind, key=key):
                    answer = self.db.query(TableName=name, KeyConditionExpression="pk = :p",
                                           ExpressionAttributeValues={":p": {kind: key}})
                    self.assertEqual([one["pk"][kind] for one in answer["Items"]], [key])


class Pages(QueryTest):
    def test_a_page_ends_at_one_megabyte_before_filtering(self):
        name = self.table("pk:S sk:N")
        size = 100_000
        for n in range(15):
            self.put(name, item(pk="p", sk=n, filler="x" * size))
        pages = list(self.pages(self.db.query, TableName=name, KeyConditionExpression="pk = :p",
                                ExpressionAttributeValues=values(p="p")))
        self.assertEqual([int(one["sk"]["N"]) for page in pages for one in page["Items"]], list(range(15)))
        self.assertEqual(len(pages), 2)
        self.assertEqual(pages[0]["Count"], 11)  # the item that crosses it belongs to the page
        pages = list(self.pages(self.db.query, TableName=name, KeyConditionExpression="pk = :p",
                                FilterExpression="attribute_not_exists(filler)",
                                ExpressionAttributeValues=values(p="p")))
        self.assertEqual([page["Count"] for page in pages], [0, 0])
        self.assertEqual(sum(page["ScannedCount"] for page in pages), 15)


class Refused(QueryTest):
    def setUp(self):
        self.name = self.table("pk:S sk:N")

    def refused(self, condition, text="", **more):
        bound = more.pop("bound", {})
        with self.fails("ValidationException", text):
            self.query(self.name, condition, bound=bound, **more)

    def test_without_partition(self):
        self.refused("sk = :v", "Query condition missed key schema element: pk", bound={"v": 1})

    def test_partition_by_range(self):
        self.refused("pk > :p", "Query key condition not supported", bound={"p": "a"})

    def test_attribute_that_is_no_key(self):
        self.refused("pk = :p AND other1 = :v", "Query condition missed key schema element: sk",
                     bound={"p": "a", "v": 1})

    def test_or_and_inequality(self):
        self.refused("pk = :p OR sk = :v", "Invalid operator used in KeyConditionExpression: OR",
                     bound={"p": "a", "v": 1})
        self.refused("pk = :p AND sk <> :v", bound={"p": "a", "v": 1})

    def test_value_of_the_wrong_type(self):
        self.refused("pk = :p", "Condition parameter type does not match schema type", bound={"p": 1})
        self.refused("pk = :p AND sk = :v", "Condition parameter type does not match schema type",
                     bound={"p": "a", "v": "1"})

    def test_filter_on_a_key(self):
        self.refused("pk = :p", "Filter Expression can only contain non-primary key attributes",
                     FilterExpression="sk = :v", bound={"p": "a", "v": 1})

    def test_no_condition_at_all(self):
        with self.fails("ValidationException",
                        "Either the KeyConditions or KeyConditionExpression parameter must be specified"):
            self.db.query(TableName=self.name)

    def test_limit_of_zero(self):
        self.refused("pk = :p", bound={"p": "a"}, Limit=0)

    def test_cursor_of_another_shape(self):
        for start in (item(pk="a"), item(pk="a", sk="1"), item(pk="a", sk=1, x=1)):
            with self.subTest(start=start):
                self.refused("pk = :p", "The provided starting key is invalid", bound={"p": "a"},
                             ExclusiveStartKey=start)

    def test_cursor_outside_the_partition(self):
        self.refused("pk = :p", "The provided starting key is", bound={"p": "a"},
                     ExclusiveStartKey=item(pk="b", sk=1))

    def test_cursor_where_a_partition_is_one_item(self):
        name = self.table()
        self.put(name, item(pk="a"))
        answer = self.query(name, "pk = :p", bound={"p": "a"}, Limit=1)
        self.assertNotIn("LastEvaluatedKey", answer)
        for start in ("a", "b"):
            with self.fails("ValidationException", "The provided exclusive start key is invalid: ExclusiveStartKey: "
                            f"{{pk=AttributeValue: {{S:{start}}}}}"):
                self.query(name, "pk = :p", bound={"p": "a"}, ExclusiveStartKey=item(pk=start))

    def test_unknown_index(self):
        self.refused("pk = :p", "The table does not have the specified index: nowhere", bound={"p": "a"},
                     IndexName="nowhere")

    def test_select_and_projection_that_disagree(self):
        self.refused("pk = :p", bound={"p": "a"}, Select="COUNT", ProjectionExpression="sk")
        self.refused("pk = :p", bound={"p": "a"}, Select="SPECIFIC_ATTRIBUTES")
        self.refused("pk = :p", bound={"p": "a"}, Select="ALL_PROJECTED_ATTRIBUTES")
