"""What one person's calendar may take: dense series, files that become many items, and the room there is."""

import datetime

from calendar_case import AGENDA, EVENTS, MASTERS, CalendarTest, day, local
from interchange_case import file, vevent, IMPORT
import tables
from wait import wait_until

USAGE = "/api/account/usage"


def series_jobs(test, user):
    """The moments of all jobs of a user's series."""
    found, start = [], {}
    while True:
        page = test.dynamodb().scan(TableName="CairnJobs", ConsistentRead=True, **start)
        found += [tables.plain(item) for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            break
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    return [item["SK"].partition("#")[0] for item in found
            if item.get("kind") == "nexus-series" and item.get("userId") == user.id]


def rests(test, user):
    """Nothing is to be done for the user's series just now."""
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=20)
    jobs = series_jobs(test, user)
    return jobs and min(jobs) > soon.isoformat()


class DenseSeries(CalendarTest):
    def test_keeps_some_thousands_ahead_and_rests(self):
        ada = self.user()
        master = self.series(ada, "FREQ=MINUTELY;INTERVAL=10", 0, end="09:05:00")
        wait_until(lambda: rests(self, ada), 120, "all work on the series to be done for now")
        count = len(self.instances(ada, master))
        self.assertGreater(count, 2_000)
        self.assertLess(count, 3_000, "62,000 occurrences of 430 days are too many")
        # What has no items is shown all the same.
        far = self.agenda(ada, day(200), day(201), limit=100)
        self.assertEqual(len(far), 144)
        self.assertTrue(all(item["isVirtual"] for item in far))
        near = self.agenda(ada, day(3), day(4), limit=100)
        self.assertEqual(len(near), 144)
        self.assertFalse(any(item.get("isVirtual") for item in near))
        self.assertEqual(len(self.instances(ada, master)), count, "reading makes nothing")

    def test_a_window_over_the_end_of_what_is_kept_has_no_hole(self):
        bob = self.user()
        master = self.series(bob, "FREQ=MINUTELY;INTERVAL=15", 0, end="09:05:00")
        wait_until(lambda: rests(self, bob), 120, "all work on the series to be done for now")
        self.assertGreater(len(self.instances(bob, master)), 2_000)
        shown = [item["startLocal"] for item in self.agenda(bob, day(2), day(90), limit=100)]
        self.assertEqual(len(shown), 88 * 96)
        self.assertEqual(len(set(shown)), len(shown))
        self.assertEqual(shown[0], local(2, "00:00:00"))

    def test_of_a_dense_series_that_began_long_ago_the_past_is_not_kept(self):
        cy = self.user()
        master = self.series(cy, "FREQ=MINUTELY;INTERVAL=10", -100, end="09:05:00")
        wait_until(lambda: rests(self, cy), 120, "all work on the series to be done for now")
        items = self.instances(cy, master)
        self.assertLess(len(items), 3_000)
        self.assertEqual(items[0]["startLocal"][:10], day(-1))
        self.assertEqual(len(self.agenda(cy, day(-20), day(-19), limit=100)), 144, "it is shown all the same")
        self.expect(200, self.edit(cy, self.expect(200, cy.get(f"{MASTERS}/{master['id']}")).body, title="another"))
        self.assertLess(len(self.instances(cy, master)), 3_000)
        self.assertEqual(set(self.titles(cy, day(2), day(3), limit=100)), {"another"})


class ManySeries(CalendarTest):
    """A small file must not become very much: what is kept ahead is shared by the series of a file."""

    COUNT = 120

    def test_what_is_kept_is_shared(self):
        ada = self.user()
        begin = local(1).replace("-", "").replace(":", "")
        moved, to = (local(390, time).replace("-", "").replace(":", "") for time in ("09:00:00", "13:00:00"))
        text = file(*(vevent(f"s{i}", f":{begin}Z", "DURATION:PT1H", "RRULE:FREQ=DAILY", summary=f"series {i}")
                      for i in range(self.COUNT)),
                    vevent("weekly", f":{begin}Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY", summary="weekly"),
                    vevent("s7", f":{to}Z", f"RECURRENCE-ID:{moved}Z", "DURATION:PT1H", summary="edited"))
        answer = self.imported(ada, text)
        self.assertIn("very many recurring events", str(answer["notUnderstood"]))
        kept = self.kept(ada)
        self.assertGreater(kept, 12_000)
        self.assertLess(kept, 17_000, "52,000 occurrences of 430 days are too many")
        wait_until(lambda: ada.get(USAGE)["items"] == kept, 30, "the count, which comes after the writes")
        # Near ones are items, far ones are shown all the same, each once.
        near = self.agenda(ada, day(10), day(11), limit=100)
        self.assertEqual(len(near), self.COUNT)
        self.assertFalse(any(item.get("isVirtual") for item in near))
        far = self.agenda(ada, day(390), day(391), limit=100)
        self.assertEqual(sorted(item["title"] for item in far),
                         sorted(["edited", *(f"series {i}" for i in range(self.COUNT) if i != 7)]))
        self.assertTrue(all(item["isVirtual"] for item in far if item["title"] != "edited"))
        # Who wants little has all of it.
        weekly, = (item for item in self.agenda(ada, day(8), day(9), limit=100) if item["title"] == "weekly")
        self.assertEqual(len(self.instances(ada, weekly["masterId"])), 62)
        # The same again changes nothing.
        again = self.imported(ada, text)
        self.assertEqual((again["created"], again["unchanged"]), (0, self.COUNT + 1))
        self.assertEqual(self.kept(ada), kept)

    def kept(self, user):
        """How many items the store has of a user."""
        pages = self.dynamodb().get_paginator("scan").paginate(
            TableName="ProductivityData", Select="COUNT", ConsistentRead=True, FilterExpression="begins_with(PK, :pk)",
            ExpressionAttributeValues={":pk": {"S": f"USER#{user.id}"}})
        return sum(page["Count"] for page in pages)

    def imported(self, user, text):
        """All of it: a call works for twenty seconds."""
        while True:
            answer = self.expect(200, user.send("POST", IMPORT, text, None, {"Content-Type": "text/calendar"}))
            if answer["remaining"] == 0:
                return answer


class SmallRoom(CalendarTest):
    flags = ("--user-items", "3000")

    def test_a_file_that_becomes_many_items_stops_at_the_limit(self):
        ada = self.user()
        begin = local(1).replace("-", "").replace(":", "")
        text = file(*(vevent(f"s{i}", f":{begin}Z", "RRULE:FREQ=DAILY", summary=f"series {i}")
                      for i in range(200)))
        answer = ada.send("POST", IMPORT, text, None, {"Content-Type": "text/calendar"})
        self.expect(200, answer)
        self.assertGreater(answer["remaining"], 0, "86,000 occurrences are too many")
        self.assertIn("You keep", answer["notUnderstood"][-1]["reason"])
        usage = ada.get(USAGE)
        self.assertGreaterEqual(usage["items"], 3_000)
        self.assertLess(usage["items"], 12_000)
        again = ada.send("POST", IMPORT, text, None, {"Content-Type": "text/calendar"})
        self.expect(413, again, "quota-exceeded")
        self.expect(413, ada.post(EVENTS, {"title": "one more", "startLocal": local(1), "endLocal": local(2),
                                           "startTzid": "UTC"}), "quota-exceeded")
        self.expect(200, ada.get(AGENDA, {"from": day(1), "to": day(2)}))
        self.expect(200, ada.get("/api/nexus/calendar.ics"))
