"""Recurring events: occurrences as items, edits and deletions with their scope, exceptions, excluded dates, growth."""

from calendar_case import (BERLIN, EVENTS, INSTANCES, MASTERS, NO_INSTANCE, NO_MASTER, PREVIEW, CalendarTest,
                           day, local, utc)
from case import at_once
from wait import wait_until


class Series(CalendarTest):
    def test_occurrences_are_items_around_now(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY", -60, description="long text", location="here", tags=["a"])
        self.assertEqual(master["entityType"], "MASTER")
        dates = [item["date"] for item in self.instances(ada, master)]
        self.assertEqual(dates[0], day(-30))
        self.assertGreaterEqual(dates[-1], day(399))
        self.assertEqual(dates, [day(offset) for offset in range(-30, len(dates) - 30)])
        stored = self.stored(ada, f"INSTANCE#{self.instances(ada, master)[0]['id']}")
        self.assertEqual((stored["GSI2PK"], stored["GSI2SK"]), (f"MASTER#{master['id']}", f"INSTANCE#{day(-30)}"))
        self.assertEqual((stored["title"], stored["location"]), ("a series", "here"))
        kept = self.stored(ada, f"MASTER#{master['id']}")
        self.assertEqual((kept["GSI2PK"], kept["GSI2SK"]), (f"MASTER#{master['id']}",) * 2)
        self.assertNotIn("GSI1PK", kept)  # or the series would show twice
        one = ada.get(f"{INSTANCES}/{self.instances(ada, master)[0]['id']}")
        self.assertEqual(one["description"], "long text")  # of the series

    def test_several_occurrences_of_a_day(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;BYHOUR=9,14;COUNT=4", 1)
        self.assertEqual([item["date"] for item in self.instances(ada, master)],
                         [day(1), f"{day(1)}T140000", day(2), f"{day(2)}T140000"])

    def test_the_end_is_an_attribute_of_its_own(self):
        ada = self.user()
        until = day(10).replace("-", "") + "T090000Z"
        master = self.series(ada, f"freq=weekly;until={until}", 1)
        self.assertEqual(master["rruleUntil"], utc(10))
        self.assertEqual(master["rrule"], f"FREQ=WEEKLY;UNTIL={until}")
        self.assertEqual(self.starts(ada, master), [local(1), local(8)])

    def test_rules_that_are_refused(self):
        ada = self.user()
        for rule in ("nonsense", "FREQ=SOMETIMES", "FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z", "FREQ=DAILY;INTERVAL=0",
                     "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY", "FREQ=DAILY;BYDAY=XX",
                     "FREQ=DAILY;COUNT=0"):
            answer = self.unchanged(ada, lambda rule=rule: ada.post(EVENTS, {
                "title": "x", "startLocal": local(1), "endLocal": local(1, "10:00:00"), "rrule": rule}))
            self.assertEqual((answer.status, answer.fields()), (422, ["rrule"]), rule)

    def test_one_occurrence_is_edited_on_its_own(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=5", 1)
        third = self.instances(ada, master)[2]
        edited = self.edit(ada, third, title="moved", startLocal=local(3, "15:00:00")).body
        self.assertEqual((edited["isException"], edited["originalLocal"], edited["date"], edited["endLocal"]),
                         (True, local(3), day(3), local(3, "16:00:00")))
        # It survives an edit of the whole series, which reaches all others.
        renamed = self.edit(ada, ada.get(f"{MASTERS}/{master['id']}").body, title="renamed")
        self.assertEqual(renamed.status, 200)
        self.assertEqual(self.titles(ada, day(1), day(7)), ["renamed", "renamed", "moved", "renamed", "renamed"])
        # And a move of the series: it still stands for the third.
        moved = self.edit(ada, renamed.body, startLocal=local(1, "11:00:00"))
        self.assertEqual(moved.status, 200)
        self.assertNotIn("orphans", moved.body)
        self.assertEqual(self.starts(ada, master), [local(1, "11:00:00"), local(2, "11:00:00"), local(3, "15:00:00"),
                                                    local(4, "11:00:00"), local(5, "11:00:00")])

    def test_exceptions_whose_occurrence_is_gone_are_orphans(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=5", 1)
        second = self.instances(ada, master)[1]
        self.edit(ada, second, title="kept")
        changed = self.edit(ada, ada.get(f"{MASTERS}/{master['id']}").body, rrule="FREQ=DAILY;INTERVAL=2;COUNT=3")
        self.assertEqual(changed["orphans"], [second["id"]])
        self.assertEqual(self.titles(ada, day(1), day(7)), ["a series", "kept", "a series", "a series"])

    def test_this_and_following(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=6", 1)
        items = self.instances(ada, master)
        self.edit(ada, items[4], title="exception")
        split = self.edit(ada, items[3], "following", startLocal=local(4, "12:00:00"), title="later")
        self.assertEqual(split.status, 200, split.body)
        self.assertEqual((split["splitFrom"], split["rrule"]), (master["id"], "FREQ=DAILY;COUNT=3"))
        self.assertEqual(self.starts(ada, master), [local(1), local(2), local(3)])
        self.assertEqual(self.starts(ada, split.body), [local(n, "12:00:00") for n in (4, 5, 6)])
        self.assertEqual(self.titles(ada, day(4), day(7)), ["later", "exception", "later"])
        old = ada.get(f"{MASTERS}/{master['id']}").body
        self.assertLess(old["rruleUntil"], utc(4))
        self.assertGreaterEqual(old["rruleUntil"], utc(3))

    def test_following_from_the_first_is_all(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=3", 1)
        changed = self.edit(ada, self.instances(ada, master)[0], "following", title="all")
        self.assertEqual((changed["id"], self.titles(ada, day(1), day(5))), (master["id"], ["all"] * 3))

    def test_all_through_an_occurrence_moves_the_series_as_much(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=3", 1)
        second = self.instances(ada, master)[1]
        changed = self.edit(ada, second, "all", startLocal=local(2, "10:30:00"), endLocal=local(2, "12:00:00"))
        self.assertEqual(changed["startLocal"], local(1, "10:30:00"))
        self.assertEqual(self.starts(ada, master), [local(n, "10:30:00") for n in (1, 2, 3)])
        self.assertEqual({item["endLocal"][11:] for item in self.instances(ada, master)}, {"12:00:00"})

    def test_deleting_one_leaves_a_record(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=3", 1)
        second = self.instances(ada, master)[1]
        self.assertEqual(self.remove(ada, second).status, 204)
        self.assertEqual(ada.get(f"{MASTERS}/{master['id']}")["exdates"], [local(2)])
        stored = self.stored(ada, f"INSTANCE#{second['id']}")
        self.assertTrue(stored["isCancelled"])
        self.assertNotIn("GSI1PK", stored)
        self.assertEqual(self.starts(ada, master), [local(1), local(3)])
        self.assertEqual(len(self.titles(ada, day(1), day(5))), 2)
        gone = ada.get(f"{INSTANCES}/{second['id']}").body
        self.assertEqual(self.edit(ada, gone, title="x").code, "cancelled")
        # Back again.
        back = ada.delete(f"{MASTERS}/{master['id']}/exdates/{local(2)}")
        self.assertEqual((back.status, back.body.get("exdates")), (200, None))
        self.assertEqual(self.starts(ada, master), [local(1), local(2), local(3)])

    def test_deleting_what_follows_and_all(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=6", 1)
        items = self.instances(ada, master)
        self.edit(ada, items[4], title="exception")
        self.assertEqual(self.remove(ada, items[3], "following").status, 204)
        self.assertEqual(self.titles(ada, day(1), day(9)), ["a series"] * 3)
        self.assertEqual(self.remove(ada, items[0], "all").status, 204)
        self.assertEqual(ada.get(f"{MASTERS}/{master['id']}").status, 404)
        self.assertEqual([item for item in self.everything(ada) if "GSI2PK" in item], [])

    def test_excluded_dates_are_wall_times_of_the_series(self):
        ada = self.user()
        master = self.event(ada, "berlin", startLocal="2026-10-23T09:00:00", endLocal="2026-10-23T10:00:00",
                            startTzid=BERLIN, rrule="FREQ=DAILY;COUNT=6")
        path = f"{MASTERS}/{master['id']}/exdates"
        for wrong in ("2026-10-26T08:00:00", "2026-10-29T09:00:00", "2026-10-26T09:00:01"):
            self.assertEqual(ada.post(path, {"local": wrong}).fields(), ["local"], wrong)
        # The 26th is in winter time, the start of the series in summer time.
        self.assertEqual(ada.post(path, {"local": "2026-10-26T09:00:00"}).status, 200)
        again = ada.post(path, {"local": "2026-10-26T09:00:00"})
        self.assertEqual(again["exdates"], ["2026-10-26T09:00:00"])
        self.assertEqual(ada.delete(f"{path}/2026-10-25T09:00:00").status, 404)

    def test_versions_of_masters_and_occurrences(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=3", 1)
        first = self.instances(ada, master)[0]
        for path in (f"{MASTERS}/{master['id']}", f"{INSTANCES}/{first['id']}"):
            self.assertEqual(ada.patch(path, {"title": "x"}).status, 428)
            self.assertEqual(ada.change(path, {"title": "x"}, 9).status, 412)
            self.assertEqual(ada.delete(path, if_match='"9"').status, 412)
        ada.strict = False
        self.assertEqual(ada.change(f"{INSTANCES}/{first['id']}?scope=some", {"title": "x"}, 1).status, 400)
        self.assertEqual(ada.change(f"{INSTANCES}/{first['id']}", {"rrule": "FREQ=DAILY"}, 1).fields(), ["rrule"])
        for path in (f"{MASTERS}/{NO_MASTER}", f"{INSTANCES}/{NO_INSTANCE}", f"{MASTERS}/{NO_MASTER}/instances"):
            self.assertEqual(ada.get(path).status, 404)

    def test_a_window_far_away_makes_the_series_grow_or_is_expanded(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY", 1)
        near = self.agenda(ada, day(700), day(702))
        self.assertEqual([item["isVirtual"] for item in near], [False, False])
        far = self.agenda(ada, day(365 * 8), day(365 * 8 + 2))
        self.assertEqual([(item["isVirtual"], item["version"]) for item in far], [(True, 0)] * 2)
        self.assertEqual([item["startLocal"] for item in far], [local(365 * 8), local(365 * 8 + 1)])
        dates = [item["date"] for item in self.instances(ada, master)]
        self.assertEqual(len(dates), len(set(dates)))
        # A long window over what is kept and what is not, page by page.
        shown = self.agenda(ada, day(1), day(365 * 6), limit=100)
        self.assertEqual([item["startLocal"] for item in shown], [local(n) for n in range(1, 365 * 6)])

    def test_the_past_of_an_old_series(self):
        ada = self.user()
        self.series(ada, "FREQ=WEEKLY", -700)
        shown = self.agenda(ada, day(-350), day(-336))
        self.assertEqual([item["startLocal"] for item in shown], [local(-350), local(-343)])

    def test_a_dense_series_is_finished_by_its_job(self):
        ada = self.user()
        master = self.series(ada, "FREQ=HOURLY;COUNT=2400", 1, end="09:30:00")
        self.assertGreaterEqual(len(self.instances(ada, master)), 900)
        wait_until(lambda: len(self.agenda(ada, day(1), day(102), limit=100)) == 2400, 60, "all of them")

    def test_many_clients_edit_and_nothing_is_lost(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=40", 1)
        items = self.instances(ada, master)

        def work(number):
            done = []
            for item in items[number::16]:
                done.append(self.edit(ada, item, title=f"by {number}").status)
            renamed = ada.get(f"{MASTERS}/{master['id']}").body
            done.append(self.edit(ada, renamed, location=f"room {number}").status)
            return done

        answers = [status for statuses in at_once(16, work) for status in statuses]
        self.assertLessEqual(set(answers), {200, 409, 412}, answers)
        after = self.instances(ada, master)
        self.assertEqual([item["originalLocal"] for item in after], [local(n) for n in range(1, 41)])
        self.assertEqual(len(self.titles(ada, day(1), day(50))), 40)

    def test_killed_while_a_series_is_made(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY", 1)
        before = len(self.instances(ada, master))
        self.restart()
        self.assertEqual(len(self.instances(ada, master)), before)


class Preview(CalendarTest):
    def occurrences(self, **body):
        return [(one["local"], one["utc"]) for one in self.user("ada").post(PREVIEW, body)["occurrences"]]

    def test_over_the_change_of_the_clocks(self):
        shown = self.occurrences(rrule="FREQ=DAILY;COUNT=3", dtstart="2026-10-24T09:00:00", tzid=BERLIN)
        self.assertEqual(shown, [("2026-10-24T09:00:00", "2026-10-24T07:00:00Z"),
                                 ("2026-10-25T09:00:00", "2026-10-25T08:00:00Z"),
                                 ("2026-10-26T09:00:00", "2026-10-26T08:00:00Z")])

    def test_in_the_gap_and_beyond_2037(self):
        shown = self.occurrences(rrule="FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;COUNT=2", dtstart="2040-03-25T02:30:00",
                                 tzid=BERLIN)
        self.assertEqual(shown, [("2040-03-25T02:30:00", "2040-03-25T01:30:00Z"),
                                 ("2041-03-31T02:30:00", "2041-03-31T01:30:00Z")])

    def test_limits_excluded_and_extra_dates(self):
        body = {"rrule": "FREQ=WEEKLY;BYDAY=MO,WE", "dtstart": "2026-11-16T09:00:00", "limit": 3,
                "exdates": ["2026-11-18T09:00:00"], "rdates": ["2026-11-19T20:00:00"]}
        answer = self.user("ada").post(PREVIEW, body)
        self.assertEqual([one["local"] for one in answer["occurrences"]],
                         ["2026-11-16T09:00:00", "2026-11-19T20:00:00", "2026-11-23T09:00:00"])
        self.assertTrue(answer["more"])
        self.assertEqual(self.user("ada").post(PREVIEW, {**body, "rrule": "x"}).fields(), ["rrule"])


if __name__ == "__main__":
    import unittest
    unittest.main()
