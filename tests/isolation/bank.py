"""Money moves between accounts; none is made, none is lost, no account is overdrawn.

Each transfer is one transaction: it takes from one account on condition that there is enough, gives to another and
writes itself down. Readers add up all accounts by TransactGetItems, BatchGetItem and the index, whose sort key is
the balance, so that every transfer moves rows in it. In the end the accounts are added up by table, by index and by
replaying the stream, and each balance must be what the transfers written down make of it.
"""

import itertools
import uuid

import wire
from history import FAIL, OK
from stream_reader import read_stream
from workload import Workload

TABLE, INDEX = "bank", "by-balance"
ACCOUNTS, INITIAL = 8, 50
TOTAL = ACCOUNTS * INITIAL


def key(name):
    return {"pk": wire.text(name)}


def account(number):
    return f"account{number}"


def balances(items):
    """[(account, balance)], sorted: an account that is shown twice stays twice."""
    return sorted((item["pk"]["S"], wire.integer(item["balance"])) for item in items)


class Bank(Workload):
    name = "bank"
    mutants = ("torn-transactions", "unconditional-writes", "dirty-aborts", "stale-rows")

    def __init__(self, seed):
        super().__init__(seed)
        self.numbers = itertools.count(1)

    def tables(self):
        return [wire.table(TABLE, "pk:S", index=(INDEX, "kind:S balance:N"), stream=True)]

    def prepare(self, connection):
        for number in range(ACCOUNTS):
            connection.call("PutItem", {"TableName": TABLE, "Item": {
                **key(account(number)), "kind": wire.text("account"), "balance": wire.number(INITIAL)}})

    def step(self, client):
        if client.random.random() < 0.6:
            self.transfer(client)
        else:
            client.random.choice([self.read_together, self.read_batch, self.read_index])(client)

    def transfer(self, client):
        source, target = map(account, client.random.sample(range(ACCOUNTS), 2))
        amount, name = client.random.randint(1, 30), f"transfer{next(self.numbers)}"
        requests = [
            self.change(source, "-", amount, ConditionExpression="balance >= :x"),
            self.change(target, "+", amount),
            {"Put": {"TableName": TABLE, "ConditionExpression": "attribute_not_exists(pk)", "Item": {
                **key(name), "source": wire.text(source), "target": wire.text(target), "x": wire.number(amount)}}}]
        request = {"TransactItems": requests}
        if client.random.random() < 0.5:
            request["ClientRequestToken"] = str(uuid.UUID(int=client.random.getrandbits(128)))
        client.attempt("transfer", name, "TransactWriteItems", request, ("TransactionCanceledException",))

    @staticmethod
    def change(name, sign, amount, **more):
        return {"Update": {"TableName": TABLE, "Key": key(name), "UpdateExpression": f"SET balance = balance {sign} :x",
                           "ExpressionAttributeValues": {":x": wire.number(amount)}, **more}}

    # Reads: the result becomes the balances by account

    def read_together(self, client):
        gets = [{"Get": {"TableName": TABLE, "Key": key(account(number))}} for number in range(ACCOUNTS)]
        self.keep(client.attempt("TransactGetItems", None, "TransactGetItems", {"TransactItems": gets}),
                  lambda answer: [one["Item"] for one in answer["Responses"]])

    def read_batch(self, client):
        keys = [key(account(number)) for number in range(ACCOUNTS)]
        self.keep(client.attempt("BatchGetItem", None, "BatchGetItem", {"RequestItems": {TABLE: {"Keys": keys}}}),
                  lambda answer: answer["Responses"][TABLE])

    def read_index(self, client):
        self.keep(client.attempt("Query of the index", None, "Query", self.index_query()),
                  lambda answer: answer["Items"])

    @staticmethod
    def index_query():
        return wire.query_request(TABLE, "kind", wire.text("account"), IndexName=INDEX)

    @staticmethod
    def keep(operation, items_of):
        if operation.status == OK:
            operation.result = balances(items_of(operation.result))

    # Judgement

    def check(self, connection, operations):
        problems = []
        for operation in operations:
            if operation.kind != "transfer" and operation.status == OK:
                problems += self.wrong(operation.kind, operation.result)
        rows = {item["pk"]["S"]: item for item in wire.scan(connection, TABLE)}
        accounts = balances(item for item in rows.values() if "balance" in item)
        problems += self.wrong("table", accounts)
        indexed = balances(wire.query(connection, TABLE, "kind", wire.text("account"), IndexName=INDEX))
        if indexed != accounts:
            problems.append(f"by table {accounts}, by index {indexed}")
        return problems + self.check_transfers(rows, accounts, operations) + self.check_stream(connection, rows)

    @staticmethod
    def wrong(where, found):
        problems, total = [], sum(balance for _, balance in found)
        if len(dict(found)) != ACCOUNTS or len(found) != ACCOUNTS or total != TOTAL:
            problems.append(f"{where}: {total} in {len(found)} accounts, not {TOTAL}: {found}")
        if any(balance < 0 for _, balance in found):
            problems.append(f"{where}: an account is overdrawn: {found}")
        return problems

    @staticmethod
    def check_transfers(rows, accounts, operations):
        """The balances are what the transfers that were written down make of them; answers agree with those."""
        problems = []
        expected = dict.fromkeys(map(account, range(ACCOUNTS)), INITIAL)
        for row in rows.values():
            if "x" in row:
                expected[row["source"]["S"]] -= wire.integer(row["x"])
                expected[row["target"]["S"]] += wire.integer(row["x"])
        if sorted(expected.items()) != accounts:
            problems.append(f"balances {accounts}, but the transfers make {expected}")
        for operation in operations:
            if operation.kind == "transfer":
                there = operation.arguments in rows
                if operation.status == OK and not there:
                    problems.append(f"{operation.arguments} was answered and is lost")
                if operation.status == FAIL and there:
                    problems.append(f"{operation.arguments} was refused and is there")
        return problems

    @staticmethod
    def check_stream(connection, rows):
        arn = connection.call("DescribeTable", {"TableName": TABLE})["Table"]["LatestStreamArn"]
        state, problems = {}, []
        for record in read_stream(connection, arn):
            data = record["dynamodb"]
            name = data["Keys"]["pk"]["S"]
            if data.get("OldImage") != state.get(name):
                problems.append(f"stream: the old image of {name} at {data['SequenceNumber']} is not the state before")
            state[name] = data.get("NewImage")
        if state != rows:
            problems.append(f"the replayed stream is not the table: "
                            f"{sum(state[n] != rows.get(n) for n in state)} items differ")
        return problems
