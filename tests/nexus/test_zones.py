"""A zone that changes its law between two starts of the server: what is to come moves, what is past stays.

The server reads zones of the test's own (TZDIR), compiled with zic.
"""

import datetime
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from calendar_case import EVENTS, REMINDERS, SETTINGS, CalendarTest, day, local, utc
from case import at_once
from wait import wait_until

TOWN, VILLAGE = "Test/Town", "Test/Village"
FORM = "%Y-%m-%dT%H:%M:%S"


def now():
    return datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None, microsecond=0)


class ZoneTest(CalendarTest):
    scans = None  # the work goes over the whole table

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="cairn-zones-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        # Both two hours ahead for ever.
        cls.compile(f"Zone {TOWN} 2:00 - TT\nZone {VILLAGE} 2:00 - TV\n")
        before = os.environ.get("TZDIR")
        cls.addClassCleanup(lambda: os.environ.pop("TZDIR") if before is None else os.environ.update(TZDIR=before))
        os.environ["TZDIR"] = cls.folder
        super().setUpClass()

    @classmethod
    def compile(cls, rules):
        source = pathlib.Path(cls.folder, "rules.txt")
        source.write_text(f"Zone UTC 0 - UTC\n{rules}")
        zic = shutil.which("zic", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
        subprocess.run([zic, "-d", cls.folder, str(source)], check=True)

    def change_law(self, changes_on):
        """From that day on the town, and since yesterday the village, are three hours ahead."""
        until = lambda moment: moment.strftime("%Y %b %d 0:00")
        yesterday = now() - datetime.timedelta(days=1)
        self.compile(f"Zone {TOWN} 2:00 - TT {until(changes_on)}\n\t\t3:00 - TT\n"
                     f"Zone {VILLAGE} 2:00 - TV {until(yesterday)}\n\t\t3:00 - TV\n")

    def scanned(self):
        metrics = self.user("operator", role="operator").get("/metrics").raw.decode()
        return "\ncairn_request_scans_total 0\n" not in metrics

    def conforms(self):
        answer = self.user("operator", role="operator").get("/api/admin/conformance", {"limit": 1000})
        return answer.status == 200 and not answer.body["findings"]


class Changing(ZoneTest):
    def triggers(self, user):
        return sorted(one["triggerUtc"] for one in user.pages(REMINDERS, limit=100) if one["state"] == "SCHEDULED")

    def test_what_is_to_come_moves(self):
        ada = self.user()
        ada.patch(SETTINGS, {"timezone": TOWN})
        later = self.timed(ada, "later", 5, tzid=TOWN, reminderMinutes=[30])
        long = self.event(ada, "long", startLocal=local(1), endLocal=local(6), startTzid=TOWN)
        past = self.timed(ada, "past", -2, tzid=TOWN)
        self.timed(ada, "elsewhere", 5, "10:00:00", "11:00:00", tzid="UTC")
        floating = self.event(ada, "floating", startLocal=local(5, "12:00:00"), endLocal=local(5, "13:00:00"),
                              reminderMinutes=[10])
        master = self.timed(ada, "daily", 4, tzid=TOWN, rrule="FREQ=DAILY;COUNT=4", reminderMinutes=[15])
        old = self.timed(ada, "old", -5, tzid=VILLAGE, rrule="FREQ=DAILY;COUNT=10")
        moved = self.edit(ada, self.instances(ada, master)[1], startLocal=local(5, "15:00:00")).body
        moved = self.edit(ada, moved, reminderMinutes=[20]).body
        self.assertEqual(later["startUtc"], utc(5, "07:00:00"))
        self.assertEqual(self.triggers(ada), [utc(4, "06:45:00"), utc(5, "06:30:00"), utc(5, "09:50:00"),
                                              utc(5, "12:40:00")])
        self.restart()  # by the same rules
        self.assertFalse(self.scanned())
        was_old = {one["startLocal"]: one["startUtc"] for one in self.instances(ada, old)}

        self.server.kill()
        self.change_law(now() + datetime.timedelta(days=3))
        self.server.start()
        ada.hang_up()
        self.user("operator", role="operator").hang_up()
        wait_until(lambda: self.triggers(ada) == [utc(4, "05:45:00"), utc(5, "05:30:00"), utc(5, "08:50:00"),
                                                  utc(5, "11:40:00")], 60, f"reminders to move: {self.triggers(ada)}")
        after = ada.get(f"{EVENTS}/{later['id']}").body
        self.assertEqual((after["startLocal"], after["startUtc"], after["endUtc"], after["version"]),
                         (local(5), utc(5, "06:00:00"), utc(5, "07:00:00"), later["version"] + 1))
        after = ada.get(f"{EVENTS}/{long['id']}").body
        self.assertEqual((after["startUtc"], after["endUtc"]), (utc(1, "07:00:00"), utc(6, "06:00:00")))
        for same in (past, floating):
            self.assertEqual(ada.get(f"{EVENTS}/{same['id']}").body, same)
        self.assertEqual([(one["startLocal"], one["startUtc"]) for one in self.instances(ada, master)],
                         [(local(4), utc(4, "06:00:00")), (local(5, "15:00:00"), utc(5, "12:00:00")),
                          (local(6), utc(6, "06:00:00")), (local(7), utc(7, "06:00:00"))])
        # The village's law holds since yesterday. What began by the law before began then.
        moment = now().strftime(FORM) + "Z"
        for one in self.instances(ada, old):
            began = was_old[one["startLocal"]] <= moment
            right = was_old[one["startLocal"]] if began else one["startLocal"][:11] + "06:00:00Z"
            self.assertEqual(one["startUtc"], right)
        shown = [(one["title"], one["start"]) for one in self.agenda(ada, day(5), day(6), tz=TOWN)
                 if one["entityType"] in ("EVENT", "INSTANCE")]
        self.assertEqual(shown, [("long", utc(1, "07:00:00")), ("later", utc(5, "06:00:00")),
                                 ("floating", utc(5, "09:00:00")), ("elsewhere", utc(5, "10:00:00")),
                                 ("daily", utc(5, "12:00:00"))])
        self.assertTrue(self.conforms())

    def test_zz_reminders_fire_at_the_new_time_and_a_crash_is_made_up_for(self):
        # The law of the town goes back, and the village is ahead by now: the other test may have run or not.
        self.server.kill()
        self.compile(f"Zone {TOWN} 2:00 - TT\nZone {VILLAGE} 2:00 - TV\n")
        self.server.start()
        bob = self.user()
        start = now() + datetime.timedelta(hours=3, seconds=300)  # by the new law in five minutes
        end = start + datetime.timedelta(hours=1)
        made = self.event(bob, "soon", startLocal=start.strftime(FORM), endLocal=end.strftime(FORM), startTzid=VILLAGE,
                          reminderMinutes=[0])
        eve = self.user()
        at_once(8, lambda n: [self.timed(eve, f"many {n} {i}", 5 + i, tzid=TOWN) for i in range(40)])
        self.server.kill()
        self.change_law(now() + datetime.timedelta(days=2))
        self.server.start()
        for user in (bob, eve):
            user.hang_up()

        def moved():
            return [one for one in self.everything(eve)
                    if one["entityType"] == "EVENT" and one["startUtc"][11:] == "06:00:00Z"]
        wait_until(moved, 60, "the first to move")
        self.restart()
        wait_until(lambda: len(moved()) == 320, 60, "all to move")
        expected = (start - datetime.timedelta(hours=3)).strftime(FORM) + "Z"
        self.assertEqual(bob.get(f"{EVENTS}/{made['id']}")["startUtc"], expected)
        reminder, = bob.pages(REMINDERS)
        self.assertEqual(reminder["triggerUtc"], expected)
        self.server.kill()
        self.server.start(clock_ahead_seconds=310)
        bob.hang_up()
        wait_until(lambda: next(bob.pages(REMINDERS))["state"] == "FIRED", 60, "firing")
        self.assertGreaterEqual(next(bob.pages(REMINDERS))["firedAt"], expected)
        self.assertTrue(self.conforms())


if __name__ == "__main__":
    unittest.main()
