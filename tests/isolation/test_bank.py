"""What the bank makes of a stream and of balances that are wrong, without a server."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "protocol")]

import bank  # noqa: E402
import wire  # noqa: E402


def row(name, balance):
    return {**bank.key(name), "balance": wire.number(balance)}


def record(number, name, old, new):
    images = {"OldImage": old and row(name, old), "NewImage": new and row(name, new)}
    return {"dynamodb": {"Keys": bank.key(name), "SequenceNumber": str(number),
                         **{kind: image for kind, image in images.items() if image}}}


class StreamOf:
    """A connection that knows one stream."""

    def __init__(self, records):
        self.records = records

    def call(self, operation, request):
        assert (operation, request) == ("DescribeTable", {"TableName": bank.TABLE})
        return {"Table": {"LatestStreamArn": "stream"}}

    def describe_stream(self, StreamArn):
        return {"StreamDescription": {"Shards": [{"ShardId": "only"}]}}

    def get_shard_iterator(self, **_):
        return {"ShardIterator": "0"}

    def get_records(self, ShardIterator):
        position = int(ShardIterator)
        return {"Records": self.records[position:position + 2], "NextShardIterator": str(position + 2)}


class StreamReplay(unittest.TestCase):
    RECORDS = [record(1, "a", None, 10), record(2, "b", None, 20), record(3, "a", 10, 5), record(4, "b", 20, 25)]
    ROWS = {"a": row("a", 5), "b": row("b", 25)}

    def problems(self, records):
        return bank.Bank.check_stream(StreamOf(records), self.ROWS)

    def test_whole_stream_is_the_table(self):
        self.assertEqual(self.problems(self.RECORDS), [])

    def test_every_missing_record_is_noticed(self):
        for missing in range(len(self.RECORDS)):
            with self.subTest(missing=missing):
                self.assertTrue(self.problems(self.RECORDS[:missing] + self.RECORDS[missing + 1:]))

    def test_changed_order_within_an_item_is_noticed(self):
        self.assertTrue(self.problems([self.RECORDS[2], self.RECORDS[1], self.RECORDS[0], self.RECORDS[3]]))

    def test_order_between_items_is_free(self):
        self.assertEqual(self.problems([self.RECORDS[1], self.RECORDS[0], self.RECORDS[3], self.RECORDS[2]]), [])

    def test_record_that_came_twice_is_noticed(self):
        self.assertTrue(self.problems([*self.RECORDS, self.RECORDS[-1]]))


class Sums(unittest.TestCase):
    GOOD = [(bank.account(number), bank.INITIAL) for number in range(bank.ACCOUNTS)]

    def wrong(self, change):
        balances = dict(self.GOOD)
        balances.update(change)
        return bank.Bank.wrong("here", sorted(balances.items()))

    def test_moved_money_is_fine(self):
        self.assertEqual(self.wrong({"account0": 0, "account1": 2 * bank.INITIAL}), [])

    def test_made_money_is_noticed(self):
        self.assertTrue(self.wrong({"account0": bank.INITIAL + 1}))

    def test_overdrawn_account_is_noticed(self):
        self.assertTrue(self.wrong({"account0": -1, "account1": 2 * bank.INITIAL + 1}))

    def test_account_shown_twice_is_noticed(self):
        self.assertTrue(bank.Bank.wrong("here", [*self.GOOD[:-1], self.GOOD[0]]))


if __name__ == "__main__":
    unittest.main()
