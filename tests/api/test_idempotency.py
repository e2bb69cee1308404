"""Idempotency-Key: the same request with the same key is done once and answered the same, whatever happens in between
(REQ-X-16).
"""

import datetime
import http.client
import json
import threading

from case import ApiTest, at_once
from chance import seeded_random
from wait import wait_until

DAY, NEXT_DAY = "2026-03-02", "2026-03-03"
NODES = "/api/values/nodes"
DRIVER = {"nodeType": "DRIVER", "title": "once"}
NOON = {"start": f"{DAY}T12:00:00.000Z", "end": f"{DAY}T13:00:00.000Z"}


class Things:
    """A tree and a plan to change, for one user."""

    def __init__(self, test, user):
        self.user = user
        self.driver, self.milestone, self.action = test.tree(user)
        self.other = test.node(user, "ACTION", "other", parentId=self.milestone)
        self.done = test.node(user, "ACTION", "done", parentId=self.milestone)
        self.spare = test.node(user, "DRIVER", "spare")
        test.expect(200, user.delete(f"{NODES}/{self.spare}"))
        for action in (self.action, self.done):
            test.expect(201, user.post(f"/api/plans/{DAY}/todos", {"actionId": action, "estimatedPomodoros": 2}))
        test.expect(200, user.post(f"{NODES}/{self.done}/complete"))
        answer = test.expect(201, user.post(f"/api/plans/{DAY}/blocks", {"blockType": "MEETING", **NOON}))
        self.block = answer.body["addedBlocks"][0]
        self.plan_revision = answer.body["commit"]["revId"]
        test.expect(200, user.patch(f"/api/plans/{DAY}/todos/{self.action}", {"notes": "later"}))
        self.revision = user.get("/api/values/head").body["headRevId"]
        made = {name: test.expect(201, user.post(f"/api/nexus/{name}s", {"title": name})).body for name in ("task", "note")}
        self.task, self.note = f"/api/nexus/tasks/{made['task']['taskId']}", f"/api/nexus/notes/{made['note']['noteId']}"
        done = test.expect(201, user.post("/api/nexus/tasks", {"title": "done", "status": "DONE"})).body
        self.done_task = f"/api/nexus/tasks/{done['taskId']}"
        away = test.expect(201, user.post("/api/nexus/notes", {"title": "away", "isPinned": True})).body
        self.archived_note = f"/api/nexus/notes/{away['noteId']}"
        test.expect(200, user.post(f"{self.archived_note}/archive"))
        self.calendar(test, user)

    def calendar(self, test, user):
        day = str(datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=2))
        times = {"startUtc": f"{day}T09:00:00Z", "endUtc": f"{day}T10:00:00Z", "startTzid": "UTC"}
        made = [test.expect(201, user.post("/api/nexus/events", {"title": "x", **times, **more})).body["id"]
                for more in ({}, {"rrule": "FREQ=DAILY;COUNT=5"})]
        self.event, self.master = f"/api/nexus/events/{made[0]}", f"/api/nexus/masters/{made[1]}"
        coming = test.expect(200, user.get(f"{self.master}/instances", {"limit": 40})).body["items"][-1]
        self.instance, self.exdate = f"/api/nexus/instances/{coming['id']}", coming["originalLocal"]
        spare = test.expect(201, user.post("/api/nexus/events", {"title": "x", **times, "rrule": "FREQ=DAILY;COUNT=3",
                                                                "exdates": [f"{day}T09:00:00"]})).body["id"]
        self.with_exdate = f"/api/nexus/masters/{spare}/exdates/{day}T09:00:00"
        reminder = test.expect(201, user.post("/api/nexus/reminders", {"title": "x", "triggerUtc": "2999-01-01T00:00:00Z"}))
        self.reminder = f"/api/nexus/reminders/{reminder.body['reminderId']}"
        test.expect(201, user.post("/api/nexus/feed"))


def later(hours):
    return {"start": f"{DAY}T{hours:02}:00:00.000Z", "end": f"{DAY}T{hours:02}:30:00.000Z"}


CALENDAR = b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20260302T090000Z\nEND:VEVENT\nEND:VCALENDAR\n"

# What to send so that it does something: (method, path, body), or with headers. Every change that takes a key has to be here.
CHANGES = {
    "commitTree": lambda t: ("POST", "/api/values/commits", {"operations": [{"op": "add", **DRIVER}]}),
    "rollbackTree": lambda t: ("POST", "/api/values/rollback", {"toRevId": t.first}),
    "undoTree": lambda t: ("POST", "/api/values/undo", {}),
    "redoTree": lambda t: ("POST", "/api/values/redo", {}),
    "createNode": lambda t: ("POST", NODES, DRIVER),
    "editNode": lambda t: ("PATCH", f"{NODES}/{t.driver}", {"title": "edited"}),
    "moveNode": lambda t: ("POST", f"{NODES}/{t.other}/move", {"parentId": t.driver}),
    "reorderChildren": lambda t: ("POST", f"{NODES}/{t.milestone}/reorder", {"childIds": [t.done, t.other, t.action]}),
    "completeNode": lambda t: ("POST", f"{NODES}/{t.action}/complete", {}),
    "uncompleteNode": lambda t: ("POST", f"{NODES}/{t.done}/uncomplete", {}),
    "archiveNode": lambda t: ("POST", f"{NODES}/{t.other}/archive", {}),
    "deleteNode": lambda t: ("DELETE", f"{NODES}/{t.other}", None),
    "restoreNode": lambda t: ("POST", f"{NODES}/{t.spare}/restore", {}),
    "packTree": lambda t: ("POST", "/api/values/pack", {}),
    "unpack": lambda t: ("POST", f"/api/values/packs/{t.pack}/unpack", {}),
    "putTag": lambda t: ("PUT", "/api/values/tags/once", {"revId": t.revision}),
    "deleteTag": lambda t: ("DELETE", "/api/values/tags/named", None),
    "changePlanSettings": lambda t: ("PATCH", "/api/plans/settings", {"dayStartHour": 4}),
    "commitPlan": lambda t: ("POST", f"/api/plans/{DAY}/commits", {
        "operations": [{"op": "addTodo", "actionId": t.other}]}),
    "rollbackPlan": lambda t: ("POST", f"/api/plans/{DAY}/rollback", {"toRevId": t.plan_revision}),
    "undoPlan": lambda t: ("POST", f"/api/plans/{DAY}/undo", {}),
    "redoPlan": lambda t: ("POST", f"/api/plans/{DAY}/redo", {}),
    "rolloverPlan": lambda t: ("POST", f"/api/plans/{NEXT_DAY}/rollover", {"fromDay": DAY}),
    "addTodo": lambda t: ("POST", f"/api/plans/{DAY}/todos", {"actionId": t.other}),
    "editTodo": lambda t: ("PATCH", f"/api/plans/{DAY}/todos/{t.action}", {"notes": "once"}),
    "removeTodo": lambda t: ("DELETE", f"/api/plans/{DAY}/todos/{t.action}", None),
    "reorderTodos": lambda t: ("POST", f"/api/plans/{DAY}/todos/reorder", {"actionIds": [t.done, t.action]}),
    "completeTodo": lambda t: ("POST", f"/api/plans/{DAY}/todos/{t.action}/complete", {}),
    "uncompleteTodo": lambda t: ("POST", f"/api/plans/{DAY}/todos/{t.done}/uncomplete", {}),
    "addBlock": lambda t: ("POST", f"/api/plans/{DAY}/blocks", {"blockType": "BREAK", **later(18)}),
    "editBlock": lambda t: ("PATCH", f"/api/plans/{DAY}/blocks/{t.block}", later(19)),
    "removeBlock": lambda t: ("DELETE", f"/api/plans/{DAY}/blocks/{t.block}", None),
    "autoschedulePlan": lambda t: ("POST", f"/api/plans/{DAY}/autoschedule", {"from": f"{DAY}T14:00:00.000Z"}),
    "changeNexusSettings": lambda t: ("PATCH", "/api/nexus/settings", {"timezone": "Asia/Tokyo"}),
    "createEvent": lambda t: ("POST", "/api/nexus/events", {
        "title": "once", "startUtc": "2026-03-02T09:00:00Z", "endUtc": "2026-03-02T10:00:00Z", "rrule": "FREQ=YEARLY"}),
    "editEvent": lambda t: ("PATCH", t.event, {"title": "once"}, {"If-Match": '"1"'}),
    "deleteEvent": lambda t: ("DELETE", t.event, None, {"If-Match": '"1"'}),
    "editSeries": lambda t: ("PATCH", t.master, {"title": "once"}, {"If-Match": '"1"'}),
    "deleteSeries": lambda t: ("DELETE", t.master, None, {"If-Match": '"1"'}),
    "editInstance": lambda t: ("PATCH", t.instance, {"title": "once"}, {"If-Match": '"1"'}),
    "deleteInstance": lambda t: ("DELETE", t.instance, None, {"If-Match": '"1"'}),
    "addExdate": lambda t: ("POST", f"{t.master}/exdates", {"local": t.exdate}),
    "removeExdate": lambda t: ("DELETE", t.with_exdate, None),
    "createReminder": lambda t: ("POST", "/api/nexus/reminders", {"title": "x", "triggerUtc": "2999-01-01T00:00:00Z"}),
    "editReminder": lambda t: ("PATCH", t.reminder, {"title": "once"}, {"If-Match": '"1"'}),
    "deleteReminder": lambda t: ("DELETE", t.reminder, None, {"If-Match": '"1"'}),
    "snoozeReminder": lambda t: ("POST", f"{t.reminder}/snooze", {"until": "2999-02-01T00:00:00Z"}),
    "dismissReminder": lambda t: ("POST", f"{t.reminder}/dismiss", {}),
    "createTask": lambda t: ("POST", "/api/nexus/tasks", {"title": "once"}),
    "changeTask": lambda t: ("PATCH", t.task, {"title": "once"}, {"If-Match": '"1"'}),
    "deleteTask": lambda t: ("DELETE", t.task, None, {"If-Match": '"1"'}),
    "moveTask": lambda t: ("POST", f"{t.task}/move", {"status": "TODO"}),
    "completeTask": lambda t: ("POST", f"{t.task}/complete", {}),
    "reopenTask": lambda t: ("POST", f"{t.done_task}/reopen", {}),
    "createNote": lambda t: ("POST", "/api/nexus/notes", {"title": "once"}),
    "changeNote": lambda t: ("PATCH", t.note, {"title": "once"}, {"If-Match": '"1"'}),
    "deleteNote": lambda t: ("DELETE", t.note, None, {"If-Match": '"1"'}),
    "pinNote": lambda t: ("POST", f"{t.note}/pin", {}),
    "unpinNote": lambda t: ("POST", f"{t.archived_note}/unpin", {}),
    "archiveNote": lambda t: ("POST", f"{t.note}/archive", {}),
    "unarchiveNote": lambda t: ("POST", f"{t.archived_note}/unarchive", {}),
    "importCalendar": lambda t: ("POST", "/api/nexus/import", CALENDAR, {"Content-Type": "text/calendar"}),
    "revokeFeed": lambda t: ("DELETE", "/api/nexus/feed", None),
    "removeWebhook": lambda t: ("DELETE", "/api/nexus/webhook", None),
}


class EveryChange(ApiTest):
    flags = ("--webhooks", "public")

    def test_is_done_once(self):
        """All operations that take a key: the second answer is the first to the byte, and nothing else happened."""
        operations = self.client().contract().operations
        key = ("header", "Idempotency-Key")
        keyed = {name for name, operation in operations.items() if key in operation.parameters}
        self.assertEqual(keyed, {*CHANGES, "importValues", "fillDemo", "fillNexusDemo"})
        for name, make in CHANGES.items():
            with self.subTest(operation=name):
                user = self.user(f"once-{name}")
                things = Things(self, user)
                things.first = user.get("/api/values/commits", {"limit": 100}).body["items"][-1]["revId"]
                if name == "redoTree":
                    self.expect(200, user.post("/api/values/undo"))
                if name == "unpack":
                    things.pack = self.expect(200, user.post("/api/values/pack")).body["values"]["commit"]["revId"]
                if name == "deleteTag":
                    self.expect(200, user.put("/api/values/tags/named", {"revId": things.revision}))
                if name == "redoPlan":
                    self.expect(200, user.post(f"/api/plans/{DAY}/undo"))
                if name == "removeWebhook":
                    self.expect(201, user.post("/api/nexus/webhook", {"url": "https://example.org/hook"}))
                self.once(user, f"once-{name}", *make(things))

    def all_of(self, name):
        return self.items_of(name), [item for item in self.items("ProductivityData") if item["PK"] == f"USER#{name}"]

    def once(self, user, name, method, path, body, headers=()):
        headers = {"Idempotency-Key": "the-key", **dict(headers)}
        untouched = self.all_of(name)
        first = user.send(method, path, body, None, headers)
        self.assertIn(first.status, (200, 201, 204), first)
        self.assertFalse(first.replayed)
        after = self.all_of(name)
        self.assertNotEqual(after, untouched, "the request does something")
        second = user.send(method, path, body, None, headers)
        self.assertTrue(second.replayed)
        self.assertEqual((second.status, second.raw, second.tag, second.headers.get("Content-Type")),
                         (first.status, first.raw, first.tag, first.headers.get("Content-Type")))
        self.assertEqual(self.all_of(name), after)
        other = user.send(method, path + "?x=1", body, None, headers)
        self.expect(422, other, "idempotency-mismatch")

    def test_an_import_is_done_once(self):
        source = self.user("exporter")
        self.tree(source)
        history = source.get("/api/values/export").raw
        self.once(self.user("importer"), "importer", "POST", "/api/values/import", history,
                  {"Content-Type": "application/x-ndjson"})

    def test_an_account_is_filled_once(self):
        self.once(self.user("filled"), "filled", "POST", "/api/values/demo", {})
        self.once(self.user("filled-too"), "filled-too", "POST", "/api/nexus/demo", {})


class OneKey(ApiTest):
    def test_another_body_is_refused(self):
        user = self.user("mismatch")
        self.expect(201, user.post(NODES, DRIVER, idempotency_key="k"))
        for body, headers in (({**DRIVER, "title": "other"}, {}), ({**DRIVER, "notes": "x"}, {}),
                              (DRIVER, {"if_match": "*"})):
            self.expect(422, user.post(NODES, body, idempotency_key="k", **headers), "idempotency-mismatch")
        self.assertEqual(len(user.get("/api/values/commits").body["items"]), 1)
        self.expect(201, user.post(NODES, DRIVER, idempotency_key="K"))  # another key

    def test_survives_a_kill(self):
        user = self.user("killed")
        first = self.expect(201, user.post(NODES, DRIVER, idempotency_key="k"))
        self.restart()
        again = self.expect(201, user.post(NODES, DRIVER, idempotency_key="k"))
        self.assertTrue(again.replayed)
        self.assertEqual((again.raw, again.tag), (first.raw, first.tag))
        self.expect(422, user.post(NODES, {**DRIVER, "title": "x"}, idempotency_key="k"), "idempotency-mismatch")

    def test_twins_have_one_effect(self):
        for round_number in range(5):
            user = self.user(f"twins-{round_number}")
            answers = at_once(8, lambda n: user.post(NODES, DRIVER, idempotency_key="k"))
            self.assertLessEqual({answer.status for answer in answers}, {201, 409}, answers)
            done = [answer for answer in answers if answer.status == 201]
            self.assertEqual([answer.replayed for answer in done].count(False), 1)
            self.assertEqual(len({answer.raw for answer in done}), 1)
            for answer in answers:
                if answer.status == 409:
                    self.assertEqual(answer.code, "in-progress")
            self.assertEqual(len(user.get("/api/values/commits").body["items"]), 1)

    def test_routes_have_keys_of_their_own(self):
        user = self.user("routes")
        created = self.expect(201, user.post(NODES, {**DRIVER, "nodeId": "n"}, idempotency_key="k"))
        edited = self.expect(200, user.patch(f"{NODES}/n", {"title": "x"}, idempotency_key="k"))
        deleted = self.expect(200, user.delete(f"{NODES}/n", idempotency_key="k"))
        restored = self.expect(200, user.post(f"{NODES}/n/restore", idempotency_key="k"))
        self.assertFalse(any(answer.replayed for answer in (created, edited, deleted, restored)))

    def test_refusals_are_not_kept(self):
        """What was refused may be right later: the key is still unused."""
        user = self.user("refused")
        self.expect(422, user.post(NODES, {"nodeType": "DRIVER"}, idempotency_key="k"))
        self.expect(404, user.post(f"{NODES}/n/complete", idempotency_key="k2"))
        self.node(user, "DRIVER", "d", nodeId="d")
        self.node(user, "ACTION", "n", nodeId="n", parentId="d")
        self.expect(200, user.post(f"{NODES}/n/complete", idempotency_key="k2"))
        self.assertFalse(self.expect(201, user.post(NODES, DRIVER, idempotency_key="k")).replayed)

    def test_an_answer_without_change_is_kept_too(self):
        """OPEN-000-n: nothing differs, no revision; the same key later still means that request."""
        user = self.user("unchanged")
        node = self.node(user, title="same")
        first = self.expect(200, user.patch(f"{NODES}/{node}", {"title": "same"}, idempotency_key="k"))
        self.assertFalse(first.body["changed"])
        self.expect(200, user.patch(f"{NODES}/{node}", {"title": "other"}))
        again = self.expect(200, user.patch(f"{NODES}/{node}", {"title": "same"}, idempotency_key="k"))
        self.assertEqual((again.raw, again.replayed), (first.raw, True))
        self.assertEqual(user.get(f"{NODES}/{node}").body["node"]["title"], "other")

    def test_bad_keys(self):
        user = self.user("keys")
        for key in ("", " ", "x" * 256, "a b", "a\tb", "schlüssel", "x" * 5000):
            with self.subTest(key=key[:10]):
                self.expect(400, user.send("POST", NODES, DRIVER, None, {"Idempotency-Key": key.encode("latin-1")}))
        self.expect(400, user.post(NODES, DRIVER, idempotency_key=["a", "b"]))
        self.assertEqual(user.get("/api/values/commits").body["items"], [])
        for key in ("x", "x" * 255, '!"#$%&~', "../..", "';drop"):
            self.expect(201, user.post(NODES, DRIVER, idempotency_key=key))

    def test_reading_has_no_keys(self):
        user = self.user("reader")
        self.node(user)
        for key in ("k", "k"):
            self.assertFalse(self.expect(200, user.get("/api/values", idempotency_key=key)).replayed)
        self.assertEqual([item for item in self.items("CairnReceipts") if item["PK"] == "USER#reader"], [])

    def test_logging_in_keeps_no_receipt(self):
        """Its answer is a secret."""
        self.register("secret@example.org")
        body = {"email": "secret@example.org", "password": "a-long-enough-passphrase"}
        first = self.expect(200, self.client().post("/api/auth/login", body, idempotency_key="k"))
        second = self.expect(200, self.client().post("/api/auth/login", body, idempotency_key="k"))
        self.assertNotEqual(first.body["accessToken"], second.body["accessToken"])
        self.assertFalse(second.replayed)


class ExactlyOnce(ApiTest):
    """N keys, every request sent again and again while answers get lost and the server is killed: N commits."""

    KEYS, WORKERS, KILLS = 120, 4, 4

    def test_as_many_commits_as_keys(self):
        chance = seeded_random()
        self.token = self.user("counter").token
        todo = [(number, chance.randrange(1, 4)) for number in range(self.KEYS)]
        done, lock, failures = [0], threading.Lock(), []

        def work():
            try:
                while True:
                    with lock:
                        if not todo:
                            return
                        number, lost = todo.pop()
                    for _ in range(lost):
                        self.send_and_forget(number)
                    wait_until(lambda: self.answered(number), 60, f"an answer to key {number}")
                    with lock:
                        done[0] += 1
            except BaseException as error:  # noqa: BLE001 - told by the main thread
                failures.append(error)

        workers = [threading.Thread(target=work) for _ in range(self.WORKERS)]
        for worker in workers:
            worker.start()
        for kill in range(self.KILLS):
            wait_until(lambda: done[0] > (kill + 1) * self.KEYS // (self.KILLS + 2) or failures, 60, "some to be done")
            self.server.restart()
        for worker in workers:
            worker.join()
        self.assertEqual(failures, [])
        user = self.client(self.token)
        titles = sorted(node["title"] for node in user.get("/api/values").body["nodes"])
        self.assertEqual(titles, sorted(f"key {number}" for number in range(self.KEYS)))
        commits, cursor = 0, None
        while commits == 0 or cursor:
            page = user.get("/api/values/commits", {"limit": 100, **({"cursor": cursor} if cursor else {})}).body
            commits, cursor = commits + len(page["items"]), page.get("nextCursor")
        self.assertEqual(commits, self.KEYS)

    def request(self, number):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request("POST", NODES, json.dumps({**DRIVER, "title": f"key {number}"}), {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
            "Idempotency-Key": f"key-{number}"})
        return connection

    def send_and_forget(self, number):
        try:
            self.request(number).close()
        except OSError:
            pass

    def answered(self, number):
        try:
            connection = self.request(number)
            answer = connection.getresponse()
            answer.read()
            connection.close()
        except (OSError, http.client.HTTPException):
            return False
        assert answer.status in (201, 409, 429, 503), answer.status
        return answer.status == 201
