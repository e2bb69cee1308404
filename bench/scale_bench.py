"""bench/run scale: how long Cairn takes to start, how much memory it uses, and what reads cost as the table grows.

Three tables on disk, by default of ten thousand, one million and ten million items of about 300 bytes, half of them in
partitions of 20. They are filled through BatchWriteItem with --durability relaxed on all cores, left alone until
compaction is done, and then served with synced writes on the server's core. Ten million items need about 5 GB of disk;
--tables keeps them for the next run.
"""

import argparse
import pathlib
import shutil
import signal
import sys
import time

from driver import Driver, add_common_options, machine, prepare, progress, write_results
from scale_report import report
from servers import Cairn

PARTS = ("start", "cost", "memory")
CONNECTIONS = 16


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench/run scale", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=lambda text: text.split(","), default=list(PARTS), help=",".join(PARTS))
    parser.add_argument("--small", type=int, default=10_000, help="items of the small table (default: 10000)")
    parser.add_argument("--middle", type=int, default=1_000_000, help="for the start (default: 1000000)")
    parser.add_argument("--large", type=int, default=10_000_000, help="items of the large table (default: 10000000)")
    parser.add_argument("--cache-mb", type=int, default=256, help="as for cairn serve (default: 256)")
    parser.add_argument("--seconds", type=float, default=3, help="of each measurement (default: 3)")
    parser.add_argument("--warmup", type=float, default=3, help="seconds before each measurement (default: 3)")
    parser.add_argument("--rounds", type=int, default=3, help="of which the median stands (default: 3)")
    parser.add_argument("--starts", type=int, default=9, help="of which the median stands (default: 9)")
    parser.add_argument("--tables", type=pathlib.Path,
                        help="keep the filled tables in this directory, and use those that are there")
    add_common_options(parser)
    options = parser.parse_args(arguments)
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"{part} is none of {', '.join(PARTS)}")
    for size in (options.small, options.middle, options.large):
        if size % 1000:
            parser.error(f"{size} is no multiple of 1000")
    return options


def data_of(items):
    """(single items, partitions of 20) that make so many items, half and half."""
    return items // 2, items // 40


class ScaleBench:
    def __init__(self, options):
        self.options, self.driver = options, Driver(options)
        self.all_cores = f"{options.server_cores},{options.driver_cores}"
        self.figures = {"starts": [], "reads": [], "memory": [], "sync": {}}

    def run(self):
        parts = self.options.parts
        self.figures["sync"] = self.driver.fsync(self.options.scratch, self.options.seconds)
        if "start" in parts:
            self._empty_starts()
            self._filled_starts()
        if "cost" in parts or "memory" in parts:
            self._large()

    def _server(self, name, cores=None, flags=()):
        options = self.options
        return Cairn((options.tables or options.scratch) / name, "disk", cores or options.server_cores, options.cairn,
                     ["--no-apps", "--cache-mb", options.cache_mb, *flags])

    def _note_start(self, size, what, starts):
        """`starts`: (milliseconds until the first answer, of them CPU time, memory) of each."""
        median = sorted(starts, key=lambda each: each[0])[len(starts) // 2]
        names = ("size", "what", "ms", "cpu_ms", "memory")
        self.figures["starts"].append(dict(zip(names, (size, what, *median))))
        progress(f"start {what}: {median[0]:.0f} ms, {median[1]:.0f} of them CPU, idle {median[2]['now']:.0f} MB")

    @staticmethod
    def _start(server):
        milliseconds = server.start() * 1e3
        cpu_milliseconds = server.cpu_seconds() * 1e3
        server.settle(quiet_seconds=0.5)
        return milliseconds, cpu_milliseconds, server.memory_mb()

    def _empty_starts(self):
        for what, flags in (("the store alone", ["--no-apps"]), ("with the applications", [])):
            starts = []
            for _ in range(self.options.starts):
                with Cairn(self.options.scratch / "empty", "disk", self.options.server_cores, self.options.cairn,
                           flags) as server:
                    starts.append(self._start(server))
                server.remove()
            self._note_start("empty", f"on an empty directory, {what}", starts)

    def _fill(self, name, items):
        """A server's data directory with so many items, compacted; the server is stopped. Returns what the next start
        is to be called: the log of the last writes before a stop is read once."""
        again = f"on {items:,} items"
        with self._server(name, self.all_cores, ["--durability", "relaxed"]) as server:
            filled = server.scratch / f"filled-{items}"
            if filled.exists():
                for file in server.scratch.rglob("*.sst"):  # as if they were just written: in the system's memory
                    file.read_bytes()
                return again
            server.remove()
            server.start()
            seconds = self.driver.fill(server, data_of(items), connections=32)
            progress(f"{items:,} items written in {seconds:.0f} s, {items / seconds:,.0f} per second")
            begin = time.monotonic()
            server.settle()
            progress(f"compaction was done after {time.monotonic() - begin:.0f} s; "
                     f"{sum(file.stat().st_size for file in server.scratch.rglob('*')) / 1e9:.2f} GB on disk")
        filled.touch()
        return again + ", the first after they were written"

    def _filled_starts(self):
        items = self.options.middle
        first = self._fill("middle", items)
        with self._server("middle") as server:
            self._note_start("middle", first, [self._restart(server)])
            self._note_start("middle", f"on {items:,} items",
                             [self._restart(server) for _ in range(self.options.starts)])
            self._note_start("middle", f"on {items:,} items after kill -9 under {self.options.seconds:g} s of puts",
                             [self._restart_after_kill(server, items) for _ in range(3)])
        self._done_with(server)

    def _done_with(self, server):
        server.stop()
        if self.options.tables is None:
            server.remove()

    def _restart(self, server):
        found = self._start(server)
        server.stop()
        return found

    def _restart_after_kill(self, server, items):
        server.start()
        self.driver.run(server, "put", data_of(items), [64], self.options.seconds)
        server.stop(signal.SIGKILL)
        return self._restart(server)

    def _large(self):
        options = self.options
        sizes = {"large": options.large}
        if "cost" in options.parts:
            sizes = {"small": options.small, **sizes}
        servers = {}
        try:
            starts = {name: self._fill(name, items) for name, items in sizes.items()}
            for name, what in starts.items():
                servers[name] = self._server(name)
                self._note_start(name, what, [self._start(servers[name])])
            if "cost" in options.parts:
                self._reads(servers, sizes)
            if "memory" in options.parts:
                self._memory(servers["large"], options.large)
        finally:
            for server in servers.values():
                self._done_with(server)

    def _reads(self, servers, sizes):
        for operation in ("get", "query", "begins"):
            rounds = {name: [] for name in servers}
            for _ in range(self.options.rounds):
                for name, found in rounds.items():
                    found += self._load(servers[name], operation, sizes[name])
            for name, found in rounds.items():
                median = sorted(found, key=lambda each: each["cpu_us"])[len(found) // 2]
                self.figures["reads"].append({**median, "items": sizes[name]})

    def _load(self, server, operation, items):
        found = self.driver.run(server, operation, data_of(items), [CONNECTIONS], self.options.seconds,
                                self.options.warmup)
        progress(f"{items:,} items: {operation} {found[0]['per_second']:,.0f}/s, {found[0]['cpu_us']:.1f} us CPU, "
                 f"{server.memory_mb()['now']:.0f} MB")
        return found

    def _memory(self, server, items):
        """Reads until the cache must be full, and writes; then what the process has used at most."""
        for operation in ("get", "query", "put", "batch", "get"):
            self._load(server, operation, items)
            self.figures["memory"].append({"after": operation, "cache_mb": self.options.cache_mb, "items": items,
                                           **server.memory_mb()})


def main(arguments):
    options = parse(arguments)
    prepare(options)
    bench = ScaleBench(options)
    try:
        bench.run()
    finally:
        shutil.rmtree(options.scratch, ignore_errors=True)
    remarks = [machine(), f"server on core {options.server_cores}, driver on core {options.driver_cores} "
               f"({options.wait}s while it waits), {CONNECTIONS} connections, "
               f"median of {options.rounds} rounds of {options.seconds:g} s"]
    write_results(options, "scale", report(bench.figures, remarks), {**bench.figures, "remarks": remarks})


if __name__ == "__main__":
    main(sys.argv[1:])
