"""What the tests of exchange with other programs share: files, imports, and other programs that read calendars."""

import datetime
import os
import pathlib
import subprocess

from calendar_case import CalendarTest
from case import NEXUS, ROOT

EXPORT, IMPORT, FEED, CHANGES = f"{NEXUS}/calendar.ics", f"{NEXUS}/import", f"{NEXUS}/feed", f"{NEXUS}/changes"
CORPUS = ROOT / "tests" / "fuzz" / "corpus" / "ics"
JAVASCRIPT = ROOT / "tests" / "protocol_js"


def compact(moment):
    """2026-11-16T09:00:00Z -> 20261116T090000Z"""
    return moment.replace("-", "").replace(":", "")


def file(*components):
    """A calendar of components, each a name and its lines."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test"]
    for name, *inside in components:
        lines += [f"BEGIN:{name}", *inside, f"END:{name}"]
    return ("\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n").encode()


def vevent(uid, start, *more, summary="an event"):
    return ("VEVENT", f"UID:{uid}", f"DTSTART{start}", f"SUMMARY:{summary}", *more)


def judges():
    """Programs that read calendars, by name."""
    found = {}
    binary = os.environ.get("ICS_LIBICAL") or str(pathlib.Path(os.environ.get("CAIRN_BINARY", "build/release/cairn")).parent
                                                  / "tests" / "nexus_ics" / "ics_libical")
    if pathlib.Path(binary).exists():
        found["libical"] = [binary]
    if (JAVASCRIPT / "node_modules" / "ical.js").exists():
        found["ical.js"] = ["node", str(JAVASCRIPT / "ical_agenda.mjs")]
    return found


def judged(command, text, start, end):
    """What happens in a window, as another program reads the file: (start, end, title), in UTC."""
    done = subprocess.run([*command, "agenda", compact(start), compact(end)], input=text, capture_output=True,
                          check=False, timeout=120)
    assert done.returncode == 0, done.stderr[:3000]
    rows = [tuple(line.split("\t")) for line in done.stdout.decode().splitlines()]
    return sorted(row for row in rows if row[0] < compact(end) and row[1] > compact(start))


class InterchangeTest(CalendarTest):
    def imported(self, user, text, status=200, **headers):
        answer = user.send("POST", IMPORT, text, None, {"Content-Type": "text/calendar", **headers})
        return self.expect(status, answer)

    def counts(self, user, text):
        body = self.imported(user, text).body
        return tuple(body[name] for name in ("created", "updated", "unchanged", "skipped"))

    def exported(self, user):
        answer = self.expect(200, user.get(EXPORT))
        self.assertEqual(answer.headers["Content-Type"], "text/calendar")
        return answer.raw

    def happens(self, user, start, end):
        """Events and occurrences of a window as the server shows them to someone in UTC."""
        items = self.agenda(user, start, end, tz="UTC", types="EVENT,INSTANCE")
        return sorted((compact(item["start"]), compact(item["end"]), item["title"]) for item in items)

    def now(self):
        return datetime.datetime.now(datetime.timezone.utc)
