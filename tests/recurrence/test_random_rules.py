"""Random rules, zones and windows, compared with python-dateutil and zoneinfo.

RULES=20000 SEED=7 /usr/bin/python3 -m unittest test_random_rules   (with CAIRN_EXPAND, see CMakeLists.txt)
"""
import datetime
import os
import random
import unittest

import judges

ZONES = ["", "UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "America/Havana", "America/Sao_Paulo",
         "Asia/Beirut", "Asia/Kolkata", "Africa/Casablanca", "Australia/Lord_Howe", "Australia/Sydney", "Pacific/Apia",
         "America/Nuuk", "Antarctica/Troll", "Europe/Moscow", "Africa/Cairo", "Pacific/Chatham", "America/Mexico_City"]
# How far from its start a series is looked at, so that dateutil is done in time.
SPAN_DAYS = {"YEARLY": 9000, "MONTHLY": 1500, "WEEKLY": 900, "DAILY": 400, "HOURLY": 30, "MINUTELY": 2, "SECONDLY": 0.05}
LISTS = {
    "BYSECOND": lambda r: [r.randint(0, 59) for _ in range(r.choice([1, 1, 2, 3]))],
    "BYMINUTE": lambda r: [r.choice([0, 15, 30, 45, r.randint(0, 59)]) for _ in range(r.choice([1, 2, 3]))],
    "BYHOUR": lambda r: [r.choice([0, 1, 2, 3, r.randint(0, 23)]) for _ in range(r.choice([1, 2, 4]))],
    "BYMONTHDAY": lambda r: [r.choice([1, -1, 29, 30, 31, r.randint(1, 31), -r.randint(1, 31)])
                             for _ in range(r.choice([1, 2, 5]))],
    "BYYEARDAY": lambda r: [r.choice([1, -1, 59, 60, 365, 366, -366, r.randint(1, 366), -r.randint(1, 366)])
                            for _ in range(r.choice([1, 3, 40]))],
    "BYWEEKNO": lambda r: [r.choice([1, 52, 53, -1, -2, r.randint(1, 53), -r.randint(1, 53)])
                           for _ in range(r.choice([1, 2, 6]))],
    "BYMONTH": lambda r: [r.randint(1, 12) for _ in range(r.choice([1, 2, 4]))],
}
ALLOWED = {
    "YEARLY": list(LISTS),
    "MONTHLY": ["BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTHDAY", "BYMONTH"],
    "WEEKLY": ["BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTH"],
    "DAILY": ["BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTHDAY", "BYMONTH"],
    "HOURLY": ["BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTHDAY", "BYYEARDAY", "BYMONTH"],
    "MINUTELY": ["BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTHDAY", "BYMONTH"],
    "SECONDLY": ["BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTHDAY"],
}


def random_days(r, is_numbered, highest):
    """Either plain or numbered days: dateutil takes a mixture for an intersection (docs/recurrence.md)."""
    days = r.sample(judges.DAYS, r.choice([1, 1, 2, 3, 5]))
    if is_numbered:
        days = [f"{r.choice([1, 2, -1, r.randint(1, highest), -r.randint(1, highest)])}{day}" for day in days]
    return ",".join(days)


def random_rule(r):
    frequency = r.choice(["YEARLY", "YEARLY", "MONTHLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"])
    parts = {"FREQ": frequency}
    for name in r.sample(ALLOWED[frequency], min(len(ALLOWED[frequency]), r.choice([0, 0, 1, 1, 2, 3]))):
        parts[name] = ",".join(map(str, LISTS[name](r)))
    if r.random() < 0.4:
        is_numbered = frequency in ("YEARLY", "MONTHLY") and "BYWEEKNO" not in parts and r.random() < 0.5
        # A sixth Monday of a month is never: dateutil falls over it.
        highest = 5 if frequency == "MONTHLY" or "BYMONTH" in parts else 53
        parts["BYDAY"] = random_days(r, is_numbered, highest)
    has_lists = len(parts) > 1
    if r.random() < 0.5:
        parts["INTERVAL"] = str(r.choice([1, 2, 2, 3, 4, 5, 7, 13, 100]))
    # With BYWEEKNO our years begin with their first week, dateutil's on 1 January: it would choose from other sets.
    if has_lists and "BYWEEKNO" not in parts and r.random() < 0.3:
        parts["BYSETPOS"] = ",".join(str(r.choice([1, -1, 2, -2, r.randint(1, 20), -r.randint(1, 20)]))
                                     for _ in range(r.choice([1, 1, 2])))
    if r.random() < 0.3:
        parts["WKST"] = r.choice(judges.DAYS)
    names = list(parts)
    r.shuffle(names)
    return frequency, ";".join(f"{name}={parts[name]}" for name in names)


def random_start(r):
    """Often in the months and hours in which clocks are changed."""
    year = r.randint(1996, 2058)
    month = r.choice([3, 4, 10, 11, r.randint(1, 12)])
    return datetime.datetime(year, month, r.randint(1, 28), r.choice([0, 1, 2, 3, r.randint(0, 23)]),
                             r.choice([0, 30, r.randint(0, 59)]), r.choice([0, 0, r.randint(0, 59)]))


def random_series(r):
    frequency, rule = random_rule(r)
    start, zone = random_start(r), r.choice(ZONES)
    span = SPAN_DAYS[frequency] * 86400
    begin = start + datetime.timedelta(seconds=r.randint(-3600, int(span)))
    end = begin + datetime.timedelta(seconds=r.randint(0, int(span)))
    ending = r.random()
    if ending < 0.3:
        rule += f";COUNT={r.choice([1, 2, 10, r.randint(1, 300)])}"
    elif ending < 0.5:
        until = start + datetime.timedelta(seconds=r.randint(0, int(span * 1.5)))
        rule += until.strftime(";UNTIL=%Y%m%dT%H%M%S") + ("Z" if zone else "")
    return rule, start, zone, begin, end


def difference(line, times, answer):
    if answer[0] != "ok":
        return f"{line!r}: {answer}"
    text = [[f"{local} ({utc} UTC)" for local, utc in pairs] for pairs in (sorted(set(times) - set(answer[1])),
                                                                           sorted(set(answer[1]) - set(times)))]
    return f"{line!r}:\n  missing {text[0][:3]} of {len(text[0])}, too many {text[1][:3]} of {len(text[1])}"


class RandomRules(unittest.TestCase):
    def test_same_as_dateutil_and_zoneinfo(self):
        seed = int(os.environ.get("SEED", random.SystemRandom().randint(0, 2**32)))
        total = int(os.environ.get("RULES", 2000))
        print(f"SEED={seed} RULES={total}", flush=True)
        r = random.Random(seed)
        lines, expected, slow = [], [], 0
        while len(lines) < total:
            rule, start, zone, begin, end = random_series(r)
            try:
                with judges.at_most(0.02):
                    found = judges.dateutil(rule, start, zone, end, most=1500)
            except judges.TooSlow:
                slow += 1
                continue
            if len(found) == 1500:
                end = min(end, found[-1])
            exdates = r.sample(found, min(len(found), r.choice([0, 0, 1, 3]))) + [start + judges.SECOND] * r.randint(0, 1)
            rdates = [begin + (end - begin) * r.random() for _ in range(r.choice([0, 0, 0, 2]))]
            rdates = [time.replace(microsecond=0) for time in rdates] + r.sample(found, min(len(found), r.choice([0, 1])))
            locals_ = sorted({time for time in found + rdates if begin <= time < end} - set(exdates))
            lines.append(judges.line_of(rule, start, zone, (begin, end), 5000, exdates, rdates))
            expected.append([(local, judges.to_utc(local, zone)) for local in locals_])
        wrong = []
        for line, times, answer in zip(lines, expected, judges.ours(lines)):
            # A rule that never matches may be given up, with a clear error.
            if answer != ("ok", times) and not (not times and answer[0] == "limit exceeded"):
                wrong.append(difference(line, times, answer))
        occurrences = sum(map(len, expected))
        print(f"{total} rules, {sum(map(bool, expected))} with {occurrences} occurrences, {slow} left out: dateutil took "
              "too long", flush=True)
        self.assertFalse(wrong, "\n".join([f"{len(wrong)} of {total} rules differ; SEED={seed}", *wrong[:5]]))
        self.assertLess(slow, total / 5)
        self.assertGreater(occurrences, total)


if __name__ == "__main__":
    unittest.main()
