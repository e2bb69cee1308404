"""Tags: which there are, and taking one away from everything that has it."""

from calendar_case import EVENTS, INSTANCES, MASTERS, CalendarTest, day, local
from case import NEXUS, NOTES, TASKS, at_once
from client import Client

TAGS = f"{NEXUS}/tags"


class Tags(CalendarTest):
    def listed(self, user):
        answer = self.expect(200, user.get(TAGS)).body
        self.assertFalse(answer["isCut"])
        return {use["tag"]: use["items"] for use in answer["items"]}

    def remove(self, user, tag, **more):
        return self.expect(200, user.delete(TAGS, None, {"tag": tag, **more})).body

    def everything_tagged(self, user, *tags):
        note = user.note("a note", tags=list(tags))
        task = user.task("a task", tags=list(tags))
        event = self.timed(user, "an event", 1, tags=list(tags))
        series = self.series(user, "FREQ=DAILY;COUNT=5", 1, tags=list(tags))
        recurring = user.task("again", dueUtc="2037-01-01T09:00:00Z", rrule="FREQ=WEEKLY", tags=list(tags))
        return note, task, event, series, recurring

    def test_lists_what_is_in_use(self):
        ada, eve = self.user(), self.user()
        self.assertEqual(self.listed(ada), {})
        self.everything_tagged(ada, "home", "a/b?&=ü")
        ada.note("another", tags=["home"])
        # A recurring task has its copy and the series behind it.
        self.assertEqual(self.listed(ada), {"home": 7, "a/b?&=ü": 6})
        self.assertEqual(self.listed(eve), {})

    def test_removes_it_everywhere_and_nothing_else(self):
        ada, eve = self.user(), self.user()
        note, task, event, series, recurring = self.everything_tagged(ada, "home", "work")
        self.everything_tagged(eve, "home")
        edited = self.instances(ada, series)[2]
        self.expect(200, self.edit(ada, edited, title="on its own"))
        other = ada.note("other", tags=["work"])
        self.assertEqual(self.remove(ada, "home"), {"changed": 7})
        self.assertEqual(self.listed(ada), {"work": 7})
        for path in (f"{NOTES}/{note['noteId']}", f"{TASKS}/{task['taskId']}", f"{EVENTS}/{event['id']}",
                     f"{MASTERS}/{series['id']}", f"{INSTANCES}/{edited['id']}", f"{TASKS}/{recurring['taskId']}"):
            with self.subTest(path=path):
                self.assertEqual(self.expect(200, ada.get(path)).body["tags"], ["work"])
        self.assertEqual({tuple(item["tags"]) for item in self.instances(ada, series)}, {("work",)})
        self.assertEqual(self.expect(200, ada.get(f"{INSTANCES}/{edited['id']}")).body["title"], "on its own")
        self.assertEqual(self.expect(200, ada.get(f"{NOTES}/{other['noteId']}")).body["version"], 1)
        self.assertEqual(self.listed(eve)["home"], 6)
        # The next copy of a recurring task has it no more, either.
        self.expect(200, ada.post(f"{TASKS}/{recurring['taskId']}/complete"))
        self.assertEqual(self.listed(ada), {"work": 8})
        self.assertEqual(self.remove(ada, "home"), {"changed": 0})
        self.assertEqual(self.remove(ada, "work"), {"changed": 9})
        self.assertEqual(self.listed(ada), {})
        self.assertEqual(len(self.titles(ada, day(1), day(7))), 6)

    def test_with_letters_that_addresses_have(self):
        ada = self.user()
        ada.note("x", tags=["a/b?&=ü", "a"])
        self.assertEqual(self.remove(ada, "a/b?&=ü"), {"changed": 1})
        self.assertEqual(self.listed(ada), {"a": 1})

    def test_wrong_requests(self):
        ada = self.user()
        self.expect(400, ada.delete(TAGS), fields=["tag"])
        self.expect(400, ada.delete(TAGS, None, {"tag": "x" * 101}), fields=["tag"])
        self.expect(422, ada.delete(TAGS, None, {"tag": "x", "cursor": "nonsense"}), "wrong-cursor")
        self.expect(401, Client(self.server.url).delete(TAGS, None, {"tag": "x"}))

    def test_beside_others_who_change_the_same(self):
        ada = self.user()
        notes = [ada.note(f"note {number}", tags=["gone", "stays"]) for number in range(30)]

        def work(number):
            if number == 0:
                return self.remove(ada, "gone")["changed"]
            for note in notes[number::4]:
                path = f"{NOTES}/{note['noteId']}"
                current = self.expect(200, ada.get(path)).body
                self.assertIn(ada.change(path, {"title": f"by {number}"}, current["version"]).status, (200, 412))
            return 0

        at_once(4, work)
        self.remove(ada, "gone")
        self.assertEqual(self.listed(ada), {"stays": 30})


class Slices(CalendarTest):
    def test_killed_in_the_middle_the_same_again_goes_on(self):
        ada = self.user()
        for number in range(60):
            ada.note(f"note {number}", tags=["gone"])
        self.restart("nexus.tag-portion=3:kill")
        with self.assertRaises(OSError):
            ada.delete(TAGS, None, {"tag": "gone"})
        self.restart()
        left = self.expect(200, ada.get(TAGS)).body["items"]
        self.assertLess(left[0]["items"], 60)
        self.assertEqual(self.expect(200, ada.delete(TAGS, None, {"tag": "gone"})).body, {"changed": left[0]["items"]})
        self.assertEqual(self.expect(200, ada.get(TAGS)).body["items"], [])
