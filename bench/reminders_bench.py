"""bench/run reminders: what a hundred thousand reminders cost that wait, and how a thousand fire that are due at once.

They are made over REST, for a hundred users, due over the coming years. Then: what the server takes while nothing
happens, how long it takes to start with them, and whether those that are due in the same second all fire, once, and how
late the last of them is.
"""

import argparse
import concurrent.futures
import datetime
import http.client
import json
import shutil
import signal
import subprocess
import sys
import time
import uuid

from driver import add_common_options, machine, prepare, progress, write_results
from servers import Cairn, unhurried

PATH = "/api/nexus/reminders"
SHARDS = ("JOB#00", "JOB#01", "JOB#02", "JOB#03")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench/run reminders", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--reminders", type=int, default=100_000, help="of all users (default: %(default)s)")
    parser.add_argument("--due", type=int, default=1_000, help="due in the same second (default: %(default)s)")
    parser.add_argument("--idle-seconds", type=float, default=20)
    add_common_options(parser)
    return parser.parse_args(arguments)


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def make(port, token, moments):
    """Reminders of one user; returns their ids."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    made = []
    for number, moment in enumerate(moments):
        connection.request("POST", PATH, json.dumps({"title": f"Reminder {number}", "triggerUtc": moment}), headers)
        reply = connection.getresponse()
        body = reply.read()
        if reply.status != 201:
            raise RuntimeError(f"a reminder cannot be made: {reply.status} {body[:300]}")
        made.append(json.loads(body)["reminderId"])
    connection.close()
    return made


class RemindersBench:
    def __init__(self, options, server):
        self.options, self.server, self.figures = options, server, {}
        self.users = [str(uuid.uuid4()) for _ in range(options.users)]

    def run(self):
        data = self.server.scratch / "data"
        self.tokens = [subprocess.run([self.options.cairn, "token", "--sub", user, "--for", "1d", "--data", data],
                                      capture_output=True, text=True, check=True).stdout.strip() for user in self.users]
        self.figures["empty_start"] = self._start(signal.SIGTERM)
        self.figures["empty_idle_cpu"] = self._idle()
        now = datetime.datetime.now(datetime.timezone.utc)
        each = self.options.reminders // self.options.users
        begin = time.monotonic()
        self._make([[text(now + datetime.timedelta(days=2, minutes=17 * number)) for number in range(each)]
                    for _ in self.users])
        self.figures["made_per_second"] = each * len(self.users) / (time.monotonic() - begin)
        progress(f"{each * len(self.users):,} made, {self.figures['made_per_second']:,.0f} a second")
        self.figures["start"] = self._start(signal.SIGTERM)
        self.figures["start_after_kill"] = self._start(signal.SIGKILL)
        self.figures["idle_cpu"] = self._idle()
        self.figures["memory"] = self.server.memory_mb()
        progress(f"idle for {self.options.idle_seconds:.0f} s: {self.figures['idle_cpu'] * 1e3:.1f} ms CPU, "
                 f"{self.figures['memory']['now']:.0f} MB")
        self._fire()

    def _start(self, with_signal):
        self.server.stop(with_signal)
        seconds = self.server.start()
        progress(f"started in {seconds * 1e3:.0f} ms after {with_signal.name}")
        return seconds

    def _idle(self):
        """CPU seconds while nothing happens."""
        self.server.settle()
        before = self.server.cpu_seconds()
        time.sleep(self.options.idle_seconds)
        return self.server.cpu_seconds() - before

    def _make(self, moments):
        with concurrent.futures.ProcessPoolExecutor(8) as pool:
            return list(pool.map(make, [self.server.port] * len(self.users), self.tokens, moments))

    def _waiting(self, moment):
        """How many jobs are left that are due by a moment."""
        return sum(self.server.call("Query", {
            "TableName": "CairnJobs", "Select": "COUNT", "ConsistentRead": True,
            "KeyConditionExpression": "PK = :p AND SK <= :s",
            "ExpressionAttributeValues": {":p": {"S": shard}, ":s": {"S": f"{moment[:19]}.999Z#~"}}})["Count"]
            for shard in SHARDS)

    def _fire(self):
        due = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(seconds=20)
        each = self.options.due // len(self.users)
        made = self._make([[text(due)] * each for _ in self.users])
        total = each * len(self.users)
        if datetime.datetime.now(datetime.timezone.utc) >= due or self._waiting(text(due)) != total:
            raise RuntimeError("the machine is too slow for so many in 20 seconds: ask for fewer with --due")
        time.sleep((due - datetime.datetime.now(datetime.timezone.utc)).total_seconds())
        before = self.server.cpu_seconds()
        while self._waiting(text(due)):
            time.sleep(0.005)
        late = (datetime.datetime.now(datetime.timezone.utc) - due).total_seconds()
        cpu = self.server.cpu_seconds() - before
        once = 0
        for user, reminders in zip(self.users, made):
            for reminder in reminders:
                item = self.server.call("GetItem", {"TableName": "ProductivityData", "ConsistentRead": True, "Key": {
                    "PK": {"S": f"USER#{user}"}, "SK": {"S": f"REMINDER#{reminder}"}}})["Item"]
                once += item["state"]["S"] == "FIRED" and item["version"]["N"] == "2"
        self.figures |= {"due": total, "fired_once": once, "last_late": late, "fire_cpu": cpu}
        progress(f"{once:,} of {total:,} fired once, the last {late:.2f} s late")
        if once != total:
            raise RuntimeError(f"{total - once} of {total} were not fired exactly once")


def report(bench, remarks):
    options, found = bench.options, bench.figures
    return "\n".join([
        f"{options.reminders:,} reminders of {options.users} users.", "", *[f"- {remark}" for remark in remarks], "",
        "| what | seen | wanted |", "|---|---:|---:|",
        f"| CPU while nothing is due, in {options.idle_seconds:.0f} s | {found['idle_cpu'] * 1e3:.0f} ms | under 1 % of a core |",
        f"| the same without any | {found['empty_idle_cpu'] * 1e3:.0f} ms | |",
        f"| memory then | {found['memory']['now']:.0f} MB | |",
        f"| start, without any | {found['empty_start'] * 1e3:.0f} ms | |",
        f"| start with them, after a clean stop | {found['start'] * 1e3:.0f} ms | |",
        f"| start with them, after kill -9 | {found['start_after_kill'] * 1e3:.0f} ms | |",
        f"| due in one second, fired exactly once | {found['fired_once']:,} of {found['due']:,} | all |",
        f"| the last of them, late by | {found['last_late']:.2f} s | < 2 s |",
        f"| CPU for each that fires | {found['fire_cpu'] / found['due'] * 1e6:.0f} us | |",
        f"| made over REST, synced, 8 clients | {found['made_per_second']:,.0f} a second | |"]) + "\n"


def main(arguments):
    options = parse(arguments)
    prepare(options)
    try:
        with Cairn(options.scratch / "reminders", "disk", "0-1", options.cairn,
                   unhurried(options.cairn)) as server:
            server.start()
            bench = RemindersBench(options, server)
            bench.run()
    finally:
        shutil.rmtree(options.scratch, ignore_errors=True)
    write_results(options, "reminders", report(bench, [machine()]), bench.figures)


if __name__ == "__main__":
    main(sys.argv[1:])
