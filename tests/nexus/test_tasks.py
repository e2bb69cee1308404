"""Tasks: creating, changing, deleting, their versions, their keys, recurring ones."""

import datetime

from case import MOMENT, NEXUS, NO_TASK, TABLE, TASKS, NexusTest, at_once, tables
from chance import seeded_random

DUE = "2026-11-20T17:00:00Z"
KEYS = ("GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK")


def stamp(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


class Creating(NexusTest):
    def test_a_task_has_the_keys_of_the_design(self):
        ada = self.user()
        task = ada.task("Write it up", description="All of it", status="TODO", priority=2, dueUtc=DUE,
                        tags=["work", "urgent", "work"])
        item = self.stored_task(ada, task)
        self.assertEqual(item, {
            "PK": f"USER#{ada.id}", "SK": f"TASK#{task['taskId']}", "entityType": "TASK", "taskId": task["taskId"],
            "version": 1, "createdAt": task["createdAt"], "updatedAt": task["updatedAt"], "title": "Write it up",
            "description": "All of it", "status": "TODO", "priority": 2, "rank": task["rank"], "dueUtc": DUE,
            "tags": {"urgent", "work"}, "GSI1PK": f"USER#{ada.id}#2026", "GSI1SK": DUE, "GSI3PK": f"USER#{ada.id}",
            "GSI3SK": f"TASK#TODO#2#{task['rank']}"})
        self.assertRegex(task["taskId"], r"^task_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
        self.assertRegex(task["createdAt"], MOMENT)
        self.assertEqual(task["tags"], ["urgent", "work"])
        self.assertEqual(self.expect(200, ada.get(f"{TASKS}/{task['taskId']}")).body, task)

    def test_defaults(self):
        ada = self.user()
        task = ada.task("bare")
        self.assertEqual((task["status"], task["priority"], task["tags"]), ("BACKLOG", 3, []))
        item = self.stored_task(ada, task)
        self.assertEqual(item["GSI3SK"], f"TASK#BACKLOG#3#{task['rank']}")
        self.assertEqual([name for name in (*KEYS[:4], "dueUtc", "tags", "completedAt") if name in item], [])

    def test_moments_are_normalised_or_refused(self):
        ada = self.user()
        ada.strict = False
        task = ada.task("offset", dueUtc="2026-11-20T18:00:00.75+01:00", status="TODO")
        ada.strict = True
        self.assertEqual((task["dueUtc"], self.stored_task(ada, task)["GSI1SK"]), (DUE, DUE))
        for wrong in ("2026-11-20", "tomorrow", "2026-02-30T00:00:00Z", "2026-11-20T17:00:00", 5, True, ""):
            with self.subTest(due=wrong):
                answer = self.unchanged(ada, lambda w=wrong: ada.post(TASKS, {"title": "x", "dueUtc": w}))
                self.expect(422, answer, fields=["dueUtc"])

    def test_bad_input_changes_nothing(self):
        ada = self.user()
        rows = [({}, ["title"]), ({"title": ""}, ["title"]), ({"title": "x" * 501}, ["title"]), ({"title": 5}, ["title"]),
                ({"title": "x", "status": "DOING"}, ["status"]), ({"title": "x", "priority": 0}, ["priority"]),
                ({"title": "x", "priority": 5}, ["priority"]), ({"title": "x", "priority": "1"}, ["priority"]),
                ({"title": "x", "tags": "work"}, ["tags"]), ({"title": "x", "tags": [""]}, ["tags[0]"]),
                ({"title": "x", "tags": ["ok", "y" * 101]}, ["tags[1]"]), ({"title": "x", "tags": [str(i) for i in range(51)]}, ["tags"]),
                ({"title": "x", "description": "d" * 50_001}, ["description"]), ({"title": "x", "rank": "a"}, ["rank"]),
                ({"title": "x", "taskId": NO_TASK}, ["taskId"]), ({"title": "x", "completedAt": DUE}, ["completedAt"]),
                ({"title": "x", "startTzid": "Europe/Berlin"}, ["startTzid"]),
                ({"title": "x", "status": "DOING", "priority": 9}, ["status", "priority"])]
        for body, fields in rows:
            with self.subTest(body=str(body)[:80]):
                self.expect(422, self.unchanged(ada, lambda b=body: ada.post(TASKS, b)), fields=fields)

    def test_a_task_made_done_is_completed(self):
        self.assertRegex(self.user().task("was easy", status="DONE")["completedAt"], MOMENT)

    def test_an_idempotency_key_makes_one(self):
        ada = self.user()
        body = {"title": "once", "dueUtc": DUE, "rrule": "FREQ=DAILY"}
        first = self.expect(201, ada.post(TASKS, body, idempotency_key="k1"))
        again = self.expect(201, ada.post(TASKS, body, idempotency_key="k1"))
        self.assertTrue(again.replayed)
        self.assertEqual((again.body, again.tag), (first.body, first.tag))
        self.assertEqual(len(self.everything(ada)), 2)  # a task and its master
        self.expect(422, ada.post(TASKS, {"title": "other"}, idempotency_key="k1"))


class Changing(NexusTest):
    def test_absent_stays_null_clears_value_sets(self):
        ada = self.user()
        task = ada.task("t", description="d", dueUtc=DUE, tags=["a"], status="TODO")
        path = f"{TASKS}/{task['taskId']}"
        self.expect(200, ada.change(path, {"title": "new"}, 1))
        self.assertEqual(ada.last.body, {**task, "title": "new", "version": 2, "updatedAt": ada.last.body["updatedAt"]})
        self.assertEqual(ada.last.tag, '"2"')
        cleared = self.expect(200, ada.change(path, {"description": None, "dueUtc": None, "tags": None}, 2)).body
        self.assertEqual([name for name in ("description", "dueUtc") if name in cleared], [])
        self.assertEqual(cleared["tags"], [])
        item = self.stored_task(ada, task)
        self.assertEqual([name for name in ("GSI1PK", "GSI1SK", "dueUtc", "tags", "description") if name in item], [])
        again = self.expect(200, ada.change(path, {"dueUtc": "2027-01-01T00:00:00Z", "tags": ["b", "b"]}, 3)).body
        self.assertEqual(again["tags"], ["b"])
        self.assertEqual(self.stored_task(ada, task)["GSI1PK"], f"USER#{ada.id}#2027")
        self.expect(200, ada.change(path, {"tags": []}, 4))
        self.assertNotIn("tags", self.stored_task(ada, task))

    def test_the_version_must_be_named_and_right(self):
        ada = self.user()
        path = f"{TASKS}/{ada.task()['taskId']}"
        for send in (ada.patch, lambda p, *b, **h: ada.delete(p, **h)):
            self.expect(428, self.unchanged(ada, lambda s=send: s(path, {"title": "x"})), "version-required")
            for stale in ('"0"', '"2"', '"x"', '"1.0"', '"-1"'):
                answer = self.unchanged(ada, lambda s=send, t=stale: s(path, {"title": "x"}, if_match=t))
                self.expect(412, answer, "version-mismatch")
        self.expect(200, ada.patch(path, {"title": "x"}, if_match="*"))
        self.expect(412, ada.patch(path, {"title": "y"}, if_match='"1"'))
        self.expect(304, ada.get(path, if_none_match='"2"'))

    def test_what_is_the_same_is_no_new_version(self):
        ada = self.user()
        task = ada.task("same", tags=["a", "b"], dueUtc=DUE)
        answer = self.unchanged(ada, lambda: ada.change(f"{TASKS}/{task['taskId']}",
                                                        {"title": "same", "tags": ["b", "a"], "dueUtc": DUE}, 1))
        self.assertEqual(self.expect(200, answer).body, task)

    def test_bad_input_changes_nothing(self):
        ada = self.user()
        path = f"{TASKS}/{ada.task('t', status='TODO')['taskId']}"
        rows = [({"title": None}, ["title"]), ({"status": None}, ["status"]), ({"priority": None}, ["priority"]),
                ({"title": ""}, ["title"]), ({"status": "GONE"}, ["status"]), ({"priority": 7}, ["priority"]),
                ({"dueUtc": "soon"}, ["dueUtc"]), ({"version": 7}, ["version"]), ({"rank": "b"}, ["rank"]),
                ({"completedAt": DUE}, ["completedAt"]), ({"masterId": "mst_x"}, ["masterId"]), ({"tags": [None]}, ["tags[0]"])]
        for body, fields in rows:
            with self.subTest(body=body):
                self.expect(422, self.unchanged(ada, lambda b=body: ada.change(path, b, 1)), fields=fields)

    def test_unknown_tasks(self):
        ada = self.user()
        for task_id in (NO_TASK, "task_x", "x", "note_00000000-0000-4000-8000-000000000000", "%23", "a" * 300):
            with self.subTest(task_id=task_id):
                path = f"{TASKS}/{task_id}"
                self.expect(404, ada.get(path))
                self.expect(404, ada.change(path, {"title": "x"}, 1))
                self.expect(404, ada.delete(path, if_match='"1"'))
                self.expect(404, ada.post(f"{path}/complete"))
                self.expect(404, ada.post(f"{path}/reopen"))
                self.expect(404, ada.post(f"{path}/move", {"status": "TODO"}))

    def test_backlog_and_archived_are_not_on_the_agenda(self):
        """REQ-001-21 to 23, OPEN-001-p: in GSI1 exactly while dated and in neither."""
        ada = self.user()
        task = ada.task("dated", dueUtc=DUE)
        version = 1
        for status in ("TODO", "BACKLOG", "BLOCKED", "ARCHIVED", "DONE", "IN_PROGRESS"):
            self.expect(200, ada.change(f"{TASKS}/{task['taskId']}", {"status": status}, version))
            version += 1
            item = self.stored_task(ada, task)
            self.assertEqual("GSI1PK" in item, status not in ("BACKLOG", "ARCHIVED"), status)
            self.assertEqual("GSI1SK" in item, "GSI1PK" in item)
            self.assertTrue(item["GSI3SK"].startswith(f"TASK#{status}#3#"), item["GSI3SK"])

    def test_done_sets_completed_at_whatever_way(self):
        ada = self.user()
        ways = {"patch": lambda path, v, status: ada.change(path, {"status": status}, v),
                "move": lambda path, v, status: ada.post(f"{path}/move", {"status": status}, if_match=f'"{v}"'),
                "act": lambda path, v, status: ada.post(f"{path}/{'complete' if status == 'DONE' else 'reopen'}",
                                                        if_match=f'"{v}"')}
        for there, go in ways.items():
            for back, leave in ways.items():
                with self.subTest(there=there, back=back):
                    task = ada.task("t", status="TODO", dueUtc=DUE)
                    path = f"{TASKS}/{task['taskId']}"
                    done = self.expect(200, go(path, 1, "DONE")).body
                    self.assertEqual((done["status"], done["version"]), ("DONE", 2))
                    self.assertEqual(self.stored_task(ada, task)["completedAt"], done["completedAt"])
                    self.assertIn("GSI1PK", self.stored_task(ada, task))  # done ones stay on their day
                    self.expect(200, ada.change(path, {"title": "still done"}, 2))
                    self.assertEqual(ada.last.body["completedAt"], done["completedAt"])
                    opened = self.expect(200, leave(path, 3, "TODO")).body
                    self.assertEqual(opened["status"], "TODO")
                    self.assertNotIn("completedAt", opened)
                    self.assertNotIn("completedAt", self.stored_task(ada, task))

    def test_completing_and_reopening_twice_is_once(self):
        ada = self.user()
        task = ada.task("t", status="IN_PROGRESS")
        path = f"{TASKS}/{task['taskId']}"
        self.assertEqual(self.expect(200, ada.post(f"{path}/reopen")).body, task)
        done = self.expect(200, ada.post(f"{path}/complete")).body
        self.assertEqual(self.expect(200, ada.post(f"{path}/complete")).body, done)
        first = self.expect(200, ada.post(f"{path}/reopen", idempotency_key="r")).body
        self.assertEqual(self.expect(200, ada.post(f"{path}/reopen", idempotency_key="r")).body, first)
        self.assertTrue(ada.last.replayed)
        self.expect(412, ada.post(f"{path}/complete", if_match='"1"'))
        self.expect(200, ada.change(path, {"status": "ARCHIVED"}, 3))
        self.expect(409, self.unchanged(ada, lambda: ada.post(f"{path}/reopen")), "archived")

    def test_delete(self):
        ada = self.user()
        task = ada.task()
        self.expect(204, ada.delete(f"{TASKS}/{task['taskId']}", if_match='"1"', idempotency_key="d"))
        self.assertEqual(self.everything(ada), [])
        self.expect(404, ada.get(f"{TASKS}/{task['taskId']}"))
        self.expect(404, ada.delete(f"{TASKS}/{task['taskId']}", if_match='"1"'))
        self.expect(204, ada.delete(f"{TASKS}/{task['taskId']}", if_match='"1"', idempotency_key="d"))
        self.assertTrue(ada.last.replayed)
        self.expect(400, ada.delete(f"{TASKS}/{task['taskId']}", None, {"scope": "some"}, if_match='"1"'), fields=["scope"])

    def test_one_of_sixteen_with_the_same_version_wins(self):
        ada = self.user()
        path = f"{TASKS}/{ada.task()['taskId']}"
        answers = at_once(16, lambda n: ada.patch(path, {"title": f"by {n}"}, if_match='"1"').status)
        self.assertEqual(sorted(answers), [200] + [412] * 15)
        self.assertEqual(ada.get(path).body["version"], 2)


class Listing(NexusTest):
    def test_by_status_and_priority_page_by_page(self):
        ada = self.user()
        made = {}
        for status in ("TODO", "DONE", "BACKLOG"):
            for priority in (1, 3):
                for number in range(4):
                    made[ada.task(f"{status} {priority} {number}", status=status, priority=priority)["title"]] = (status, priority)
        self.user().task("of another", status="TODO", priority=1)
        for query in ({}, {"status": "TODO"}, {"priority": 1}, {"status": "DONE", "priority": 3}, {"status": "BLOCKED"},
                      {"priority": 4}):
            wanted = sorted(title for title, (status, priority) in made.items()
                            if query.get("status", status) == status and query.get("priority", priority) == priority)
            for limit in (1, 3, 4, 8, 100):
                with self.subTest(query=query, limit=limit):
                    told = [task["title"] for task in ada.pages(TASKS, limit=limit, **query)]
                    self.assertEqual(sorted(told), wanted)
        self.assertEqual([task["title"] for task in ada.pages(TASKS, status="TODO", limit=3)],
                         [f"TODO {p} {n}" for p in (1, 3) for n in range(4)])

    def test_wrong_queries(self):
        ada = self.user()
        for number in range(3):
            ada.task(str(number), status="TODO")
        cursor = self.expect(200, ada.get(TASKS, {"status": "TODO", "limit": 1})).body["nextCursor"]
        walk = self.expect(200, ada.get(TASKS, {"priority": 3, "limit": 1})).body["nextCursor"]
        for query, fields in (({"status": "DOING"}, ["status"]), ({"priority": 0}, ["priority"]), ({"limit": 0}, ["limit"]),
                              ({"limit": 101}, ["limit"]), ({"cursor": "x"}, None), ({"cursor": cursor}, None),
                              ({"cursor": cursor, "status": "DONE"}, None), ({"cursor": cursor, "priority": 3}, ["cursor"]),
                              ({"cursor": "9." + walk[2:], "priority": 3}, ["cursor"]), ({"cursor": "1.x", "priority": 3}, None),
                              ({"cursor": walk, "priority": 2}, None), ({"cursor": walk}, None), ({"other": 1}, ["other"])):
            with self.subTest(query=query):
                self.expect(400, ada.get(TASKS, query), fields=fields)
        self.expect(400, self.user().get(TASKS, {"cursor": cursor, "status": "TODO"}))


class Recurring(NexusTest):
    """In 2037, which has the calendar of 2026: what is over is skipped, so series of the past are another test's."""

    def begin(self, user, rrule="FREQ=WEEKLY", due="2037-03-23T08:00:00Z", zone="Europe/Berlin", **more):
        task = user.task("Water plants", dueUtc=due, rrule=rrule, startTzid=zone, tags=["home"], priority=2, **more)
        return task, f"{TASKS}/{task['taskId']}"

    def copies(self, user, task):
        """The series by GSI2: its copies and, behind them, the master."""
        page = self.dynamodb().query(TableName=TABLE, IndexName="GSI2", KeyConditionExpression="GSI2PK = :m",
                                     ExpressionAttributeValues={":m": {"S": f"MASTER#{task['masterId']}"}})
        return [tables.plain(item) for item in page["Items"]]

    def told(self, user, task):
        return [(item["date"], item["status"], item["dueUtc"]) for item in self.copies(user, task) if "taskId" in item]

    def test_a_task_repeats_from_now_on_otherwise_and_no_more(self):
        ada = self.user()
        single = ada.task("Water plants", dueUtc="2037-03-23T08:00:00Z", status="TODO", tags=["home"], priority=2)
        reminder = ada.made(f"{NEXUS}/reminders", {"taskId": single["taskId"], "minutesBefore": 10})
        path = f"{TASKS}/{single['taskId']}"
        self.expect(200, ada.patch("/api/nexus/settings", {"timezone": "Europe/Berlin"}))

        version = self.expect(200, ada.get(path)).body["version"]
        weekly = self.expect(200, ada.change(path, {"rrule": "FREQ=WEEKLY", "title": "Water all"}, version)).body
        self.assertEqual((weekly["taskId"], weekly["date"], weekly["version"], weekly["title"]),
                         (single["taskId"], "2037-03-23", version + 1, "Water all"))
        master = self.stored(ada, f"MASTER#{weekly['masterId']}")
        self.assertEqual((master["title"], master["rrule"], master["startTzid"], master["priority"], master["tags"]),
                         ("Water all", "FREQ=WEEKLY", "Europe/Berlin", 2, {"home"}))
        self.expect(200, ada.get(f"{NEXUS}/reminders/{reminder['reminderId']}"))  # still its own

        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual([told[:2] for told in self.told(ada, weekly)], [("2037-03-23", "DONE"), ("2037-03-30", "TODO")])
        following = self.copies(ada, weekly)[1]
        path = f"{TASKS}/{following['taskId']}"
        daily = self.expect(200, ada.change(path, {"rrule": "FREQ=DAILY"}, following["version"])).body
        self.assertNotEqual(daily["masterId"], weekly["masterId"])
        self.assertIsNone(self.stored(ada, f"MASTER#{weekly['masterId']}"))
        self.assertEqual(self.stored(ada, f"MASTER#{daily['masterId']}")["startTzid"], "Europe/Berlin")
        done = self.expect(200, ada.get(f"{TASKS}/{single['taskId']}")).body
        self.assertEqual((done["status"], done["masterId"]), ("DONE", weekly["masterId"]))

        ended = self.expect(200, ada.change(path, {"rrule": None}, daily["version"])).body
        self.assertFalse({"masterId", "date"} & set(ended))
        self.assertIsNone(self.stored(ada, f"MASTER#{daily['masterId']}"))
        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual(len(list(ada.pages(TASKS))), 2)

    def test_what_cannot_repeat_stays_as_it_is(self):
        ada = self.user()
        undated = ada.task("undated")
        done = ada.task("done", status="DONE", dueUtc="2037-03-23T08:00:00Z")
        dated = ada.task("dated", status="TODO", dueUtc="2037-03-23T08:00:00Z")
        for task, body, field in ((undated, {"rrule": "FREQ=DAILY"}, "dueUtc"), (done, {"rrule": "FREQ=DAILY"}, "rrule"),
                                  (done, {"rrule": None}, "rrule"), (dated, {"rrule": "FREQ=NEVER"}, "rrule"),
                                  (dated, {"rrule": "FREQ=DAILY", "status": "DONE"}, "rrule"),
                                  (dated, {"rrule": "FREQ=DAILY", "dueUtc": None}, "dueUtc")):
            with self.subTest(task=task["title"], body=body):
                path = f"{TASKS}/{task['taskId']}"
                self.unchanged(ada, lambda: self.expect(422, ada.change(path, body, 1), fields=[field]))
        path = f"{TASKS}/{dated['taskId']}"
        self.unchanged(ada, lambda: self.expect(412, ada.change(path, {"rrule": "FREQ=DAILY"}, 7)))
        self.expect(200, ada.change(path, {"rrule": None}, 1))  # it did not repeat before either

    def test_the_series_and_its_first_copy(self):
        ada = self.user()
        task, _ = self.begin(ada, "rrule:freq=weekly;until=20371231t000000z", description="With water")
        self.assertEqual((task["status"], task["date"], task["dueUtc"]), ("TODO", "2037-03-23", "2037-03-23T08:00:00Z"))
        copy, master = self.copies(ada, task)
        self.assertEqual((copy["GSI2PK"], copy["GSI2SK"], copy["GSI1SK"]),
                         (f"MASTER#{task['masterId']}", "INSTANCE#2037-03-23", "2037-03-23T08:00:00Z"))
        self.assertEqual({name: master[name] for name in master if name not in ("createdAt", "updatedAt", "endUtc")}, {
            "PK": f"USER#{ada.id}", "SK": f"MASTER#{task['masterId']}", "entityType": "MASTER",
            "masterId": task["masterId"], "version": 1, "title": "Water plants", "description": "With water",
            "tags": {"home"}, "priority": 2, "targetType": "TASK", "rrule": "FREQ=WEEKLY;UNTIL=20371231T000000Z",
            "rruleUntil": "2037-12-31T00:00:00Z", "startTzid": "Europe/Berlin", "startLocal": "2037-03-23T09:00:00",
            "startUtc": "2037-03-23T08:00:00Z", "allDay": False,
            "GSI2PK": f"MASTER#{task['masterId']}", "GSI2SK": f"MASTER#{task['masterId']}"})

    def test_done_stays_and_the_next_copy_comes_whatever_way(self):
        """OPEN-001-u; over a change of the clocks it is nine o'clock again."""
        ada = self.user()
        ways = (lambda path: ada.post(f"{path}/complete"), lambda path: ada.change(path, {"status": "DONE"}, 1),
                lambda path: ada.post(f"{path}/move", {"status": "DONE"}))
        for way in ways:
            task, path = self.begin(ada)
            done = self.expect(200, way(path)).body
            self.assertEqual((done["taskId"], done["status"]), (task["taskId"], "DONE"))
            self.assertEqual(self.told(ada, task), [("2037-03-23", "DONE", "2037-03-23T08:00:00Z"),
                                                    ("2037-03-30", "TODO", "2037-03-30T07:00:00Z")])
            following = self.copies(ada, task)[1]
            self.assertEqual((following["title"], following["priority"], following["tags"], following["version"]),
                             ("Water plants", 2, {"home"}, 1))
            self.assertNotIn("completedAt", following)
            for number in range(3):
                following = self.copies(ada, task)[-2]
                self.expect(200, ada.post(f"{TASKS}/{following['taskId']}/complete"))
            self.assertEqual([row[1] for row in self.told(ada, task)], ["DONE"] * 4 + ["TODO"])

    def test_completing_twice_or_at_once_makes_one_copy(self):
        ada = self.user()
        task, path = self.begin(ada)
        answers = at_once(8, lambda n: ada.post(f"{path}/complete").status)
        self.assertEqual(set(answers), {200})
        self.assertEqual(len(self.told(ada, task)), 2)
        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual(len(self.told(ada, task)), 2)

    def test_many_clients_leave_one_open_copy(self):
        """Whatever is done to the copies of a series at once: all but one are done, and no day is there twice."""
        ada, chance = self.user(), seeded_random()
        task, _ = self.begin(ada, "FREQ=DAILY")
        plans = [[(chance.random(), chance.choice(("complete", "reopen", "doing", "done", "delete"))) for _ in range(12)]
                 for _ in range(8)]

        def client(number):
            for where, what in plans[number]:
                copies = list(ada.pages(TASKS))
                copy = copies[int(where * len(copies))]
                path, tag = f"{TASKS}/{copy['taskId']}", f'"{copy["version"]}"'
                answer = {"complete": lambda: ada.post(f"{path}/complete"), "reopen": lambda: ada.post(f"{path}/reopen"),
                          "doing": lambda: ada.post(f"{path}/move", {"status": "IN_PROGRESS", "first": True}),
                          "done": lambda: ada.patch(path, {"status": "DONE"}, if_match=tag),
                          "delete": lambda: ada.delete(path, if_match=tag)}[what]()
                self.assertIn(answer.status, (200, 204, 404, 409, 412), answer)
                self.assertIn(answer.code, (None, "not-found", "next-copy-changed", "version-mismatch"), answer)

        at_once(8, client)
        told = self.told(ada, task)
        self.assertEqual([row[1] for row in told[:-1]], ["DONE"] * (len(told) - 1))
        self.assertIn(told[-1][1], ("TODO", "IN_PROGRESS"))
        self.assertEqual(len({row[0] for row in told}), len(told))

    def test_the_series_ends(self):
        ada = self.user()
        task, path = self.begin(ada, "FREQ=DAILY;COUNT=2")
        self.expect(200, ada.post(f"{path}/complete"))
        second = self.copies(ada, task)[1]
        self.expect(200, ada.post(f"{TASKS}/{second['taskId']}/complete"))
        self.assertEqual([row[1] for row in self.told(ada, task)], ["DONE", "DONE"])
        self.expect(200, ada.post(f"{TASKS}/{second['taskId']}/reopen"))
        self.assertEqual([row[1] for row in self.told(ada, task)], ["DONE", "TODO"])

    def test_reopening_takes_the_untouched_copy_back(self):
        ada = self.user()
        task, path = self.begin(ada)
        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual(self.expect(200, ada.post(f"{path}/reopen")).body["status"], "TODO")
        self.assertEqual([row[:2] for row in self.told(ada, task)], [("2037-03-23", "TODO")])
        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual([row[:2] for row in self.told(ada, task)], [("2037-03-23", "DONE"), ("2037-03-30", "TODO")])

    def test_reopening_is_refused_when_the_next_copy_was_touched(self):
        ada = self.user()
        task, path = self.begin(ada)
        self.expect(200, ada.post(f"{path}/complete"))
        following = self.copies(ada, task)[1]
        self.expect(200, ada.change(f"{TASKS}/{following['taskId']}", {"title": "Water all plants"}, 1))
        for reopen in (lambda: ada.post(f"{path}/reopen"), lambda: ada.change(path, {"status": "TODO"}, 2),
                       lambda: ada.post(f"{path}/move", {"status": "IN_PROGRESS", "first": True})):
            self.expect(409, self.unchanged(ada, reopen), "next-copy-changed")
        self.expect(204, ada.delete(f"{TASKS}/{following['taskId']}", if_match='"2"'))  # as the answer says
        self.expect(200, ada.post(f"{path}/reopen"))
        self.assertEqual([row[:2] for row in self.told(ada, task)], [("2037-03-23", "TODO")])

    def test_an_old_copy_makes_no_second_next_one(self):
        """Through the archive and back: at most one copy is open."""
        ada = self.user()
        task, path = self.begin(ada)
        self.expect(200, ada.post(f"{path}/complete"))
        self.expect(200, ada.change(path, {"status": "ARCHIVED"}, 2))
        self.expect(200, ada.change(path, {"status": "DONE"}, 3))
        self.assertEqual([row[1] for row in self.told(ada, task)], ["DONE", "TODO"])
        self.expect(200, ada.change(path, {"status": "ARCHIVED"}, 4))
        self.expect(200, ada.change(path, {"status": "TODO"}, 5))  # open again: the untouched one goes
        self.assertEqual([row[1] for row in self.told(ada, task)], ["TODO"])

    def test_deleting_one_brings_the_next(self):
        ada = self.user()
        task, path = self.begin(ada)
        self.expect(428, ada.delete(path))
        self.expect(412, self.unchanged(ada, lambda: ada.delete(path, if_match='"2"')))
        self.expect(204, ada.delete(path, None, {"scope": "this"}, if_match='"1"'))
        self.assertEqual([row[:2] for row in self.told(ada, task)], [("2037-03-30", "TODO")])
        master = self.copies(ada, task)[-1]
        self.assertEqual(master["exdates"], ["2037-03-23T09:00:00"])
        following = self.copies(ada, task)[0]
        self.expect(200, ada.post(f"{TASKS}/{following['taskId']}/complete"))
        self.expect(204, ada.delete(f"{TASKS}/{following['taskId']}", if_match='"2"'))  # a done one: nothing follows
        self.assertEqual([row[:2] for row in self.told(ada, task)], [("2037-04-06", "TODO")])

    def test_deleting_the_last_one_ends_the_series(self):
        ada = self.user()
        _, path = self.begin(ada, "FREQ=DAILY;COUNT=1")
        self.expect(204, ada.delete(path, if_match='"1"'))
        self.assertEqual(self.everything(ada), [])

    def test_deleting_all_keeps_what_was_done(self):
        ada = self.user()
        task, path = self.begin(ada)
        self.expect(200, ada.post(f"{path}/complete"))
        following = self.copies(ada, task)[1]
        self.expect(204, ada.delete(f"{TASKS}/{following['taskId']}", None, {"scope": "all"}, if_match='"1"'))
        self.assertEqual([item["SK"] for item in self.everything(ada)], [f"TASK#{task['taskId']}"])
        self.expect(200, ada.post(f"{path}/reopen"))  # a task like any other now
        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual(len(self.everything(ada)), 1)
        task, path = self.begin(ada)
        self.expect(200, ada.post(f"{path}/complete"))
        self.expect(204, ada.delete(path, None, {"scope": "all"}, if_match='"2"'))  # said of the done one
        self.assertEqual(self.copies(ada, task), [])

    def test_several_a_day_and_rules_that_begin_later(self):
        ada = self.user()
        task, path = self.begin(ada, "FREQ=DAILY;BYHOUR=9,18", zone="UTC", due="2037-05-01T09:00:00Z")
        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual(self.told(ada, task)[1], ("2037-05-01T180000", "TODO", "2037-05-01T18:00:00Z"))
        evening = self.copies(ada, task)[1]
        self.assertEqual(evening["GSI2SK"], "INSTANCE#2037-05-01T180000")
        self.expect(200, ada.post(f"{TASKS}/{evening['taskId']}/complete"))
        self.assertEqual(self.told(ada, task)[2], ("2037-05-02", "TODO", "2037-05-02T09:00:00Z"))
        task, _ = self.begin(ada, "FREQ=WEEKLY;BYDAY=FR")  # due on a Monday
        self.assertEqual((task["date"], task["dueUtc"]), ("2037-03-27", "2037-03-27T08:00:00Z"))

    def test_a_changed_due_time_does_not_shift_the_series(self):
        ada = self.user()
        task, path = self.begin(ada)
        self.expect(200, ada.change(path, {"dueUtc": "2037-06-01T00:00:00Z"}, 1))
        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual(self.told(ada, task)[1], ("2037-03-30", "TODO", "2037-03-30T07:00:00Z"))

    def test_floating_series_follow_the_user(self):
        ada = self.user()
        self.expect(200, ada.patch("/api/nexus/settings", {"timezone": "Europe/Berlin"}))
        task, path = self.begin(ada, "FREQ=DAILY", due="2037-07-01T05:00:00Z", zone=None)
        master = self.copies(ada, task)[-1]
        self.assertEqual((master.get("startTzid"), master["startLocal"], master["startUtc"]),
                         (None, "2037-07-01T07:00:00", "2037-07-01T07:00:00Z"))
        self.expect(200, ada.patch("/api/nexus/settings", {"timezone": "America/New_York"}))
        self.expect(200, ada.post(f"{path}/complete"))
        self.assertEqual(self.told(ada, task)[1], ("2037-07-02", "TODO", "2037-07-02T11:00:00Z"))

    def test_without_a_zone_it_is_the_settings(self):
        ada = self.user()
        self.expect(200, ada.patch("/api/nexus/settings", {"timezone": "Asia/Tokyo"}))
        task = ada.task("t", dueUtc="2037-07-01T20:00:00Z", rrule="FREQ=DAILY")
        self.assertEqual((task["date"], self.copies(ada, task)[-1]["startTzid"]), ("2037-07-02", "Asia/Tokyo"))

    def test_bad_series_change_nothing(self):
        ada = self.user()
        base = {"title": "x", "dueUtc": "2037-03-23T08:00:00Z", "rrule": "FREQ=DAILY"}
        rows = [({"rrule": "FREQ=SOMETIMES"}, ["rrule"]), ({"rrule": ""}, ["rrule"]), ({"rrule": "every day"}, ["rrule"]),
                ({"rrule": "FREQ=DAILY;COUNT=1;UNTIL=20380101T000000Z"}, ["rrule"]), ({"rrule": "FREQ=DAILY;INTERVAL=0"}, ["rrule"]),
                ({"rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, ["rrule"]),
                ({"rrule": "FREQ=DAILY;UNTIL=20200101T000000Z"}, ["rrule"]), ({"rrule": "X" * 2001}, ["rrule"]),
                ({"startTzid": "EST"}, ["startTzid"]), ({"startTzid": "+01:00"}, ["startTzid"]), ({"startTzid": "Mars/Base"}, ["startTzid"]),
                ({"dueUtc": None}, ["dueUtc"]), ({"status": "DONE"}, ["status"]), ({"status": "ARCHIVED"}, ["status"])]
        for wrong, fields in rows:
            with self.subTest(wrong=str(wrong)[:60]):
                self.expect(422, self.unchanged(ada, lambda w=wrong: ada.post(TASKS, {**base, **w})), fields=fields)


class Overdue(NexusTest):
    """One tick is enough, however long it was not done."""

    def begin(self, rrule, ago, **more):
        ada = self.user()
        start = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) - ago
        task = ada.task("Water plants", dueUtc=stamp(start), rrule=rrule, startTzid="UTC", **more)
        return ada, task, start

    def open_copies(self, user):
        return [task for task in user.pages(TASKS) if task["status"] == "TODO"]

    def test_completing_skips_what_is_over(self):
        ada, task, start = self.begin("FREQ=DAILY", datetime.timedelta(days=7, hours=1))
        self.expect(200, ada.post(f"{TASKS}/{task['taskId']}/complete"))
        following, = self.open_copies(ada)
        expected = start + datetime.timedelta(days=8)
        self.assertEqual((following["dueUtc"], following["date"], following["skippedBefore"]),
                         (stamp(expected), str(expected.date()), 7))
        # Done too early is not done too late: the next one follows from its day.
        self.expect(200, ada.post(f"{TASKS}/{following['taskId']}/complete"))
        after, = self.open_copies(ada)
        self.assertEqual(after["dueUtc"], stamp(expected + datetime.timedelta(days=1)))
        self.assertNotIn("skippedBefore", after)

    def test_taking_it_back_is_as_if_nothing_was(self):
        ada, task, start = self.begin("FREQ=WEEKLY", datetime.timedelta(days=30))
        path = f"{TASKS}/{task['taskId']}"
        self.expect(200, ada.post(f"{path}/complete"))
        self.expect(200, ada.post(f"{path}/reopen"))
        again, = self.open_copies(ada)
        self.assertEqual((again["taskId"], again["dueUtc"]), (task["taskId"], stamp(start)))
        self.expect(200, ada.post(f"{path}/complete"))
        following, = self.open_copies(ada)
        self.assertEqual((following["dueUtc"], following["skippedBefore"]), (stamp(start + datetime.timedelta(days=35)), 4))

    def test_deleting_skips_as_well(self):
        ada, task, start = self.begin("FREQ=DAILY", datetime.timedelta(days=3, hours=1))
        self.expect(204, ada.delete(f"{TASKS}/{task['taskId']}", if_match='"1"'))
        following, = self.open_copies(ada)
        self.assertEqual(following["dueUtc"], stamp(start + datetime.timedelta(days=4)))

    def test_a_series_that_ended_meanwhile_is_over(self):
        ada, task, _ = self.begin("FREQ=DAILY;COUNT=3", datetime.timedelta(days=7))
        self.expect(200, ada.post(f"{TASKS}/{task['taskId']}/complete"))
        self.assertEqual(self.open_copies(ada), [])

    def test_a_later_one_of_the_same_day(self):
        ada = self.user()
        ago = datetime.timedelta(days=3, hours=1)
        start = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) - ago
        hours = sorted({start.hour, (start.hour + 3) % 24})
        task = ada.task("pill", dueUtc=stamp(start), startTzid="UTC",
                        rrule=f"FREQ=DAILY;BYHOUR={','.join(map(str, hours))}")
        dues, dates = [], []
        for _ in range(4):
            self.expect(200, ada.post(f"{TASKS}/{task['taskId']}/complete"))
            task, = self.open_copies(ada)
            dues.append(task["dueUtc"])
            dates.append(task["date"])
        first = start + datetime.timedelta(days=3, hours=3)
        self.assertEqual(dues, [stamp(first + datetime.timedelta(hours=hours)) for hours in (0, 21, 24, 45)])
        self.assertEqual(len(set(dates)), 4, dates)

    def test_very_many_are_not_counted_to_the_end(self):
        ada, task, _ = self.begin("FREQ=MINUTELY", datetime.timedelta(days=30))
        self.expect(200, ada.post(f"{TASKS}/{task['taskId']}/complete"))
        following, = self.open_copies(ada)
        self.assertEqual(following["skippedBefore"], 1000)
        self.assertGreater(following["dueUtc"], stamp(datetime.datetime.now(datetime.timezone.utc) -
                                                      datetime.timedelta(minutes=2)))
