"""Changes since a token: each item once, as it is now, in order; nothing of others; 410 when the stream does not reach back."""

import unittest

from case import MOMENT, TABLE, TASKS
from chance import seeded_random
from interchange_case import CHANGES, FEED, InterchangeTest


class ChangesSince(InterchangeTest):
    def token(self, user):
        answer = self.expect(200, user.get(CHANGES)).body
        self.assertEqual((answer["items"], answer["hasMore"]), ([], False))
        return answer["nextToken"]

    def since(self, user, token, **query):
        """All items, page by page, and the token behind them."""
        items = []
        while True:
            answer = self.expect(200, user.get(CHANGES, {"since": token, **query})).body
            items += answer["items"]
            token = answer["nextToken"]
            if not answer["hasMore"]:
                return items, token

    def test_items_as_they_are_now_each_once_in_order(self):
        ada = self.user()
        token = self.token(ada)
        one, two, three = (ada.task(title) for title in ("one", "two", "three"))
        note = ada.note("a note")
        self.expect(200, ada.change(f"{TASKS}/{one['taskId']}", {"title": "one, later"}, 1))
        self.expect(204, ada.delete(f"{TASKS}/{two['taskId']}", if_match='"1"'))
        items, after = self.since(ada, token)
        self.assertEqual([(item["entityType"], item["id"], item["deleted"]) for item in items],
                         [("TASK", three["taskId"], False), ("NOTE", note["noteId"], False),
                          ("TASK", one["taskId"], False), ("TASK", two["taskId"], True)])
        self.assertEqual((items[2]["item"]["title"], items[2]["version"]), ("one, later", 2))
        self.assertEqual(items[2]["item"]["taskId"], one["taskId"])
        self.assertNotIn("item", items[3])
        self.assertEqual(self.since(ada, after)[0], [])
        self.assertEqual(len(self.since(ada, token)[0]), 4, "a token can be used again")

    def test_nothing_of_others(self):
        ada, eve = self.user("changes-a"), self.user("changes-ab")
        tokens = {user: self.token(user) for user in (ada, eve)}
        for number in range(5):
            ada.task(f"ada {number}")
            eve.task(f"eve {number}")
        for user, name in ((ada, "ada"), (eve, "eve")):
            titles = [item["item"]["title"] for item in self.since(user, tokens[user])[0]]
            self.assertEqual(titles, [f"{name} {number}" for number in range(5)])
        self.expect(400, eve.get(CHANGES, {"since": tokens[ada]}), "wrong-sync-token")
        for wrong in ("x", tokens[ada][:-1], tokens[ada] + "A", "A" * 4000):
            self.expect(400, ada.get(CHANGES, {"since": wrong}))

    def test_pages(self):
        ada = self.user()
        token = self.token(ada)
        made = [ada.task(f"task {number}")["taskId"] for number in range(25)]
        first = self.expect(200, ada.get(CHANGES, {"since": token, "limit": 10})).body
        self.assertEqual(([item["id"] for item in first["items"]], first["hasMore"]), (made[:10], True))
        # What changes meanwhile comes again, at its new place.
        self.expect(200, ada.change(f"{TASKS}/{made[0]}", {"title": "again"}, 1))
        items, _ = self.since(ada, first["nextToken"], limit=10)
        self.assertEqual([item["id"] for item in items], made[10:] + made[:1])
        for limit in (0, 101):
            self.expect(400, ada.get(CHANGES, {"since": token, "limit": limit}))

    def test_a_copy_that_follows_is_the_same(self):
        """Random changes; whoever asks now and then has, in the end, what is stored."""
        chance, ada = seeded_random(), self.user()
        token, copy, tasks = self.token(ada), {}, {}
        for step in range(120):
            what = chance.random()
            if what < 0.5 or not tasks:
                made = ada.task(f"task {step}")
                tasks[made["taskId"]] = made["version"]
            elif what < 0.8:
                task = chance.choice(sorted(tasks))
                changed = self.expect(200, ada.change(f"{TASKS}/{task}", {"title": f"changed {step}"}, tasks[task]))
                tasks[task] = changed.body["version"]
            else:
                task = chance.choice(sorted(tasks))
                self.expect(204, ada.delete(f"{TASKS}/{task}", if_match=f'"{tasks.pop(task)}"'))
            if chance.random() < 0.2:
                token = self.follow(ada, token, copy, chance.randrange(1, 8))
        self.follow(ada, token, copy, 100)
        stored = {item["SK"].partition("#")[2]: (item["title"], item["version"]) for item in self.everything(ada)
                  if item["entityType"] == "TASK"}
        self.assertEqual({key: (item["title"], item["version"]) for key, item in copy.items()}, stored)

    def follow(self, user, token, copy, limit):
        items, token = self.since(user, token, limit=limit)
        for item in items:
            if item["deleted"]:
                copy.pop(item["id"], None)
            else:
                copy[item["id"]] = item["item"]
        return token

    def test_every_kind_and_no_secret(self):
        ada = self.user()
        token = self.token(ada)
        self.series(ada, "FREQ=DAILY;COUNT=3", offset=1, reminderMinutes=[5])
        self.timed(ada, "once", 1)
        self.expect(201, ada.post(FEED))
        items, _ = self.since(ada, token)
        self.assertEqual({item["entityType"] for item in items}, {"MASTER", "INSTANCE", "REMINDER", "EVENT", "SETTINGS"})
        settings = next(item["item"] for item in items if item["entityType"] == "SETTINGS")
        self.assertNotIn("feedHash", settings)
        self.assertIn("feedCreatedAt", settings)
        for item in items:
            self.assertRegex(item["item"]["createdAt"], MOMENT)
            self.assertEqual({"PK", "SK", "GSI1PK", "userId"} & set(item["item"]), set())

    def test_survives_a_restart(self):
        ada = self.user()
        token = self.token(ada)
        ada.task("before")
        self.restart()
        ada.task("after")
        self.assertEqual([item["item"]["title"] for item in self.since(ada, token)[0]], ["before", "after"])


class AnotherStream(InterchangeTest):
    def test_a_token_of_another_stream_is_too_old(self):
        ada = self.user()
        token = self.expect(200, ada.get(CHANGES)).body["nextToken"]
        view = self.dynamodb().describe_table(TableName=TABLE)["Table"]["StreamSpecification"]["StreamViewType"]
        self.dynamodb().update_table(TableName=TABLE, StreamSpecification={"StreamEnabled": False})
        self.dynamodb().update_table(TableName=TABLE, StreamSpecification={"StreamEnabled": True, "StreamViewType": view})
        ada.task("unseen")
        answer = self.expect(410, ada.get(CHANGES, {"since": token}), "sync-token-too-old")
        self.assertIn("token", answer.body["detail"])
        token = self.expect(200, ada.get(CHANGES)).body["nextToken"]
        ada.task("seen")
        items = self.expect(200, ada.get(CHANGES, {"since": token})).body["items"]
        self.assertEqual([item["item"]["title"] for item in items], ["seen"])


if __name__ == "__main__":
    unittest.main()
