"""bench/run store: Cairn beside dynoxide, dynalite and nginx, the same closed-loop load on the same data.

For each storage (memory, disk) all servers are started and filled; then every operation runs against one server after
the other, so that neighbours on a noisy machine disturb all alike. What counts is CPU time of the server per operation
and ratios within the run.
"""

import argparse
import pathlib
import shutil
import sys

from driver import ROOT, Driver, add_common_options, machine, prepare, progress, write_results
from servers import (Cairn, Dynalite, Dynoxide, Missing, Nginx, install_nginx, install_packages, package_version)
from store_report import OPERATIONS, report

SERVERS = ("cairn", "dynoxide", "dynalite", "nginx")
LACKS = {("dynalite", "transact")}  # dynalite has no transactions


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench/run store", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    comma = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--storage", type=comma, default=["memory", "disk"], help="memory,disk")
    parser.add_argument("--servers", type=comma, default=list(SERVERS), help=",".join(SERVERS))
    parser.add_argument("--operations", type=comma, default=list(OPERATIONS), help=",".join(OPERATIONS))
    parser.add_argument("--connections", type=lambda text: [int(n) for n in text.split(",")], default=[1, 16, 64],
                        help="1,16,64")
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement (default: 2)")
    parser.add_argument("--rounds", type=int, default=3,
                        help="measurements of each figure; the one with the median CPU time stands (default: 3)")
    parser.add_argument("--warmup", type=float, default=0.5, help="seconds before each measurement (default: 0.5)")
    parser.add_argument("--items", type=int, default=100_000, help="a multiple of 25 (default: 100000)")
    parser.add_argument("--partitions", type=int, default=1000, help="of 20 items each (default: 1000)")
    parser.add_argument("--peers", type=pathlib.Path, default=ROOT / "build" / "bench-peers",
                        help="folder for the npm packages of the peers (default: %(default)s)")
    add_common_options(parser)
    options = parser.parse_args(arguments)
    for what, known in ((options.storage, ("memory", "disk")), (options.servers, SERVERS),
                        (options.operations, OPERATIONS)):
        for name in what:
            if name not in known:
                parser.error(f"{name} is none of {', '.join(known)}")
    return options


def available(options):
    """The servers that can be had, with what makes one for a storage; and remarks for the report."""
    make, remarks = {}, []
    scratch, cores = options.scratch, options.server_cores
    makers = {
        "cairn": lambda storage: Cairn(scratch, storage, cores, options.cairn),
        "dynoxide": lambda storage: Dynoxide(scratch, storage, cores, options.peers),
        "dynalite": lambda storage: Dynalite(scratch, storage, cores, options.peers),
        "nginx": lambda storage: Nginx(scratch, storage, cores),
    }
    packages = {"dynoxide": "@dynoxide/linux-x64", "dynalite": "dynalite"}
    for name in options.servers:
        try:
            if name in packages:
                install_packages(options.peers, progress)
                remarks.append(f"{name} {package_version(options.peers, packages[name])}")
            if name == "nginx":
                install_nginx(progress)
            make[name] = makers[name]
        except Missing as reason:
            progress(f"{name} is left out: {reason}")
            remarks.append(f"{name} left out")
    return make, remarks


class StoreBench:
    def __init__(self, options):
        self.options, self.driver = options, Driver(options)
        self.figures = []  # of every operation
        self.syncs = []    # of the disk alone, taken around Cairn's synced puts
        self.servers, self.remarks = {}, []

    def run(self):
        make, self.remarks = available(self.options)
        for storage in self.options.storage:
            try:
                self._start(storage, make)
                self._nginx()
                for operation in self.options.operations:
                    self._measure(operation)
            finally:
                for server in self.servers.values():
                    server.remove()
                self.servers = {}

    def _start(self, storage, make):
        for name, maker in make.items():
            if name == "nginx" and storage != self.options.storage[0]:
                continue  # it keeps no data: once is enough
            server = maker(storage)
            try:
                server.start()
                if name != "nginx":
                    seconds = self.driver.fill(server, (self.options.items, self.options.partitions))
                    progress(f"{name} in {storage}: filled in {seconds:.1f} s")
                self.servers[name] = server
            except Missing as reason:
                progress(f"{name} is left out: {reason}")
                server.remove()

    def _nginx(self):
        server = self.servers.pop("nginx", None)
        if server is not None:
            try:
                self.figures += medians([self._load(server, "file") for _ in range(self.options.rounds)])
            finally:
                server.remove()

    def _measure(self, operation):
        rounds = {name: [] for name in self.servers if (name, operation) not in LACKS}
        for _ in range(self.options.rounds):
            for name, found in rounds.items():
                server = self.servers[name]
                if name == "cairn" and server.storage == "disk" and operation == "put":
                    self.syncs.append(self.driver.fsync(self.options.scratch, self.options.seconds))
                found.append(self._load(server, operation))
        for found in rounds.values():
            self.figures += medians(found)

    def _load(self, server, operation):
        options = self.options
        is_peer = server.name in ("dynoxide", "dynalite")
        found = self.driver.run(server, operation, (options.items, options.partitions), options.connections,
                                options.seconds, options.warmup, wrong_ends=not is_peer)
        if wrong := sum(each["wrong"] for each in found):
            self.remarks.append(f"{server.name} answered {operation} {wrong} times wrongly ({server.storage})")
            progress(self.remarks[-1])
        progress(f"{server.storage:6} {operation:8} {server.name:8} " + "  ".join(
            f"{each['connections']:2} conn: {each['per_second']:8.0f}/s {each['cpu_us']:7.1f} us CPU"
            for each in found))
        return found


def medians(rounds):
    """For each number of connections the measurement with the median CPU time."""
    return [sorted(same, key=lambda each: each["cpu_us"])[len(same) // 2] for same in zip(*rounds)]


def main(arguments):
    options = parse(arguments)
    prepare(options)
    bench = StoreBench(options)
    try:
        bench.run()
    finally:
        shutil.rmtree(options.scratch, ignore_errors=True)
    remarks = [machine(), *bench.remarks, f"servers on core {options.server_cores}, driver on core "
               f"{options.driver_cores} ({options.wait}s while it waits), "
               f"median of {options.rounds} rounds of {options.seconds:g} s"]
    write_results(options, "store", report(bench.figures, bench.syncs, remarks),
                  {"figures": bench.figures, "syncs": bench.syncs, "remarks": remarks})


if __name__ == "__main__":
    main(sys.argv[1:])
