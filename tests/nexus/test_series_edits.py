"""What edits do to a series: it moves as a whole, with its rule, its end, its excluded dates and its exceptions."""

import datetime

from calendar_case import BERLIN, EVENTS, INSTANCES, MASTERS, TODAY, CalendarTest, day, local

DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def weekday(offset):
    return DAYS[(TODAY + datetime.timedelta(days=offset)).weekday()]


def until(offset, time="090000"):
    return day(offset).replace("-", "") + f"T{time}Z"


def month(offset):
    """The month so many months from this one, as text: 2026-11. Near enough for its occurrences to be kept."""
    months = TODAY.year * 12 + TODAY.month - 1 + offset
    return f"{months // 12}-{months % 12 + 1:02}"


class Moves(CalendarTest):
    def shown(self, user, start=-5, end=60):
        return [item["startLocal"] for item in self.agenda(user, day(start), day(end))]

    def test_the_days_of_the_rule_move_along(self):
        for scope in ("all", "following"):
            ada = self.user()
            master = self.series(ada, f"FREQ=WEEKLY;BYDAY={weekday(1)};COUNT=4", 1)
            dragged = self.instances(ada, master)[0 if scope == "all" else 1]
            first = 1 if scope == "all" else 8
            changed = self.edit(ada, dragged, scope, startLocal=local(first + 1))
            self.assertEqual(changed.status, 200, changed.body)
            self.assertIn(f"BYDAY={weekday(2)}", changed["rrule"])
            self.assertEqual(self.shown(ada), ([local(2)] if scope == "all" else [local(1)]) +
                             [local(n) for n in (9, 16, 23)], scope)

    def test_the_day_of_the_month_moves_along(self):
        ada = self.user()
        master = self.event(ada, "rent", startLocal=f"{month(2)}-05T09:00:00", startTzid=BERLIN,
                            endLocal=f"{month(2)}-05T10:00:00", rrule="FREQ=MONTHLY;BYMONTHDAY=5;COUNT=3")
        second = self.instances(ada, master)[1]
        changed = self.edit(ada, second, "all", startLocal=f"{month(3)}-07T09:00:00")
        self.assertEqual((changed["rrule"], changed["startLocal"]),
                         ("FREQ=MONTHLY;COUNT=3;BYMONTHDAY=7", f"{month(2)}-07T09:00:00"))
        self.assertEqual(self.starts(ada, master), [f"{month(n)}-07T09:00:00" for n in (2, 3, 4)])

    def test_a_place_in_the_month_moves_along(self):
        ada = self.user()
        first = datetime.date.fromisoformat(f"{month(2)}-01")
        second_monday = first + datetime.timedelta(days=(7 - first.weekday()) % 7 + 7)
        wall = f"{second_monday}T09:00:00"
        master = self.event(ada, "board", startLocal=wall, endLocal=f"{second_monday}T10:00:00", startTzid=BERLIN,
                            rrule="FREQ=MONTHLY;BYDAY=2MO;COUNT=3")
        to = second_monday + datetime.timedelta(days=1)
        changed = self.edit(ada, self.instances(ada, master)[0], "all", startLocal=f"{to}T09:00:00")
        self.assertEqual(changed["rrule"], f"FREQ=MONTHLY;COUNT=3;BYDAY={(to.day - 1) // 7 + 1}TU")
        self.assertEqual(len(self.starts(ada, master)), 3)
        self.assertIn(f"{to}T09:00:00", self.starts(ada, master))

    def test_what_no_rule_has_is_refused_with_a_reason(self):
        ada = self.user()
        master = self.series(ada, "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3", 1)
        first = self.instances(ada, master)[0]
        to = (datetime.datetime.fromisoformat(first["startLocal"]) - datetime.timedelta(days=1)).isoformat()
        refused = self.unchanged(ada, lambda: self.edit(ada, first, "all", startLocal=to))
        self.assertEqual((refused.status, refused.code), (422, "rule-cannot-move"))
        self.assertIn("BYSETPOS", refused["detail"])
        self.assertEqual(self.edit(ada, first, "this", startLocal=to).status, 200)

    def test_the_end_moves_along(self):
        ada = self.user()
        master = self.series(ada, f"FREQ=DAILY;UNTIL={until(3)}", 1)
        changed = self.edit(ada, self.instances(ada, master)[0], "all", startLocal=local(2))
        self.assertEqual(changed["rrule"], f"FREQ=DAILY;UNTIL={until(4)}")
        self.assertEqual((changed["rruleUntil"], self.shown(ada)), (local(4) + "Z", [local(n) for n in (2, 3, 4)]))

    def test_what_was_deleted_does_not_return(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=6", 1)
        self.assertEqual(self.remove(ada, self.instances(ada, master)[3], "following").status, 204)
        self.edit(ada, self.instances(ada, master)[0], "all", startLocal=local(1, "07:00:00"))
        self.assertEqual(self.shown(ada), [local(n, "07:00:00") for n in (1, 2, 3)])

    def test_the_day_of_a_split_has_one_meeting(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=6", 1)
        self.edit(ada, self.instances(ada, master)[3], "following", title="later")
        self.edit(ada, self.instances(ada, master)[0], "all", startLocal=local(1, "07:00:00"))
        self.assertEqual(self.shown(ada), [local(n, "07:00:00") for n in (1, 2, 3)] + [local(n) for n in (4, 5, 6)])

    def test_the_end_is_where_it_was_in_another_zone(self):
        ada = self.user()
        master = self.series(ada, f"FREQ=DAILY;UNTIL={until(3)}", 1)
        for zone in ("America/New_York", None, "Asia/Tokyo"):
            changed = self.edit(ada, ada.get(f"{MASTERS}/{master['id']}").body, startTzid=zone)
            self.assertEqual(changed.status, 200, changed.body)
            self.assertEqual(self.starts(ada, master), [local(n) for n in (1, 2, 3)], zone)
        changed = self.edit(ada, self.instances(ada, master)[1], "all", allDay=True)
        self.assertEqual(changed.status, 200, changed.body)
        self.assertEqual(self.starts(ada, master), [local(n, "00:00:00") for n in (1, 2, 3)])

    def test_an_exception_goes_along(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=5", 1)
        items = self.instances(ada, master)
        self.edit(ada, items[2], title="special")
        self.edit(ada, items[3], startLocal=local(4, "15:00:00"))
        changed = self.edit(ada, items[0], "all", startLocal=local(2))
        self.assertNotIn("orphans", changed.body)
        self.assertEqual(self.shown(ada), [local(2), local(3), local(4), local(5, "15:00:00"), local(6)])
        self.assertEqual([item["date"] for item in self.instances(ada, master)], [day(n) for n in range(2, 7)])
        self.assertEqual(self.titles(ada, day(4), day(5)), ["special"])

    def test_an_exception_that_is_dragged_with_all_is_where_it_was_dragged_to(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=3", 1)
        self.edit(ada, self.instances(ada, master)[1], startLocal=local(2, "15:00:00"))
        self.edit(ada, self.instances(ada, master)[1], "all", startLocal=local(2, "16:00:00"), title="new")
        self.assertEqual(self.shown(ada), [local(1, "10:00:00"), local(2, "16:00:00"), local(3, "10:00:00")])
        self.assertEqual(self.titles(ada, day(1), day(9)), ["new"] * 3)

    def test_following_where_nothing_is_left_before(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=4", 1)
        items = self.instances(ada, master)
        self.assertEqual(self.remove(ada, items[0]).status, 204)
        changed = self.edit(ada, items[1], "following", title="rest")
        self.assertEqual((changed.status, changed.body.get("id")), (200, master["id"]), changed.body)
        self.assertEqual(self.titles(ada, day(1), day(9)), ["rest"] * 3)

    def test_the_last_one_moves_past_the_end(self):
        ada = self.user()
        master = self.series(ada, f"FREQ=DAILY;UNTIL={until(3)}", 1)
        changed = self.edit(ada, self.instances(ada, master)[2], "following", startLocal=local(7))
        self.assertEqual(changed.status, 200, changed.body)
        self.assertEqual(self.shown(ada), [local(1), local(2), local(7)])

    def test_following_from_an_extra_date_after_the_last(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=2", 1, rdates=[local(9, "15:00:00"), local(12)])
        extra = self.instances(ada, master)[2]
        changed = self.edit(ada, extra, "following", title="extra")
        self.assertEqual(changed.status, 200, changed.body)
        self.assertEqual(self.titles(ada, day(1), day(20)), ["a series"] * 2 + ["extra"] * 2)
        self.assertEqual(self.shown(ada), [local(1), local(2), local(9, "15:00:00"), local(12)])
        self.assertEqual(self.remove(ada, self.instances(ada, changed.body)[0], "following").status, 204)
        self.assertEqual(self.shown(ada), [local(1), local(2)])

    def test_another_rule_begins_with_the_extra_date_that_it_is_given_to(self):
        ada = self.user()
        master = self.series(ada, "FREQ=WEEKLY;COUNT=3", 1, rdates=[local(4)])
        extra = self.instances(ada, master)[1]
        changed = self.edit(ada, extra, "following", rrule="FREQ=DAILY;COUNT=3")
        self.assertEqual(changed.status, 200, changed.body)
        self.assertEqual(self.shown(ada), [local(n) for n in (1, 4, 5, 6)])

    def test_a_list_of_excluded_dates_takes_out_an_exception(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=3", 1)
        self.edit(ada, self.instances(ada, master)[1], title="special")
        changed = self.edit(ada, ada.get(f"{MASTERS}/{master['id']}").body, exdates=[local(2)])
        self.assertEqual((changed.status, changed.body.get("orphans")), (200, None), changed.body)
        self.assertEqual(self.shown(ada), [local(1), local(3)])

    def test_whole_days_have_no_times(self):
        ada = self.user()
        body = {"title": "x", "allDay": True, "startLocal": local(1, "00:00:00"), "endLocal": local(2, "00:00:00")}
        for fields, wrong in (({"rrule": "FREQ=HOURLY;COUNT=3"}, "rrule"),
                              ({"rrule": "FREQ=DAILY;COUNT=2", "rdates": [local(9)]}, "rdates")):
            answer = self.unchanged(ada, lambda fields=fields: ada.post(EVENTS, {**body, **fields}))
            self.assertEqual((answer.status, answer.fields()), (422, [wrong]))


if __name__ == "__main__":
    import unittest
    unittest.main()
