"""What the tests of the values tree and the daily plans share: a server, users, requests in one line, a small tree."""

import datetime
import itertools
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "fixture"), str(HERE.parent / "api")]

import endpoint  # noqa: E402
import tables  # noqa: E402
from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from client import Client  # noqa: E402

VALUES = "/api/values"
PLANS = "/api/plans"

CHECKED_BYTES_MAX = 50_000  # of an answer

DRIVER, MILESTONE, ACTION = "DRIVER", "MILESTONE", "ACTION"

# id, type, parent: enough for every operation. Titles are made of the ids.
SMALL_TREE = [
    ("health", DRIVER, None),
    ("run", MILESTONE, "health"),
    ("shoes", ACTION, "run"),
    ("five", ACTION, "run"),
    ("race", MILESTONE, "run"),
    ("book", ACTION, "race"),
    ("sleep", MILESTONE, "health"),
    ("blinds", ACTION, "sleep"),
    ("craft", DRIVER, None),
    ("side", MILESTONE, "craft"),
    ("sketch", ACTION, "side"),
]


def op(kind, **fields):
    """One operation of a commit."""
    return {"op": kind, **fields}


def add(node_id, node_type, parent=None, **more):
    placed = {"parentId": parent} if parent else {}
    return op("add", nodeId=node_id, nodeType=node_type, title=node_id.title(), **placed, **more)


def edit(node_id, **fields):
    return op("edit", nodeId=node_id, **fields)


_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid_at(moment, number=0):
    """A ULID of a moment such as 2026-10-05T08:00:00Z: revisions of the past for imports."""
    parsed = datetime.datetime.fromisoformat(moment.replace("Z", "+00:00"))
    value = (int(parsed.timestamp() * 1000) << 80) + number
    return "".join(_CROCKFORD[value >> shift & 31] for shift in range(125, -1, -5))


class User(Client):
    """A caller of the tree and the plans. Answers are checked against /openapi.json as far as that takes no time."""

    def __init__(self, url, user_id, token):
        super().__init__(url, token)
        self.id = user_id
        self.strict = True  # False: the test sends what the document does not name, such as times with an offset

    def _check(self, answer):
        if self.strict and len(answer.raw) < CHECKED_BYTES_MAX:
            super()._check(answer)

    # In `query` and `headers` everything is spelled as it is sent: {"from": day}.
    def get(self, path, headers=(), **query):
        return self.send("GET", path, None, query, headers)

    def post(self, path, body=None, headers=()):
        return self.send("POST", path, body, None, headers)

    def put(self, path, body, headers=()):
        return self.send("PUT", path, body, None, headers)

    def patch(self, path, body, headers=()):
        return self.send("PATCH", path, body, None, headers)

    def delete(self, path, headers=()):
        return self.send("DELETE", path, None, None, headers)

    # -- the tree
    def commit(self, *operations, **more):
        """Several operations as one revision; baseRevId=, onConflict=, ... as the body has them."""
        return self.post(f"{VALUES}/commits", {"operations": list(operations), **more})

    def rev(self):
        """The current revision."""
        return self.get(f"{VALUES}/head").body["headRevId"]

    def tree(self, **query):
        reply = self.get(VALUES, **query)
        assert reply.status == 200, reply
        return Tree(reply.body)

    def log(self, path=f"{VALUES}/commits", **query):
        """The whole history, newest first, page by page."""
        return list(self.pages(path, **query))

    def pages(self, path, **query):
        while True:
            reply = self.get(path, **query)
            assert reply.status == 200, reply
            yield from reply.body["items"]
            if "nextCursor" not in reply.body:
                return
            query["cursor"] = reply.body["nextCursor"]


class Tree:
    """The answer of GET /api/values, easier to look at."""

    def __init__(self, body):
        self.rev = body.get("revId")
        self.ts = body.get("revTs")
        self.nodes = {node["nodeId"]: node for node in body["nodes"]}
        self.edges = {(edge["parentNodeId"], edge["childNodeId"]): edge["order"] for edge in body["edges"]}

    def children(self, parent):
        found = [(order, child) for (above, child), order in self.edges.items() if above == parent]
        return [child for _, child in sorted(found)]

    def parents(self, child):
        return sorted(above for above, below in self.edges if below == child)

    def content(self):
        """All but which revision it is."""
        return self.nodes, self.edges


class ValuesTest(unittest.TestCase):
    """One server for each class."""

    flags = ()
    maxDiff = None
    _numbers = itertools.count(1)

    @classmethod
    def setUpClass(cls):
        cls.server = CairnServer(binary_from_environment(), apps=True,
                                 flags=["--log-level", "warning", *cls.flags]).start()
        cls.addClassCleanup(cls.server.close)
        cls._users = {}

    @classmethod
    def tearDownClass(cls):
        if cls.server.running():
            metrics = Client(cls.server.url).get("/metrics").raw.decode()
            assert "\ncairn_request_scans_total 0\n" in metrics, "a request has scanned"

    @classmethod
    def user(cls, name=None):
        """A user with a token made by the program itself; nobody before has had the name when none is given."""
        name = name or f"user-{next(cls._numbers)}"
        if name not in cls._users:
            made = cls.server.command("token", "--sub", name, "--for", "7d", "--data", cls.server.data)
            assert made.code == 0, made
            cls._users[name] = User(cls.server.url, name, made.stdout.strip())
        return cls._users[name]

    @classmethod
    def hang_up(cls):
        for user in cls._users.values():
            user.hang_up()

    @classmethod
    def dynamodb(cls):
        """The auditor's client: boto3 on the same port."""
        return endpoint.client(cls.server.url)

    def expect(self, status, reply, code=None, fields=None):
        """The answer's status, and for a problem its form."""
        self.assertEqual(reply.status, status, reply)
        if status >= 400:
            self.assertEqual(reply.headers["Content-Type"], "application/problem+json", reply)
            self.assertEqual(reply.body["status"], status)
            self.assertTrue(reply.body["title"] and reply.body["type"].endswith(reply.body["code"]), reply)
        if code is not None:
            self.assertEqual(reply.body["code"], code, reply)
        if fields is not None:
            self.assertEqual(sorted(reply.fields()), sorted(fields), reply)
        return reply

    def with_tree(self, name=None):
        """A user who has the small tree, in one revision."""
        user = self.user(name)
        self.expect(200, user.commit(*[add(*row) for row in SMALL_TREE], source="weekly_review", message="Begin"))
        return user

    def same_tree(self, user, do):
        """What `do` answers, having changed nothing: neither the tree nor the log."""
        before, log = user.tree(includeArchived="true"), user.log()
        answer = do()
        after = user.tree(includeArchived="true")
        self.assertEqual((before.rev, before.content()), (after.rev, after.content()))
        self.assertEqual(log, user.log())
        return answer


def query_all(client, **request):
    """Every item of a query, page by page, as Python values."""
    items = []
    while True:
        page = client.query(**request)
        items += [tables.plain(item) for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def partition(client, key, begins="", table="App"):
    """The items of a partition, as Python values, in the order of their sort keys."""
    condition, values = "PK = :p", {":p": {"S": key}}
    if begins:
        condition, values = condition + " AND begins_with(SK, :s)", {**values, ":s": {"S": begins}}
    return query_all(client, TableName=table, KeyConditionExpression=condition, ExpressionAttributeValues=values,
                     ConsistentRead=True)


def whole_table(client, table):
    items, request = [], {"TableName": table, "ConsistentRead": True}
    while True:
        page = client.scan(**request)
        items += [tables.plain(item) for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
