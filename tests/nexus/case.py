"""What the tests of Nexus share: a server, users, requests in one line, and the stored items behind them."""

import concurrent.futures
import contextlib
import datetime
import itertools
import pathlib
import re
import socket
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "fixture"), str(HERE.parent / "api")]

import endpoint  # noqa: E402
import tables  # noqa: E402
from cairn_server import ROOT, CairnServer, binary_from_environment  # noqa: E402
from client import Client  # noqa: E402
from wait import wait_until  # noqa: E402

NEXUS = "/api/nexus"
TASKS, BOARD, NOTES, SEARCH = f"{NEXUS}/tasks", f"{NEXUS}/board", f"{NEXUS}/notes", f"{NEXUS}/search"
TABLE = "ProductivityData"
MODEL = str(ROOT / "models" / "nexus.toml")
NO_TASK = "task_00000000-0000-4000-8000-000000000000"  # well-formed ids that nothing has
NO_NOTE = "note_00000000-0000-4000-8000-000000000000"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
JOB_SHARDS = (*range(4), *range(10, 14))  # of both lanes
STATUSES = ("BACKLOG", "TODO", "IN_PROGRESS", "BLOCKED", "DONE", "ARCHIVED")


def at_once(count, work):
    """work(0), work(1), ... each on a thread of its own; their results in order."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")


class User(Client):
    """A caller of Nexus. Answers are checked against /openapi.json."""

    def __init__(self, url, user_id, token):
        super().__init__(url, token)
        self.id = user_id
        self.strict = True  # False: the test sends what the document does not name, such as times with an offset

    def _check(self, answer):
        if self.strict:
            super()._check(answer)

    def made(self, path, body):
        """What a POST has made."""
        answer = self.post(path, body)
        assert answer.status == 201, answer
        assert answer.tag == '"1"', answer.headers
        return answer.body

    def task(self, title="a task", **more):
        return self.made(TASKS, {"title": title, **more})

    def note(self, title="a note", **more):
        return self.made(NOTES, {"title": title, **more})

    def change(self, path, body, version):
        return self.patch(path, body, if_match=f'"{version}"')

    def move(self, task, version=None, **body):
        tag = {} if version is None else {"if_match": f'"{version}"'}
        return self.post(f"{TASKS}/{task if isinstance(task, str) else task['taskId']}/move", body, **tag)

    def column(self, status):
        """The titles of a whole column, page by page."""
        return [card["title"] for card in self.cards(status)]

    def cards(self, status):
        cards, query = [], {"column": status}
        while True:
            answer = self.get(BOARD, query)
            assert answer.status == 200, answer
            column, = answer.body["columns"]
            cards += column["cards"]
            if "nextCursor" not in column:
                return cards
            query["cursor"] = column["nextCursor"]

    def pages(self, path, **query):
        while True:
            answer = self.get(path, query)
            assert answer.status == 200, answer
            yield from answer.body["items"]
            if "nextCursor" not in answer.body:
                return
            query["cursor"] = answer.body["nextCursor"]


class NexusTest(unittest.TestCase):
    """One server for each class; afterwards no request has scanned, every stored item is as the model wants it, and every
    reminder that waits has its job and what it reminds of."""

    flags = ()
    maxDiff = None
    scans = 0  # None: the class inspects the table, which is what scans are for
    is_clean = True  # False: the class puts wrong items in by hand
    _numbers = itertools.count(1)

    @classmethod
    def setUpClass(cls):
        cls.server = CairnServer(binary_from_environment(), apps=True,
                                 flags=["--log-level", "warning", *cls.flags]).start()
        cls.addClassCleanup(cls.server.close)
        cls._users, cls._dynamodb = {}, None

    @classmethod
    def tearDownClass(cls):
        metrics = Client(cls.server.url).get("/metrics").raw.decode()
        has_none = "\ncairn_request_scans_total 0\n" in metrics
        assert has_none == (cls.scans == 0), "a request has scanned, or an inspection has not"
        wait_until(lambda: not cls.jobs_at_hand(), 60, "jobs that are due to be done")
        cls._dynamodb.close()
        cls.server.kill()
        if cls.is_clean:
            cls.verify()

    @classmethod
    def verify(cls):
        """`cairn model verify` and `cairn verify --apps`: no server may run."""
        for command in (("model", "verify", MODEL), ("verify", "--apps")):
            done = cls.server.command(*command, "--data", cls.server.data)
            assert done.code == 0, done

    @classmethod
    def jobs_at_hand(cls):
        """Jobs of Nexus that are due, except deliveries and those that have failed and come again."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        found = []
        for shard in JOB_SHARDS:
            page = cls.dynamodb().query(TableName="CairnJobs", KeyConditionExpression="PK = :p AND SK < :now",
                                        ConsistentRead=True,
                                        ExpressionAttributeValues={":p": {"S": f"JOB#{shard:02}"}, ":now": {"S": now}})
            found += [job for item in page["Items"] if (job := tables.plain(item))["kind"].startswith("nexus-")
                      and job["kind"] != "nexus-deliver" and not job.get("attempts")]
        return found

    @classmethod
    def user(cls, name=None, **claims):
        """A user with a token made by the program itself; nobody before has had the name when none is given."""
        name = name or f"user-{next(cls._numbers)}"
        if name not in cls._users:
            more = [part for claim, value in claims.items() for part in ("--claim", f"{claim}={value}")]
            made = cls.server.command("token", "--sub", name, "--for", "7d", "--data", cls.server.data, *more)
            assert made.code == 0, made
            cls._users[name] = User(cls.server.url, name, made.stdout.strip())
            cls.addClassCleanup(cls._users[name].hang_up)
        return cls._users[name]

    @classmethod
    def restart(cls, test_points=""):
        """kill -9, and again on the same data and port."""
        cls.server.restart(test_points)
        for user in cls._users.values():
            user.hang_up()

    def stop_and(self, do):
        """A clean end of the server (SIGTERM), with something done once it has begun to stop."""
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            ending = pool.submit(self.server.terminate, 60)
            wait_until(lambda: not self.listens(), 30, "the port to close")
            do()
            self.assertEqual(ending.result(), 0, self.server.stderr())

    def listens(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port), 10):
            return True
        return False

    # ---- what is stored, with the auditor's client

    @classmethod
    def dynamodb(cls):
        if cls._dynamodb is None:
            cls._dynamodb = endpoint.client(cls.server.url)
        return cls._dynamodb

    def stored(self, user, sort_key):
        """One item as Python values."""
        found = self.dynamodb().get_item(TableName=TABLE, ConsistentRead=True,
                                         Key={"PK": {"S": f"USER#{user.id}"}, "SK": {"S": sort_key}})
        return tables.plain(found["Item"]) if "Item" in found else None

    def stored_task(self, user, task):
        return self.stored(user, f"TASK#{task['taskId']}")

    def everything(self, user):
        """All stored items of a user, in the order of their sort keys."""
        items, start = [], {}
        while True:
            page = self.dynamodb().query(TableName=TABLE, KeyConditionExpression="PK = :p", ConsistentRead=True,
                                         ExpressionAttributeValues={":p": {"S": f"USER#{user.id}"}}, **start)
            items += [tables.plain(item) for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                return items
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def unchanged(self, user, do):
        """What `do` answers, having changed nothing."""
        before = self.everything(user)
        answer = do()
        self.assertEqual(self.everything(user), before, answer)
        return answer

    def expect(self, status, answer, code=None, fields=None):
        """The answer's status, and for a problem its form, its code and the fields it names."""
        self.assertEqual(answer.status, status, answer)
        if status >= 400:
            self.assertEqual(answer.headers["Content-Type"], "application/problem+json", answer)
        if code is not None:
            self.assertEqual(answer.code, code, answer)
        if fields is not None:
            self.assertEqual(sorted(answer.fields()), sorted(fields), answer)
        return answer
