"""Two endpoints behind one client: every call goes to both, answers and stored items are compared.

The first endpoint is Cairn: its answers are returned, its items count. What the other one holds is set right after
each difference, so that one difference does not cause others.
"""

import copy

import answers
import spoilers
from answers import Outcome

WRITES = ("put_item", "update_item", "delete_item", "batch_write_item", "transact_write_items")
PAGED = ("query", "scan")
SPOILED = 0.25
CAPACITY_ASKED = 0.3


class Difference:
    def __init__(self, operation, aspect, request, ours, theirs, spoiler=None):
        self.operation, self.aspect, self.request = operation, aspect, request
        self.ours, self.theirs, self.spoiler = ours, theirs, spoiler

    def __str__(self):
        spoiled = f", {self.spoiler}" if self.spoiler else ""
        return (f"{self.operation}{spoiled}: {self.aspect} of {self.request}\n"
                f"    Cairn: {self.ours}\n    peer:  {self.theirs}")


class Pair:
    """As much of a boto3 client as operations.py and run.py use."""

    def __init__(self, ours, theirs, tables, random, messages=False):
        self.ours, self.theirs, self.random = ours, theirs, random
        self.messages = messages  # whether the wording of errors counts
        self.tables = {table.name: table for table in tables}
        self.exceptions = ours.exceptions
        self.found = []  # differences
        self.calls = 0

    def __getattr__(self, name):
        def call(**request):
            return self.call(name, request)
        call.__name__ = name
        return call

    def call(self, name, request):
        self.calls += 1
        if name in (*WRITES, *PAGED, "get_item", "batch_get_item", "transact_get_items"):
            if "ExclusiveStartKey" not in request:
                self.call_spoiled(name, request)
                if self.random.random() < CAPACITY_ASKED:
                    request = {**request, "ReturnConsumedCapacity": "TOTAL"}
            if name in PAGED:
                return self.call_paged(name, request)
        ours, theirs = self.send(name, request)
        if name in WRITES:
            self.compare_items(name, request)
        if ours.error:
            raise ours.error
        return ours.answer

    def send(self, name, request, spoiler=None):
        ours = Outcome(getattr(self.ours, name), request)
        theirs = Outcome(getattr(self.theirs, name), request)
        if not name.endswith("_table"):
            for aspect, left, right in answers.differences(ours, theirs):
                self.note(name, aspect, request, left, right, spoiler)
        return ours, theirs

    def note(self, operation, aspect, *rest):
        if aspect != "message" or self.messages:
            self.found.append(Difference(operation, aspect, *rest))

    # Reads in pages: where a page ends may differ, what all pages hold together may not.

    def call_paged(self, name, request):
        """One page of ours; with the first one, all pages of both are compared. Segments are each one's own affair."""
        if "ExclusiveStartKey" not in request and "Segment" not in request:
            left, right = self.all_pages(self.ours, name, request), self.all_pages(self.theirs, name, request)
            if "pages" in right:
                left, right = {"pages": "end"}, {"pages": right["pages"]}
            for aspect in sorted(left.keys() | right.keys()):
                if left.get(aspect) != right.get(aspect):
                    self.note(name, aspect, request, left.get(aspect), right.get(aspect), None)
        return getattr(self.ours, name)(**request)

    def all_pages(self, side, name, request):
        total = {"Items": [], "Count": 0, "ScannedCount": 0, "ConsumedCapacity": 0.0}
        request, cursors = dict(request), set()
        while True:
            page = Outcome(getattr(side, name), request)
            if page.error:
                return page.parts()
            for aspect in ("Items", "Count", "ScannedCount"):
                total[aspect] += page.answer.get(aspect, total[aspect] * 0)
            total["ConsumedCapacity"] += page.answer.get("ConsumedCapacity", {}).get("CapacityUnits", 0)
            if "LastEvaluatedKey" not in page.answer:
                break
            request["ExclusiveStartKey"] = page.answer["LastEvaluatedKey"]
            if repr(request["ExclusiveStartKey"]) in cursors:
                return {"pages": f"{request['ExclusiveStartKey']} again and again"}
            cursors.add(repr(request["ExclusiveStartKey"]))
        total["Items"] = answers.comparable_items(total["Items"])
        return total

    # Stored items

    def keys_of(self, name, request):
        """[(table, key)] that a write names and that exist in the schema."""
        if name == "batch_write_item":
            named = [(table, next(iter(one.values()))) for table, many in request["RequestItems"].items()
                     for one in many]
        elif name == "transact_write_items":
            named = [(body["TableName"], body) for one in request["TransactItems"] for body in one.values()]
        else:
            named = [(request.get("TableName"), request)]
        found = []
        for table, body in named:
            keyed = body.get("Key", body.get("Item", {}))
            if table in self.tables and all(key in keyed for key in self.tables[table].key_names()):
                found.append((table, {key: keyed[key] for key in self.tables[table].key_names()}))
        return found

    def compare_items(self, name, request, spoiler=None):
        for table, key in self.keys_of(name, request):
            where = {"TableName": table, "Key": key, "ConsistentRead": True}
            ours, theirs = Outcome(self.ours.get_item, where), Outcome(self.theirs.get_item, where)
            left, right = ours.parts(), theirs.parts()
            if left != right:
                self.note(name, "stored item", request, left, right, spoiler)
                self.set_right(self.theirs, table, key, ours.answer.get("Item"))

    @staticmethod
    def set_right(side, table, key, item):
        if item:
            side.put_item(TableName=table, Item=item)
        else:
            side.delete_item(TableName=table, Key=key)

    # Requests that must be refused

    def call_spoiled(self, name, request):
        if self.random.random() >= SPOILED:
            return
        spoiled = copy.deepcopy(request)
        spoiler = spoilers.spoil(name, spoiled, self.tables, self.random)
        if not spoiler:
            return
        before = self.items(self.keys_of(name, request))
        ours, _ = self.send(name, spoiled, spoiler)
        if not ours.error:
            self.note(name, "accepted", spoiled, "success", "should be refused", spoiler)
        for (table, key), item in before:
            self.set_right(self.ours, table, key, item)
            self.set_right(self.theirs, table, key, item)

    def items(self, keys):
        return [((table, key), self.ours.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item"))
                for table, key in keys] if keys else []
