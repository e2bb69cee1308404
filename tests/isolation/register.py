"""Registers of every attribute type, read, written and compared-and-set; each must be linearizable.

A register is one attribute of one item. It is absent or holds one of a few values, so that comparisons often succeed
by chance and every type's equality is asked for. A register is used for a while and then left: short histories are
searched quickly.
"""

import base64
import threading

import wire
from history import OK, Operation
from linearizable import CAS, READ, WRITE, first_contradiction
from workload import Workload

TABLE = "registers"
OPERATIONS_PER_REGISTER = 150
ABSENT = "absent"


def _binary(number):
    return base64.b64encode(bytes([number, 0, 255])).decode()


def _distinct(make):
    return [make(number) for number in range(4)]


# The values that a register of each type may hold. Sets and numbers are written in several ways on purpose.
VALUES = {
    "S": _distinct(lambda n: {"S": "text" * n}),
    "N": [{"N": "0"}, {"N": "1.50"}, {"N": "-1e-30"}, {"N": "99999999999999999999999999999999999999"}],
    "B": _distinct(lambda n: {"B": _binary(n)}),
    "BOOL": [{"BOOL": True}, {"BOOL": False}],
    "NULL": [{"NULL": True}],
    "L": _distinct(lambda n: {"L": [{"N": str(n)}, {"L": [{"S": "deep"}] * n}]}),
    "M": _distinct(lambda n: {"M": {"a": {"N": str(n)}, "b": {"M": {"c": {"BOOL": n % 2 == 0}}}}}),
    "SS": _distinct(lambda n: {"SS": [f"x{n}", "both"]}),
    "NS": _distinct(lambda n: {"NS": ["7", f"{n}.0"]}),
    "BS": _distinct(lambda n: {"BS": [_binary(9), _binary(n)]}),
}


def meaning(attribute):
    """A form in which equal values are equal."""
    (kind, value), = attribute.items()
    if kind == "N":
        return kind, float(value)
    if kind in ("SS", "BS"):
        return kind, frozenset(value)
    if kind == "NS":
        return kind, frozenset(map(float, value))
    if kind == "L":
        return kind, tuple(map(meaning, value))
    if kind == "M":
        return kind, tuple(sorted((name, meaning(v)) for name, v in value.items()))
    return kind, value


class Register(Workload):
    name = "register"
    mutants = ("stale-reads", "unconditional-writes", "lost-writes")

    def __init__(self, seed):
        super().__init__(seed)
        self.lock = threading.Lock()  # guards uses
        self.uses = dict.fromkeys(VALUES, 0)  # type -> operations so far

    def tables(self):
        return [wire.table(TABLE, "pk:S")]

    def step(self, client):
        kind = client.random.choice(list(VALUES))
        with self.lock:
            self.uses[kind] += 1
            register = kind, self.uses[kind] // OPERATIONS_PER_REGISTER
        client.random.choice([self.read, self.write, self.compare_and_set, self.compare_and_set])(client, register)

    # `arguments` is (register, what linearizable.py wants to know)

    @staticmethod
    def request(register):
        return {"TableName": TABLE, "Key": {"pk": wire.text(f"{register[0]}-{register[1]}")}}

    def read(self, client, register):
        done = client.attempt(READ, (register, None), "GetItem", {**self.request(register), "ConsistentRead": True})
        if done.status == OK:
            found = done.result.get("Item", {}).get("v")
            done.result = meaning(found) if found else ABSENT

    def random_value(self, client, register):
        return client.random.choice([None, *VALUES[register[0]], *VALUES[register[0]]])

    def write(self, client, register):
        value = self.random_value(client, register)
        request = self.request(register)
        if value is not None and client.random.random() < 0.5:
            request = {"TableName": TABLE, "Item": {**request["Key"], "v": value}}
            client.attempt(WRITE, (register, meaning(value)), "PutItem", request)
        elif value is None and client.random.random() < 0.5:
            client.attempt(WRITE, (register, ABSENT), "DeleteItem", request)
        else:
            self.change(request, value)
            client.attempt(WRITE, (register, meaning(value) if value else ABSENT), "UpdateItem", request)

    def compare_and_set(self, client, register):
        old, new = self.random_value(client, register), self.random_value(client, register)
        request = self.request(register)
        self.change(request, new)
        if old is None:
            request["ConditionExpression"] = "attribute_not_exists(v)"
        else:
            request["ConditionExpression"] = "v = :old"
            request.setdefault("ExpressionAttributeValues", {})[":old"] = old
        called, refusal = "UpdateItem", "ConditionalCheckFailedException"
        if client.random.random() < 0.3:
            called, request = "TransactWriteItems", {"TransactItems": [{"Update": request}]}
            refusal = "TransactionCanceledException"
        told = tuple(ABSENT if value is None else meaning(value) for value in (old, new))
        client.attempt(CAS, (register, told), called, request, (refusal,))

    @staticmethod
    def change(request, value):
        request["UpdateExpression"] = "REMOVE v" if value is None else "SET v = :new"
        if value is not None:
            request["ExpressionAttributeValues"] = {":new": value}

    def check(self, connection, operations):
        histories = {}
        for operation in operations:
            register, operation.arguments = operation.arguments
            histories.setdefault(register, []).append(operation)
        problems = []
        for register, history in histories.items():
            found = connection.call("GetItem", {**self.request(register), "ConsistentRead": True}).get("Item", {})
            history.append(self.final_read(meaning(found["v"]) if "v" in found else ABSENT))
            history.sort(key=lambda op: op.invoked)
            culprit = first_contradiction(history, ABSENT)
            if culprit:
                problems.append(f"register {register} is not linearizable: no order explains {culprit}")
        return problems

    @staticmethod
    def final_read(value):
        read = Operation("last", READ, None)
        read.finish(OK, value)
        return read
