"""What the tests of events, series, agenda and reminders share: days around today, series, what an agenda shows."""

import datetime

from case import NEXUS, NexusTest

EVENTS, MASTERS, INSTANCES = f"{NEXUS}/events", f"{NEXUS}/masters", f"{NEXUS}/instances"
AGENDA, REMINDERS, SETTINGS = f"{NEXUS}/agenda", f"{NEXUS}/reminders", f"{NEXUS}/settings"
PREVIEW = f"{NEXUS}/rrule/preview"
BERLIN = "Europe/Berlin"
NO_EVENT = "evt_00000000-0000-4000-8000-000000000000"
NO_MASTER = "mst_00000000-0000-4000-8000-000000000000"
NO_INSTANCE = "inst_00000000-0000-4000-8000-000000000000"
NO_REMINDER = "rem_00000000-0000-4000-8000-000000000000"


# Of the whole run, also when it goes on over midnight.
TODAY = datetime.datetime.now(datetime.timezone.utc).date()


def day(offset):
    """The day so many days from today, as text. Series are materialised around today, so tests live there."""
    return str(TODAY + datetime.timedelta(days=offset))


def local(offset, time="09:00:00"):
    return f"{day(offset)}T{time}"


def utc(offset, time="09:00:00"):
    return local(offset, time) + "Z"


class CalendarTest(NexusTest):
    def event(self, user, title="an event", **fields):
        return user.made(EVENTS, {"title": title, **fields})

    def timed(self, user, title, offset, start="09:00:00", end="10:00:00", tzid="UTC", **more):
        return self.event(user, title, startLocal=local(offset, start), endLocal=local(offset, end), startTzid=tzid,
                          **more)

    def series(self, user, rrule, offset=0, title="a series", **more):
        """At nine for an hour, in UTC."""
        return self.timed(user, title, offset, rrule=rrule, **more)

    def ticking(self, user):
        """A daily series whose first reminder comes in a moment: when it starts, and its master."""
        form = "%Y-%m-%dT%H:%M:%SZ"
        for lead in (3, 15, 60):  # a slow machine needs more
            now = datetime.datetime.now(datetime.timezone.utc)
            start = now + datetime.timedelta(seconds=60 + lead)
            made = self.event(user, "tick", startUtc=start.strftime(form), startTzid="UTC", rrule="FREQ=DAILY;COUNT=3",
                              endUtc=(start + datetime.timedelta(minutes=30)).strftime(form), reminderMinutes=[1])
            if datetime.datetime.now(datetime.timezone.utc) < start - datetime.timedelta(seconds=61):
                return start, made
            user.delete(f"{MASTERS}/{made['id']}", if_match=f'"{made["version"]}"')
        raise AssertionError("it takes a minute to make a series")

    def instances(self, user, master):
        master_id = master if isinstance(master, str) else master["id"]
        return list(user.pages(f"{MASTERS}/{master_id}/instances", limit=100))

    def starts(self, user, master):
        """Local starts of what takes place."""
        return [item["startLocal"] for item in self.instances(user, master) if not item["isCancelled"]]

    def agenda(self, user, start, end, **query):
        return list(user.pages(AGENDA, **{"from": start, "to": end, **query}))

    def titles(self, user, start, end, **query):
        return [item["title"] for item in self.agenda(user, start, end, **query)]

    def edit(self, user, item, scope="this", **fields):
        path = {"EVENT": EVENTS, "MASTER": MASTERS, "INSTANCE": INSTANCES}[item["entityType"]]
        suffix = f"?scope={scope}" if item["entityType"] == "INSTANCE" else ""
        return user.change(f"{path}/{item['id']}{suffix}", fields, item["version"])

    def remove(self, user, item, scope="this"):
        path = {"EVENT": EVENTS, "MASTER": MASTERS, "INSTANCE": INSTANCES}[item["entityType"]]
        suffix = f"?scope={scope}" if item["entityType"] == "INSTANCE" else ""
        return user.delete(f"{path}/{item['id']}{suffix}", if_match=f'"{item["version"]}"')
