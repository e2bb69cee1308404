"""Deleting an account: nothing of it is left in any table, whatever happens meanwhile (OPEN-000-p)."""

import http.client
import json
import threading
import urllib.parse

from case import PASSWORD, TABLES as OTHER_TABLES, ApiTest, at_once  # before the fixture's modules, which it makes known
import tables
from wait import wait_until

ME = "/api/auth/me"
TABLES = (*OTHER_TABLES, "ProductivityData")


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
        wait_until(lambda: not self.traces(user_id, "gone@example.org"), 10, "every trace to go")

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
        wait_until(lambda: not self.traces(user_id, "twice@example.org"), 10, "every trace to go")

    def test_a_crash_in_between_is_taken_up_again(self):
        """kill -9 while it is being erased: the rest goes without being asked for again."""
        client = self.account("crash@example.org")
        user_id = client.get(ME).body["userId"]
        self.expect(200, client.post("/api/values/commits", {"operations": [
            {"op": "add", "nodeType": "DRIVER", "title": "x", "nodeId": f"n{number}"} for number in range(300)]}))
        for number in range(12):
            self.expect(200, client.patch("/api/values/nodes/n1", {"title": str(number)}))
        deleting = threading.Thread(target=self.try_to_delete, args=(client.token,))
        deleting.start()
        wait_until(lambda: self.state_of(user_id) != "active", 20, "the erasure to begin")
        self.restart()
        deleting.join()
        self.assertTrue(self.traces(user_id), "the kill came too late to interrupt anything")
        self.expect(401, client.get(ME))
        self.expect(401, self.client().login("crash@example.org", PASSWORD))
        wait_until(lambda: not self.traces(user_id, "crash@example.org"), 30, "every trace to go")

    def state_of(self, user_id):
        found = self.dynamodb().get_item(TableName="CairnIdentity", ConsistentRead=True,
                                         Key=tables.item(PK=f"USER#{user_id}", SK="USER"))
        return tables.plain(found["Item"])["state"] if "Item" in found else None

    def test_nothing_comes_back(self):
        """Changes that are under way while the account goes: none of them is left afterwards."""
        client = self.account("busy@example.org")
        user_id = client.get(ME).body["userId"]
        over = threading.Event()

        def work(number):
            mine, count = self.client(client.token), 0
            while not over.is_set():
                count += 1
                mine.post("/api/values/nodes", {"nodeType": "DRIVER", "title": "late"},
                          idempotency_key=f"{number}-{count}")
                mine.post(f"/api/plans/2026-03-{count % 28 + 1:02}/blocks", {
                    "blockType": "BUFFER", "start": f"2026-03-{count % 28 + 1:02}T08:00:00.000Z",
                    "end": f"2026-03-{count % 28 + 1:02}T09:00:00.000Z"})
                if mine.last.status == 401:
                    return

        workers = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for worker in workers:
            worker.start()
        wait_until(lambda: len(self.items_of(user_id)) > 50, 20, "some changes")
        answer = client.delete(ME, {"password": PASSWORD})
        self.assertIn(answer.status, (202, 204), answer)
        for worker in workers:
            worker.join(20)
        over.set()
        wait_until(lambda: not self.traces(user_id, "busy@example.org"), 20, "every trace to go")

    def try_to_delete(self, token):
        try:
            self.client(token).delete(ME, {"password": PASSWORD})
        except (OSError, http.client.HTTPException):
            pass  # the server was killed
