"""Calendars out of Nexus and into it: what other programs read in an export, what is taken of their files, and an account
copied to another."""

import datetime
import unittest
import zoneinfo

from calendar_case import BERLIN, EVENTS, INSTANCES, MASTERS, SETTINGS, day, local, utc
from case import TASKS
from interchange_case import CORPUS, EXPORT, IMPORT, InterchangeTest, file, judged, judges, vevent


def unfolded(text):
    return text.decode().replace("\r\n ", "").split("\r\n")


def offset_at(moment, zone="America/New_York"):
    """Of the clocks there from UTC, at 20280312T063000Z."""
    there = datetime.datetime.strptime(moment, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
    return there.astimezone(zoneinfo.ZoneInfo(zone)).utcoffset()


class Export(InterchangeTest):
    def full(self, user):
        """Something of every kind."""
        self.timed(user, "zoned", 3, tzid=BERLIN, description="one, two; three\\four\nfive", location="Zürich €",
                   tags=["b,c", "a"], reminderMinutes=[0, 15, 1440])
        self.timed(user, "in utc", 4)
        self.event(user, "floating", startLocal=local(5), endLocal=local(5, "10:30:00"), startTzid=None)
        self.event(user, "whole days", startLocal=local(6, "00:00:00"), endLocal=local(8, "00:00:00"), allDay=True)
        self.timed(user, "tokyo", 7, "23:30:00", "23:45:00", tzid="Asia/Tokyo")
        weekly = self.timed(user, "weekly", -20, tzid=BERLIN, rrule="FREQ=WEEKLY;BYDAY=MO,WE,FR",
                            reminderMinutes=[10], description="all of them")
        # Not at 01:30, which one day in autumn has twice: others take the second for the first (RFC 5545, 3.3.5).
        self.timed(user, "new york", -10, "00:30:00", "03:30:00", tzid="America/New_York", rrule="FREQ=DAILY;COUNT=200",
                   exdates=[local(3, "00:30:00")], rdates=[local(4, "05:30:00")])
        self.event(user, "days", startLocal=local(0, "00:00:00"), endLocal=local(1, "00:00:00"), allDay=True,
                   rrule=f"FREQ=WEEKLY;UNTIL={day(100).replace('-', '')}")
        self.event(user, "floats", startLocal=local(0, "07:00:00"), endLocal=local(0, "07:20:00"), startTzid=None,
                   rrule="FREQ=DAILY;INTERVAL=3;COUNT=30")
        self.timed(user, "unsynchronised", 1, rrule="FREQ=MONTHLY;BYMONTHDAY=15;COUNT=5")
        coming = [item for item in self.instances(user, weekly) if item["startLocal"] > local(2)]
        self.expect(200, self.edit(user, coming[0], title="moved", startLocal=coming[0]["startLocal"][:11] + "15:00:00",
                                   description="this one"))
        self.expect(200, self.edit(user, coming[1], startTzid="Asia/Tokyo", location="there"))
        self.expect(204, self.remove(user, coming[2]))
        user.task("a task", status="IN_PROGRESS", dueUtc=utc(2), priority=1, tags=["x"], description="do\nit")
        user.task("blocked", status="BLOCKED")
        done = user.task("done", status="TODO")
        self.expect(200, user.post(f"{TASKS}/{done['taskId']}/complete"))
        return weekly

    def test_is_text_as_the_standard_has_it(self):
        ada = self.user()
        self.full(ada)
        text = self.exported(ada)
        self.assertNotIn(b"\n", text.replace(b"\r\n", b""))
        self.assertLessEqual(max(len(line) for line in text.split(b"\r\n")), 75)
        for line in text.split(b"\r\n"):
            line.decode()  # no character is torn
        lines = unfolded(text)
        for expected in ("DESCRIPTION:one\\, two\\; three\\\\four\\nfive", "LOCATION:Zürich €", "CATEGORIES:a,b\\,c",
                         "TRIGGER:-PT1440M", "TRIGGER:PT0M", f"DTSTART;VALUE=DATE:{day(6).replace('-', '')}",
                         f"DTSTART:{local(5).replace('-', '').replace(':', '')}",
                         f"DTSTART;TZID={BERLIN}:{local(3).replace('-', '').replace(':', '')}", "TZID:America/New_York",
                         "STATUS:IN-PROCESS", "PRIORITY:1", f"DUE:{utc(2).replace('-', '').replace(':', '')}"):
            self.assertIn(expected, lines)
        self.assertEqual(sum(line.startswith("RECURRENCE-ID;TZID=Europe/Berlin") for line in lines), 2)
        uids = {line for line in lines if line.startswith("UID:")}
        self.assertTrue(all(uid.endswith("@cairn") for uid in uids), uids)

    def test_other_programs_read_the_same(self):
        """The agenda of the server, and those of libical and ical.js by the zones that the file defines."""
        ada = self.user()
        self.full(ada)
        text = self.exported(ada)
        start, end = utc(-25, "00:00:00"), utc(300, "00:00:00")
        ours = self.happens(ada, start, end)
        self.assertGreater(len(ours), 300)
        programs = judges()
        self.assertTrue(programs, "build ics_libical, and tools/install test")
        # Over a change of the clocks three hours stay three hours (RFC 5545, 3.8.5.3); ical.js adds them on the wall.
        across = [row for row in ours if row[2] == "new york" and offset_at(row[0]) != offset_at(row[1])]
        for name, command in programs.items():
            with self.subTest(program=name):
                theirs = judged(command, text, start, end)
                forgiven = across if name == "ical.js" else []
                self.assertEqual([row[::2] for row in theirs], [row[::2] for row in ours])
                self.assertEqual([row for row in ours if row not in theirs and row not in forgiven], [])

    def test_is_the_same_until_something_changes(self):
        ada = self.user()
        event = self.timed(ada, "once", 1)
        first = self.expect(200, ada.get(EXPORT))
        self.expect(304, ada.get(EXPORT, if_none_match=first.tag))
        self.assertEqual(ada.get(EXPORT).raw, first.raw)
        self.expect(200, self.edit(ada, event, title="twice"))
        second = self.expect(200, ada.get(EXPORT, if_none_match=first.tag))
        self.assertNotEqual(second.tag, first.tag)
        self.assertIn(b"SUMMARY:twice", second.raw)

    def test_of_nothing_is_a_calendar(self):
        text = self.exported(self.user())
        self.assertEqual(unfolded(text)[0], "BEGIN:VCALENDAR")
        for command in judges().values():
            self.assertEqual(judged(command, text, utc(0), utc(1)), [])

    def test_an_account_copied_to_another_has_the_same_agenda(self):
        ada, copy = self.user(), self.user()
        self.full(ada)
        text = self.exported(ada)
        told = self.imported(copy, text).body
        self.assertEqual((told["notUnderstood"], told["skipped"], told["remaining"]), ([], 0, 0))
        start, end = utc(-25, "00:00:00"), utc(300, "00:00:00")
        self.assertEqual(self.happens(copy, start, end), self.happens(ada, start, end))
        fields = ("title", "start", "end", "startTzid", "floating", "allDay", "location", "tags", "isException", "status",
                  "priority", "done")
        shown = [[{name: item.get(name) for name in fields} for item in self.agenda(user, start, end, tz=BERLIN,
                                                                                    types="EVENT,INSTANCE,TASK")]
                 for user in (ada, copy)]
        for item in shown[0] + shown[1]:
            item["tags"] = sorted(item["tags"] or [])
        key = lambda item: (item["start"], item["title"])  # noqa: E731
        self.assertEqual(sorted(shown[1], key=key), sorted(shown[0], key=key))
        self.assertEqual(copy.column("BLOCKED"), ["blocked"])
        # Again it changes nothing, and what is exported there is the same calendar.
        again = self.imported(copy, text).body
        self.assertEqual((again["created"], again["updated"]), (0, 0), again)
        self.assertEqual(again["unchanged"], told["created"])
        stamps = ("DTSTAMP", "CREATED", "LAST-MODIFIED", "UID:task_")
        plain = [sorted(line for line in unfolded(self.exported(user)) if not line.startswith(stamps))
                 for user in (ada, copy)]
        self.assertEqual(plain[1], plain[0])

    def test_into_the_same_account_changes_nothing(self):
        ada = self.user()
        self.full(ada)
        before = self.everything(ada)
        told = self.imported(ada, self.exported(ada)).body
        self.assertEqual((told["created"], told["updated"], told["skipped"]), (0, 0, 0), told)
        self.assertEqual(self.everything(ada), before)


class Import(InterchangeTest):
    def test_files_of_google_apple_and_outlook(self):
        ada = self.user()
        google = self.imported(ada, (CORPUS / "google.ics").read_bytes()).body
        self.assertEqual((google["created"], google["skipped"], google["notUnderstood"]), (3, 0, []))
        shown = self.agenda(ada, "2026-11-01", "2027-01-10", tz=BERLIN)
        titles = [(item["startLocal"], item["title"]) for item in shown if item["entityType"] != "REMINDER"]
        self.assertIn(("2026-11-24T11:00:00", "Stand-up (on Tuesday)"), titles)
        self.assertNotIn(("2026-11-23T09:30:00", "Stand-up"), titles)
        self.assertNotIn(("2026-11-09T09:30:00", "Stand-up"), titles)
        self.assertIn(("2026-11-30T09:30:00", "Stand-up"), titles)
        self.assertIn(("2026-12-24T00:00:00", "Christmas"), titles)
        review = next(item for item in shown if item["title"] == "Review" and item["entityType"] == "EVENT")
        self.assertEqual(review["location"], "Room 4, Hauptstraße 1, Berlin")
        self.assertEqual(ada.get(f"{EVENTS}/{review['id']}").body["description"],
                         "Agenda:\n1. numbers, figures\n2. <b>next</b> steps; who")
        self.assertEqual(ada.get(f"{EVENTS}/{review['id']}").body["reminderMinutes"], [30])
        apple = self.imported(ada, (CORPUS / "apple.ics").read_bytes()).body
        self.assertEqual((apple["created"], apple["skipped"], apple["notUnderstood"]), (3, 0, []))
        outlook = self.imported(ada, (CORPUS / "outlook.ics").read_bytes()).body
        self.assertEqual((outlook["created"], outlook["skipped"]), (1, 1))
        note, = outlook["notUnderstood"]
        self.assertEqual((note["component"], note["property"]), ("VEVENT", "DTSTART"))
        self.assertIn("Customized Time Zone", note["reason"])
        planning = [item for item in self.agenda(ada, "2026-11-30", "2027-01-10", tz=BERLIN) if item["title"] == "Planung"]
        self.assertEqual([item["startLocal"] for item in planning if item["entityType"] == "INSTANCE"],
                         [f"2026-{d}T10:00:00" for d in ("11-30", "12-07", "12-14", "12-21")])

    def test_the_same_uid_changes_what_is_there(self):
        ada = self.user()
        first = vevent("one@x", f":{utc(1).replace('-', '').replace(':', '')}", summary="before")
        self.assertEqual(self.counts(ada, file(first)), (1, 0, 0, 0))
        self.assertEqual(self.counts(ada, file(first)), (0, 0, 1, 0))
        changed = vevent("one@x", f":{utc(2).replace('-', '').replace(':', '')}", summary="after")
        self.assertEqual(self.counts(ada, file(changed)), (0, 1, 0, 0))
        self.assertEqual(self.titles(ada, day(0), day(5), types="EVENT"), ["after"])
        item = next(item for item in self.everything(ada) if item["entityType"] == "EVENT")
        self.assertEqual((item["uid"], item["version"]), ("one@x", 2))
        # The same UID of someone else is another event.
        eve = self.user()
        self.assertEqual(self.counts(eve, file(first)), (1, 0, 0, 0))
        self.assertEqual(self.titles(ada, day(0), day(5), types="EVENT"), ["after"])

    def series_file(self, *more, rule="FREQ=DAILY;COUNT=10", summary="daily"):
        start = f";TZID={BERLIN}:{local(1).replace('-', '').replace(':', '')}"
        return file(vevent("s@x", start, f"RRULE:{rule}", "DURATION:PT1H", summary=summary), *more)

    def edited(self, offset, to_hour, summary, *more):
        digits = lambda text: text.replace("-", "").replace(":", "")  # noqa: E731
        return vevent("s@x", f";TZID={BERLIN}:{digits(local(offset, f'{to_hour}:00:00'))}",
                      f"RECURRENCE-ID;TZID={BERLIN}:{digits(local(offset))}", "DURATION:PT2H", *more, summary=summary)

    def shown(self, user):
        return [(item["startLocal"][11:13], item["title"]) for item in
                self.agenda(user, day(0), day(30), tz=BERLIN, types="EVENT,INSTANCE")]

    def test_a_series_follows_its_file(self):
        ada = self.user()
        plain = [("09", "daily")] * 10
        self.assertEqual(self.counts(ada, self.series_file()), (1, 0, 0, 0))
        self.assertEqual(self.shown(ada), plain)
        one = self.series_file(self.edited(3, "15", "moved"))
        self.assertEqual(self.counts(ada, one), (0, 1, 0, 0))
        self.assertEqual(self.shown(ada), plain[:2] + [("15", "moved")] + plain[3:])
        self.assertEqual(self.counts(ada, one), (0, 0, 1, 0))
        # Another one edited, the first one taken back, and one cancelled.
        other = self.series_file(self.edited(5, "16", "other"), self.edited(6, "09", "x", "STATUS:CANCELLED"))
        self.assertEqual(self.counts(ada, other), (0, 1, 0, 0))
        self.assertEqual(self.shown(ada), plain[:4] + [("16", "other")] + plain[6:])
        self.assertEqual(self.counts(ada, other), (0, 0, 1, 0))
        # Another rule; then no series at all.
        self.assertEqual(self.counts(ada, self.series_file(rule="FREQ=DAILY;COUNT=2", summary="two")), (0, 1, 0, 0))
        self.assertEqual(self.shown(ada), [("09", "two")] * 2)
        once = file(vevent("s@x", f";TZID={BERLIN}:{local(1).replace('-', '').replace(':', '')}", summary="once"))
        self.assertEqual(self.counts(ada, once), (1, 0, 0, 0))
        self.assertEqual(self.shown(ada), [("09", "once")])
        self.assertEqual(self.counts(ada, self.series_file()), (1, 0, 0, 0))
        self.assertEqual(self.shown(ada), plain)

    def test_a_series_with_hundreds_of_edited_occurrences(self):
        ada = self.user()
        edits = [self.edited(offset, "15", f"edited {offset}", "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM")
                 for offset in range(1, 251)]
        text = self.series_file(*edits, rule="FREQ=DAILY;COUNT=300")
        self.assertEqual(self.counts(ada, text), (1, 0, 0, 0))
        self.assertEqual(len(self.agenda(ada, day(0), day(400), types="INSTANCE")), 300)
        master = next(item for item in self.everything(ada) if item["entityType"] == "MASTER")
        instances = self.instances(ada, master["masterId"])
        self.assertEqual(sum(item["isException"] for item in instances), 250)
        self.assertEqual(len(instances), 300)
        self.assertEqual(self.counts(ada, text), (0, 0, 1, 0))
        self.assertEqual(self.counts(ada, self.series_file(rule="FREQ=DAILY;COUNT=300")), (0, 1, 0, 0))
        self.assertEqual(sum(item["isException"] for item in self.instances(ada, master["masterId"])), 0)

    def test_edited_occurrences_long_ago_stay_what_they_are(self):
        ada = self.user()
        text = file(vevent("old@x", ":20240101T090000Z", "RRULE:FREQ=DAILY", summary="old"),
                    vevent("old@x", ":20240203T150000Z", "RECURRENCE-ID:20240202T090000Z", summary="then"))
        self.assertEqual(self.counts(ada, text), (1, 0, 0, 0))
        self.assertEqual(self.counts(ada, text), (0, 0, 1, 0))
        self.assertIn("then", self.titles(ada, "2024-02-03", "2024-02-04"))
        self.assertIn("old", self.titles(ada, day(0), day(2)))
        again = self.user()
        self.imported(again, self.exported(ada))
        self.assertIn("then", self.titles(again, "2024-02-03", "2024-02-04"))

    def test_tasks(self):
        ada = self.user()
        self.expect(200, ada.patch(SETTINGS, {"timezone": BERLIN}))
        text = file(("VTODO", "UID:t1", "SUMMARY:first", "DUE;VALUE=DATE:20270110", "PRIORITY:9"),
                    ("VTODO", "UID:t2", "SUMMARY:second", "STATUS:COMPLETED", "COMPLETED:20260101T100000Z"),
                    ("VTODO", "UID:t3", "SUMMARY:third", "RRULE:FREQ=DAILY", "DTSTART:20270101T090000Z"))
        told = self.imported(ada, text).body
        self.assertEqual((told["created"], told["skipped"]), (2, 1))
        first, = ada.cards("TODO")
        self.assertEqual((first["title"], first["dueUtc"], first["priority"]), ("first", "2027-01-10T22:59:00Z", 4))
        done, = ada.cards("DONE")
        self.assertEqual(done["completedAt"], "2026-01-01T10:00:00Z")
        self.assertEqual(self.counts(ada, text), (0, 0, 2, 1))
        changed = file(("VTODO", "UID:t1", "SUMMARY:first", "STATUS:COMPLETED"))
        self.assertEqual(self.counts(ada, changed), (0, 1, 0, 0))
        self.assertEqual(len(ada.cards("DONE")), 2)

    def test_a_task_goes_to_another_account_and_comes_back_as_itself(self):
        ada, bob = self.user(), self.user()
        own = ada.made(TASKS, {"title": "own", "dueUtc": "2027-01-10T09:00:00Z", "status": "TODO"})
        self.counts(ada, file(("VTODO", "UID:of-others", "SUMMARY:other")))
        self.assertEqual(self.counts(bob, self.exported(ada))[:2], (2, 0))
        there = self.exported(bob)
        for uid in ("of-others", f"{own['taskId']}@cairn"):
            self.assertIn(f"UID:{uid}", unfolded(there))
        self.assertEqual(self.counts(ada, there), (0, 0, 2, 0))

    def test_reports_what_it_does_not_understand(self):
        ada = self.user()
        text = file(vevent("a", ":tomorrow"), vevent("b", ":20261116T090000Z", "RRULE:FREQ=SOMETIMES"),
                    ("VJOURNAL", "UID:c"), vevent("d", ":20261116T090000Z", "DTEND:20261115T090000Z"),
                    vevent("e", ":18000101T000000Z"), vevent("f", ":20261116T090000Z", "STATUS:CANCELLED"))
        told = self.imported(ada, text).body
        self.assertEqual((told["created"], told["skipped"]), (1, 5))
        self.assertEqual([(note["line"], note["component"], note["property"]) for note in told["notUnderstood"]],
                         [(6, "VEVENT", "DTSTART"), (13, "VEVENT", "RRULE"), (15, "VJOURNAL", ""), (22, "VEVENT", "DTEND"),
                          (26, "VEVENT", "DTSTART"), (29, "VEVENT", "STATUS")])
        self.assertEqual(told["notUnderstoodTotal"], 6)

    def test_what_is_no_calendar_is_refused(self):
        ada = self.user()
        for body in (b"x", b"<html></html>", b"\0" * 1000, b"BEGIN:VEVENT\nEND:VEVENT\n", b"\xff\xfe"):
            self.unchanged(ada, lambda body=body: self.expect(422, self.imported(ada, body, 422), "not-a-calendar"))
        many = b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nEND:VEVENT\n" * 20_000 + b"END:VCALENDAR\n"
        self.expect(422, self.imported(ada, many, 422), "too-many-components")
        self.imported(ada, b"BEGIN:VCALENDAR\nX:" + b"x" * (5 << 20) + b"\nEND:VCALENDAR\n", 413)
        answer = ada.send("POST", IMPORT, b"{}", None, {"Content-Type": "application/json"})
        self.expect(415, answer)

    def test_torn_files_bring_what_is_whole(self):
        whole = (CORPUS / "google.ics").read_bytes()
        for cut in range(0, len(whole), 97):
            answer = self.user("torn").send("POST", IMPORT, whole[:cut], None, {"Content-Type": "text/calendar"})
            self.assertIn(answer.status, (200, 422), answer)
        self.imported(self.user("torn"), whole)
        self.assertEqual(self.counts(self.user("torn"), whole), (0, 0, 3, 0))

    def test_thousands_of_events_in_one_file(self):
        ada = self.user()
        first = datetime.datetime(2026, 1, 1)
        events = [vevent(f"many-{i}@x", ":" + (first + datetime.timedelta(hours=i)).strftime("%Y%m%dT%H%M%SZ"),
                         summary=f"event {i}") for i in range(2_000)]
        text, created = file(*events), 0
        for _ in range(20):
            told = self.imported(ada, text).body
            created += told["created"]
            if told["remaining"] == 0:
                break
        self.assertEqual((created, told["remaining"]), (2_000, 0))
        self.assertEqual(len(self.agenda(ada, "2026-01-01", "2026-06-01", types="EVENT")), 2_000)

    def test_a_key_makes_it_one_import(self):
        ada = self.user()
        text = file(vevent("k", ":20261116T090000Z"))
        self.imported(ada, text, **{"Idempotency-Key": "k1"})
        again = self.imported(ada, text, **{"Idempotency-Key": "k1"})
        self.assertTrue(again.replayed)
        self.assertEqual(again.body["created"], 1)

    def test_what_was_imported_can_be_edited_and_deleted(self):
        ada = self.user()
        self.imported(ada, self.series_file(self.edited(3, "15", "moved")))
        instance = next(item for item in self.agenda(ada, day(0), day(30)) if item["title"] == "moved")
        path = f"{INSTANCES}/{instance['id']}"
        self.expect(200, ada.change(path, {"title": "mine"}, instance["version"]))
        master = ada.get(f"{MASTERS}/{instance['masterId']}").body
        self.expect(204, ada.delete(f"{MASTERS}/{master['id']}", if_match=f'"{master["version"]}"'))
        self.assertEqual(self.titles(ada, day(0), day(30), types="EVENT,INSTANCE"), [])


if __name__ == "__main__":
    unittest.main()
