"""bench/run nexus: the agenda of a week, one column of the board and single items of people who have a lot, and making
a series.

By default ten users with 100,000 items each: events, tasks, reminders and notes over ten years, a hundred cards in the
column that is asked for. They are written as items, with the keys of the design, through BatchWriteItem. Then 32
connections ask as fast as they are answered: the server on one core and the driver on another, for the cost; then once
more with both on all cores, as people run it. There the driver goes first (nice -10, for which one is root), as if it
were elsewhere: else its own wait for a core counts as the server's. The time inside the server is read from its
/metrics. What lies outside an agenda's window must not cost anything: one more user has the same weeks, and nothing
else.
"""

import argparse
import collections
import concurrent.futures
import datetime
import http.client
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
import uuid

from driver import Driver, add_common_options, machine, prepare, progress, write_results
from servers import HEADERS, Cairn, unhurried

BATCH = 25
DAYS = 3650
SHARES = (("event", 0.60), ("task", 0.25), ("reminder", 0.05), ("note", 0.10))
COLUMN = 100
NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
ALL_CORES = ", all cores"
DRIVER_FIRST = ["nice", "-n", "-10"] if os.geteuid() == 0 else []
TARGETS = {"week agenda": 10, "board column of 100": 10, "single item": 5}


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench/run nexus", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=10)
    parser.add_argument("--items", type=int, default=100_000, help="of each user (default: %(default)s)")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=5, help="of each measurement (default: %(default)s)")
    parser.add_argument("--warmup", type=float, default=2)
    parser.add_argument("--series", type=int, default=20, help="how many series are made (default: %(default)s)")
    parser.add_argument("--all-cores", default=f"0-{os.cpu_count() - 1}", help="of the last part (default: %(default)s)")
    add_common_options(parser)
    return parser.parse_args(arguments)


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def typed(value):
    if isinstance(value, bool):
        return {"BOOL": value}
    return {"N": str(value)} if isinstance(value, int) else {"S": value}


class Items:
    """The items of one user, as the application would have stored them."""

    def __init__(self, user, count, window_only=False):
        self.user, self.random, self.window_only = user, random.Random(user), window_only
        self.count, self.event_ids = count, []

    def all(self):
        for kind, share in SHARES:
            for number in range(int(self.count * share)):
                item = getattr(self, f"_{kind}")(number)
                if item:
                    yield {name: typed(value) for name, value in item.items()}

    def _moment(self):
        moment = NOW - datetime.timedelta(days=DAYS / 2) + datetime.timedelta(
            minutes=15 * self.random.randrange(DAYS * 96))
        near = abs((moment - NOW).days) < 60
        return moment if near or not self.window_only else None

    def _item(self, prefix, kind, key, **attributes):
        made = f"{prefix}_{uuid.UUID(int=self.random.getrandbits(128))}"
        return made, {"PK": f"USER#{self.user}", "SK": f"{kind}#{made}", "entityType": kind, key: made, "version": 1,
                      "createdAt": text(NOW), "updatedAt": text(NOW), **attributes}

    def _on_agenda(self, moment):
        return {"GSI1PK": f"USER#{self.user}#{moment.year}", "GSI1SK": text(moment)}

    def _event(self, number):
        start = self._moment()
        if start is None:
            return None
        end = start + datetime.timedelta(minutes=30 * self.random.randint(1, 6))
        made, item = self._item("evt", "EVENT", "eventId", title=f"Event {number} about something", location="Room 12",
                                description="What it is about, in a sentence or two.", startUtc=text(start),
                                endUtc=text(end), startLocal=text(start)[:19], endLocal=text(end)[:19],
                                startTzid="UTC", allDay=False, **self._on_agenda(start))
        self.event_ids.append(made)
        return item

    def _task(self, number):
        status = "IN_PROGRESS" if number < COLUMN else self.random.choice(("BACKLOG", "TODO", "DONE", "ARCHIVED"))
        due = self._moment()
        if due is None and number >= COLUMN:
            return None
        rank = f"n{number:08}"
        dated = {"dueUtc": text(due)} if due else {}
        if due and status not in ("BACKLOG", "ARCHIVED"):
            dated |= self._on_agenda(due)
        return self._item("task", "TASK", "taskId", title=f"Task {number} to be done", status=status, priority=2,
                          rank=rank, GSI3PK=f"USER#{self.user}", GSI3SK=f"TASK#{status}#2#{rank}", **dated)[1]

    def _reminder(self, number):
        moment = self._moment()
        if moment is None:
            return None
        return self._item("rem", "REMINDER", "reminderId", title=f"Reminder {number}", triggerUtc=text(moment),
                          state="DISMISSED", **self._on_agenda(moment))[1]

    def _note(self, number):
        updated = text(NOW - datetime.timedelta(minutes=number))
        made = self._item("note", "NOTE", "noteId", title=f"Note {number}", body="Some words. " * 20, isPinned=False,
                          isArchived=False, GSI3PK=f"USER#{self.user}", GSI3SK=f"NOTE#0#{updated}")[1]
        return {**made, "updatedAt": updated}


def fill(port, items):
    """Writes the items of one user; returns how many, and the ids of events."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {**HEADERS, "X-Amz-Target": "DynamoDB_20120810.BatchWriteItem"}
    written, batch = 0, []

    def flush():
        connection.request("POST", "/", json.dumps({"RequestItems": {"ProductivityData": batch}}), headers)
        reply = connection.getresponse()
        body = reply.read()
        if reply.status != 200 or json.loads(body).get("UnprocessedItems"):
            raise RuntimeError(f"items cannot be written: {reply.status} {body[:300]}")

    for item in items.all():
        batch.append({"PutRequest": {"Item": item}})
        written += 1
        if len(batch) == BATCH:
            flush()
            batch = []
    if batch:
        flush()
    connection.close()
    return written, items.event_ids


class NexusBench:
    def __init__(self, options, server):
        self.options, self.server, self.driver = options, server, Driver(options)
        self.users = [str(uuid.uuid4()) for _ in range(options.users)]
        self.small = str(uuid.uuid4())
        self.tokens, self.events, self.figures = {}, {}, []

    def run(self):
        self._fill()
        self.server.settle()
        self._three("")
        self._measure("week agenda, nothing else there", self._weeks([self.small]))
        self._measure("week agenda of one such user of ten", self._weeks(self.users[:1]))
        self._series()
        self.server.stop()
        self.server.cores = self.options.all_cores
        self.driver = Driver(argparse.Namespace(**{**vars(self.options), "driver_cores": self.options.all_cores}))
        self.driver.command[:0] = DRIVER_FIRST
        self.server.start()
        self._three(ALL_CORES)

    def _three(self, where):
        self._measure("week agenda" + where, self._weeks(self.users))
        self._measure("board column of 100" + where,
                      [(user, "/api/nexus/board?column=IN_PROGRESS") for user in self.users])
        self._measure("single item" + where, [(user, f"/api/nexus/events/{event}") for user in self.users
                                              for event in self.events[user][:200]])

    def _fill(self):
        work = [Items(user, self.options.items) for user in self.users]
        work.append(Items(self.small, self.options.items, window_only=True))
        begin, total = time.monotonic(), 0
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            for items, (written, events) in zip(work, pool.map(fill, [self.server.port] * len(work), work)):
                self.events[items.user] = events
                total += written
                progress(f"{total:,} items written in {time.monotonic() - begin:.0f} s")
        for user in [*self.users, self.small]:
            done = subprocess.run([self.options.cairn, "token", "--sub", user, "--for", "1d", "--data",
                                   self.server.scratch / "data"], capture_output=True, text=True, check=True)
            self.tokens[user] = done.stdout.strip()

    def _weeks(self, users):
        weeks = [(NOW + datetime.timedelta(weeks=number)).date() for number in range(-3, 4)]
        return [(user, f"/api/nexus/agenda/week/{week}?tz=Europe/Berlin") for user in users for week in weeks]

    def _metrics(self):
        """The histogram of each route: {route: {bound: count so far}}."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode()
        connection.close()
        found = re.findall(r'^cairn_rest_request_seconds_bucket\{.*?route="(.*?)".*?le="(.*?)"\} (\d+)', lines, re.M)
        routes = collections.defaultdict(dict)
        for route, bound, count in found:
            routes[route][float(bound)] = int(count)
        return routes

    def _inside_p99_ms(self, before):
        """Between two bounds of the histogram the answer is the upper one."""
        for route, bounds in self._metrics().items():
            counts = {bound: count - before[route].get(bound, 0) for bound, count in bounds.items()}
            if counts[float("inf")] > 10:
                return 1e3 * next(bound for bound in sorted(counts) if counts[bound] >= 0.99 * counts[float("inf")])
        return float("nan")

    def _measure(self, what, requests):
        file = self.options.scratch / "requests"
        with open(file, "wb") as out:
            for user, path in requests:
                out.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.tokens[user]}\r\n\r\n"
                          .encode() + b"\0")
        before = self._metrics()
        found, = self.driver._call("replay", file, "--port", self.server.port, "--pid", self.server.process.pid,
                                   "--connections", self.options.connections, "--seconds", self.options.seconds,
                                   "--warmup", self.options.warmup, "--wait", self.options.wait)
        if found["wrong"] or not found["operations"]:
            raise RuntimeError(f"{what}: {found['wrong']} wrong answers, first: {found['first_wrong']}")
        found["inside_p99_ms"] = self._inside_p99_ms(before)
        user, path = requests[0]
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.tokens[user]}"})
        size = len(connection.getresponse().read())
        connection.close()
        found |= {"what": what, "per_second": found["operations"] / found["seconds"], "bytes": size,
                  "cpu_us": found["server_cpu_s"] * 1e6 / found["operations"]}
        progress(f"{what}: p99 {found['p99_us'] / 1e3:.2f} ms, inside {found['inside_p99_ms']:g} ms, "
                 f"{found['cpu_us']:.0f} us CPU")
        self.figures.append(found)

    def _series(self):
        """A daily series of 400 occurrences, one after another, synced."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        times = []
        for number in range(self.options.series):
            day = (NOW + datetime.timedelta(days=1)).strftime("%Y-%m-%d")
            body = json.dumps({"title": f"Series {number}", "startLocal": f"{day}T09:00:00",
                               "endLocal": f"{day}T09:30:00", "startTzid": "Europe/Berlin",
                               "rrule": "FREQ=DAILY;COUNT=400"})
            headers = {"Authorization": f"Bearer {self.tokens[self.small]}", "Content-Type": "application/json"}
            begin = time.monotonic()
            connection.request("POST", "/api/nexus/events", body, headers)
            reply = connection.getresponse()
            reply.read()
            times.append((time.monotonic() - begin) * 1e3)
            if reply.status != 201:
                raise RuntimeError(f"a series cannot be made: {reply.status}")
        connection.close()
        self.series = {"median": statistics.median(times), "worst": max(times)}
        progress(f"series of 400: median {self.series['median']:.0f} ms, worst {self.series['worst']:.0f} ms")


def report(bench, remarks):
    lines = [f"{bench.options.users} users of {bench.options.items:,} items, {bench.options.connections} connections.",
             "", *[f"- {remark}" for remark in remarks], "",
             "| what | requests/s | p50 ms | p99 ms | p99 inside, at most ms | wanted | CPU us | answer bytes |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for each in bench.figures:
        target = TARGETS.get(each["what"].removesuffix(ALL_CORES), "")
        lines.append(f"| {each['what']} | {each['per_second']:,.0f} | {each['p50_us'] / 1e3:.2f} | "
                     f"{each['p99_us'] / 1e3:.2f} | {each['inside_p99_ms']:g} | {target and f'< {target}'} | {each['cpu_us']:.0f} | "
                     f"{each['bytes']:,} |")
    many, alone = (next(each for each in bench.figures if each["what"] == what)
                   for what in ("week agenda of one such user of ten", "week agenda, nothing else there"))
    lines += ["", f"CPU of a week with everything around it: {many['cpu_us'] / alone['cpu_us']:.2f} times that of the "
                  "same weeks alone.",
              f"A daily series of 400 occurrences, synced: median {bench.series['median']:.0f} ms, worst "
              f"{bench.series['worst']:.0f} ms (wanted: under 150)."]
    return "\n".join(lines) + "\n"


def main(arguments):
    options = parse(arguments)
    prepare(options)
    try:
        with Cairn(options.scratch / "nexus", "disk", f"{options.server_cores}", options.cairn,
                   unhurried(options.cairn)) as server:
            server.start()
            bench = NexusBench(options, server)
            bench.run()
    finally:
        shutil.rmtree(options.scratch, ignore_errors=True)
    remarks = [machine(), f"server on core {options.server_cores}, driver on core {options.driver_cores}; where it says "
                          f"all cores, both on {options.all_cores}{', the driver first' if DRIVER_FIRST else ''}"]
    write_results(options, "nexus", report(bench, remarks), {"figures": bench.figures, "series": bench.series})


if __name__ == "__main__":
    main(sys.argv[1:])
