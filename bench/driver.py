"""What the benchmarks share: building the programs, running the load driver, telling the progress."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN = time.monotonic()
LOAD_BEFORE = os.getloadavg()[0]  # of others: figures taken on a busy machine should say so


def progress(text):
    print(f"[{time.monotonic() - BEGIN:6.1f} s] {text}", file=sys.stderr, flush=True)


def add_common_options(parser):
    """Options of both benchmarks; give the result to `prepare`."""
    parser.add_argument("--cairn", type=pathlib.Path, help="measure this binary instead of building the release")
    parser.add_argument("--driver", type=pathlib.Path, help="use this load driver instead of building it")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / "build" / "bench-data",
                        help="directory on the disk to be measured; what is made in it is removed "
                             "(default: %(default)s)")
    parser.add_argument("--server-cores", default="0", help="cores of every server, as for taskset (default: 0)")
    parser.add_argument("--driver-cores", default="1", help="cores of the load driver (default: 1)")
    parser.add_argument("--wait", choices=("sleep", "spin"), default="sleep",
                        help="how the driver waits for answers: a sleeping one costs the server the wake-up, a "
                             "spinning one takes all of its core (default: sleep)")
    parser.add_argument("--json", type=pathlib.Path, help="also write every figure to this file")
    parser.add_argument("--markdown", type=pathlib.Path,
                        help="also write the tables to this file; in docs/performance.md they replace the old ones")


def prepare(options):
    """Builds what was not given, and makes a scratch directory of this run's own."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that servers are stopped and files removed
    wanted = [name for name, given in (("cairn", options.cairn), ("bench_load_driver", options.driver)) if not given]
    if wanted:
        subprocess.run([ROOT / "tools" / "build", "release", *wanted], check=True)
    options.cairn = options.cairn or ROOT / "build" / "release" / "cairn"
    options.driver = options.driver or ROOT / "build" / "release" / "bench" / "bench_load_driver"
    if os.cpu_count() == 1:
        options.driver_cores = options.server_cores
    options.scratch.mkdir(parents=True, exist_ok=True)
    options.scratch = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=options.scratch))


class Driver:
    def __init__(self, options):
        self.wait = options.wait
        self.command = ["taskset", "-c", options.driver_cores, str(options.driver)]

    def run(self, server, operation, data, connections, seconds=0.0, warmup=0.0, wrong_ends=True):
        """One dict of figures per number of connections. Without `wrong_ends`, it is the caller who looks at how many of
        the answers were wrong."""
        command = ["run", operation, "--port", server.port, "--pid", server.process.pid, "--connections",
                   ",".join(map(str, connections)), "--seconds", seconds, "--warmup", warmup, "--items", data[0],
                   "--partitions", data[1], "--wait", self.wait]
        figures = self._call(*command)
        for _ in range(2):  # on a machine that is busy otherwise, seconds may pass without one answer
            if all(each["operations"] for each in figures):
                break
            figures = self._call(*command)
        for each in figures:
            if each["wrong"] and wrong_ends:
                raise RuntimeError(f"{server.name} answered {operation} {each['wrong']} times wrongly, "
                                   f"first: {each['first_wrong']}")
            if not each["operations"]:
                raise RuntimeError(f"{server.name} did not answer one {operation} in {seconds:g} seconds. "
                                   "Is the machine busy? Try again, or with more --seconds.")
            each["server"], each["storage"] = server.name, server.storage
            each["per_second"] = each["operations"] / each["seconds"]
            each["cpu_us"] = each["server_cpu_s"] * 1e6 / max(1, each["operations"])
            each["driver_cpu_us"] = each["driver_cpu_s"] * 1e6 / max(1, each["operations"])
        return figures

    def fill(self, server, data, connections=16):
        """Creates the table and writes `data`, (items, partitions of 20), through BatchWriteItem."""
        server.create_table()
        seconds = 0.0
        for operation in ("load-items", "load-partitions"):
            seconds += self.run(server, operation, data, [connections])[0]["seconds"]
        return seconds

    def fsync(self, directory, seconds):
        return self._call("fsync", directory, "--seconds", seconds)[0]

    def _call(self, *arguments):
        done = subprocess.run([*self.command, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return [json.loads(line) for line in done.stdout.splitlines()]


def write_results(options, name, text, figures):
    """Prints the tables and writes the files that were asked for. A markdown file with marks of this benchmark keeps
    what stands around them."""
    print(text)
    if options.json:
        options.json.write_text(json.dumps(figures))
    if options.markdown:
        command = f"bench/run {name}" + (" --wait spin" if options.wait == "spin" else "")
        begin, end = (f"<!-- {command}: {mark} -->" for mark in ("begin", "end"))
        old = options.markdown.read_text() if options.markdown.exists() else ""
        if begin in old and end in old:
            text = old[:old.index(begin) + len(begin)] + "\n" + text + old[old.index(end):]
        options.markdown.write_text(text)


def machine():
    """One line about where the figures come from."""
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{os.cpu_count()} cores of {cpu}, Linux {os.uname().release}, load {LOAD_BEFORE:.1f} before the run"
