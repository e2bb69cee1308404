"""The definitions of time zones that calendars bring along, read by libical and ical.js, against Python's zoneinfo."""

import datetime
import os
import pathlib
import random
import subprocess
import sys
import unittest
import zoneinfo

HERE = pathlib.Path(__file__).resolve().parent
JAVASCRIPT = HERE.parent / "protocol_js"
FIRST, LAST = 1990, 2040
# Both judges compute changes up to a year that they choose (libical until 2037), so later ones are asked of nobody.
ASKED_UNTIL = 2036


def judge_zones(command, text, instants):
    done = subprocess.run([*command, "zones", *instants], input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    rows = (line.split("\t") for line in done.stdout.decode().splitlines())
    return {name: [None if offset == "NaN" else int(offset) for offset in offsets] for name, *offsets in rows}


def is_near_change(moment, zone):
    around = [(moment + datetime.timedelta(hours=hours)).astimezone(zone).utcoffset() for hours in (-25, 25)]
    return around[0] != around[1]


class Zones(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.names = sorted(name for name in zoneinfo.available_timezones()
                           if "/" in name and not name.startswith(("Etc/", "posix/", "right/", "SystemV/")))
        lines = "".join(f"{name} {FIRST} {LAST}\n" for name in cls.names)
        cls.text = subprocess.run([os.environ["ICS_ZONES"]], input=lines.encode(), capture_output=True,
                                  check=True).stdout
        seed = int(os.environ.get("CAIRN_TEST_SEED") or random.randrange(1_000_000))
        print(f"CAIRN_TEST_SEED={seed}", file=sys.stderr)
        chance = random.Random(seed)
        first = datetime.datetime(FIRST, 1, 2, tzinfo=datetime.timezone.utc)
        days = (datetime.datetime(ASKED_UNTIL, 1, 1, tzinfo=datetime.timezone.utc) - first).days
        moments = [first + datetime.timedelta(days=chance.randrange(days), hours=chance.randrange(24)) for _ in range(100)]
        # The days around changes of the clocks in Europe and America.
        for year in range(FIRST, ASKED_UNTIL):
            for month, day in ((3, 8), (3, 14), (3, 25), (3, 31), (10, 25), (10, 31), (11, 1), (11, 7)):
                moments.append(datetime.datetime(year, month, day, 1, tzinfo=datetime.timezone.utc))
        cls.moments = sorted(moments)
        cls.instants = [moment.strftime("%Y%m%dT%H%M%SZ") for moment in cls.moments]

    def compare(self, told, names):
        self.assertEqual(sorted(told), sorted(names))
        wrong = {}
        for name in names:
            zone = zoneinfo.ZoneInfo(name)
            expected = [int(moment.astimezone(zone).utcoffset().total_seconds()) for moment in self.moments]
            differences = [(instant, ours, theirs) for instant, ours, theirs
                           in zip(self.instants, told[name], expected) if ours is not None and ours != theirs]
            # ical.js knows the offsets of wall times only, and some are shown twice.
            differences += [(instant, None, None) for instant, moment, ours
                            in zip(self.instants, self.moments, told[name])
                            if ours is None and not is_near_change(moment, zone)]
            if differences:
                wrong[name] = differences[:3], len(differences)
        self.assertEqual(wrong, {})

    def test_libical(self):
        self.compare(judge_zones([os.environ["ICS_LIBICAL"]], self.text, self.instants), self.names)

    def test_ical_js(self):
        if not (JAVASCRIPT / "node_modules" / "ical.js").exists():
            self.skipTest("tools/install test brings ical.js")
        self.compare(judge_zones(["node", str(JAVASCRIPT / "ical_agenda.mjs")], self.text, self.instants), self.names)


if __name__ == "__main__":
    unittest.main()
