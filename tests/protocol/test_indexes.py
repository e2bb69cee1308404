"""Secondary indexes: membership follows the item at once, projections, paging over equal keys, many-attribute keys."""

from case import ProtocolTest
from tables import gsi, item, lsi, plain, value, values


class IndexTest(ProtocolTest):
    def rows(self, name, index):
        return self.all_items(self.db.scan, TableName=name, IndexName=index)

    def keys(self, name, index, attribute="pk"):
        return sorted(plain(row)[attribute] for row in self.rows(name, index))

    def query(self, name, index, condition, names=None, bound=None, **more):
        if names:
            more["ExpressionAttributeNames"] = names
        return self.db.query(TableName=name, IndexName=index, KeyConditionExpression=condition,
                             ExpressionAttributeValues=values(**(bound or {})), **more)


class Sparse(IndexTest):
    def setUp(self):
        self.name = self.table("pk:S", gsi("by-team", "team:S rank:N"))

    def test_item_lacking_any_key_attribute_is_not_in_the_index(self):
        self.put(self.name, item(pk="both", team="a", rank=1), item(pk="one", team="a"), item(pk="two", rank=1),
                 item(pk="none"))
        self.assertEqual(self.keys(self.name, "by-team"), ["both"])
        self.assertEqual(self.db.scan(TableName=self.name)["Count"], 4)

    def test_gaining_and_losing_the_attribute_moves_the_item_in_and_out(self):
        self.put(self.name, item(pk="p", team="a"))
        self.assertEqual(self.keys(self.name, "by-team"), [])
        self.db.update_item(TableName=self.name, Key=item(pk="p"), UpdateExpression="SET #r = :r",
                            ExpressionAttributeNames={"#r": "rank"}, ExpressionAttributeValues=values(r=1))
        self.assertEqual(self.keys(self.name, "by-team"), ["p"])
        self.db.update_item(TableName=self.name, Key=item(pk="p"), UpdateExpression="REMOVE team")
        self.assertEqual(self.keys(self.name, "by-team"), [])

    def test_replacing_put_and_delete_leave_no_old_row(self):
        self.put(self.name, item(pk="p", team="a", rank=1))
        self.put(self.name, item(pk="p", team="b", rank=2))
        self.assertEqual(self.rows(self.name, "by-team"), [item(pk="p", team="b", rank=2)])
        self.put(self.name, item(pk="p"))
        self.assertEqual(self.rows(self.name, "by-team"), [])
        self.put(self.name, item(pk="p", team="c", rank=3))
        self.db.delete_item(TableName=self.name, Key=item(pk="p"))
        self.assertEqual(self.rows(self.name, "by-team"), [])

    def test_changed_key_moves_the_row(self):
        self.put(self.name, item(pk="p", team="a", rank=1))
        for rank in (5, 2, 9):
            self.db.update_item(TableName=self.name, Key=item(pk="p"), UpdateExpression="SET #r = :r",
                                ExpressionAttributeNames={"#r": "rank"}, ExpressionAttributeValues=values(r=rank))
            found = self.query(self.name, "by-team", "team = :t", bound={"t": "a"})
            self.assertEqual(found["Items"], [item(pk="p", team="a", rank=rank)])

    def test_transactions_and_batches_move_rows_too(self):
        self.put_many(self.name, [item(pk=str(n), team="a", rank=n) for n in range(5)])
        self.db.transact_write_items(TransactItems=[
            {"Delete": {"TableName": self.name, "Key": item(pk="0")}},
            {"Update": {"TableName": self.name, "Key": item(pk="1"), "UpdateExpression": "SET team = :t",
                        "ExpressionAttributeValues": values(t="b")}},
            {"Put": {"TableName": self.name, "Item": item(pk="2")}}])
        self.assertEqual(self.query(self.name, "by-team", "team = :t", bound={"t": "a"})["Count"], 2)
        self.assertEqual(self.query(self.name, "by-team", "team = :t", bound={"t": "b"})["Count"], 1)

    def test_empty_index_key_is_refused(self):
        with self.fails("ValidationException", "empty string value"):
            self.db.put_item(TableName=self.name, Item=item(pk="p", team="", rank=1))
        self.assert_absent(self.name, item(pk="p"))


class Projections(IndexTest):
    ITEM = item(pk="p", sk="s", a="x", b=1, c=[1])

    def test_each_projection_holds_its_attributes(self):
        name = self.table("pk:S sk:S", gsi("all", "a:S"), gsi("keys", "a:S b:N", "KEYS_ONLY"),
                          gsi("some", "b:N", include=["c"]))
        self.put(name, self.ITEM)
        self.assertEqual(self.rows(name, "all"), [self.ITEM])
        self.assertEqual(self.rows(name, "keys"), [item(pk="p", sk="s", a="x", b=1)])
        self.assertEqual(self.rows(name, "some"), [item(pk="p", sk="s", b=1, c=[1])])

    def test_query_refuses_a_filter_on_what_the_index_does_not_project(self):
        name = self.table("pk:S sk:S", gsi("slim", "a:S", projection="KEYS_ONLY"),
                          lsi("local", "pk:S a:S", projection="INCLUDE", include=["b"]))
        self.put(name, item(pk="p", sk="s", a="x", b="1", c="2", d="3"))
        text = "Secondary index {} does not project one or more filter attributes: [{}]"
        for index, key in (("slim", "a"), ("local", "pk")):
            bound = values(k="x" if key == "a" else "p", v="2")
            query = {"TableName": name, "IndexName": index, "KeyConditionExpression": f"{key} = :k"}
            for filter_text, missing in (("c = :v", "c"), ("attribute_exists(d) OR c = :v", "c, d")):
                with self.subTest(index=index, filter=filter_text), \
                        self.fails("ValidationException", text.format(index, missing)):
                    self.db.query(**query, FilterExpression=filter_text, ExpressionAttributeValues=bound)
            with self.fails("ValidationException", text.format(index, "c")):
                self.db.query(TableName=name, IndexName=index,
                              KeyConditions={key: {"ComparisonOperator": "EQ", "AttributeValueList": [bound[":k"]]}},
                              QueryFilter={"c": {"ComparisonOperator": "NOT_NULL"}})
        answer = self.query(name, "local", "pk = :k", bound={"k": "p", "v": "1"}, FilterExpression="b = :v")
        self.assertEqual(answer["Count"], 1)
        # A Scan takes it for absent.
        for index in ("slim", "local"):
            answer = self.db.scan(TableName=name, IndexName=index, FilterExpression="c = :v",
                                  ExpressionAttributeValues=values(v="2"))
            self.assertEqual((answer["Count"], answer["ScannedCount"]), (0, 1))

    def test_projected_attribute_is_updated_in_the_index(self):
        name = self.table("pk:S", gsi("some", "a:S", include=["c"]))
        self.put(name, item(pk="p", a="x", c=1, d=1))
        self.db.update_item(TableName=name, Key=item(pk="p"), UpdateExpression="SET c = :v, d = :v",
                            ExpressionAttributeValues=values(v=2))
        self.assertEqual(self.rows(name, "some"), [item(pk="p", a="x", c=2)])

    def test_global_index_gives_only_what_it_holds(self):
        name = self.table("pk:S", gsi("keys", "a:S", "KEYS_ONLY"))
        self.put(name, item(pk="p", a="x", d=1))
        with self.fails("ValidationException"):
            self.query(name, "keys", "a = :a", bound={"a": "x"}, Select="ALL_ATTRIBUTES")
        with self.fails("ValidationException"):
            self.query(name, "keys", "a = :a", bound={"a": "x"}, ProjectionExpression="d")

    def test_local_index_fetches_the_rest_from_the_table(self):
        name = self.table("pk:S sk:S", lsi("local", "pk:S b:N", "KEYS_ONLY"))
        self.put(name, self.ITEM)
        found = self.query(name, "local", "pk = :p", bound={"p": "p"}, Select="ALL_ATTRIBUTES", ConsistentRead=True)
        self.assertEqual(found["Items"], [self.ITEM])
        found = self.query(name, "local", "pk = :p", bound={"p": "p"}, ProjectionExpression="c")
        self.assertEqual(found["Items"], [item(c=[1])])
        found = self.query(name, "local", "pk = :p", bound={"p": "p"})
        self.assertEqual(found["Items"], [item(pk="p", sk="s", b=1)])


class Paging(IndexTest):
    def test_equal_index_keys_are_paged_without_loss_or_repetition(self):
        name = self.table("pk:S sk:N", gsi("by-team", "team:S rank:N"))
        self.put_many(name, [item(pk=f"p{n % 7}", sk=n, team="a", rank=n % 3) for n in range(60)])
        for forward in (True, False):
            for limit in (1, 4, 59, 60, 61):
                with self.subTest(forward=forward, limit=limit):
                    found = self.all_items(self.db.query, TableName=name, IndexName="by-team",
                                           KeyConditionExpression="team = :t", Limit=limit, ScanIndexForward=forward,
                                           ExpressionAttributeValues=values(t="a"))
                    self.assertEqual(sorted(int(one["sk"]["N"]) for one in found), list(range(60)))
                    ranks = [int(one["rank"]["N"]) for one in found]
                    self.assertEqual(ranks, sorted(ranks, reverse=not forward))

    def test_cursor_holds_index_and_table_keys(self):
        name = self.table("pk:S sk:N", gsi("by-team", "team:S"))
        self.put_many(name, [item(pk="p", sk=n, team="a") for n in range(3)])
        page = self.query(name, "by-team", "team = :t", bound={"t": "a"}, Limit=1)
        self.assertEqual(set(page["LastEvaluatedKey"]), {"pk", "sk", "team"})
        with self.fails("ValidationException", "The provided starting key is invalid"):
            self.query(name, "by-team", "team = :t", bound={"t": "a"}, ExclusiveStartKey=item(pk="p", sk=1))

    def test_local_index_orders_by_its_own_key(self):
        name = self.table("pk:S sk:S", lsi("by-age", "pk:S age:N"))
        self.put_many(name, [item(pk="p", sk=str(n), age=100 - n) for n in range(10)] + [item(pk="p", sk="x")])
        found = self.query(name, "by-age", "pk = :p AND age > :a", bound={"p": "p", "a": 95})
        self.assertEqual([one["age"]["N"] for one in found["Items"]], ["96", "97", "98", "99", "100"])


class KeyTypes(IndexTest):
    def test_indexes_order_every_key_type(self):
        rows = {"N": [{"N": "-10"}, {"N": "-9.5"}, {"N": "0"}, {"N": "2"}, {"N": "11"}],
                "B": [{"B": b"\x00"}, {"B": b"\x00\x01"}, {"B": b"\x7f"}, {"B": b"\x80"}, {"B": b"\xff\xff"}],
                "S": [{"S": "A"}, {"S": "B"}, {"S": "a"}, {"S": "aa"}, {"S": "\u00e4"}]}
        for kind, keys in rows.items():
            with self.subTest(kind=kind):
                name = self.table("pk:S", gsi("sorted", f"g:N k:{kind}"))
                for number, key in enumerate(reversed(keys)):
                    self.put(name, {"pk": value(str(number)), "g": value(1), "k": key})
                found = self.query(name, "sorted", "g = :g", bound={"g": 1})
                self.assertEqual([one["k"] for one in found["Items"]], keys)


class ManyAttributeKeys(IndexTest):
    """Global indexes whose partition and sort key are made of several attributes."""

    def setUp(self):
        self.name = self.table("pk:S", gsi("wide", "team:S season:N / rnd:N court:S"))
        self.put_many(self.name, [
            item(pk=f"{team}{season}{rnd}{court}", team=team, season=season, rnd=rnd, court=court)
            for team in "ab" for season in (1, 2) for rnd in (1, 2, 10) for court in "xyz"])
        self.put(self.name, item(pk="partial", team="a", season=1, rnd=1), item(pk="fewer", team="a"))

    def found(self, condition, **more):
        bound = more.pop("bound")
        answer = self.call("Query", TableName=self.name, IndexName="wide", KeyConditionExpression=condition,
                           ExpressionAttributeValues=values(**bound), **more)
        return [one["pk"]["S"] for one in answer["Items"]]

    def test_description_names_all_attributes(self):
        schema = self.describe(self.name)["GlobalSecondaryIndexes"][0]["KeySchema"]
        self.assertEqual([(k["AttributeName"], k["KeyType"]) for k in schema],
                         [("team", "HASH"), ("season", "HASH"), ("rnd", "RANGE"), ("court", "RANGE")])

    def test_item_must_have_all_attributes(self):
        self.assertEqual(len(self.rows(self.name, "wide")), 36)

    def test_partition_is_all_its_attributes_and_order_is_by_sort_attributes_in_turn(self):
        self.assertEqual(self.found("team = :t AND season = :s", bound={"t": "a", "s": 1}),
                         [f"a1{rnd}{court}" for rnd in (1, 2, 10) for court in "xyz"])

    def test_sort_attributes_narrow_from_left_to_right(self):
        base = {"t": "a", "s": 1}
        self.assertEqual(self.found("team = :t AND season = :s AND rnd = :r", bound={**base, "r": 2}),
                         ["a12x", "a12y", "a12z"])
        self.assertEqual(self.found("team = :t AND season = :s AND rnd > :r", bound={**base, "r": 2}),
                         ["a110x", "a110y", "a110z"])
        self.assertEqual(self.found("team = :t AND season = :s AND rnd = :r AND court >= :c",
                                    bound={**base, "r": 2, "c": "y"}), ["a12y", "a12z"])

    def test_key_conditions_of_the_older_form(self):
        def found(**conditions):
            answer = self.call("Query", TableName=self.name, IndexName="wide", KeyConditions={
                name: {"ComparisonOperator": kind, "AttributeValueList": [value(operand)]}
                for name, (kind, operand) in conditions.items()})
            return [one["pk"]["S"] for one in answer["Items"]]

        base = {"team": ("EQ", "a"), "season": ("EQ", 1)}
        self.assertEqual(len(found(**base)), 9)
        self.assertEqual(found(**base, rnd=("EQ", 2)), ["a12x", "a12y", "a12z"])
        self.assertEqual(found(court=("GE", "y"), rnd=("EQ", 2), **base), ["a12y", "a12z"])
        for wrong in ({**base, "court": ("EQ", "x")}, {**base, "rnd": ("EQ", 1), "court": ("EQ", "x"), "pk": ("EQ", "a")}):
            with self.subTest(wrong=wrong), self.fails("ValidationException"):
                found(**wrong)

    def test_conditions_that_leave_gaps_are_refused(self):
        base = {"t": "a", "s": 1}
        for condition, bound in (("team = :t", {"t": "a"}),
                                 ("team = :t AND season = :s AND court = :c", {**base, "c": "x"}),
                                 ("team = :t AND season = :s AND rnd > :r AND court = :c",
                                  {**base, "r": 1, "c": "x"})):
            with self.subTest(condition=condition), self.fails("ValidationException"):
                self.found(condition, bound=bound)

    def test_pages_cover_everything_once(self):
        found = self.all_items(self.db.query, TableName=self.name, IndexName="wide", Limit=2,
                               KeyConditionExpression="team = :t AND season = :s",
                               ExpressionAttributeValues=values(t="b", s=2))
        self.assertEqual([one["pk"]["S"] for one in found],
                         [f"b2{rnd}{court}" for rnd in (1, 2, 10) for court in "xyz"])

    def test_changing_one_attribute_moves_the_row(self):
        self.db.update_item(TableName=self.name, Key=item(pk="a11x"), UpdateExpression="SET season = :s",
                            ExpressionAttributeValues=values(s=7))
        self.assertEqual(self.found("team = :t AND season = :s", bound={"t": "a", "s": 7}), ["a11x"])
        self.db.update_item(TableName=self.name, Key=item(pk="a11x"), UpdateExpression="REMOVE court")
        self.assertEqual(self.found("team = :t AND season = :s", bound={"t": "a", "s": 7}), [])
