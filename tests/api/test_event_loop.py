"""No request holds an event loop for long: every operation of /openapi.json, and every one of the DynamoDB protocol,
has a row here with the heaviest thing that a user may ask of it, on data as large as one user may have. The server
logs work that keeps a loop for more than some milliseconds of CPU time (of the thread, so that a busy machine makes no
difference). An operation without a row fails the test.

CAIRN_SHOW_HOLDS=1 prints the longest hold of each.
"""

import datetime
import gzip
import json
import os
import re
import sys
import unittest
import uuid
from types import SimpleNamespace

from case import ApiTest
from cairn_server import ROOT

LOGGED_MS = 4
HOLD_MS_MAX = 40  # of CPU time: some milliseconds, and room for machines whose cores are shared
NODES, NOTE_BYTES, TREE_TEXT_BYTES = 5_000, 100_000, 9_500_000
NOTES = 200  # 20 MB
DAY = "2026-03-02"
TABLE = "Loop"
HOLD = re.compile(r'event loop held.*?"cpu_ms":([0-9.]+)')

NODE = "a0001"


def get(path, **query):
    return [("GET", path, None, query)]


def send(method, path, body=None, **headers):
    return [(method, path, body, None, headers)]


def words(count):
    return " ".join(f"word{i % 977} of" for i in range(count))


# ---- rows: a text says why there is nothing heavy about it; a function gives the requests

def commit_many(t):
    """A thousand operations on the largest tree, and a merge of as many with what happened meanwhile."""
    edits = [{"op": "edit", "nodeId": f"a{i:04}", "title": f"again {i}"} for i in range(1_000)]
    moves = [{"op": "move", "nodeId": f"a{i:04}", "parentId": "d1", "first": True} for i in range(1, 1_000)]
    return [*send("POST", "/api/values/commits", {"operations": moves}),
            *send("POST", "/api/values/commits", {"baseRevId": t.revision, "onConflict": "merge",
                                                  "operations": edits})]


def import_values(t):
    return [("POST", "/api/values/import", t.history, None, {"Content-Type": "application/x-ndjson"})]


def import_calendar(t):
    return [("POST", "/api/nexus/import", t.calendar, None, {"Content-Type": "text/calendar"})]


PACK = "01KJNVK0G00000000000000003"
NDJSON_FIELDS = {"Content-Type": "application/x-ndjson"}
SMALL = "one small item, whatever the account has"

ROWS = {
    **dict.fromkeys(["login", "logout", "readMe", "changePassword", "refresh", "register", "listSessions", "endSession",
                     "readSignInOptions", "forgotPassword", "resetPassword", "verifyEmail", "sendVerification",
                     "changeEmail", "cancelEmailChange", "readUsage",
                     "readHead", "putTag", "deleteTag", "readNexusSettings", "changeNexusSettings", "readPlanSettings",
                     "changePlanSettings", "createTask", "readTask", "changeTask", "deleteTask", "completeTask",
                     "moveTask", "reopenTask", "createEvent", "readEvent", "editEvent", "deleteEvent", "renewFeed",
                     "revokeFeed", "readInstance", "readSeries", "nameWebhook", "removeWebhook", "readReminder",
                     "editReminder", "deleteReminder", "dismissReminder", "snoozeReminder", "createReminder",
                     "deleteNote", "archiveNote", "pinNote", "unarchiveNote", "unpinNote"], SMALL),
    "deleteMe": "an erasure goes on as a job; see test_delete_account.py",
    "checkConformance": lambda t: [("operator", *get("/api/admin/conformance")[0])],

    "readDataItems": lambda t: get("/api/data/items", table="App", partition=f"U#{t.user_id}#VALUES#{t.revision}",
                                   limit=100),
    "listDataPartitions": lambda t: get("/api/data/partitions"),

    "readAgenda": lambda t: get("/api/nexus/agenda", **{"from": "2026-01-01", "to": "2027-01-01", "limit": 100}) +
    get("/api/nexus/agenda", **{"from": "2035-01-01", "to": "2035-12-31", "limit": 100}),
    "readAgendaDay": lambda t: get(f"/api/nexus/agenda/day/{t.today}"),
    "readAgendaWeek": lambda t: get(f"/api/nexus/agenda/week/{t.today}"),
    "readAgendaMonth": lambda t: get(f"/api/nexus/agenda/month/{t.today[:7]}"),
    "readBoard": lambda t: get("/api/nexus/board"),
    "exportCalendar": lambda t: get("/api/nexus/calendar.ics"),
    "readFeed": lambda t: get(t.feed),
    "readChanges": lambda t: get("/api/nexus/changes", since=t.changes),
    "fillNexusDemo": lambda t: [("newcomer", *send("POST", "/api/nexus/demo")[0])],
    "importCalendar": import_calendar,
    "editInstance": lambda t: send("PATCH", f"/api/nexus/instances/{t.instance}?scope=all", {"title": "again"},
                                   if_match="*"),
    "deleteInstance": lambda t: send("DELETE", f"/api/nexus/instances/{t.last_instance}?scope=following", if_match="*"),
    "editSeries": lambda t: send("PATCH", f"/api/nexus/masters/{t.master}", {"title": "once more"}, if_match="*"),
    "deleteSeries": lambda t: send("DELETE", f"/api/nexus/masters/{t.other_master}", if_match="*"),
    "addExdate": lambda t: send("POST", f"/api/nexus/masters/{t.master}/exdates", {"local": f"{t.today}T09:00:00"}),
    "removeExdate": lambda t: send("DELETE", f"/api/nexus/masters/{t.master}/exdates/{t.today}T09:00:00"),
    "listInstances": lambda t: get(f"/api/nexus/masters/{t.master}/instances", limit=100),
    "previewRule": lambda t: send("POST", "/api/nexus/rrule/preview",
                                  {"rrule": "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3;BYMINUTE=7;BYSECOND=9",
                                   "startLocal": "2026-01-01T00:00:00"}),
    "createNote": lambda t: send("POST", "/api/nexus/notes", {"body": words(NOTE_BYTES // 11)}),
    "listNotes": lambda t: get("/api/nexus/notes", limit=100) + get("/api/nexus/notes", tag="none", limit=100),
    "readNote": lambda t: get(f"/api/nexus/notes/{t.note}"),
    "changeNote": lambda t: send("PATCH", f"/api/nexus/notes/{t.note}", {"body": words(NOTE_BYTES // 11)}, if_match="*"),
    "listReminders": lambda t: get("/api/nexus/reminders", limit=100),
    "listDueReminders": lambda t: get("/api/nexus/reminders/due"),
    "searchNexus": lambda t: get("/api/nexus/search", q=" ".join(f"word{i}" for i in range(20)), limit=100) +
    get("/api/nexus/search", q="nowhere", limit=100),
    "listTasks": lambda t: get("/api/nexus/tasks", limit=100),
    "listNexusTags": lambda t: get("/api/nexus/tags"),
    "removeNexusTag": lambda t: [("DELETE", "/api/nexus/tags", None, {"tag": "large"})],

    "listPlans": lambda t: get("/api/plans", **{"from": "2026-01-01", "to": "2026-12-31"}),
    "readPlan": lambda t: get(f"/api/plans/{DAY}"),
    "autoschedulePlan": lambda t: send("POST", f"/api/plans/{DAY}/autoschedule"),
    "commitPlan": lambda t: send("POST", f"/api/plans/{DAY}/commits", {"operations": [
        {"op": "editTodo", "actionId": f"a{i:04}", "notes": "x" * 500} for i in range(t.todos)]}),
    **dict.fromkeys(["addBlock", "editBlock", "removeBlock", "listPlanCommits", "redoPlan", "rollbackPlan", "undoPlan",
                     "rolloverPlan", "addTodo", "editTodo", "removeTodo", "uncompleteTodo", "diffPlans"],
                    "one day, which is small; commitPlan does the most that can be done to one"),
    "reorderTodos": lambda t: send("POST", f"/api/plans/{DAY}/todos/reorder",
                                   {"actionIds": [f"a{i:04}" for i in reversed(range(t.todos))]}),
    "completeTodo": lambda t: send("POST", f"/api/plans/{DAY}/todos/a0003/complete"),

    "readTree": lambda t: get("/api/values", rev=t.revision) + get("/api/values") +
    [("GET", "/api/values", None, {"rev": t.revision, "includeArchived": "true"}, {"Accept-Encoding": "gzip"})],
    "commitTree": commit_many,
    "listCommits": lambda t: get("/api/values/commits", limit=100),
    "readCommit": lambda t: get(f"/api/values/commits/{t.revision}"),
    "fillDemo": lambda t: [("newcomer", *send("POST", "/api/values/demo")[0])],
    "diffTrees": lambda t: get("/api/values/diff", **{"from": t.first_revision, "to": t.revision}),
    "exportValues": lambda t: get("/api/values/export"),
    "importValues": lambda t: [("another", *import_values(t)[0])],
    "createNode": lambda t: send("POST", "/api/values/nodes", {"nodeType": "ACTION", "title": "x", "parentId": "d1"}),
    "readNode": lambda t: get("/api/values/nodes/d1"),
    "editNode": lambda t: send("PATCH", f"/api/values/nodes/{NODE}", {"title": "edited"}),
    "moveNode": lambda t: send("POST", f"/api/values/nodes/{NODE}/move", {"parentId": "d2"}),
    "readChildren": lambda t: get("/api/values/nodes/d1/children"),
    "reorderChildren": lambda t: send("POST", "/api/values/nodes/d2/reorder", {"childIds": [NODE]}),
    "completeNode": lambda t: send("POST", f"/api/values/nodes/{NODE}/complete"),
    "uncompleteNode": lambda t: send("POST", f"/api/values/nodes/{NODE}/uncomplete"),
    "archiveNode": lambda t: send("POST", f"/api/values/nodes/{NODE}/archive"),
    "restoreNode": lambda t: send("POST", f"/api/values/nodes/{NODE}/restore"),
    "deleteNode": lambda t: send("DELETE", f"/api/values/nodes/{NODE}"),
    "readNodeHistory": lambda t: get(f"/api/values/nodes/{NODE}/history"),
    "undoTree": lambda t: send("POST", "/api/values/undo"),
    "redoTree": lambda t: send("POST", "/api/values/redo"),
    "rollbackTree": lambda t: send("POST", "/api/values/rollback", {"toRevId": t.first_revision}),
    "reviewWeek": lambda t: get("/api/values/review"),
    "listTags": lambda t: get("/api/values/tags"),
    "packTree": lambda t: send("POST", "/api/values/nodes/d1/archive") + send("POST", "/api/values/pack"),
    "listPacks": lambda t: get("/api/values/packs"),
    "readPack": lambda t: [("packer", "POST", "/api/values/import", t.packed_history, None, NDJSON_FIELDS),
                           ("packer", *get(f"/api/values/packs/{PACK}")[0])],
    "unpack": lambda t: [("packer", *send("POST", f"/api/values/packs/{PACK}/unpack")[0])],
}


# ---- the DynamoDB protocol

def many_attributes(key, count=40_000):
    """400 KB in as many attributes as fit."""
    return {"pk": {"S": key}, **{f"{i:05}": {"N": "1"} for i in range(count)}}


def long_text(key, size=400_000):
    return {"pk": {"S": key}, "t": {"S": "a" * size}}


def searches(count):
    """A condition that looks through a text so many times, for what nearly stands there."""
    text = " OR ".join(f"contains(t, :v{i})" for i in range(count))
    values = {f":v{i}": {"S": "a" * (5_000 + i) + "b"} for i in range(count)}
    return text, values


def filtered(count=100):
    text, values = searches(count)
    return {"TableName": TABLE, "FilterExpression": text, "ExpressionAttributeValues": values}


KEY = {"pk": {"S": "many"}}
PROTOCOL_ROWS = {  # with the status that is expected
    "PutItem": [(200, {"TableName": TABLE, "Item": many_attributes("many")}),
                (400, {"TableName": TABLE, "Item": {"pk": {"S": "x"}, "t": {"S": "x" * 10_000_000}}})],
    "GetItem": [(200, {"TableName": TABLE, "Key": KEY}),
                (400, {"TableName": TABLE, "Key": KEY,
                       "AttributesToGet": [f"{i:05}" for i in reversed(range(40_000))]})],
    "UpdateItem": [(200, {"TableName": TABLE, "Key": KEY, "AttributeUpdates": {
                        f"{i:05}": {"Action": "PUT", "Value": {"N": "2"}} for i in range(40_000)}}),
                   (200, {"TableName": TABLE, "Key": {"pk": {"S": "text1"}}, "UpdateExpression": "SET n = :n",
                          "ConditionExpression": "NOT contains(t, :v)",
                          "ExpressionAttributeValues": {":n": {"N": "1"}, ":v": {"S": "a" * 200_000 + "b"}}})],
    "DeleteItem": [(400, {"TableName": TABLE, "Key": {"pk": {"S": "text"}}, "ConditionExpression": "contains(t, :v)",
                          "ExpressionAttributeValues": {":v": {"S": "a" * 200_000 + "b"}}})],
    "Query": [(200, {**filtered(), "KeyConditionExpression": "pk = :pk",
                     "ExpressionAttributeValues": {**filtered()["ExpressionAttributeValues"], ":pk": {"S": "text"}}}),
              (200, {"TableName": TABLE, "KeyConditionExpression": "pk = :pk",
                     "ExpressionAttributeValues": {":pk": {"S": "many"}}})],
    "Scan": [(200, filtered()), (200, {"TableName": TABLE}),
             (200, {"TableName": f"{TABLE}Small", "FilterExpression": "n > :n",
                    "ExpressionAttributeValues": {":n": {"N": "1"}}})],
    "BatchWriteItem": [(200, {"RequestItems": {TABLE: [
        {"PutRequest": {"Item": many_attributes(f"part{i}", 20_000)}} for i in range(25)]}})],
    "BatchGetItem": [(200, {"RequestItems": {TABLE: {"Keys": [{"pk": {"S": f"part{i}"}} for i in range(25)]}}}),
                     (400, {"RequestItems": {TABLE: {"Keys": [{"pk": {"S": f"no{i}"}} for i in range(100_000)]}}})],
    "TransactGetItems": [(200, {"TransactItems": [{"Get": {"TableName": TABLE, "Key": {"pk": {"S": f"part{i}"}}}}
                                                  for i in range(15)]})],
    "TransactWriteItems": [(200, {"ClientRequestToken": "{token}", "TransactItems": [
        {"Put": {"TableName": TABLE, "Item": many_attributes(f"part{i}", 20_000)}} for i in range(15)]})],
    "ExecuteStatement": [(200, {"Statement": f'SELECT * FROM "{TABLE}" WHERE ' + " OR ".join(["contains(t, ?)"] * 100),
                                "Parameters": [{"S": "a" * (5_000 + i) + "b"} for i in range(100)]})],
    "BatchExecuteStatement": [(200, {"Statements": [
        {"Statement": f"INSERT INTO \"{TABLE}\" VALUE {{'pk': ?, 't': ?}}",
         "Parameters": [{"S": f"batch{i}" + "{token}"}, {"S": "a" * 300_000}]} for i in range(25)]})],
    "ExecuteTransaction": [(200, {"TransactStatements": [
        {"Statement": f"UPDATE \"{TABLE}\" SET n = 1 WHERE pk = ?", "Parameters": [{"S": f"part{i}"}]}
        for i in range(10)]})],
}


class Watched(ApiTest):
    flags = ("--loop-hold-logged-ms", str(LOGGED_MS), "--user-requests-per-second", "0", "--user-writes-mb-per-hour", "0")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.holds_read = 0
        cls.caller = cls.client()

    @classmethod
    def tearDownClass(cls):
        pass  # operators and programs may scan

    @classmethod
    def holds(cls):
        """CPU milliseconds of the holds since it was asked last."""
        text = cls.server.stderr()
        new, cls.holds_read = text[cls.holds_read:], len(text)
        return [float(ms) for ms in HOLD.findall(new)]

    def judge(self, name, statuses):
        longest = max(self.holds(), default=0.0)
        if os.environ.get("CAIRN_SHOW_HOLDS"):
            told = f"{longest:.0f}" if longest else f"below {LOGGED_MS}"
            print(f"| {name} | {told} ms | {statuses} |", file=sys.stderr)
        self.assertLess(longest, HOLD_MS_MAX, name)


class Rest(Watched):
    """Every operation of /openapi.json."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heavy = cls.user("heavy")
        cls.callers = {"operator": cls.user("operator", role="operator"), "newcomer": cls.user("newcomer"),
                       "another": cls.user("another"), "packer": cls.user("packer")}
        cls.things = cls().everything()

    # ---- data as large as a user may have

    def everything(self):
        things = SimpleNamespace(user_id="heavy", today=datetime.date.today().isoformat(), todos=60)
        things.history = self.history()
        things.packed_history = self.packed_history(things.history)
        things.changes = self.expect(200, self.heavy.get("/api/nexus/changes")).body["nextToken"]
        self.expect(200, self.heavy.send(*import_values(things)[0]))
        commits = self.expect(200, self.heavy.get("/api/values/commits")).body["items"]
        things.revision, things.first_revision = commits[0]["revId"], commits[-1]["revId"]
        for number in range(NOTES):
            answer = self.expect(201, self.heavy.post("/api/nexus/notes", {
                "title": f"note {number}", "body": words(NOTE_BYTES // 11), "tags": ["large"]}))
        things.note = answer.body["noteId"]
        things.calendar = self.calendar(things.today)
        imported = self.expect(200, self.heavy.send(*import_calendar(things)[0])).body
        self.assertEqual((imported["skipped"], imported["remaining"]), (0, 0), imported)
        things.feed = self.expect(201, self.heavy.post("/api/nexus/feed")).body["url"]
        agenda = self.expect(200, self.heavy.get(f"/api/nexus/agenda/day/{things.today}")).body
        instances = [entry for entry in self.entries(agenda) if entry.get("masterId")]
        things.instance, things.last_instance = instances[0]["id"], instances[-1]["id"]
        things.master, things.other_master = instances[0]["masterId"], instances[1]["masterId"]
        self.expect(200, self.heavy.post(f"/api/plans/{DAY}/commits", {"operations": [
            {"op": "addTodo", "actionId": f"a{i:04}"} for i in range(things.todos)]}))
        return things

    def entries(self, agenda):
        found = []
        stack = [agenda]
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                if "id" in value:
                    found.append(value)
                stack += value.values()
            elif isinstance(value, list):
                stack += value
        return sorted(found, key=lambda entry: entry["id"])

    @staticmethod
    def history():
        """A tree of 5,000 nodes and 9.5 MB as a first revision, half of it edited in a second one."""
        notes = "n" * (TREE_TEXT_BYTES // NODES)
        made = "2026-03-01T08:00:00.000Z"

        def node(node_id, kind, title, **more):
            return {"nodeId": node_id, "nodeType": kind, "title": title, "createdAt": made, "archived": False,
                    "rootDriverId": "d1" if kind == "ACTION" else node_id, **more}

        drivers = [node("d1", "DRIVER", "one"), node("d2", "DRIVER", "two")]
        actions = [node(f"a{i:04}", "ACTION", f"action {i}", notes=notes, driverId="d1") for i in range(NODES - 100)]
        first = {"format": "cairn-values/1", "revId": "01KJNVK0G00000000000000001", "source": "daily_update",
                 "message": "all", "nodes": drivers + actions, "removed": [],
                 "children": [{"parentNodeId": "d1", "childIds": [action["nodeId"] for action in actions]}]}
        second = {**first, "revId": "01KJNVK0G00000000000000002", "parentRevId": first["revId"], "children": [],
                  "nodes": [{**action, "title": "edited"} for action in actions[::20]]}
        return b"".join(json.dumps(revision).encode() + b"\n" for revision in (first, second))

    @staticmethod
    def packed_history(history):
        """The same, and everything packed away in a third revision."""
        first = json.loads(history.split(b"\n")[0])
        children = first["children"][0]["childIds"]
        third = {"format": "cairn-values/1", "revId": PACK, "parentRevId": "01KJNVK0G00000000000000002",
                 "source": "daily_update", "removed": children, "children": [{"parentNodeId": "d1", "childIds": []}],
                 "packed": [{"packRevId": PACK, "nodeCount": len(children)}]}
        return history + json.dumps(third).encode() + b"\n"

    @staticmethod
    def calendar(today):
        """Series with hundreds of occurrences, one of them with 2,000 edited ones; events; tasks."""
        start = today.replace("-", "")
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0"]
        for number in range(12):
            lines += ["BEGIN:VEVENT", f"UID:series{number}", f"SUMMARY:series {number}", f"DTSTART:{start}T090000Z",
                      "DURATION:PT30M", "RRULE:FREQ=DAILY", "DESCRIPTION:" + "d" * 5_000, "END:VEVENT"]
        first = datetime.date.fromisoformat(today)
        for number in range(2_000):
            day = (first + datetime.timedelta(days=number)).isoformat().replace("-", "")
            lines += ["BEGIN:VEVENT", "UID:series0", "SUMMARY:edited", f"RECURRENCE-ID:{day}T090000Z",
                      f"DTSTART:{day}T110000Z", "DURATION:PT30M", "END:VEVENT"]
        for number in range(500):
            day = (first + datetime.timedelta(days=number % 300)).isoformat().replace("-", "")
            lines += ["BEGIN:VEVENT", f"UID:event{number}", f"SUMMARY:event {number}", f"DTSTART:{day}T130000Z",
                      "DURATION:PT30M", "END:VEVENT"]
        for number in range(300):
            lines += ["BEGIN:VTODO", f"UID:todo{number}", f"SUMMARY:task {number}", f"DUE:{start}T100000Z", "END:VTODO"]
        return ("\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n").encode()

    def test_every_operation(self):
        described = {operation["operationId"] for path in self.heavy.contract().document["paths"].values()
                     for operation in path.values()}
        self.assertEqual(described, set(ROWS))
        self.holds()
        for name, row in ROWS.items():
            if isinstance(row, str):
                continue
            with self.subTest(operation=name):
                statuses = []
                for request in row(self.things):
                    caller = self.heavy
                    if request[0] in self.callers:
                        caller, request = self.callers[request[0]], request[1:]
                    method, path, body, query, *headers = request
                    named = {name.replace("_", "-").title(): text for name, text in (headers[0] if headers else {}).items()}
                    statuses.append(caller.send(method, path, body, query, named).status)
                self.judge(name, statuses)
                self.assertLess(max(statuses), 429, statuses)


class Protocol(Watched):
    """Every operation about items; those about tables look at no item of a user."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in (TABLE, f"{TABLE}Small"):
            cls.dynamodb().create_table(TableName=name, KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                                        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                                        BillingMode="PAY_PER_REQUEST")
        for number in range(400):
            cls.dynamodb().batch_write_item(RequestItems={f"{TABLE}Small": [
                {"PutRequest": {"Item": {"pk": {"S": f"{number}.{i}"}, "n": {"N": "0"}}}} for i in range(25)]})
        for key in ("text", "text1", "text2"):
            cls.dynamodb().put_item(TableName=TABLE, Item=long_text(key))

    def test_every_operation(self):
        operations = set(self.dynamodb().meta.service_model.operation_names)
        about_items = {name for name in operations if re.search(r"Item|Statement|Query|Scan|ExecuteTransaction", name)}
        self.assertEqual(about_items, set(PROTOCOL_ROWS))
        self.holds()
        for name, rows in PROTOCOL_ROWS.items():
            for gzipped in (False, True):
                with self.subTest(operation=name, gzip=gzipped):
                    statuses = [self.ask(name, parameters, gzipped) for _, parameters in rows]
                    self.judge(f"{name}{' (gzip)' if gzipped else ''}", statuses)
                    self.assertEqual(statuses, [status for status, _ in rows])

    def ask(self, operation, parameters, gzipped):
        body = json.dumps(parameters).replace("{token}", uuid.uuid4().hex).encode()
        headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0",
                   "Authorization": "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request, "
                                    "SignedHeaders=host, Signature=" + "0" * 64,
                   "X-Amz-Date": "20260101T000000Z", "Accept-Encoding": "gzip" if gzipped else "identity"}
        if gzipped:
            body = gzip.compress(body, 1)
            headers["Content-Encoding"] = "gzip"
        return self.caller._exchange("POST", "/", body, headers).status  # no answer of /openapi.json


class Others(Watched):
    """What is no operation of /openapi.json: any model over REST, pages, documents, numbers."""

    flags = (*Watched.flags, "--model", str(ROOT / "tests" / "model_api" / "workshop.toml"))
    HOME = "/api/m/workshop"

    def test_models(self):
        ada = self.user("ada")
        long = words(300_000 // 11)
        for number in range(8):
            made = self.ask("POST", f"{self.HOME}/Note", {"text": long}, ada)
            self.assertEqual(made.status, 201, made)
        where = made.headers["Location"]
        self.holds()
        rows = {"create": ("POST", f"{self.HOME}/Note", {"text": long}), "read": ("GET", where, None),
                "replace": ("PUT", where, {"text": long + "!"}), "change": ("PATCH", where, {"text": long + "?"}),
                "page": ("GET", f"{self.HOME}/patterns/everything?limit=100", None), "describe": ("GET", self.HOME, None),
                "list": ("GET", "/api/m", None), "delete": ("DELETE", where, None),
                "too many fields": ("POST", f"{self.HOME}/Note", {f"f{i}": i for i in range(60_000)})}
        for name, (method, path, body) in rows.items():
            with self.subTest(row=name):
                status = self.ask(method, path, body, ada).status
                self.judge(f"model: {name}", [status])
                self.assertEqual(status, {"create": 201, "delete": 204, "too many fields": 422}.get(name, 200))

    def ask(self, method, path, body, caller):
        headers = {"Authorization": f"Bearer {caller.token}", "Content-Type": "application/json", "If-Match": "*",
                   "Accept-Encoding": "gzip"}
        if method in ("GET", "POST"):
            del headers["If-Match"]
        return caller._exchange(method, path, None if body is None else json.dumps(body).encode(), headers)

    def test_pages_and_documents(self):
        self.holds()
        for path in ("/", "/values", "/openapi.json", "/metrics", "/healthz", "/api/none"):
            for coding in ("identity", "gzip"):
                with self.subTest(path=path, coding=coding):
                    answer = self.caller._exchange("GET", path, None, {"Accept-Encoding": coding})
                    self.judge(f"{path} ({coding})", [answer.status])
                    self.assertLess(answer.status, 500)


if __name__ == "__main__":
    unittest.main()
