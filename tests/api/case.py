"""What the tests of applications share: a server with accounts and applications, users, accounts, the tables behind."""

import concurrent.futures
import pathlib
import sys
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fixture"))

import endpoint  # noqa: E402
import tables  # noqa: E402
from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from client import Client  # noqa: E402
from tokens import claims, sign  # noqa: E402

TABLES = ("App", "CairnIdentity", "CairnReceipts", "CairnJobs")
PASSWORD = "a-long-enough-passphrase"
NO_ULID = "01BX5ZZKBKACTAV9WEVGEMMVRZ"  # a well-formed id that nothing has


def at_once(count, work):
    """work(0), work(1), ... each on a thread of its own; their results in order."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


class ApiTest(unittest.TestCase):
    """One server for each class; afterwards it still runs, and no request has scanned."""

    flags = ()
    log_level = "warning"
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls._clients = []
        cls.server = CairnServer(binary_from_environment(), apps=True,
                                 flags=["--log-level", cls.log_level, *cls.flags]).start()
        cls.addClassCleanup(cls.server.close)
        cls.addClassCleanup(cls.hang_up)
        cls.url = cls.server.url
        cls._dynamodb = None

    @classmethod
    def tearDownClass(cls):
        metrics = cls.metrics()
        assert metrics["cairn_request_scans_total"] == 0, metrics

    @classmethod
    def metrics(cls):
        with urllib.request.urlopen(cls.server.metrics_url() + "/metrics", timeout=60) as answer:
            text = answer.read().decode()
        return {name: float(value) for name, value in
                (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))}

    # ---- callers

    @classmethod
    def client(cls, token=None):
        """Requests with any token, or with none."""
        made = Client(cls.url, token)
        cls._clients.append(made)
        return made

    @classmethod
    def signing_key(cls):
        return pathlib.Path(cls.server.data, "signing.key").read_bytes()

    @classmethod
    def user(cls, name, **more):
        """A user without an account, as `cairn token --sub NAME` lets in."""
        return cls.client(sign(cls.signing_key(), claims(name, **more)))

    @classmethod
    def register(cls, email, password=PASSWORD):
        answer = cls.client().post("/api/auth/register", {"email": email, "password": password})
        assert answer.status == 201, answer

    @classmethod
    def login(cls, email, password=PASSWORD, kind="program"):
        """A caller who is logged in to an account that is there."""
        client = cls.client()
        answer = client.login(email, password, kind)
        assert answer.status == 200, answer
        return client

    @classmethod
    def account(cls, email, kind="program"):
        """A new account, logged in."""
        cls.register(email)
        return cls.login(email, kind=kind)

    # ---- the server

    @classmethod
    def restart(cls, test_points=""):
        """kill -9, and again on the same data and port."""
        cls.server.restart(test_points)
        cls.hang_up()

    @classmethod
    def hang_up(cls):
        for client in cls._clients:
            client.hang_up()

    # ---- what is stored

    @classmethod
    def dynamodb(cls):
        if cls._dynamodb is None:
            cls._dynamodb = endpoint.client(cls.url)
        return cls._dynamodb

    @classmethod
    def items(cls, table="App", **filtered):
        """Every item of a table as Python values, by its key."""
        found, start = [], {}
        while True:
            page = cls.dynamodb().scan(TableName=table, ConsistentRead=True, **filtered, **start)
            found += [tables.plain(item) for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                return sorted(found, key=lambda item: (item["PK"], item["SK"]))
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    @classmethod
    def items_of(cls, user_id, table="App"):
        """Those in partitions of one user."""
        return cls.items(table, FilterExpression="PK = :own OR begins_with(PK, :more)",
                         ExpressionAttributeValues=tables.values(own=f"U#{user_id}", more=f"U#{user_id}#"))

    # ---- expectations

    def expect(self, status, answer, code=None, fields=None):
        """The answer's status, and for a problem its code and the fields it names."""
        self.assertEqual(answer.status, status, answer)
        if code is not None:
            self.assertEqual(answer.code, code, answer)
        if fields is not None:
            self.assertEqual(sorted(answer.fields()), sorted(fields), answer)
        return answer

    # ---- short ways to make a tree

    def node(self, user, kind="DRIVER", title="a node", **more):
        """A new node: its id."""
        answer = self.expect(201, user.post("/api/values/nodes", {"nodeType": kind, "title": title, **more}))
        return answer.body["added"][0]

    def tree(self, user):
        """A driver, a milestone under it, an action under that: their ids."""
        driver = self.node(user, "DRIVER", "driver")
        milestone = self.node(user, "MILESTONE", "milestone", parentId=driver)
        return driver, milestone, self.node(user, "ACTION", "action", parentId=milestone)
