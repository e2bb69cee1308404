"""Deleting an account: nothing of it is left in any table, whatever happens meanwhile (OPEN-000-p)."""

import http.client
import json
import random
import signal
import threading
import urllib.parse

from case import PASSWORD, TABLES as OTHER_TABLES, ApiTest, at_once  # before the fixture's modules, which it makes known
from chance import seeded_random
from wait import wait_until

ME = "/api/auth/me"
TABLES = (*OTHER_TABLES, "ProductivityData")


def calendar_of(count, name):
    events = "".join(f"BEGIN:VEVENT\r\nUID:{name}-{number}\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:late\r\n"
                     f"DTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\nEND:VEVENT\r\n"
                     for number in range(count))
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n{events}END:VCALENDAR\r\n".encode()


class Deleting(ApiTest):
    DAY = "2026-03-02"

    def fill(self, client):
        """Something in every table that can have something."""
        _, _, action = self.tree(client)
        self.expect(200, client.patch("/api/plans/settings", {"timezone": "Europe/Berlin", "autoRollover": True}))
        self.expect(201, client.post(f"/api/plans/{self.DAY}/todos", {"actionId": action}, idempotency_key="one"))
        self.expect(200, client.post(f"/api/plans/{self.DAY}/todos/{action}/complete", idempotency_key="two"))
        times = {"title": "x", "startUtc": "2026-03-02T09:00:00Z", "endUtc": "2026-03-02T10:00:00Z"}
        for more in ({"reminderMinutes": [5]}, {"rrule": "FREQ=DAILY;COUNT=3"}):
            self.expect(201, client.post("/api/nexus/events", {**times, **more}))
        for name in ("task", "note", "reminder"):
            self.expect(201, client.post(f"/api/nexus/{name}s", {"title": "x"}))
        self.expect(200, client.patch("/api/nexus/settings", {"timezone": "Asia/Tokyo"}))
        self.expect(200,
                    client.put("/api/values/tags/done", {"revId": client.get("/api/values/head").body["headRevId"]}))

    def traces(self, *texts):
        """Every item of every table that has one of the texts anywhere."""
        words = {spelt for text in texts for spelt in (text, urllib.parse.quote(text, safe=""))}
        return [(table, item) for table in TABLES for item in self.items(table)
                if any(word in json.dumps(item, default=str) for word in words)]

    def test_nothing_is_left(self):
        client = self.account("gone@example.org")
        browser = self.login("gone@example.org", kind="browser")
        user_id = client.get(ME).body["userId"]
        refresh_token = self.client().login("gone@example.org", PASSWORD).body["refreshToken"]
        self.fill(client)
        stays = self.account("stays@example.org")
        self.fill(stays)
        stays_id, kept = stays.get(ME).body["userId"], stays.get("/api/values").raw
        self.assertEqual({table for table, _ in self.traces(user_id, "gone@example.org")}, set(TABLES))

        self.expect(422, client.delete(ME, {"password": "wrong-passphrase"}), fields=["password"])
        self.expect(422, client.delete(ME), fields=["password"])
        self.expect(200, client.get("/api/values"))
        answer = self.expect(204, client.delete(ME, {"password": PASSWORD}))
        self.assertEqual(answer.cookies()["cairn_session"][0], "")
        wait_until(lambda: not self.traces(user_id, "gone@example.org"), 60, "every trace to go")

        for ended in (client, browser):
            self.expect(401, ended.get(ME))
            self.expect(401, ended.get("/api/values"))
        self.expect(401, self.client().post("/api/auth/refresh", {"refreshToken": refresh_token}))
        self.expect(401, self.client().login("gone@example.org", PASSWORD))
        self.assertEqual(stays.get("/api/values").raw, kept)
        self.assertEqual({table for table, _ in self.traces(stays_id)}, set(TABLES))

        again = self.account("gone@example.org")
        self.assertNotEqual(again.get(ME).body["userId"], user_id)
        self.assertEqual(again.get("/api/values").body["nodes"], [])

    def test_many_at_once_delete_once(self):
        clients = [self.account("twice@example.org")] + [self.login("twice@example.org") for _ in range(3)]
        user_id = clients[0].get(ME).body["userId"]
        self.fill(clients[0])
        statuses = [answer.status for answer in at_once(4, lambda n: clients[n].delete(ME, {"password": PASSWORD}))]
        self.assertEqual(len([status for status in statuses if status < 300]), 1, statuses)
        self.assertLessEqual(set(statuses), {202, 204, 401, 404, 422, 429})
        wait_until(lambda: not self.traces(user_id, "twice@example.org"), 60, "every trace to go")

    def test_a_crash_in_between_is_taken_up_again(self):
        """kill -9 while it is being erased: the rest goes without being asked for again."""
        client = self.account("crash@example.org")
        user_id = client.get(ME).body["userId"]
        self.expect(200, client.post("/api/values/commits", {"operations": [
            {"op": "add", "nodeType": "DRIVER", "title": "x", "nodeId": f"n{number}"} for number in range(300)]}))
        for number in range(12):
            self.expect(200, client.patch("/api/values/nodes/n1", {"title": str(number)}))
        everything = len(self.traces(user_id, "crash@example.org"))
        for step in (1, 2, 6):
            self.restart(f"erasure.step={step}:kill")
            if step == 1:
                self.try_to_delete(client.token)
            self.assertEqual(self.server.await_death(), -signal.SIGKILL)
            self.server.start(test_points="erasure.step=1:hold")
            self.hang_up()
            self.server.await_point("erasure.step")
            left = len(self.traces(user_id, "crash@example.org"))
            self.assertGreater(left, 0)
            self.assertTrue(step == 1 or left < everything, f"all is left after {step} steps")
            self.expect(401, client.get(ME))
            self.expect(401, self.client().login("crash@example.org", PASSWORD))
        self.server.let_go("erasure.step")
        wait_until(lambda: not self.traces(user_id, "crash@example.org"), 60, "every trace to go")

    def test_nothing_comes_back(self):
        """Random changes that are under way while the account goes: none of them is left afterwards."""
        client = self.account("busy@example.org")
        user_id = client.get(ME).body["userId"]
        chance = seeded_random()
        works = [self.add_nodes, self.plan_days, self.add_to_nexus, self.import_calendar, self.change_settings,
                 self.add_nodes, self.add_to_nexus, self.import_calendar]
        seeds = [chance.random() for _ in works]

        def work(number):
            mine = self.client(client.token)
            own = random.Random(seeds[number])
            count = 0
            while mine.last is None or mine.last.status != 401:
                count += 1
                works[number](mine, own, f"{number}-{count}")

        workers = [threading.Thread(target=work, args=(number,)) for number in range(len(works))]
        for worker in workers:
            worker.start()
        wait_until(lambda: len(self.items_of(user_id)) > 50, 60, "some changes")
        wait_until(lambda: len(self.traces(user_id)) > 150, 60, "some changes of all kinds")
        self.expect(204, client.delete(ME, {"password": PASSWORD}))
        for worker in workers:
            worker.join(120)
            self.assertFalse(worker.is_alive())
        wait_until(lambda: not self.traces(user_id, "busy@example.org"), 60, "every trace to go")

    def add_nodes(self, client, _, key):
        client.post("/api/values/nodes", {"nodeType": "DRIVER", "title": "late"}, idempotency_key=key)

    def plan_days(self, client, chance, key):
        day = f"2026-03-{chance.randrange(1, 29):02}"
        client.post(f"/api/plans/{day}/blocks", {"blockType": "BUFFER", "start": f"{day}T08:00:00.000Z",
                                                 "end": f"{day}T09:00:00.000Z"}, idempotency_key=key)

    def add_to_nexus(self, client, chance, key):
        client.post(f"/api/nexus/{chance.choice(('task', 'note', 'reminder'))}s", {"title": "late"},
                    idempotency_key=key)

    def import_calendar(self, client, chance, key):
        client.post("/api/nexus/import", calendar_of(chance.randrange(5, 40), key), content_type="text/calendar")

    def change_settings(self, client, chance, _):
        client.patch("/api/nexus/settings", {"timezone": chance.choice(("Asia/Tokyo", "Europe/Berlin"))})
        client.patch("/api/plans/settings", {"autoRollover": chance.random() < 0.5})

    def hold_and_delete(self, email, point, begin):
        """The account is deleted while `begin` is held at a test point; then it goes on. What `begin` was answered."""
        client = self.account(email)
        user_id = client.get(ME).body["userId"]
        self.restart(f"{point}:hold")
        answers = []
        working = threading.Thread(target=lambda: answers.append(begin(self.client(client.token))))
        working.start()
        name = point.partition("=")[0]
        self.server.await_point(name)
        self.assertTrue(self.traces(user_id))
        self.expect(204, client.delete(ME, {"password": PASSWORD}))
        wait_until(lambda: not self.traces(user_id, email), 60, "every trace to go")
        self.server.let_go(name)
        working.join(60)
        self.assertFalse(working.is_alive())
        self.assertEqual(self.traces(user_id, email), [], "what was under way has written something")
        self.restart()
        return answers[0]

    def test_a_calendar_that_is_being_imported(self):
        answer = self.hold_and_delete("calendar@example.org", "nexus.import-portion=3", lambda client: client.post(
            "/api/nexus/import", calendar_of(200, "x"), content_type="text/calendar"))
        self.expect(401, answer)

    def test_a_history_that_is_being_imported(self):
        writer = self.account("writer@example.org")
        for number in range(5):
            self.node(writer, title=str(number))
        history = self.expect(200, writer.get("/api/values/export")).raw
        answer = self.hold_and_delete("history@example.org", "values.import-revision=3", lambda client: client.post(
            "/api/values/import", history, content_type="application/x-ndjson"))
        self.assertIn(answer.status, (401, 409), answer)

    def test_a_commit_whose_snapshot_is_written(self):
        answer = self.hold_and_delete("commit@example.org", "values.snapshot-written=1", lambda client: client.post(
            "/api/values/commits", {"operations": [
                {"op": "add", "nodeType": "DRIVER", "title": "x", "nodeId": f"n{number}"} for number in range(60)]}))
        self.expect(401, answer)

    def try_to_delete(self, token):
        try:
            self.client(token).delete(ME, {"password": PASSWORD})
        except (OSError, http.client.HTTPException):
            pass  # the server was killed
