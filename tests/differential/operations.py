"""One random operation at a time, done by the server and by the reference, answers compared.

Every method draws from `self.random` only, so a seed replays the whole run.
"""

from decimal import Decimal

from botocore.exceptions import ClientError

import conditions as c
import model as m
import values
from values import item_from_wire, item_to_wire

PARTITIONS = {"S": [("S", "p"), ("S", "p\u0000"), ("S", "q")], "N": [("N", Decimal(n)) for n in (-1, 0, 7)],
              "B": [("B", b"\x00"), ("B", b"\x00\x01"), ("B", b"\xff")]}
# Keys whose order is easy to get wrong.
SORTS = {
    "S": [("S", s) for s in ("", "!", "A", "a", "a\u0000", "aa", "ab", "b", "\u00e4", "\uffee", "\U0001F600")[1:]],
    "N": [("N", Decimal(n)) for n in ("-1e3", "-100", "-99.5", "-1", "-0.001", "0", "0.001", "1", "2", "10", "1e20")],
    "B": [("B", b) for b in (b"\x00", b"\x00\x00", b"\x01", b"\x7f", b"\x80", b"\xfe\xff", b"\xff", b"\xff\x00")],
}
ATTRIBUTES = ("a", "b", "c", "n", "s", "l", "st")


class Mismatch(Exception):
    pass


def tables(prefix):
    """Every key type as partition and sort key, indexes of every projection, sparse by design."""
    return [
        m.Table(f"{prefix}-sn", ("pk", "S"), ("sk", "N"), [
            m.Index("by-a-b", ("a", "S"), ("b", "N")), m.Index("by-b", ("b", "N"), None, "KEYS_ONLY"),
            m.Index("by-c", ("c", "B"), ("a", "S"), "INCLUDE", ("n", "s")),
            m.Index("local-b", ("pk", "S"), ("b", "N"), local=True)]),
        m.Table(f"{prefix}-n", ("pk", "N"), None, [m.Index("by-a", ("a", "S"), ("pk", "N"))]),
        m.Table(f"{prefix}-bb", ("pk", "B"), ("sk", "B"), [
            m.Index("by-b-c", ("b", "N"), ("c", "B")), m.Index("local-c", ("pk", "B"), ("c", "B"), "KEYS_ONLY",
                                                               local=True)]),
        m.Table(f"{prefix}-ss", ("pk", "S"), ("sk", "S"), [m.Index("by-sk", ("sk", "S"), ("pk", "S"))]),
    ]


class Operations:
    def __init__(self, db, tables_, random):
        self.db, self.tables, self.random = db, tables_, random
        self.log = ""  # the operation being done, for the report

    # Random material

    def chance(self, share):
        return self.random.random() < share

    def pick(self, options):
        return self.random.choice(options)

    def key(self, table):
        key = {table.partition[0]: self.pick(PARTITIONS[table.partition[1]])}
        if table.sort:
            key[table.sort[0]] = self.pick(SORTS[table.sort[1]])
        return key

    def number(self):
        return self.pick([Decimal(n) for n in range(-3, 6)] + [Decimal("0.5"), Decimal("-2.25")])

    def value_for(self, attribute):
        """Mostly of the attribute's usual type, now and then of another (never for index keys: see misfit)."""
        if attribute == "a":
            return self.pick(SORTS["S"][:4])
        if attribute == "b":
            return self.pick(SORTS["N"][3:8])
        if attribute == "c":
            return self.pick(SORTS["B"][:5])
        if attribute == "n" and self.chance(0.9):
            return "N", self.number()
        if attribute == "l" and self.chance(0.9):
            return "L", tuple(("N", self.number()) for _ in range(self.random.randint(0, 3)))
        if attribute == "st" and self.chance(0.9):
            return self.some_set()
        return self.pick([("S", "hello"), ("S", ""), ("BOOL", True), ("NULL", True), ("B", b"\x00x"),
                          ("M", (("k", ("N", self.number())), ("z", ("S", "deep")))), ("S", "help"), ("N", Decimal(1))])

    def some_set(self):
        kind = self.pick(["SS", "SS", "NS"])
        if kind == "SS":
            return kind, frozenset(self.random.sample(["x", "y", "z"], self.random.randint(1, 3)))
        return kind, frozenset(self.random.sample([Decimal(1), Decimal(2), Decimal("2.5")], self.random.randint(1, 3)))

    def item(self, table):
        item = self.key(table)
        for attribute in ATTRIBUTES:
            if self.chance(0.6):
                item[attribute] = self.value_for(attribute)
        return item

    def misfit(self, table, item):
        """Sometimes an index key of the wrong type, which must be refused."""
        names = [name for index in table.indexes for name, _ in index.keys() if name not in table.key_names()]
        if names and self.chance(0.03):
            item[self.pick(names)] = ("BOOL", False)
        return item

    def condition(self, names=ATTRIBUTES, depth=2):
        if depth and self.chance(0.35):
            if self.chance(0.3):
                return c.Not(self.condition(names, depth - 1))
            return c.Join(self.pick(["AND", "OR"]), [self.condition(names, depth - 1)
                                                     for _ in range(self.random.randint(2, 3))])
        name = self.pick(names)
        kind = self.random.randrange(8)
        operand = self.value_for(name)
        ordered = operand if operand[0] in values.ORDERED else ("N", self.number())
        if kind == 0:
            return c.Exists(name, self.chance(0.5))
        if kind == 1:
            return c.Compare(name, self.pick(["=", "<>"]), operand)
        if kind == 2:
            return c.Compare(name, self.pick(["<", "<=", ">", ">="]), ordered)
        if kind == 3:
            low, high = sorted([("N", self.number()), ("N", self.number())])
            return c.Between(name, low, high)
        if kind == 4:
            return c.In(name, [self.value_for(name) for _ in range(self.random.randint(1, 3))])
        if kind == 5:
            return c.BeginsWith(name, self.pick([("S", "hel"), ("S", "a"), ("S", ""), ("B", b"\x00")]))
        if kind == 6:
            return c.Contains(name, self.pick([("S", "x"), ("S", "l"), ("N", self.number())]))
        return c.Size(name, self.pick(["=", "<", ">"]), self.random.randint(0, 4))

    def actions(self, table):
        names = self.random.sample([a for a in ATTRIBUTES if a not in table.key_names()], self.random.randint(0, 3))
        return [self.action(name) for name in names]

    def action(self, name):
        if name in ("a", "b", "c"):
            return self.pick([m.SetValue(name, self.value_for(name)), m.Remove(name)])
        kind = self.random.randrange(7)
        if kind == 0:
            return m.Remove(name)
        if kind == 1:
            return m.Copy(name, self.pick(ATTRIBUTES), self.value_for(name) if self.chance(0.7) else None)
        if kind == 2 or name == "n":
            return m.Arithmetic(name, "n", self.pick("+-"), self.number())
        if name == "l":
            return m.Append(name, tuple(("N", self.number()) for _ in range(2)), self.chance(0.5))
        if name == "st":
            return self.pick([m.Add, m.Delete])(name, self.some_set())
        if kind == 3:
            return m.Add(name, ("N", self.number()))
        return m.SetValue(name, self.value_for(name))

    # Comparison

    def compare(self, what, expected, actual):
        if expected != actual:
            raise Mismatch(f"{self.log}\n{what}\n  reference: {expected}\n  server:    {actual}")

    def both(self, decide, send, request):
        """Runs an operation on both sides; returns (reference's answer, server's answer) or None if both refused."""
        try:
            expected, refusal = decide(), None
        except m.Refused as error:
            expected, refusal = None, error
        try:
            actual, failure = send(**request), None
        except ClientError as error:
            actual, failure = None, error
        self.compare("outcome", refusal.code if refusal else "success",
                     failure.response["Error"]["Code"] if failure else "success")
        if refusal:
            if refusal.reasons:
                self.compare("reasons", refusal.reasons,
                             [reason["Code"] for reason in failure.response["CancellationReasons"]])
            return None
        return expected, actual

    def compare_rows(self, what, expected, actual):
        """The same items in any order; a report names only those that one side lacks."""
        expected = sorted(expected, key=values.sort_key)
        actual = sorted(actual, key=values.sort_key)
        if expected != actual:
            self.compare(what, [row for row in expected if row not in actual] or f"{len(expected)} rows",
                         [row for row in actual if row not in expected] or f"{len(actual)} rows")

    # Single items

    def with_condition(self, request, place, share=0.4):
        condition = self.condition() if self.chance(share) else None
        if condition:
            request["ConditionExpression"] = condition.text(place)
        return condition

    def put(self):
        table, place = self.pick(self.tables), c.Placeholders()
        item = self.misfit(table, self.item(table))
        request = {"TableName": table.name, "Item": item_to_wire(item), "ReturnValues": "ALL_OLD"}
        condition = self.with_condition(request, place)
        self.write(table, self.db.put_item, request, place, lambda: table.decide_put(item, condition), item)

    def delete(self):
        table, place = self.pick(self.tables), c.Placeholders()
        key = self.key(table)
        request = {"TableName": table.name, "Key": item_to_wire(key), "ReturnValues": "ALL_OLD"}
        condition = self.with_condition(request, place)
        self.write(table, self.db.delete_item, request, place, lambda: table.decide_delete(key, condition), key)

    def update(self):
        table, place = self.pick(self.tables), c.Placeholders()
        key, actions = self.key(table), self.actions(table)
        returns = self.pick(["ALL_OLD", "ALL_NEW"])
        request = {"TableName": table.name, "Key": item_to_wire(key), "ReturnValues": returns}
        if actions:
            request["UpdateExpression"] = m.update_expression(actions, place)
        condition = self.with_condition(request, place)
        self.write(table, self.db.update_item, request, place,
                   lambda: table.decide_update(key, actions, condition), key)

    def write(self, table, send, request, place, decide, keyed):
        request.update(place.parameters())
        self.log = f"{send.__name__} {request}"
        outcome = self.both(decide, send, request)
        if outcome:
            (old, new), answer = outcome
            table.apply(table.key_of(keyed), new)
            returned = new if request["ReturnValues"] == "ALL_NEW" else old
            if returned is not None or request["ReturnValues"] == "ALL_OLD":
                self.compare("returned attributes", returned,
                             item_from_wire(answer["Attributes"]) if "Attributes" in answer else None)

    def get(self):
        table, place = self.pick(self.tables), c.Placeholders()
        key = self.key(table)
        request = {"TableName": table.name, "Key": item_to_wire(key), "ConsistentRead": True}
        expected = table.items.get(table.key_of(key))
        if self.chance(0.3):
            names = self.random.sample(ATTRIBUTES, 3)
            request["ProjectionExpression"] = ", ".join(place.name(name) for name in names)
            expected = expected and {name: v for name, v in expected.items() if name in names}
        request.update(place.parameters())
        self.log = f"get_item {request}"
        answer = self.db.get_item(**request)
        self.compare("item", expected, item_from_wire(answer["Item"]) if "Item" in answer else None)

    # Query and Scan

    def query(self):
        table, place = self.pick(self.tables), c.Placeholders()
        index = self.pick([None, *table.indexes])
        schema = index or table
        partition = self.pick(self.keys_seen(table, schema.partition))
        text = f"{place.name(schema.partition[0])} = {place.value(partition)}"
        narrowing = self.sort_condition(schema.sort) if schema.sort and self.chance(0.6) else None
        if narrowing:
            text += f" AND {narrowing.text(place)}"
        forward = self.chance(0.5)
        request = {"TableName": table.name, "KeyConditionExpression": text, "ScanIndexForward": forward}
        expected = table.query(index, partition, narrowing)
        keys = [name for name, _ in schema.keys()]
        found = self.read_pages(self.db.query, request, place, table, index, expected,
                                [a for a in ATTRIBUTES if a not in keys and table.projects(index, a)])
        if schema.sort:
            order = [values.order_key(row[schema.sort[0]]) for row in found]
            self.compare("order", sorted(order, reverse=not forward), order)

    def keys_seen(self, table, key):
        name, kind = key
        seen = sorted({item[name] for item in table.items.values() if name in item and item[name][0] == kind},
                      key=values.order_key)
        return seen or PARTITIONS[kind]

    def sort_condition(self, key):
        name, kind = key
        options = SORTS[kind] if kind != "N" or name != "pk" else PARTITIONS["N"]
        choice = self.random.randrange(3)
        if choice == 0:
            return c.Compare(name, self.pick(["=", "<", "<=", ">", ">="]), self.pick(options))
        if choice == 1 or kind == "N":
            low, high = sorted([self.pick(options), self.pick(options)], key=values.order_key)
            return c.Between(name, low, high)
        return c.BeginsWith(name, self.pick([("S", "a"), ("S", "b"), ("S", "\u00e4")] if kind == "S" else
                                            [("B", b"\x00"), ("B", b"\xff"), ("B", b"\xfe")]))

    def scan(self):
        table, place = self.pick(self.tables), c.Placeholders()
        index = self.pick([None, *table.indexes])
        self.read_pages(self.db.scan, {"TableName": table.name}, place, table, index, table.rows(index), ATTRIBUTES)

    def parallel_scan(self):
        table, total = self.pick(self.tables), self.random.randint(2, 5)
        self.log = f"scan {table.name} in {total} segments"
        found = [row for segment in range(total) for row in self.pages(
            self.db.scan, {"TableName": table.name, "Segment": segment, "TotalSegments": total}, None)[0]]
        self.compare_rows("items", table.rows(), found)

    def read_pages(self, operation, request, place, table, index, expected, filterable):
        """Reads all pages, perhaps with a filter and a limit, and compares everything but the order."""
        if index:
            request["IndexName"] = index.name
        scanned = len(expected)
        if filterable and self.chance(0.4):
            condition = self.condition(filterable)
            request["FilterExpression"] = condition.text(place)
            expected = [row for row in expected if condition.holds(row)]
        limit = self.pick([None, 1, 2, 5, 100])
        request.update(place.parameters())
        self.log = f"{operation.__name__} {request} in pages of {limit}"
        found, scanned_by_server = self.pages(operation, request, limit)
        self.compare_rows("items", expected, found)
        self.compare("scanned count", scanned, scanned_by_server)
        return found

    def pages(self, operation, request, limit):
        request = dict(request, **({"Limit": limit} if limit else {}))
        found, scanned, cursors = [], 0, set()
        while True:
            page = operation(**request)
            found += [item_from_wire(row) for row in page["Items"]]
            scanned += page["ScannedCount"]
            self.compare("count", len(page["Items"]), page["Count"])
            if limit and page["ScannedCount"] > limit:
                raise Mismatch(f"{self.log}\na page of {page['ScannedCount']} items")
            if "LastEvaluatedKey" not in page:
                return found, scanned
            if repr(page["LastEvaluatedKey"]) in cursors:
                raise Mismatch(f"{self.log}\nthe same LastEvaluatedKey twice: {page['LastEvaluatedKey']}")
            cursors.add(repr(page["LastEvaluatedKey"]))
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    # Several items

    def some_keys(self, count):
        """Distinct (table, key) pairs."""
        chosen = {}
        for _ in range(count):
            table = self.pick(self.tables)
            key = self.key(table)
            chosen[(table.name, table.key_of(key))] = (table, key)
        return list(chosen.values())

    def batch_write(self):
        requests, changes = {}, []
        for table, key in self.some_keys(self.random.randint(1, 12)):
            if self.chance(0.7):
                item = {**self.item(table), **key}
                requests.setdefault(table.name, []).append({"PutRequest": {"Item": item_to_wire(item)}})
                changes.append((table, key, item))
            else:
                requests.setdefault(table.name, []).append({"DeleteRequest": {"Key": item_to_wire(key)}})
                changes.append((table, key, None))
        self.log = f"batch_write_item {requests}"
        answer = self.db.batch_write_item(RequestItems=requests)
        self.compare("unprocessed items", {}, answer.get("UnprocessedItems", {}))
        for table, key, new in changes:
            table.apply(table.key_of(key), new)

    def batch_get(self):
        requests, expected = {}, {}
        for table, key in self.some_keys(self.random.randint(1, 20)):
            requests.setdefault(table.name, {"Keys": []})["Keys"].append(item_to_wire(key))
            found = table.items.get(table.key_of(key))
            expected.setdefault(table.name, []).extend([found] if found else [])
        self.log = f"batch_get_item {requests}"
        answer = self.db.batch_get_item(RequestItems=requests)["Responses"]
        for name, items in expected.items():
            self.compare_rows(name, items, map(item_from_wire, answer.get(name, [])))

    def transact_get(self):
        chosen = self.some_keys(self.random.randint(1, 10))
        gets = [{"Get": {"TableName": table.name, "Key": item_to_wire(key)}} for table, key in chosen]
        self.log = f"transact_get_items {gets}"
        answer = self.db.transact_get_items(TransactItems=gets)["Responses"]
        self.compare("items", [table.items.get(table.key_of(key)) for table, key in chosen],
                     [item_from_wire(one["Item"]) if "Item" in one else None for one in answer])

    def transact_write(self):
        actions, decisions = [], []
        for table, key in self.some_keys(self.random.randint(1, 6)):
            action, decide = self.transact_action(table, key)
            actions.append(action)
            decisions.append((table, key, decide))
        request = {"TransactItems": actions}
        self.log = f"transact_write_items {request}"
        outcome = self.both(lambda: self.decide_all(decisions), self.db.transact_write_items, request)
        if outcome:
            for table, key, new in outcome[0]:
                table.apply(table.key_of(key), new)

    def transact_action(self, table, key):
        place = c.Placeholders()
        body = {"TableName": table.name}
        kind = self.pick(["Put", "Update", "Delete", "ConditionCheck"])
        condition = self.with_condition(body, place, 1.0 if kind == "ConditionCheck" else 0.25)
        if kind == "Put":
            item = {**self.item(table), **key}
            body["Item"] = item_to_wire(item)
            decide = lambda: table.decide_put(item, condition)
        elif kind == "Update":
            body["Key"] = item_to_wire(key)
            updates = self.actions(table) or [m.Remove("s")]
            body["UpdateExpression"] = m.update_expression(updates, place)
            decide = lambda: table.decide_update(key, updates, condition)
        elif kind == "Delete":
            body["Key"] = item_to_wire(key)
            decide = lambda: table.decide_delete(key, condition)
        else:
            body["Key"] = item_to_wire(key)
            decide = lambda: (None, self.checked(table, key, condition))
        body.update(place.parameters())
        return {kind: body}, decide

    @staticmethod
    def checked(table, key, condition):
        old = table.items.get(table.key_of(key))
        table.require(condition, old)
        return old

    @staticmethod
    def decide_all(decisions):
        """The new items, or TransactionCanceledException with the reasons in order."""
        names = {"ConditionalCheckFailedException": "ConditionalCheckFailed", "ValidationException": "ValidationError"}
        changes, reasons = [], []
        for table, key, decide in decisions:
            try:
                changes.append((table, key, decide()[1]))
                reasons.append("None")
            except m.Refused as error:
                reasons.append(names[error.code])
        if len(changes) < len(decisions):
            raise m.Refused("TransactionCanceledException", reasons)
        return changes

    def random_operation(self):
        weighted = [(self.put, 18), (self.update, 22), (self.delete, 6), (self.get, 12), (self.query, 18),
                    (self.scan, 4), (self.parallel_scan, 1), (self.batch_write, 4), (self.batch_get, 4),
                    (self.transact_write, 8), (self.transact_get, 3)]
        operations, weights = zip(*weighted)
        self.random.choices(operations, weights)[0]()
