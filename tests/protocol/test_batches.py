"""BatchGetItem and BatchWriteItem: several tables, duplicates, and requests refused as a whole."""

from case import ProtocolTest
from tables import gsi, item, values


class BatchGet(ProtocolTest):
    def test_found_items_of_several_tables_come_back(self):
        one, two = self.table(), self.table("id:N at:N")
        self.put(one, item(pk="a", x=1), item(pk="b", x=2))
        self.put(two, item(id=1, at=1, y=1))
        answer = self.db.batch_get_item(RequestItems={
            one: {"Keys": [item(pk="a"), item(pk="nobody"), item(pk="b")], "ConsistentRead": True},
            two: {"Keys": [item(id=1, at=1)], "ProjectionExpression": "#y", "ExpressionAttributeNames": {"#y": "y"}}})
        self.assertCountEqual(answer["Responses"][one], [item(pk="a", x=1), item(pk="b", x=2)])
        self.assertEqual(answer["Responses"][two], [item(y=1)])
        self.assertEqual(answer["UnprocessedKeys"], {})

    def test_answer_beyond_16_mb_leaves_the_rest_unprocessed(self):
        name = self.table()
        for n in range(45):
            self.put(name, item(pk=str(n), filler="x" * 390_000))
        wanted = {name: {"Keys": [item(pk=str(n)) for n in range(45)]}}
        seen, rounds = [], 0
        while wanted:
            answer = self.db.batch_get_item(RequestItems=wanted)
            seen += [one["pk"]["S"] for one in answer["Responses"].get(name, [])]
            wanted, rounds = answer["UnprocessedKeys"], rounds + 1
        self.assertCountEqual(seen, [str(n) for n in range(45)])
        self.assertGreater(rounds, 1)

    def test_consumed_capacity_is_reported_per_table(self):
        one, two = self.table(), self.table()
        self.put(one, item(pk="a"))
        answer = self.db.batch_get_item(ReturnConsumedCapacity="TOTAL", RequestItems={
            one: {"Keys": [item(pk="a")]}, two: {"Keys": [item(pk="a"), item(pk="b")]}})
        units = {entry["TableName"]: entry["CapacityUnits"] for entry in answer["ConsumedCapacity"]}
        self.assertEqual(units, {one: 0.5, two: 1.0})

    def test_tables_that_ask_in_the_older_and_the_newer_way_do_not_mix(self):
        one, two = self.table(), self.table()
        with self.fails("ValidationException", "Can not use both expression and non-expression parameters in the same "
                        "request: Non-expression parameters: {AttributesToGet} "
                        "Expression parameters: {ProjectionExpression}"):
            self.db.batch_get_item(RequestItems={
                one: {"Keys": [item(pk="a")], "ProjectionExpression": "x"},
                two: {"Keys": [item(pk="a")], "AttributesToGet": ["x"]}})

    def test_refused_requests(self):
        name = self.table()
        with self.fails("ValidationException", "Provided list of item keys contains duplicates"):
            self.db.batch_get_item(RequestItems={name: {"Keys": [item(pk="a"), item(pk="a")]}})
        with self.fails("ValidationException"):
            self.db.batch_get_item(RequestItems={})
        with self.fails("ValidationException"):
            self.db.batch_get_item(RequestItems={name: {"Keys": []}})
        with self.fails("ValidationException", "The provided key element does not match the schema"):
            self.db.batch_get_item(RequestItems={name: {"Keys": [item(pk=1)]}})
        with self.fails("ResourceNotFoundException"):
            self.db.batch_get_item(RequestItems={name: {"Keys": [item(pk="a")]},
                                                 "no-such-table": {"Keys": [item(pk="a")]}})


class BatchWrite(ProtocolTest):
    def test_puts_and_deletes_in_several_tables(self):
        one, two = self.table(), self.table("id:N at:N")
        self.put(one, item(pk="old"))
        answer = self.db.batch_write_item(RequestItems={
            one: [{"PutRequest": {"Item": item(pk="new", x=1)}}, {"DeleteRequest": {"Key": item(pk="old")}},
                  {"DeleteRequest": {"Key": item(pk="never")}}],
            two: [{"PutRequest": {"Item": item(id=1, at=1)}}]})
        self.assertEqual(answer["UnprocessedItems"], {})
        self.assertEqual(self.db.scan(TableName=one)["Items"], [item(pk="new", x=1)])
        self.assertEqual(self.db.scan(TableName=two)["Items"], [item(id=1, at=1)])

    def refused(self, requests, text="", code="ValidationException"):
        """One bad entry refuses the whole batch: the good one is not written either."""
        name = self.table()
        good = {"PutRequest": {"Item": item(pk="good")}}
        with self.fails(code, text):
            self.call("BatchWriteItem", RequestItems={name: [good, *requests]})
        self.assertEqual(self.db.scan(TableName=name)["Count"], 0)

    def test_the_same_item_twice(self):
        text = "Provided list of item keys contains duplicates"
        self.refused([{"PutRequest": {"Item": item(pk="a", x=1)}}, {"PutRequest": {"Item": item(pk="a", x=2)}}], text)
        self.refused([{"PutRequest": {"Item": item(pk="a")}}, {"DeleteRequest": {"Key": item(pk="a")}}], text)

    def test_bad_entries(self):
        self.refused([{"PutRequest": {"Item": item(other="a")}}])
        self.refused([{"PutRequest": {"Item": item(pk=1)}}])
        self.refused([{"DeleteRequest": {"Key": item(pk="a", more=1)}}])
        self.refused([{"PutRequest": {"Item": {"pk": {"S": "a"}, "n": {"N": "x"}}}}])
        self.refused([{}])

    def test_unknown_table_among_the_tables(self):
        name = self.table()
        with self.fails("ResourceNotFoundException"):
            self.db.batch_write_item(RequestItems={name: [{"PutRequest": {"Item": item(pk="good")}}],
                                                   "no-such-table": [{"PutRequest": {"Item": item(pk="a")}}]})
        self.assert_absent(name, item(pk="good"))

    def test_empty_batches(self):
        name = self.table()
        with self.fails("ValidationException"):
            self.db.batch_write_item(RequestItems={})
        with self.fails("ValidationException"):
            self.db.batch_write_item(RequestItems={name: []})

    def test_batch_puts_reach_indexes(self):
        name = self.table("pk:S", gsi("global", "a:S"))
        self.put_many(name, [item(pk=str(n), a="x") for n in range(60)])
        answer = self.db.query(TableName=name, IndexName="global", KeyConditionExpression="a = :a",
                               ExpressionAttributeValues=values(a="x"))
        self.assertEqual(answer["Count"], 60)
