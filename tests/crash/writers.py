"""Eight writers, each with items of its own and a journal, and one item they all count on."""

import random
import threading
import uuid

from botocore.exceptions import BotoCoreError, ClientError

import endpoint
from journal import GONE, NEVER, Journal
from tables import gsi, item, lsi, table_definition, values

TABLE = "crash"
COUNTER = "counter"
ITEMS_PER_WRITER = 6
GLOBAL_INDEX, LOCAL_INDEX = "by-group", "by-number"


def create_table(db):
    db.create_table(**table_definition(TABLE, "pk:S sk:S", gsi(GLOBAL_INDEX, "grp:S n:N"),
                                       lsi(LOCAL_INDEX, "pk:S n:N"), stream="NEW_AND_OLD_IMAGES"))


def key_of(pk):
    return item(pk=pk, sk="-")


class Writer(threading.Thread):
    """Writes until the server is gone. The next number, the journal and the counts live on over restarts."""

    def __init__(self, name, journal, numbers, seed):
        super().__init__(daemon=True)
        self.writer_name, self.journal, self.numbers = name, journal, numbers
        self.random = random.Random(seed)
        self.started_writing = threading.Event()
        self.failure = None
        self.db = None

    def connect(self, url):
        self.db = endpoint.client(url, read_timeout=20)

    def keys(self):
        return [f"{self.writer_name}-{n}" for n in range(ITEMS_PER_WRITER)]

    def run(self):
        try:
            self.settle_open_request()
            while True:
                self.random.choice([self.put, self.put, self.update, self.delete, self.pair, self.batch, self.count])()
                self.started_writing.set()
        except BotoCoreError:
            pass  # the server is gone; what was under way stays pending
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
        self.started_writing.set()

    def next_number(self):
        return next(self.numbers)

    def attempt(self, changes, call, all_or_nothing=True, **request):
        """Sends one request whose outcome the journal has to know."""
        self.journal.begin(changes, all_or_nothing)
        try:
            call(**request)
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] >= 500:
                raise
            self.journal.refuse()
            raise AssertionError(f"refused: {error} for {request}") from error
        self.journal.acknowledge()

    def body(self, key, number):
        return item(pk=key, sk="-", n=number, grp=f"g{number % 3}", filler="x" * (number % 200))

    def put(self):
        key, number = self.random.choice(self.keys()), self.next_number()
        self.attempt({key: number}, self.db.put_item, TableName=TABLE, Item=self.body(key, number))

    def update(self):
        """Compare and set: passes only if the item is what the journal says."""
        key, number = self.random.choice(self.keys()), self.next_number()
        before = self.journal.last(key)
        if before in (GONE, NEVER):
            condition, bound = "attribute_not_exists(pk)", values(n=number, g="moved")
        else:
            condition, bound = "n = :before", values(n=number, g="moved", before=before)
        self.attempt({key: number}, self.db.update_item, TableName=TABLE, Key=key_of(key),
                     UpdateExpression="SET n = :n, grp = :g", ConditionExpression=condition,
                     ExpressionAttributeValues=bound)

    def delete(self):
        key = self.random.choice(self.keys())
        if self.journal.last(key) in (GONE, NEVER):
            return
        self.attempt({key: GONE}, self.db.delete_item, TableName=TABLE, Key=key_of(key))

    def pair(self):
        """Two items in one transaction: both or neither."""
        left, right = self.random.sample(self.keys(), 2)
        first, second = self.next_number(), self.next_number()
        self.attempt({left: first, right: second}, self.db.transact_write_items, TransactItems=[
            {"Put": {"TableName": TABLE, "Item": self.body(left, first)}},
            {"Put": {"TableName": TABLE, "Item": self.body(right, second)}}])

    def batch(self):
        """Several puts and deletes in one request, each of them a write of its own."""
        changes, requests = {}, []
        for key in self.random.sample(self.keys(), 3):
            if self.journal.last(key) not in (GONE, NEVER) and self.random.random() < 0.5:
                changes[key] = GONE
                requests.append({"DeleteRequest": {"Key": key_of(key)}})
            else:
                changes[key] = self.next_number()
                requests.append({"PutRequest": {"Item": self.body(key, changes[key])}})
        self.attempt(changes, self.db.batch_write_item, all_or_nothing=False, RequestItems={TABLE: requests})

    def count(self):
        """One is added to the counter of all, under a token: sent again after a crash it must not count twice."""
        update = {"TableName": TABLE, "Key": key_of(COUNTER), "UpdateExpression": "ADD #t :one",
                  "ExpressionAttributeNames": {"#t": "total"}, "ExpressionAttributeValues": values(one=1)}
        self.journal.open_request = {"ClientRequestToken": str(uuid.UUID(int=self.random.getrandbits(128))),
                                     "TransactItems": [{"Update": update}]}
        self.settle_open_request()

    def settle_open_request(self):
        """Sends the counted transaction until the server has said yes."""
        while self.journal.open_request:
            try:
                self.db.transact_write_items(**self.journal.open_request)
            except ClientError as error:
                code = error.response["Error"]["Code"]
                reasons = {r.get("Code") for r in error.response.get("CancellationReasons", [])}
                if code == "TransactionInProgressException" or "TransactionConflict" in reasons:
                    continue
                raise
            self.journal.applied_tokens += 1
            self.journal.answered_request, self.journal.open_request = self.journal.open_request, None


def new_journals(count):
    return [Journal() for _ in range(count)]
