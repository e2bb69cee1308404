"""Nodes point to each other in a ring; transactions rotate three pointers. There is one ring at any time.

A client reads the nodes it needs one after another, so they may not fit; that each still points where it was seen to
is the transaction's condition. The index by target shows every node exactly once.
"""

import wire
from history import OK
from workload import Workload

TABLE, INDEX = "ring", "by-next"
NODES = 12


def key(node):
    return {"pk": wire.number(node)}


def one_ring(pointers):
    """Whether `pointers` (node -> next) is a single ring of all nodes."""
    node = 0
    for _ in range(NODES - 1):
        node = pointers.get(node)
        if node in (0, None):
            return False
    return len(pointers) == NODES and pointers.get(node) == 0


class Ring(Workload):
    name = "ring"
    notices_loss = False  # an earlier state is one ring, too
    mutants = ("torn-transactions", "unconditional-writes", "dirty-aborts")

    def tables(self):
        return [wire.table(TABLE, "pk:N", index=(INDEX, "next:N"))]

    def prepare(self, connection):
        for node in range(NODES):
            connection.call("PutItem", {"TableName": TABLE, "Item": {
                **key(node), "next": wire.number((node + 1) % NODES)}})

    def step(self, client):
        if client.random.random() < 0.3:
            gets = [{"Get": {"TableName": TABLE, "Key": key(node)}} for node in range(NODES)]
            done = client.attempt("TransactGetItems", None, "TransactGetItems", {"TransactItems": gets})
            if done.status == OK:
                done.result = self.pointers(one["Item"] for one in done.result["Responses"])
        else:
            self.rotate(client)

    def rotate(self, client):
        """a -> b -> c -> d becomes a -> c -> b -> d."""
        path = [client.random.randrange(NODES)]
        while len(path) < 4:
            done = client.attempt("GetItem", None, "GetItem", {"TableName": TABLE, "Key": key(path[-1]),
                                                               "ConsistentRead": True})
            if done.status != OK:
                return
            path.append(wire.integer(done.result["Item"]["next"]))
        a, b, c, d = path
        if len({a, b, c}) < 3 or d == b:
            return  # what was read at different times does not fit together
        moves = [self.point(a, b, c), self.point(c, d, b), self.point(b, c, d)]
        client.random.shuffle(moves)
        client.attempt("rotate", path, "TransactWriteItems", {"TransactItems": moves},
                       ("TransactionCanceledException",))

    @staticmethod
    def point(node, expected, target):
        return {"Update": {"TableName": TABLE, "Key": key(node), "UpdateExpression": "SET #n = :target",
                           "ConditionExpression": "#n = :expected", "ExpressionAttributeNames": {"#n": "next"},
                           "ExpressionAttributeValues": {":target": wire.number(target),
                                                         ":expected": wire.number(expected)}}}

    @staticmethod
    def pointers(items):
        return {wire.integer(item["pk"]): wire.integer(item["next"]) for item in items}

    def check(self, connection, operations):
        problems = [f"not one ring: {op.result}" for op in operations
                    if op.kind == "TransactGetItems" and op.status == OK and not one_ring(op.result)]
        pointers = self.pointers(wire.scan(connection, TABLE))
        if not one_ring(pointers):
            problems.append(f"not one ring in the end: {pointers}")
        indexed = self.pointers(wire.scan(connection, TABLE, IndexName=INDEX))
        if indexed != pointers:
            problems.append(f"by table {pointers}, by index {indexed}")
        return problems
