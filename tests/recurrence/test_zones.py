"""Wall times around every change of the clocks, compared with zoneinfo. SEED and ZONES (how many, default 60) as environment."""
import datetime
import os
import random
import unittest
import zoneinfo

import judges

HOUR = datetime.timedelta(hours=1)
UTC = datetime.timezone.utc


def offset_at(moment, zone):
    return moment.replace(tzinfo=UTC).astimezone(zone).utcoffset()


def changes(zone, first, last):
    """The moments in UTC at which the offset changes, of changes that last for a month."""
    low, step = first, datetime.timedelta(days=28)
    while low < last:
        high = low + step
        if offset_at(low, zone) != offset_at(high, zone):
            before, after = low, high
            while after - before > judges.SECOND:
                middle = before + (after - before) // 2
                middle = middle.replace(microsecond=0)
                if offset_at(middle, zone) == offset_at(low, zone):
                    before = middle
                else:
                    after = middle
            yield after
        low = high


class Zones(unittest.TestCase):
    def test_every_change_is_where_zoneinfo_has_it(self):
        seed = int(os.environ.get("SEED", random.SystemRandom().randint(0, 2**32)))
        r = random.Random(seed)
        names = sorted(name for name in zoneinfo.available_timezones() if "/" in name)
        names = r.sample(names, min(len(names), int(os.environ.get("ZONES", 60))))
        print(f"SEED={seed} ZONES={len(names)}", flush=True)
        lines, expected = [], []
        for name in names:
            zone = zoneinfo.ZoneInfo(name)
            year = r.randint(1900, 2080)
            times = {datetime.datetime(2, 1, 1), datetime.datetime(9998, 7, 1), datetime.datetime(2040, 7, 1)}
            for change in changes(zone, datetime.datetime(year, 1, 1), datetime.datetime(year + 25, 1, 1)):
                for shown in (change + offset_at(change - judges.SECOND, zone), change + offset_at(change, zone)):
                    times |= {shown, shown - judges.SECOND, shown + HOUR / 2, shown - HOUR / 2, shown + HOUR, shown - HOUR}
            times = sorted(time.replace(microsecond=0) for time in times)
            lines.append(judges.line_of("FREQ=DAILY;COUNT=1", times[0], name, rdates=times))
            expected.append([(time, judges.to_utc(time, name)) for time in times])
        for line, name, times, (what, answer) in zip(lines, names, expected, judges.ours(lines), strict=True):
            self.assertEqual(what, "ok", answer)
            wrong = [f"{local} is {utc}, not {got}" for (local, utc), (_, got) in zip(times, answer, strict=True) if utc != got]
            self.assertFalse(wrong, f"{name}: {wrong[:3]} of {len(wrong)}; SEED={seed}")
        print(f"{sum(map(len, expected))} wall times", flush=True)


if __name__ == "__main__":
    unittest.main()
