"""Clients append to lists and read them, in every way the protocol offers; the history must be strictly serializable.

Writes: UpdateItem, blind or on condition of what was read; TransactWriteItems over two tables, blind or on condition
of what was read. Reads: GetItem, TransactGetItems, BatchGetItem, Query of a table and of an index, what UpdateItem
returns and what refused writes return. A transaction on condition counts as one that has read what it demands, so
write skew shows.
"""

import itertools
import threading

import append_checker
import wire
from append_checker import APPEND, READ, Transaction
from history import FAIL, OK, Operation
from workload import Workload

ACTIVE_KEYS = 8
APPENDS_PER_KEY = 50   # then another key takes its place, so that lists stay short
TABLES = ("append-a", "append-b")
INDEX = "by-wide"
GROUP, WIDE = 8, 16    # neighbouring keys that share a partition of the table, of the index
CONDITION_FAILED = ("ConditionalCheckFailedException", "TransactionCanceledException")


class Keys:
    """The keys in use. A key is a number; every APPENDS_PER_KEY appends a new one comes."""

    def __init__(self):
        self.lock = threading.Lock()  # guards everything here
        self.active = list(range(ACTIVE_KEYS))
        self.appends = dict.fromkeys(self.active, 0)

    def choose(self, random, count):
        with self.lock:
            return random.sample(self.active, count)

    def note_append(self, key):
        with self.lock:
            self.appends[key] += 1
            if self.appends[key] == APPENDS_PER_KEY:
                new = len(self.appends)
                self.active[self.active.index(key)] = new
                self.appends[new] = 0

    def all(self):
        return list(self.appends)


def table_of(key):
    return TABLES[key % len(TABLES)]


def where(key):
    return {"TableName": table_of(key),
            "Key": {"pk": wire.text(f"group{key // GROUP}"), "sk": wire.number(key)}}


def elements_of(item):
    return tuple(map(wire.integer, item["l"]["L"])) if item and "l" in item else ()


class ListAppend(Workload):
    name = "list-append"
    mutants = ("stale-reads", "lost-updates", "torn-transactions", "write-skew", "duplicated-appends", "dirty-aborts")

    def __init__(self, seed):
        super().__init__(seed)
        self.keys = Keys()
        self.elements = itertools.count(1)
        self.steps, self.weights = zip(
            (self.append, 20), (self.append_if_unchanged, 10), (self.get, 12), (self.transact_get, 12),
            (self.batch_get, 5), (self.query, 5), (self.query_index, 5), (self.transact_blind, 15),
            (self.transact_if_unchanged, 16))

    def tables(self):
        return [wire.table(name, "pk:S sk:N", index=(INDEX, "wide:S sk:N"), stream=True) for name in TABLES]

    def step(self, client):
        client.random.choices(self.steps, self.weights)[0](client)

    # Writes

    def new_elements(self, random):
        return tuple(next(self.elements) for _ in range(2 if random.random() < 0.15 else 1))

    def update(self, key, elements, seen=None, random=None):
        """An update that appends; with `seen`, only if the list is still that."""
        request = {**where(key), "UpdateExpression": "SET wide = :w, l = list_append(if_not_exists(l, :none), :new)",
                   "ExpressionAttributeValues": {":w": wire.text(f"wide{key // WIDE}"), ":none": {"L": []},
                                                 ":new": wire.numbers(elements)}}
        if seen is not None:
            request["ConditionExpression"] = self.unchanged(seen, random, request["ExpressionAttributeValues"])
            request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        return request

    @staticmethod
    def unchanged(seen, random, values):
        if not seen:
            return "attribute_not_exists(l)"
        if random.random() < 0.5:
            values[":seen"] = wire.numbers(seen)
            return "l = :seen"
        values[":size"] = wire.number(len(seen))
        return "size(l) = :size"

    def append(self, client):
        key, elements = self.keys.choose(client.random, 1)[0], self.new_elements(client.random)
        request = self.update(key, elements)
        returns = request["ReturnValues"] = client.random.choice(["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_NEW"])
        actions = [(APPEND, key, elements)]
        done = client.attempt("UpdateItem", actions, "UpdateItem", request)
        if done.status == OK and returns != "NONE":
            read = (READ, key, elements_of(done.result.get("Attributes")))
            done.arguments = [read, *actions] if returns == "ALL_OLD" else [*actions, read]
        self.keys.note_append(key)

    def append_if_unchanged(self, client):
        key = self.keys.choose(client.random, 1)[0]
        got = self.read(client, "GetItem", {**where(key), "ConsistentRead": True}, self.one(key))
        if got.status == OK:
            seen, elements = got.arguments[0][2], self.new_elements(client.random)
            done = client.attempt("UpdateItem on condition", [(READ, key, seen), (APPEND, key, elements)], "UpdateItem",
                                  self.update(key, elements, seen, client.random), CONDITION_FAILED)
            if done.status == FAIL and "Item" in done.result.body:
                self.read_by_refusal(client, done, [(READ, key, elements_of(done.result.body["Item"]))])
            self.keys.note_append(key)

    def transact_blind(self, client):
        keys = self.keys.choose(client.random, client.random.randint(2, 4))
        actions = [(APPEND, key, self.new_elements(client.random)) for key in keys]
        client.attempt("TransactWriteItems", actions, "TransactWriteItems",
                       {"TransactItems": [{"Update": self.update(key, added)} for _, key, added in actions]})
        for key in keys:
            self.keys.note_append(key)

    def transact_if_unchanged(self, client):
        """Reads some keys, then appends to some of them and perhaps to another, if all are as they were read."""
        keys = self.keys.choose(client.random, client.random.randint(2, 4))
        got = self.transact_get(client, keys)
        if got.status != OK:
            return
        written = client.random.sample(keys, client.random.randint(1, len(keys) - 1))
        reads, appends, requests = [], [], []
        for _, key, seen in got.arguments:
            if key in written:
                appends.append((APPEND, key, self.new_elements(client.random)))
                blind = client.random.random() < 0.2
                requests.append({"Update": self.update(key, appends[-1][2], None if blind else seen, client.random)})
                if blind:
                    continue
            else:
                values = {}
                check = {**where(key), "ConditionExpression": self.unchanged(seen, client.random, values),
                         "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
                requests.append({"ConditionCheck": {**check, "ExpressionAttributeValues": values} if values else check})
            reads.append((READ, key, seen))
        done = client.attempt("TransactWriteItems on condition", reads + appends, "TransactWriteItems",
                              {"TransactItems": requests}, CONDITION_FAILED)
        if done.status == FAIL:
            self.read_by_refusal(client, done, [
                (READ, key, elements_of(reason["Item"]))
                for (_, key, _), reason in zip(got.arguments, done.result.reasons) if "Item" in reason])
        for key in written:
            self.keys.note_append(key)

    @staticmethod
    def read_by_refusal(client, refused, actions):
        """What a refused write returns was read at one moment, too."""
        if actions:
            read = Operation(client.number, "returned by a refusal", actions)
            read.status, read.invoked, read.completed = OK, refused.invoked, refused.completed
            client.operations.append(read)

    # Reads

    @staticmethod
    def read(client, call, request, parse):
        done = client.attempt(call, [], call, request)
        if done.status == OK:
            done.arguments, done.result = parse(done.result), None
        return done

    @staticmethod
    def one(key):
        return lambda answer: [(READ, key, elements_of(answer.get("Item")))]

    def get(self, client):
        key = self.keys.choose(client.random, 1)[0]
        # Reads that are not called consistent see every acknowledged write here, too: docs/compatibility.md.
        self.read(client, "GetItem", {**where(key), "ConsistentRead": client.random.random() < 0.7}, self.one(key))

    def transact_get(self, client, keys=None):
        keys = keys or self.keys.choose(client.random, client.random.randint(2, 5))
        return self.read(client, "TransactGetItems", {"TransactItems": [{"Get": where(key)} for key in keys]},
                         lambda answer: [(READ, key, elements_of(one.get("Item")))
                                         for key, one in zip(keys, answer["Responses"], strict=True)])

    def batch_get(self, client):
        keys = self.keys.choose(client.random, client.random.randint(2, 5))
        asked = {}
        for key in keys:
            asked.setdefault(table_of(key), {"Keys": []})["Keys"].append(where(key)["Key"])
        self.read(client, "BatchGetItem", {"RequestItems": asked}, lambda answer: self.found(
            keys, [item for items in answer["Responses"].values() for item in items]))

    def query(self, client):
        self.query_group(client, "pk", "group", GROUP, {"ConsistentRead": True})

    def query_index(self, client):
        self.query_group(client, "wide", "wide", WIDE, {"IndexName": INDEX})

    def query_group(self, client, attribute, name, size, more):
        """One page is one snapshot of all keys that share a partition."""
        key = self.keys.choose(client.random, 1)[0]
        first = key // size * size
        keys = [other for other in range(first, first + size) if table_of(other) == table_of(key)]
        request = wire.query_request(table_of(key), attribute, wire.text(f"{name}{key // size}"), **more)
        self.read(client, "Query", request, lambda answer: self.found(keys, answer["Items"]))

    @staticmethod
    def found(keys, items):
        by_key = {wire.integer(item["sk"]): item for item in items}
        return [(READ, key, elements_of(by_key.get(key))) for key in keys]

    # Judgement

    def check(self, connection, operations):
        operations = [*operations, *self.final_reads(connection)]
        problems = self.check_index(connection)  # before the long thinking: the server closes idle connections
        transactions = [Transaction(op.client, op.kind, op.status, op.invoked, op.completed, op.arguments)
                        for op in operations]
        return problems + append_checker.check(transactions).problems()

    def final_reads(self, connection):
        reads = []
        for key in self.keys.all():
            read = Operation("last", "GetItem", [])
            item = connection.call("GetItem", {**where(key), "ConsistentRead": True}).get("Item")
            read.arguments = [(READ, key, elements_of(item))]
            read.finish(OK)
            reads.append(read)
        return reads

    @staticmethod
    def check_index(connection):
        problems = []
        for name in TABLES:
            rows = sorted(map(repr, wire.scan(connection, name)))
            if rows != sorted(map(repr, wire.scan(connection, name, IndexName=INDEX))):
                problems.append(f"index and table {name} differ")
        return problems
