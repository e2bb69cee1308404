"""Transactions: all or nothing, reasons in order, tokens that apply once."""

import concurrent.futures
import threading
import uuid

from botocore.exceptions import ClientError

from case import ProtocolTest
from tables import gsi, item, plain, value, values


def put(table, what, **more):
    return {"Put": {"TableName": table, "Item": what, **more}}


def check(table, key, condition, **more):
    return {"ConditionCheck": {"TableName": table, "Key": key, "ConditionExpression": condition, **more}}


def update(table, key, expression, **more):
    return {"Update": {"TableName": table, "Key": key, "UpdateExpression": expression, **more}}


def delete(table, key, **more):
    return {"Delete": {"TableName": table, "Key": key, **more}}


class Write(ProtocolTest):
    def test_all_four_actions_over_two_tables_apply_together(self):
        one, two = self.table(), self.table("id:N")
        self.put(one, item(pk="check", n=1), item(pk="gone"))
        self.put(two, item(id=1, n=1))
        self.db.transact_write_items(TransactItems=[
            check(one, item(pk="check"), "n = :n", ExpressionAttributeValues=values(n=1)),
            put(one, item(pk="fresh"), ConditionExpression="attribute_not_exists(pk)"),
            delete(one, item(pk="gone")),
            update(two, item(id=1), "SET n = n + :n", ExpressionAttributeValues=values(n=1))])
        self.assertCountEqual(self.db.scan(TableName=one)["Items"], [item(pk="check", n=1), item(pk="fresh")])
        self.assertEqual(self.db.scan(TableName=two)["Items"], [item(id=1, n=2)])

    def test_one_failed_condition_cancels_everything_with_reasons_in_order(self):
        name = self.table("pk:S", gsi("global", "a:S"))
        self.put(name, item(pk="taken", a="x", n=1))
        with self.fails("TransactionCanceledException") as failure:
            self.call("TransactWriteItems", TransactItems=[
                put(name, item(pk="new", a="x")),
                put(name, item(pk="taken"), ConditionExpression="attribute_not_exists(pk)",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD"),
                update(name, item(pk="other"), "SET n = :n", ExpressionAttributeValues=values(n=1)),
                check(name, item(pk="nobody"), "attribute_exists(pk)")])
        self.assertEqual(failure.message, "Transaction cancelled, please refer cancellation reasons for specific "
                         "reasons [None, ConditionalCheckFailed, None, ConditionalCheckFailed]")
        reasons = failure.body["CancellationReasons"]
        self.assertEqual([reason["Code"] for reason in reasons],
                         ["None", "ConditionalCheckFailed", "None", "ConditionalCheckFailed"])
        self.assertEqual(reasons[1]["Item"], item(pk="taken", a="x", n=1))
        self.assertEqual(reasons[1]["Message"], "The conditional request failed")
        self.assertNotIn("Item", reasons[3])
        self.assertEqual(self.db.scan(TableName=name)["Items"], [item(pk="taken", a="x", n=1)])
        self.assertEqual(self.db.scan(TableName=name, IndexName="global")["Count"], 1)

    def test_update_that_cannot_apply_cancels_with_a_validation_reason(self):
        name = self.table()
        self.put(name, item(pk="text", v="x"))
        with self.fails("TransactionCanceledException") as failure:
            self.db.transact_write_items(TransactItems=[
                put(name, item(pk="new")),
                update(name, item(pk="text"), "SET v = v + :n", ExpressionAttributeValues=values(n=1))])
        self.assertEqual([r["Code"] for r in failure.body["CancellationReasons"]], ["None", "ValidationError"])
        self.assert_absent(name, item(pk="new"))

    def test_empty_keys_are_refused_before_the_transaction_begins(self):
        name = self.table("pk:S", gsi("by-a", "a:S"), gsi("by-b", "b:B"))
        key = "The AttributeValue for a key attribute cannot contain an empty "
        of_index = "A value specified for a secondary index key is not supported. " + key
        of_update = ("The update expression attempted to update a secondary index key to a value that is not "
                     "supported. " + key)
        good, absent = put(name, item(pk="good")), "attribute_not_exists(pk)"
        for action, text in (
                (put(name, item(pk="")), f"{key}string value. Key: pk"),
                (update(name, item(pk=""), "REMOVE x"), f"{key}string value. Key: pk"),
                (delete(name, item(pk="")), f"{key}string value. Key: pk"),
                (check(name, item(pk=""), absent), f"{key}string value. Key: pk"),
                (put(name, item(pk="x", a="")), f"{of_index}string value. IndexName: by-a, IndexKey: a"),
                (put(name, item(pk="x", b=b"")), f"{of_index}binary value. IndexName: by-b, IndexKey: b"),
                (update(name, item(pk="x"), "SET a = :e", ExpressionAttributeValues=values(e="")),
                 f"{of_update}string value."),
                (update(name, item(pk="x"), "SET b = :e", ExpressionAttributeValues=values(e=b"")),
                 f"{of_update}binary value.")):
            with self.subTest(action=action), self.fails("ValidationException", text):
                self.db.transact_write_items(TransactItems=[good, action])
        # A key of another type is noticed only while the transaction runs.
        with self.fails("TransactionCanceledException", "[None, ValidationError]"):
            self.db.transact_write_items(TransactItems=[good, put(name, item(pk=7))])
        with self.fails("TransactionCanceledException", "[None, ValidationError]"):
            self.db.transact_write_items(TransactItems=[good, put(name, item(pk="x", a=7))])
        self.assert_absent(name, item(pk="good"))

    def test_actions_see_the_state_before_the_transaction(self):
        name = self.table()
        with self.fails("TransactionCanceledException"):
            self.db.transact_write_items(TransactItems=[
                put(name, item(pk="a")), check(name, item(pk="b"), "attribute_exists(pk)")])
        self.assertEqual(self.db.scan(TableName=name)["Count"], 0)

    def test_items_cost_twice_and_their_index_rows_once(self):
        name = self.table("pk:S", gsi("by-a", "a:S"))

        def units(action):
            answer = self.db.transact_write_items(TransactItems=[action], ReturnConsumedCapacity="INDEXES")
            capacity, = answer["ConsumedCapacity"]
            index = capacity.get("GlobalSecondaryIndexes", {}).get("by-a", {}).get("CapacityUnits")
            return capacity["Table"]["CapacityUnits"], index, capacity["CapacityUnits"]

        self.assertEqual(units(put(name, item(pk="p", a="x"))), (2.0, 1.0, 3.0))
        self.assertEqual(units(put(name, item(pk="p", a="y"))), (2.0, 2.0, 4.0))  # the row moves
        self.assertEqual(units(put(name, item(pk="p", a="y"))), (2.0, None, 2.0))
        self.assertEqual(units(delete(name, item(pk="p"))), (2.0, 1.0, 3.0))

    def test_one_item_twice_is_refused(self):
        name = self.table()
        with self.fails("ValidationException", "Transaction request cannot include multiple operations on one item"):
            self.db.transact_write_items(TransactItems=[put(name, item(pk="a")), delete(name, item(pk="a"))])
        self.assert_absent(name, item(pk="a"))

    def test_bad_requests_are_refused_and_write_nothing(self):
        name = self.table()
        good = put(name, item(pk="good"))
        with self.fails("ValidationException"):
            self.db.transact_write_items(TransactItems=[])
        with self.fails("ValidationException"):
            self.db.transact_write_items(TransactItems=[good, {}])
        with self.fails("ValidationException"):
            self.call("TransactWriteItems", TransactItems=[good, {**put(name, item(pk="x")),
                                                                  **delete(name, item(pk="y"))}])
        with self.fails("ResourceNotFoundException"):
            self.db.transact_write_items(TransactItems=[good, put("no-such-table", item(pk="a"))])
        self.assert_absent(name, item(pk="good"))


class ConditionWork(ProtocolTest):
    """All writers wait while conditions are judged, so what those of one transaction may look through is bounded."""

    REFUSED = "too many contains() and size() for items as large as these"

    def attempt(self, table, count, condition, **more):
        try:
            self.db.transact_write_items(TransactItems=[
                check(table, item(pk=str(i)), condition, **more) for i in range(count)])
        except ClientError as error:
            return error.response["Error"]
        return None

    def test_many_conditions_that_look_through_large_items(self):
        table = self.table()
        for number in range(40):
            self.put(table, item(pk=str(number), t="a" * 50_000, u="a" * 50_000))
        often = {"ExpressionAttributeValues": values(v="ab")}
        rows = [(" AND ".join(["NOT contains(t, :v)"] * 30), often), (" AND ".join(["t = u"] * 30), {}),
                (" AND ".join(["size(t) > :n"] * 30), {"ExpressionAttributeValues": values(n=1)})]
        for condition, more in rows:
            with self.subTest(condition=condition[:20]):
                self.assertIsNone(self.attempt(table, 10, condition, **more))
                refused = self.attempt(table, 40, condition, **more)
                self.assertEqual(refused["Code"], "ValidationException")
                self.assertIn(self.REFUSED, refused["Message"])
        # Little work for each of many is no problem, and neither is much for a few.
        self.assertIsNone(self.attempt(table, 40, "attribute_exists(t) AND NOT contains(t, :v) AND size(u) < :n",
                                       ExpressionAttributeValues=values(v="ab", n=100_000)))
        self.put(table, item(pk="0", t="a" * 390_000))
        self.assertIsNone(self.attempt(table, 1, " AND ".join(["NOT contains(t, :v)"] * 10), **often))


class Tokens(ProtocolTest):
    def add_one(self, name, token, by=1):
        return self.db.transact_write_items(ClientRequestToken=token, TransactItems=[
            update(name, item(pk="a"), "ADD n :n", ExpressionAttributeValues=values(n=by))])

    def test_the_same_token_applies_once(self):
        name = self.table()
        token = str(uuid.uuid4())
        for _ in range(3):
            self.add_one(name, token)
        self.assertEqual(self.get(name, item(pk="a"))["n"], value(1))
        self.add_one(name, str(uuid.uuid4()))
        self.assertEqual(self.get(name, item(pk="a"))["n"], value(2))

    def test_token_with_other_parameters_is_a_mismatch(self):
        name = self.table()
        token = str(uuid.uuid4())
        self.add_one(name, token)
        with self.fails("IdempotentParameterMismatchException"):
            self.add_one(name, token, by=2)
        self.assertEqual(self.get(name, item(pk="a"))["n"], value(1))

    def test_token_of_a_canceled_transaction_can_be_used_again(self):
        name = self.table()
        token = str(uuid.uuid4())
        items = [put(name, item(pk="x"), ConditionExpression="attribute_not_exists(pk)"),
                 check(name, item(pk="gate"), "attribute_exists(pk)")]
        with self.fails("TransactionCanceledException"):
            self.db.transact_write_items(ClientRequestToken=token, TransactItems=items)
        self.put(name, item(pk="gate"))
        self.db.transact_write_items(ClientRequestToken=token, TransactItems=items)
        self.assertIsNotNone(self.get(name, item(pk="x")))

    def test_concurrent_twins_apply_once(self):
        name = self.table()
        token = str(uuid.uuid4())

        def attempt(_):
            try:
                self.add_one(name, token)
                return "applied"
            except ClientError as error:
                return error.response["Error"]["Code"]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            outcomes = list(pool.map(attempt, range(32)))
        self.assertIn("applied", outcomes)
        self.assertLessEqual(set(outcomes), {"applied", "TransactionInProgressException"})
        self.assertEqual(self.get(name, item(pk="a"))["n"], value(1))


class Get(ProtocolTest):
    def test_items_come_in_the_order_asked(self):
        one, two = self.table(), self.table("id:N")
        self.put(one, item(pk="a", x=1, y=2))
        self.put(two, item(id=1))
        answer = self.db.transact_get_items(TransactItems=[
            {"Get": {"TableName": two, "Key": item(id=1)}}, {"Get": {"TableName": one, "Key": item(pk="nobody")}},
            {"Get": {"TableName": one, "Key": item(pk="a"), "ProjectionExpression": "x"}}])
        self.assertEqual(answer["Responses"], [{"Item": item(id=1)}, {}, {"Item": item(x=1)}])

    def test_projection_that_matches_nothing_gives_no_item(self):
        name = self.table()
        self.put(name, item(pk="a", x=1))
        get = {"TableName": name, "Key": item(pk="a"), "ProjectionExpression": "absent, x.y"}
        answer = self.call("TransactGetItems", TransactItems=[{"Get": get}])
        self.assertEqual(answer["Responses"], [{}])
        self.assertEqual(self.call("GetItem", **get), {"Item": {}})

    def test_bad_requests_are_refused(self):
        name = self.table()
        with self.fails("ValidationException"):
            self.db.transact_get_items(TransactItems=[])
        with self.fails("ResourceNotFoundException"):
            self.db.transact_get_items(TransactItems=[{"Get": {"TableName": "no-such-table",
                                                               "Key": item(pk="a")}}])
        with self.fails("TransactionCanceledException", "[ValidationError]"):
            self.db.transact_get_items(TransactItems=[{"Get": {"TableName": name, "Key": item(pk=1)}}])


class Isolation(ProtocolTest):
    def test_transfers_keep_the_sum_for_every_reader(self):
        accounts, total = 6, 600
        name = self.table()
        self.put_many(name, [item(pk=str(n), balance=total // accounts) for n in range(accounts)])
        stop = threading.Event()
        gets = [{"Get": {"TableName": name, "Key": item(pk=str(n))}} for n in range(accounts)]

        def transfer(start):
            for step in range(40):
                source, target = (start + step) % accounts, (start * 7 + step * 5 + 1) % accounts
                if source == target:
                    continue
                try:
                    self.db.transact_write_items(TransactItems=[
                        update(name, item(pk=str(source)), "SET balance = balance - :x",
                               ConditionExpression="balance >= :x", ExpressionAttributeValues=values(x=step)),
                        update(name, item(pk=str(target)), "SET balance = balance + :x",
                               ExpressionAttributeValues=values(x=step))])
                except ClientError as error:
                    self.assertEqual(error.response["Error"]["Code"], "TransactionCanceledException")

        def read():
            sums = set()
            while not stop.is_set():
                try:
                    answer = self.db.transact_get_items(TransactItems=gets)
                except ClientError as error:
                    self.assertEqual(error.response["Error"]["Code"], "TransactionCanceledException")
                    continue
                sums.add(sum(int(plain(one["Item"])["balance"]) for one in answer["Responses"]))
            return sums

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            reader = pool.submit(read)
            for writer in [pool.submit(transfer, n) for n in range(4)]:
                writer.result()
            stop.set()
            self.assertEqual(reader.result(), {total})
        balances = [int(plain(one)["balance"]) for one in self.db.scan(TableName=name)["Items"]]
        self.assertEqual(sum(balances), total)
        self.assertGreaterEqual(min(balances), 0)

    def test_concurrent_increments_are_all_counted(self):
        name = self.table()
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda _: self.db.update_item(
                TableName=name, Key=item(pk="a"), UpdateExpression="ADD n :one",
                ExpressionAttributeValues=values(one=1)), range(300)))
        self.assertEqual(self.get(name, item(pk="a"))["n"], value(300))

    def test_only_one_of_many_conditional_puts_wins(self):
        name = self.table()

        def attempt(number):
            try:
                self.db.put_item(TableName=name, Item=item(pk="lock", owner=number),
                                 ConditionExpression="attribute_not_exists(pk)")
                return number
            except self.db.exceptions.ConditionalCheckFailedException:
                return None
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            winners = [n for n in pool.map(attempt, range(64)) if n is not None]
        self.assertEqual(len(winners), 1)
        self.assertEqual(self.get(name, item(pk="lock"))["owner"], value(winners[0]))
