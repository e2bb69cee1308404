"""The agenda: one list of events, occurrences, tasks and reminders for any window, zone and year."""

import datetime
import zoneinfo

from calendar_case import AGENDA, BERLIN, REMINDERS, SETTINGS, CalendarTest, day, utc
from case import TASKS
from chance import seeded_random


def as_utc(wall, zone):
    """The instant of a wall time in a zone, as a UTC time without one."""
    moment = wall.replace(tzinfo=zoneinfo.ZoneInfo(zone))
    return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)


class Agenda(CalendarTest):
    def test_everything_is_in_the_order_of_time(self):
        ada = self.user()
        self.timed(ada, "event", 3, "09:00:00", "10:00:00")
        ada.made(TASKS, {"title": "task", "status": "TODO", "dueUtc": utc(3, "08:00:00")})
        ada.made(REMINDERS, {"title": "reminder", "triggerUtc": utc(3, "09:30:00")})
        self.series(ada, "FREQ=DAILY;COUNT=2", 3, "occurrence", start="07:00:00", end="07:30:00")
        shown = self.agenda(ada, day(3), day(4))
        self.assertEqual([item["title"] for item in shown], ["occurrence", "task", "event", "reminder"])
        self.assertEqual([item["entityType"] for item in shown], ["INSTANCE", "TASK", "EVENT", "REMINDER"])
        self.assertEqual(self.titles(ada, day(3), day(4), types="TASK,REMINDER"), ["task", "reminder"])
        self.assertEqual(self.titles(ada, day(4), day(5)), ["occurrence"])

    def test_events_that_began_before_the_window(self):
        ada = self.user()
        self.event(ada, "three days", startLocal="2026-12-31T00:00:00", endLocal="2027-01-03T00:00:00", allDay=True)
        self.event(ada, "half a year", startLocal="2026-10-01T00:00:00", endLocal="2027-04-01T00:00:00", allDay=True)
        self.event(ada, "over", startLocal="2026-12-31T08:00:00", endLocal="2027-01-02T00:00:00", startTzid="UTC")
        self.assertEqual(self.titles(ada, "2027-01-02", "2027-01-03"), ["half a year", "three days"])
        self.assertEqual(self.titles(ada, "2027-01-03", "2027-01-04"), ["half a year"])
        self.assertEqual(self.titles(ada, "2027-04-01", "2027-04-02"), [])

    def test_a_window_across_new_year(self):
        ada = self.user()
        for title, start in (("old", "2026-12-31T22:00:00Z"), ("new", "2027-01-01T01:00:00Z")):
            self.event(ada, title, startUtc=start, endUtc=start[:14] + "30:00Z", startTzid="UTC")
        answer = ada.get(f"{AGENDA}/week/2026-12-30")
        self.assertEqual([item["title"] for item in answer["items"]], ["old", "new"])
        self.assertEqual((answer["from"], answer["to"]), ("2026-12-28T00:00:00Z", "2027-01-04T00:00:00Z"))

    def test_pages_over_several_years_lose_and_repeat_nothing(self):
        ada = self.user()
        made = []
        for number in range(60):
            year, month = 2024 + number // 12, number % 12 + 1
            title = f"{year}-{month:02}"
            floats = {} if number % 3 == 0 else {"startTzid": "UTC"}
            self.event(ada, title, startLocal=f"{title}-01T12:00:00", endLocal=f"{title}-01T13:00:00", **floats)
            made.append(title)
        for limit in (1, 7, 100):
            self.assertEqual(self.titles(ada, "2024-01-01", "2029-01-01", limit=limit, tz="Pacific/Kiritimati"), made)

    def test_floating_and_zoned_events_mix_where_the_viewer_is(self):
        ada = self.user()
        self.event(ada, "floating seven", startLocal="2026-07-01T07:00:00", endLocal="2026-07-01T07:30:00")
        self.event(ada, "berlin nine", startLocal="2026-07-01T09:00:00", endLocal="2026-07-01T09:30:00",
                   startTzid=BERLIN)
        for zone, order in ((BERLIN, ["floating seven", "berlin nine"]), ("Asia/Tokyo", ["floating seven", "berlin nine"]),
                            ("America/New_York", ["berlin nine", "floating seven"])):
            for limit in (1, 100):
                shown = self.titles(ada, "2026-06-30", "2026-07-03", tz=zone, limit=limit)
                self.assertEqual(shown, order, (zone, limit))
        # At the edges: seven o'clock of the 1st is on the 1st everywhere.
        for zone in ("Pacific/Kiritimati", "Etc/GMT+12", "Pacific/Pago_Pago"):
            self.assertIn("floating seven", self.titles(ada, "2026-07-01", "2026-07-02", tz=zone), zone)
            self.assertNotIn("floating seven", self.titles(ada, "2026-07-02", "2026-07-03", tz=zone), zone)

    def test_any_window_in_any_zone_shows_what_it_should(self):
        """Floating, zoned and whole-day events around the days when clocks change, against a list of all of them."""
        chance = seeded_random()
        zones = ("Pacific/Kiritimati", "Etc/GMT+12", BERLIN, "America/New_York", "Australia/Lord_Howe", "UTC")
        for first in (datetime.datetime(2027, 3, 12), datetime.datetime(2026, 10, 23), datetime.datetime(2026, 10, 30),
                      datetime.datetime(2026, 12, 29)):
            ada, made = self.user(), []
            for number in range(60):
                start = first + datetime.timedelta(minutes=15 * chance.randrange(6 * 96))
                end = start + datetime.timedelta(minutes=15 * chance.choice((1, 4, 30, 200, 1_000)))
                zone = chance.choice((None, *zones))
                if chance.random() < 0.1:
                    zone, start = None, start.replace(hour=0, minute=0)
                    end = start + datetime.timedelta(days=chance.choice((1, 2, 40)))
                fields = ({"startLocal": start.isoformat(), "endLocal": end.isoformat()} if zone is None else
                          {"startUtc": f"{start.isoformat()}Z", "endUtc": f"{end.isoformat()}Z", "startTzid": zone})
                made.append((start, end, zone, self.event(ada, f"{number}", **fields)))
            for _ in range(25):
                viewer = chance.choice(zones)
                low = first + datetime.timedelta(minutes=15 * chance.randrange(-96, 7 * 96))
                high = low + datetime.timedelta(minutes=15 * chance.choice((1, 96, 700)))
                expected = []
                for start, end, zone, event in made:
                    span = [side if zone else as_utc(side, viewer) for side in (start, end)]
                    if span[1] > low and span[0] < high:
                        expected.append((span[0], event["id"]))
                shown = self.agenda(ada, f"{low.isoformat()}Z", f"{high.isoformat()}Z", tz=viewer,
                                    limit=chance.choice((1, 3, 20, 100)))
                self.assertEqual([item["id"] for item in shown], [event for _, event in sorted(expected)],
                                 (viewer, low, high))

    def test_pages_of_what_began_when_the_clocks_were_otherwise(self):
        """In New York, whose clocks change on the 14th: what began before is five hours from UTC, the window four."""
        ada = self.user()
        self.event(ada, "zoned", startUtc="2027-03-10T16:30:00Z", endUtc="2027-03-25T16:30:00Z", startTzid="UTC")
        self.event(ada, "floating", startLocal="2027-03-10T12:00:00", endLocal="2027-03-25T12:00:00")
        for limit in (1, 100):
            self.assertEqual(self.titles(ada, "2027-03-20", "2027-03-21", tz="America/New_York", limit=limit),
                             ["zoned", "floating"], limit)

    def test_days_of_23_and_25_hours(self):
        ada = self.user()
        for date, hours in (("2026-03-29", 23), ("2026-10-25", 25)):
            answer = ada.get(f"{AGENDA}/day/{date}", {"tz": BERLIN})
            start, end = (int(answer[side][8:10]) * 24 + int(answer[side][11:13]) for side in ("from", "to"))
            self.assertEqual(end - start, hours)

    def test_tasks_enter_and_leave(self):
        ada = self.user()
        task = ada.made(TASKS, {"title": "t", "status": "TODO", "dueUtc": utc(2)})
        path = f"{TASKS}/{task['taskId']}"
        self.assertEqual(self.titles(ada, day(2), day(3)), ["t"])
        ada.change(path, {"dueUtc": None}, 1)
        self.assertEqual(self.titles(ada, day(2), day(3)), [])
        ada.change(path, {"dueUtc": utc(2), "status": "BACKLOG"}, 2)
        self.assertEqual(self.titles(ada, day(2), day(3)), [])
        ada.change(path, {"status": "IN_PROGRESS"}, 3)
        self.assertEqual(self.titles(ada, day(2), day(3)), ["t"])
        ada.post(f"{path}/complete", {})
        shown, = self.agenda(ada, day(2), day(3))
        self.assertTrue(shown["done"])
        self.assertEqual(self.titles(ada, day(2), day(3), hideDone="true"), [])

    def test_overdue_tasks_of_the_last_ninety_days(self):
        ada = self.user()
        for title, offset, status in (("late", -3, "TODO"), ("very late", -89, "BLOCKED"), ("ancient", -100, "TODO"),
                                      ("finished", -3, "DONE"), ("coming", 3, "TODO")):
            ada.made(TASKS, {"title": title, "status": status, "dueUtc": utc(offset)})
        answer = ada.get(AGENDA, {"from": day(0), "to": day(1), "overdue": "true"})
        self.assertEqual([item["title"] for item in answer["overdue"]], ["very late", "late"])
        self.assertNotIn("overdue", ada.get(AGENDA, {"from": day(0), "to": day(1)}).body)

    def test_wrong_questions(self):
        ada, eve = self.user(), self.user()
        ada.strict = False
        for query in ({"from": "x", "to": day(1)}, {"from": day(1)}, {"from": day(1), "to": day(1)},
                      {"from": day(1), "to": day(0)}, {"from": "2020-01-01", "to": "2045-01-01"},
                      {"from": day(0), "to": day(1), "tz": "Mars/Olympus"}, {"from": day(0), "to": day(1), "limit": 101},
                      {"from": day(0), "to": day(1), "types": "NOTE"}, {"from": day(0), "to": day(1), "cursor": "x"}):
            self.assertEqual(ada.get(AGENDA, query).status, 400, query)
        self.assertEqual(ada.get(f"{AGENDA}/month/2026-13").status, 400)
        self.timed(ada, "a", 1)
        self.timed(ada, "b", 1)
        cursor = ada.get(AGENDA, {"from": day(1), "to": day(2), "limit": 1})["nextCursor"]
        for who, query in ((eve, {"from": day(1), "to": day(2)}), (ada, {"from": day(1), "to": day(3)})):
            who.strict = False
            self.assertEqual(who.get(AGENDA, {**query, "limit": 1, "cursor": cursor}).status, 400)

    def test_the_zone_of_the_settings_is_the_viewers(self):
        ada = self.user()
        ada.patch(SETTINGS, {"timezone": "Asia/Tokyo"})
        answer = ada.get(f"{AGENDA}/day/2026-07-01")
        self.assertEqual((answer["tz"], answer["from"]), ("Asia/Tokyo", "2026-06-30T15:00:00Z"))
        month = ada.get(f"{AGENDA}/month/2026-07")
        self.assertEqual((month["from"], month["to"]), ("2026-06-30T15:00:00Z", "2026-07-31T15:00:00Z"))

    def test_users_with_ids_that_begin_alike_see_their_own(self):
        ab, abc = self.user("ab"), self.user("abc")
        self.timed(ab, "of ab", 1)
        self.timed(abc, "of abc", 1)
        self.assertEqual(self.titles(ab, day(1), day(2)), ["of ab"])
        self.assertEqual(self.titles(abc, day(1), day(2)), ["of abc"])


if __name__ == "__main__":
    import unittest
    unittest.main()
