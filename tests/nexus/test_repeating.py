"""An event that begins to repeat, a series that becomes one event, the occurrences of a series in any window."""

from calendar_case import BERLIN, EVENTS, INSTANCES, MASTERS, REMINDERS, CalendarTest, day, local, utc


class Repeating(CalendarTest):
    def waiting(self, user):
        return [item for item in self.agenda(user, day(-1), day(30), types="REMINDER")]

    def test_an_event_begins_to_repeat(self):
        ada = self.user()
        event = self.timed(ada, "walk", 1, description="with the dog", reminderMinutes=[30], tags=["out"])
        begun = self.edit(ada, event, rrule="FREQ=DAILY;COUNT=3", title="walks", startLocal=local(2))
        self.assertEqual((begun.status, begun["entityType"], begun["rrule"]), (200, "MASTER", "FREQ=DAILY;COUNT=3"))
        self.assertEqual((begun["title"], begun["description"], begun["reminderMinutes"], begun["tags"]),
                         ("walks", "with the dog", [30], ["out"]))
        self.assertEqual(begun.tag, f'"{begun["version"]}"')
        self.assertEqual(ada.get(f"{EVENTS}/{event['id']}").status, 404)
        self.assertEqual(self.starts(ada, begun.body), [local(n) for n in (2, 3, 4)])
        reminder, = self.waiting(ada)
        self.assertEqual((reminder["start"], reminder["masterId"]), (utc(2, "08:30:00"), begun["id"]))
        # And back: under the id that it had.
        ended = self.edit(ada, ada.get(f"{MASTERS}/{begun['id']}").body, rrule=None)
        self.assertEqual((ended.status, ended["entityType"], ended["id"]), (200, "EVENT", event["id"]))
        self.assertEqual((ended["startLocal"], ended["title"]), (local(2), "walks"))
        self.assertEqual(ended.tag, f'"{ended["version"]}"')
        self.assertEqual(ada.get(f"{MASTERS}/{begun['id']}").status, 404)
        self.assertEqual(self.titles(ada, day(1), day(9), types="EVENT,INSTANCE"), ["walks"])
        reminder, = self.waiting(ada)
        self.assertEqual((reminder["start"], reminder["eventId"]), (utc(2, "08:30:00"), event["id"]))
        again = self.edit(ada, ended.body, rrule="FREQ=WEEKLY;COUNT=2")
        self.assertEqual((again["id"], self.starts(ada, again.body)), (begun["id"], [local(2), local(9)]))

    def test_what_cannot_repeat_is_refused(self):
        ada = self.user()
        event = self.timed(ada, "walk", 1)
        for fields, field in (({"rrule": "FREQ=SOMETIMES"}, "rrule"), ({"exdates": [local(1)]}, "rrule")):
            answer = self.unchanged(ada, lambda fields=fields: self.edit(ada, event, **fields))
            self.assertEqual((answer.status, answer.fields()), (422, [field]))
        self.assertEqual(ada.change(f"{EVENTS}/{event['id']}", {"rrule": "FREQ=DAILY"}, 9).status, 412)
        same = self.edit(ada, event, rrule=None, title="once")  # it does not, already
        self.assertEqual((same["id"], same["title"]), (event["id"], "once"))

    def test_one_occurrence_is_left(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=4", 1, description="d", reminderMinutes=[10])
        third = self.instances(ada, master)[2]
        left = self.edit(ada, third, "all", rrule=None, startLocal=local(3, "15:00:00"))
        self.assertEqual((left.status, left["entityType"], left["startLocal"]), (200, "EVENT", local(3, "15:00:00")))
        self.assertEqual(left["description"], "d")
        self.assertEqual([item["startLocal"] for item in self.agenda(ada, day(0), day(9), types="EVENT,INSTANCE")],
                         [local(3, "15:00:00")])
        self.assertEqual([item["eventId"] for item in self.waiting(ada)], [left["id"]])

    def test_the_first_that_takes_place_is_left(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=4", 1)
        items = self.instances(ada, master)
        self.remove(ada, items[0])
        self.edit(ada, items[1], title="special", startLocal=local(2, "11:00:00"))
        left = self.edit(ada, ada.get(f"{MASTERS}/{master['id']}").body, rrule=None)
        self.assertEqual((left["title"], left["startLocal"]), ("special", local(2, "11:00:00")))
        self.assertEqual(self.titles(ada, day(0), day(9)), ["special"])

    def test_what_was_deleted_does_not_return_as_an_event(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=2", 1)
        for item in self.instances(ada, master):
            self.remove(ada, item)
        gone = self.instances(ada, master)[0]
        for scope in ("all", "following"):
            refused = self.edit(ada, gone, scope, rrule=None)
            self.assertEqual(refused.code, "cancelled", scope)
        refused = self.edit(ada, ada.get(f"{MASTERS}/{master['id']}").body, rrule=None)
        self.assertEqual((refused.status, refused.code), (422, "nothing-takes-place"))
        self.assertEqual(self.titles(ada, day(0), day(9), types="EVENT,INSTANCE"), [])

    def test_it_repeats_again_while_an_exception_of_before_is_elsewhere(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=4", 1)
        items = self.instances(ada, master)
        self.edit(ada, items[3], title="special")
        self.edit(ada, items[2], "following", title="later")
        ended = self.edit(ada, ada.get(f"{MASTERS}/{master['id']}").body, rrule=None)
        again = self.edit(ada, ended.body, rrule="FREQ=DAILY;COUNT=4")
        self.assertEqual(again.status, 200, again.body)
        self.assertEqual(self.starts(ada, again.body), [local(n) for n in (1, 2, 3, 4)])
        self.assertEqual(sorted(self.titles(ada, day(3), day(9))), ["a series", "a series", "later", "special"])

    def test_the_following_end(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=5", 1)
        items = self.instances(ada, master)
        self.edit(ada, items[3], title="later")
        left = self.edit(ada, items[2], "following", rrule=None, title="last")
        self.assertEqual((left.status, left["entityType"]), (200, "EVENT"))
        self.assertEqual(self.titles(ada, day(0), day(9)), ["a series", "a series", "last"])
        self.assertEqual(self.starts(ada, master), [local(1), local(2)])


class Windows(CalendarTest):
    def window(self, user, master, **query):
        return list(user.pages(f"{MASTERS}/{master['id']}/instances", **query))

    def test_a_window_that_was_not_read_before(self):
        ada = self.user()
        master = self.series(ada, "FREQ=WEEKLY", -700)
        past = self.window(ada, master, **{"from": day(-350), "to": day(-336)})
        self.assertEqual([item["date"] for item in past], [day(-350), day(-343)])
        ahead = self.window(ada, master, **{"from": day(700), "to": day(714)})
        self.assertEqual([(item["date"], item["isVirtual"]) for item in ahead], [(day(700), False), (day(707), False)])

    def test_what_is_beyond_has_no_items(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;BYHOUR=9,14", 1)
        begin, end = 365 * 8, 365 * 8 + 20
        expected = [(date, True, 0) for n in range(begin, end) for date in (day(n), f"{day(n)}T140000")]
        for limit in (7, 40, 100):
            far = self.window(ada, master, limit=limit, **{"from": day(begin), "to": day(end)})
            self.assertEqual([(item["date"], item["isVirtual"], item["version"]) for item in far], expected, limit)

    def test_over_what_is_kept_and_what_is_not(self):
        ada = self.user()
        master = self.series(ada, "FREQ=WEEKLY", 1)
        dates = [day(n) for n in range(1, 365 * 6, 7)]
        for limit in (1, 52, 53, 100):
            if limit == 1:
                shown = self.window(ada, master, limit=1, **{"from": day(365 * 5 - 30), "to": day(365 * 5 + 30)})
                self.assertEqual([item["date"] for item in shown],
                                 [date for date in dates if day(365 * 5 - 30) <= date < day(365 * 5 + 30)])
                continue
            shown = self.window(ada, master, limit=limit, **{"from": day(1), "to": day(365 * 6)})
            self.assertEqual([item["date"] for item in shown], dates, limit)

    def test_the_end_is_not_meant(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=5", 1)
        shown = self.window(ada, master, **{"from": day(2), "to": day(4)})
        self.assertEqual([item["date"] for item in shown], [day(2), day(3)])
        self.assertEqual(ada.get(f"{MASTERS}/{master['id']}/instances?from={day(4)}&to={day(4)}").status, 400)


class Offsets(CalendarTest):
    def test_an_offset_needs_a_zone(self):
        ada = self.user()
        ada.strict = False
        body = {"title": "x", "startUtc": "2026-07-01T09:00:00+02:00", "endUtc": "2026-07-01T10:00:00+02:00"}
        refused = self.unchanged(ada, lambda: ada.post(EVENTS, body))
        self.assertEqual((refused.status, refused.fields()), (422, ["startUtc"]))
        made = self.event(ada, startUtc=body["startUtc"], endUtc=body["endUtc"], startTzid=BERLIN)
        self.assertEqual((made["startLocal"], made["startUtc"]), ("2026-07-01T09:00:00", "2026-07-01T07:00:00Z"))
        moved = self.edit(ada, made, startUtc="2026-07-01T10:00:00+03:00")
        self.assertEqual(moved["startUtc"], "2026-07-01T07:00:00Z")
        floating = self.event(ada, startUtc="2026-07-01T09:00:00Z", endUtc="2026-07-01T10:00:00+00:00")
        self.assertEqual((floating["startLocal"], floating.get("startTzid")), ("2026-07-01T09:00:00", None))
        self.assertEqual(self.edit(ada, floating, startUtc="2026-07-01T09:00:00-05:00").fields(), ["startUtc"])


if __name__ == "__main__":
    import unittest
    unittest.main()
