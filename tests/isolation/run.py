"""Isolation workloads against the server: concurrent clients, a history, a judgement.

run.py WORKLOAD... [--seconds S] [--clients N] [--kills N] [--transactions N] [--seed N] [--binary PATH]
       [--way NAME] [--forgetful-disk]
WORKLOAD is one of those that --help lists, or `all`. With --kills the server is killed (kill -9) that many times in the
given seconds and restarted, now and then stopped (SIGSTOP) instead. --transactions: not less than so many answers,
however long that takes. --way puts a proxy in between: a mutant of mutants.py, which must be noticed, or
`drop-answers`. --forgetful-disk: each kill also takes back the last moments, which must be noticed.
"""

import argparse
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture"), str(HERE.parent / "protocol")]

import wire  # noqa: E402
from bank import Bank  # noqa: E402
from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from counter import Counter  # noqa: E402
from history import tally  # noqa: E402
from list_append import ListAppend  # noqa: E402
from nemesis import Nemesis  # noqa: E402
from proxy import Proxy  # noqa: E402
from register import Register  # noqa: E402
from ring import Ring  # noqa: E402
from unique_ids import UniqueIds  # noqa: E402
from workload import Client, Limits  # noqa: E402

WORKLOADS = {workload.name: workload for workload in (ListAppend, Bank, Counter, Register, UniqueIds, Ring)}


class Run:
    """One workload on one server."""

    def __init__(self, workload, server, seed, clients=16, seconds=5.0, kills=0, transactions=0, way=None,
                 forgetful=False):
        self.workload, self.server, self.way, self.seed = workload, server, way or workload.way, seed
        self.seconds, self.kills = seconds, kills
        self.nemesis = Nemesis(server, random.Random(f"nemesis {seed}"), seconds, kills, forgetful)
        self.limits = Limits(transactions, self.nemesis.up)
        self.clients_wanted = clients
        self.operations = []
        self.load_seconds = self.check_seconds = 0

    def execute(self):
        """Returns what is wrong."""
        with wire.Connection(self.server.port) as connection:
            for request in self.workload.tables():
                connection.call("CreateTable", request)
            self.workload.prepare(connection)
        begun = time.monotonic()
        clients = self.work()
        self.load_seconds = time.monotonic() - begun
        self.operations = [operation for client in clients for operation in client.operations]
        problems = [f"client {client.number}: {client.failure!r}" for client in clients if client.failure]
        if self.nemesis.failure:
            problems.append(f"the server did not survive: {self.nemesis.failure!r}")
        if self.limits.unsure and not self.kills and not self.way:
            problems.append(f"{self.limits.unsure} requests got no answer although nothing disturbed the server")
        return problems or self.judge()

    def work(self):
        if self.way:
            with Proxy(self.server.port, self.way, self.seed) as proxy:
                return self.work_through(proxy.port)
        return self.work_through(self.server.port)

    def work_through(self, port):
        clients = [Client(number, self.workload, port, f"client {number} {self.seed}", self.limits)
                   for number in range(self.clients_wanted)]
        for client in clients:
            client.start()
        self.nemesis.start()
        self.limits.stopped.wait(self.seconds)
        if not self.limits.reached():
            self.nemesis.join()
        if self.nemesis.failure:
            self.limits.stop()  # nobody is there who could answer
        self.limits.end_time()
        self.nemesis.finish()
        for client in clients:
            client.join()
        return clients

    def judge(self):
        begun = time.monotonic()
        if self.kills:
            self.server.restart()  # nothing that is still on its way can arrive after this
        with wire.Connection(self.server.port) as connection:
            problems = self.workload.check(connection, self.operations)
        self.server.kill()
        verified = self.server.verify()
        if verified.code != 0:
            problems.append(f"cairn verify: {verified}")
        self.check_seconds = time.monotonic() - begun
        return problems

    def summary(self):
        told = f"{len(self.operations)} transactions ({tally(self.operations)}) in {self.load_seconds:.1f} s"
        restarts = self.nemesis.restart_seconds
        if restarts:
            told += (f", {len(restarts)} kills (restart {max(restarts):.2f} s at most), "
                     f"{self.nemesis.stops} stops")
        return told + f", judged in {self.check_seconds:.1f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="+", choices=[*WORKLOADS, "all"], metavar="WORKLOAD",
                        help=", ".join(WORKLOADS))
    parser.add_argument("--binary", default=binary_from_environment())
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--transactions", type=int, default=0)
    parser.add_argument("--way")
    parser.add_argument("--forgetful-disk", action="store_true")
    options = parser.parse_args()
    failed = False
    for name in WORKLOADS if "all" in options.workloads else options.workloads:
        print(f"{name}: seed {options.seed}, {options.clients} clients, {options.kills} kills", flush=True)
        with CairnServer(options.binary) as server:
            run = Run(WORKLOADS[name](options.seed), server, options.seed, options.clients, options.seconds,
                      options.kills, options.transactions, options.way, options.forgetful_disk)
            problems = run.execute()
            print(f"{name}: {run.summary()}: {len(problems)} problems", flush=True)
            for problem in problems[:20]:
                print(f"  {problem}")
            if problems:
                print(f"{name} FAILED, seed {options.seed}\n{server.stderr()[-2000:]}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
