"""Little that is sent and much that is kept: commits on a large tree, calendars of series, series every ten minutes."""

import json

from attack import Attack, end
from calendars import calendar

with Attack("amplification: forty commits on a tree of nine megabytes") as attack:
    mallory = attack.user("mallory")
    refused = 0
    notes = "x" * 9_000
    for first in range(0, 1000, 50):
        status, _, told = mallory.send("POST", "/api/values/commits", {"operations": [
            {"op": "add", "nodeType": "DRIVER", "title": "x", "nodeId": f"n{number}", "notes": notes}
            for number in range(first, first + 50)]})
        refused += status != 200
    attack.notes["refused while it was made"] = f"{refused}, the last: {told[:200] if refused else ''}"
    before = attack.written_mb()
    with attack.under_way():
        statuses = [mallory.send("PATCH", "/api/values/nodes/n1", {"title": str(number)}, **{
            "Content-Type": "application/merge-patch+json"})[0] for number in range(40)]
    written = attack.written_mb() - before
    attack.notes["answers"] = {status: statuses.count(status) for status in sorted(set(statuses))}
    attack.check("forty small changes write less than 520 MB", written < 520, f"{written:.0f} MB")

with Attack("amplification: series in a calendar of 1.8 MB") as attack:
    mallory = attack.user("mallory")
    file = calendar(1500, "s", description="d" * 1000, rrule="FREQ=DAILY")
    with attack.under_way():
        status, _, told = mallory.send("POST", "/api/nexus/import", file, **{"Content-Type": "text/calendar"})
    attack.notes["answer"] = f"{status} {told[:200]}"
    stored = attack.stored_mb()
    attack.check("stores less than fifty times what was sent", stored < 50 * len(file) / 1e6,
                 f"{stored:.0f} MB of {len(file) / 1e6:.1f} MB")

with Attack("amplification: twenty series every ten minutes") as attack:
    mallory = attack.user("mallory")
    statuses = []
    with attack.under_way():
        for number in range(20):
            statuses.append(mallory.send("POST", "/api/nexus/events", {
                "title": f"tick {number}", "rrule": "FREQ=MINUTELY;INTERVAL=10", "startUtc": "2026-11-18T00:00:00Z",
                "endUtc": "2026-11-18T00:05:00Z", "startTzid": "UTC", "reminderMinutes": [0, 1, 2, 3, 4]})[0])
        before = attack.cpu_seconds()
        attack.wait(10)
        used = attack.cpu_seconds() - before
    attack.notes["answers"] = json.dumps(statuses)
    attack.check("they keep less than half a core busy", used < 5, f"{used:.1f} s in 10 s")
end()
