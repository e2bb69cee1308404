"""Recurrence rules by other hands: python-dateutil with zoneinfo, and libical; and ours, to be judged."""
import contextlib
import datetime
import os
import re
import signal
import subprocess
import zoneinfo

from dateutil.rrule import rrulestr

DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
SECOND = datetime.timedelta(seconds=1)


class TooSlow(Exception):
    pass


@contextlib.contextmanager
def at_most(seconds):
    """Ends what takes more CPU: dateutil looks for rules that never match until the year 9999."""
    def stop(_signal, _frame):
        raise TooSlow
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def line_of(rule, start, zone="", window=None, most=5000, exdates=(), rdates=()):
    """One series as the programs read it; `window` is (from, to)."""
    begin, end = window or (datetime.datetime.min, datetime.datetime.max.replace(microsecond=0))
    times = [",".join(time.isoformat() for time in times) for times in (exdates, rdates)]
    return "\t".join([rule, start.isoformat(), zone, begin.isoformat(), end.isoformat(), str(most), *times])


def run(variable, lines):
    """The answers of the program that an environment variable names: (what, text) for each line."""
    answer = subprocess.run([os.environ[variable]], input="".join(line + "\n" for line in lines), text=True,
                            capture_output=True, check=True, timeout=100)
    answers = [tuple(line.split("\t", 1)) for line in answer.stdout.splitlines()]
    assert len(answers) == len(lines), (len(answers), len(lines), answer.stderr)
    return answers


def ours(lines):
    """("ok", [(local, UTC), ...]) or (code, message) for each line."""
    def read(what, text):
        if what != "ok":
            return what, text
        return what, [tuple(datetime.datetime.fromisoformat(part) for part in pair.split("/")) for pair in text.split()]
    return [read(*answer) for answer in run("CAIRN_EXPAND", lines)]


def libical(lines):
    """The local times for each line, None where it refuses the rule."""
    def read(what, text):
        return None if what != "ok" else [datetime.datetime.strptime(time, "%Y%m%dT%H%M%S") for time in text.split()]
    return [read(*answer) for answer in run("LIBICAL_EXPAND", lines)]


def to_utc(local, zone):
    """fold=0 is what we decided: a skipped time is shifted forward by the gap, of two passes it is the first."""
    if not zone:
        return local
    aware = local.replace(tzinfo=zoneinfo.ZoneInfo(zone), fold=0)
    return aware.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def is_within(local, until, zone):
    """Whether an occurrence is not after UNTIL, as text of the rule."""
    if until is None:
        return True
    if len(until) == 8:
        until += "T235959"
    limit = datetime.datetime.strptime(until.rstrip("Z"), "%Y%m%dT%H%M%S")
    if not until.endswith("Z"):
        return local <= limit
    shown = limit.replace(tzinfo=datetime.timezone.utc).astimezone(zoneinfo.ZoneInfo(zone)).replace(tzinfo=None)
    return local <= shown or to_utc(local, zone) <= limit


def week_of(local, week_start):
    """(year, number, number from the end) of the week: it belongs to the year in which its fourth day lies."""
    fourth = local.date() - datetime.timedelta(days=(local.weekday() - week_start) % 7 - 3)
    days_before, days_in_year = fourth.timetuple().tm_yday - 1, datetime.date(fourth.year, 12, 31).timetuple().tm_yday
    return fourth.year, days_before // 7 + 1, -((days_in_year - 1 - days_before) // 7 + 1)


def expand(parts, start):
    """All of dateutil's, none for rules that it knows to be empty."""
    try:
        yield from rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=start)
    except ValueError as problem:
        if not re.search("empty set|Invalid combination", str(problem)):
            raise


def dateutil(rule, start, zone="", end=None, most=5000):
    """Local times of the rule before `end`: dateutil runs in wall time; COUNT and UNTIL are counted here.

    So are weeks, as we read BYWEEKNO: it has years of whole weeks, and alone it means the start's day of the week. Its
    INTERVAL counts from the year of the start's week if the start is an occurrence, else from the year of its date.
    (dateutil is not sure about the last week of a year: it takes 2022-01-01 for a day of a 53rd one.)
    """
    parts = dict(part.split("=") for part in rule.split(";"))
    count, until, weeks = parts.pop("COUNT", None), parts.pop("UNTIL", None), parts.pop("BYWEEKNO", None)
    week_start = DAYS.index(parts.get("WKST", "MO"))
    if weeks:
        weeks, years = {int(week) for week in weeks.split(",")}, int(parts.pop("INTERVAL", 1))
        if not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & set(parts):
            parts["BYDAY"] = DAYS[start.weekday()]
        first_year, *numbers = week_of(start, week_start)
        days_only = {name: value for name, value in parts.items() if name not in ("BYHOUR", "BYMINUTE", "BYSECOND")}
        if not weeks & set(numbers) or next(iter(expand(days_only, start)), None) != start:
            first_year = start.year
    first = start
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        # dateutil's first week begins with the start, so that it would choose from less.
        parts.setdefault("BYDAY", DAYS[start.weekday()])
        first -= datetime.timedelta(days=(start.weekday() - week_start) % 7)
    found = []
    for local in expand(parts, first):
        if local < start:
            continue
        if weeks:
            year, *numbers = week_of(local, week_start)
            if not weeks & set(numbers) or (year - first_year) % years != 0:
                if end and local >= end:
                    break
                continue
        if not is_within(local, until, zone) or (end and local >= end):
            break
        if (count and len(found) == int(count)) or len(found) == most:
            break
        found.append(local)
    return found
