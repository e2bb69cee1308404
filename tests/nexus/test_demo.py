"""POST /api/nexus/demo: a new account gets a calendar, a board and notes, once."""

import datetime

from case import NexusTest

DEMO = "/api/nexus/demo"


class Demo(NexusTest):
    def week(self, user, day):
        return self.expect(200, user.get(f"/api/nexus/agenda/week/{day}", {"limit": 100})).body["items"]

    def test_there_is_something_to_see_everywhere(self):
        user = self.user()
        made = self.expect(200, user.post(DEMO)).body
        today = datetime.datetime.now(datetime.timezone.utc).date()
        items = [item for weeks in (-1, 0, 1) for item in self.week(user, today + datetime.timedelta(weeks=weeks))]
        self.assertEqual({item["entityType"] for item in items}, {"EVENT", "INSTANCE", "TASK"})
        self.assertTrue(any(item["allDay"] for item in items))
        columns = self.expect(200, user.get("/api/nexus/board")).body["columns"]
        self.assertTrue(all(column["cards"] for column in columns), columns)
        self.assertEqual(sum(len(column["cards"]) for column in columns), made["tasks"])
        notes = self.expect(200, user.get("/api/nexus/notes")).body["items"]
        self.assertEqual(len(notes), made["notes"])
        self.assertTrue(notes[0]["isPinned"])

    def test_it_is_today_where_the_user_is(self):
        for number, zone in enumerate(("Pacific/Auckland", "Pacific/Honolulu")):
            with self.subTest(zone=zone):
                user = self.user()
                self.expect(200, user.patch("/api/nexus/settings", {"timezone": zone}))
                self.expect(200, user.post(DEMO))
                events = [event for event in self.all_events(user) if event["title"] == "Coffee with Jonas"]
                start = datetime.datetime.fromisoformat(events[0]["startUtc"].replace("Z", "+00:00"))
                self.assertEqual(events[0]["startTzid"], zone)
                self.assertLess(abs((start - datetime.datetime.now(datetime.timezone.utc)).total_seconds()), 86400)

    def all_events(self, user):
        now = datetime.datetime.now(datetime.timezone.utc)
        around = {"from": (now - datetime.timedelta(days=2)).strftime("%Y-%m-%d"),
                  "to": (now + datetime.timedelta(days=2)).strftime("%Y-%m-%d"), "types": "EVENT", "limit": 100}
        return [self.expect(200, user.get(f"/api/nexus/events/{item['id']}")).body
                for item in self.expect(200, user.get("/api/nexus/agenda", around)).body["items"]]

    def test_what_somebody_has_stays(self):
        for number, (path, body) in enumerate((
                ("tasks", {"title": "mine"}), ("notes", {"title": "mine"}),
                ("events", {"title": "mine", "startUtc": "2026-03-02T09:00:00Z", "endUtc": "2026-03-02T10:00:00Z"}))):
            with self.subTest(path=path):
                user = self.user()
                self.expect(201, user.post(f"/api/nexus/{path}", body))
                answer = self.expect(409, user.post(DEMO), "not-empty")
                self.assertIn("new account", answer.body["detail"])
                self.assertEqual(len(self.expect(200, user.get("/api/nexus/notes")).body["items"]), path == "notes")
        twice = self.user()
        self.expect(200, twice.post(DEMO))
        self.expect(409, twice.post(DEMO), "not-empty")
