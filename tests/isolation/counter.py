"""Exactly once: answers get lost, clients send again, the server is killed, and every token still counts once.

The clients reach the server through a proxy that loses a third of the answers. Three counters:
  plain   UpdateItem ADD without a token, never sent again: at least the answered ones, at most the unsure ones too;
          what each answer returns is a value of its own, in the order of time.
  exact   TransactWriteItems with a token, sent again until it is answered, sometimes twice at once: one per token.
  paired  the same over two items: both have counted the same.
"""

import threading
import uuid

import wire
from history import FAIL, OK
from workload import Workload

TABLE = "counter"
PLAIN, EXACT, LEFT, RIGHT = "plain", "exact", "left", "right"
IN_PROGRESS = "TransactionInProgressException"
MISMATCH = "IdempotentParameterMismatchException"


def update(name):
    return {"TableName": TABLE, "Key": {"pk": wire.text(name)}, "UpdateExpression": "ADD #t :one",
            "ExpressionAttributeNames": {"#t": "total"}, "ExpressionAttributeValues": {":one": wire.number(1)}}


class Counter(Workload):
    name = "counter"
    way = "drop-answers"
    mutants = ("forgotten-tokens", "lost-counts")

    def __init__(self, seed):
        super().__init__(seed)
        self.open = {}  # client -> transaction that has to be sent until it is answered

    def tables(self):
        return [wire.table(TABLE, "pk:S")]

    def step(self, client):
        if client.number in self.open:
            self.send_again(client)
        elif client.random.random() < 0.3:
            request = {**update(PLAIN), "ReturnValues": "UPDATED_NEW"}
            done = client.attempt(PLAIN, None, "UpdateItem", request)
            if done.status == OK:
                done.result = wire.integer(done.result["Attributes"]["total"])
        else:
            kind = client.random.choice([EXACT, "paired"])
            names = [EXACT] if kind == EXACT else [LEFT, RIGHT]
            token = str(uuid.UUID(int=client.random.getrandbits(128)))
            self.open[client.number] = kind, {"ClientRequestToken": token,
                                              "TransactItems": [{"Update": update(name)} for name in names]}
            self.send_again(client)

    def send_again(self, client):
        """One try. The request stays open until an answer says that it is done."""
        kind, request = self.open[client.number]
        twin = Twin(client, request) if client.random.random() < 0.1 else None
        done = client.attempt(kind, request["ClientRequestToken"], "TransactWriteItems", request, (IN_PROGRESS,))
        if twin:
            twin.finish()
        if done.status == OK:
            del self.open[client.number]
            if client.random.random() < 0.05:
                self.misuse(client, request)

    @staticmethod
    def misuse(client, request):
        """The token of a finished transaction with another body is refused."""
        other = {**request, "TransactItems": [{"Update": update("misused")}]}
        client.attempt("misuse", None, "TransactWriteItems", other, (MISMATCH,))

    # Judgement

    def check(self, connection, operations):
        self.settle(connection)
        totals = {item["pk"]["S"]: wire.integer(item["total"]) for item in wire.scan(connection, TABLE)}
        problems = []
        if "misused" in totals or any(op.kind == "misuse" and op.status == OK for op in operations):
            problems.append("a token was accepted for another request")
        plain = [op for op in operations if op.kind == PLAIN]
        answered = sum(op.status == OK for op in plain)
        unsure = sum(op.status not in (OK, FAIL) for op in plain)
        if not answered <= totals.get(PLAIN, 0) <= answered + unsure:
            problems.append(f"plain: {totals.get(PLAIN, 0)}, but {answered} answered and {unsure} unsure")
        problems += self.check_order([op for op in plain if op.status == OK])
        for kind, names in ((EXACT, [EXACT]), ("paired", [LEFT, RIGHT])):
            tokens = len({op.arguments for op in operations if op.kind == kind})
            problems += [f"{name}: {totals.get(name, 0)} after {tokens} different tokens"
                         for name in names if totals.get(name, 0) != tokens]
        return problems

    def settle(self, connection):
        """What no answer has come for is sent once more, so that every token has counted."""
        for _, request in self.open.values():
            connection.call("TransactWriteItems", request)

    @staticmethod
    def check_order(answered):
        """Every answer has a value of its own, greater than all that were answered before it was sent."""
        problems = []
        if len({op.result for op in answered}) < len(answered):
            problems.append("plain: two increments returned the same value")
        finished = sorted(answered, key=lambda op: op.completed)
        highest, position = 0, 0
        for operation in sorted(answered, key=lambda op: op.invoked):
            while finished[position].completed < operation.invoked:
                highest = max(highest, finished[position].result)
                position += 1
            if operation.result <= highest:
                problems.append(f"plain: {operation.result} was returned after {highest}")
        return problems


class Twin(threading.Thread):
    """The same request at the same time on another connection: done once, whichever comes first."""

    def __init__(self, client, request):
        super().__init__(daemon=True)
        self.connection, self.request, self.failure = wire.Connection(client.connection.port), request, None
        self.start()

    def run(self):
        try:
            self.connection.call("TransactWriteItems", self.request)
        except (wire.Unsure, wire.NotSent):
            pass
        except wire.Refused as refusal:
            self.failure = None if refusal.code == IN_PROGRESS else refusal
        self.connection.close()

    def finish(self):
        self.join()
        if self.failure:
            raise self.failure
