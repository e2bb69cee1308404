"""Clients race for ids with attribute_not_exists: each id is won once, and who was told so has it."""

import itertools

import wire
from history import FAIL, OK
from workload import Workload

TABLE = "ids"
SPREAD = 4  # how many ids are raced for at a time


class UniqueIds(Workload):
    name = "unique-ids"
    mutants = ("unconditional-writes", "lost-writes")

    def __init__(self, seed):
        super().__init__(seed)
        self.attempts = itertools.count(1)
        self.newest = 1  # races between clients only make it grow slower

    def tables(self):
        return [wire.table(TABLE, "pk:S")]

    def step(self, client):
        wanted = self.newest + client.random.randrange(SPREAD)
        attempt = next(self.attempts)
        item = {"pk": wire.text(f"id{wanted}"), "owner": wire.number(attempt)}
        put = {"TableName": TABLE, "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}
        if client.random.random() < 0.6:
            call, request, refusal = "PutItem", put, "ConditionalCheckFailedException"
        else:
            proof = {"TableName": TABLE, "Item": {"pk": wire.text(f"proof{attempt}"), "owner": wire.number(attempt)}}
            call, request, refusal = "TransactWriteItems", {"TransactItems": [{"Put": put}, {"Put": proof}]}, \
                "TransactionCanceledException"
        done = client.attempt(call, (f"id{wanted}", attempt), call, request, (refusal,))
        if done.status != FAIL:
            self.newest = max(self.newest, wanted)

    def check(self, connection, operations):
        owners = {item["pk"]["S"]: wire.integer(item["owner"]) for item in wire.scan(connection, TABLE)}
        problems, tried = [], {}
        for operation in operations:
            tried.setdefault(operation.arguments[0], []).append(operation)
        for name, attempts in tried.items():
            problems += self.check_id(name, owners.get(name), attempts)
        for operation in operations:
            name, attempt = operation.arguments
            won, proven = owners.get(name) == attempt, f"proof{attempt}" in owners
            if operation.kind == "TransactWriteItems" and won != proven:
                problems.append(f"half a transaction: {operation}")
        return problems

    @staticmethod
    def check_id(name, owner, attempts):
        winners = [op.arguments[1] for op in attempts if op.status == OK]
        possible = [op.arguments[1] for op in attempts if op.status != FAIL]
        if len(winners) > 1:
            return [f"{name} was won by {winners}"]
        if winners and owner != winners[0]:
            return [f"{name} was won by {winners[0]} and belongs to {owner}"]
        if owner is not None and owner not in possible:
            return [f"{name} belongs to {owner}, which was refused or has never tried"]
        if owner is None and any(op.status == FAIL for op in attempts):
            return [f"{name} was refused to somebody and belongs to nobody"]
        return []
