"""The same random operations to Cairn and to another implementation of the protocol; the differences are listed.

compare.py (--dynoxide PATH | --dynalite PATH | --peer-url URL) [--binary PATH | --url URL] [--seed N]
           [--operations M] [--all] [--messages]
PATH is dynoxide's program, or dynalite's cli.js (run by node). Both endpoints also answer requests that are spoiled
(spoilers.py), and every answer of Cairn is compared with the reference of run.py besides. Differences where the other
one departs from DynamoDB are known (known_differences.py) and only counted, unless --all. Others are faults of
Cairn, or have to be entered there with a reason: then the exit code is 1.
"""

import argparse
import contextlib
import os
import pathlib
import random
import socket
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture"), str(HERE.parent / "protocol")]

import endpoint  # noqa: E402
from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from known_differences import reason_for  # noqa: E402
from operations import Mismatch, Operations, tables  # noqa: E402
from pair import Pair  # noqa: E402
from run import create  # noqa: E402
from wait import wait_until  # noqa: E402


PEER_SECONDS_MAX = 5  # for one answer


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running(command, port):
    """A process that listens on `port` of this machine."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(port) or process.poll() is not None, 30, command[0])
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def listens(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def peer(options):
    """(name, context manager that gives its URL)"""
    port = str(free_port())
    if options.dynoxide:
        return "dynoxide", running([options.dynoxide, "serve", "--host", "127.0.0.1", "--port", port], int(port))
    if options.dynalite:
        return "dynalite", running(["node", options.dynalite, "--host", "127.0.0.1", "--port", port,
                                    "--createTableMs", "0", "--deleteTableMs", "0"], int(port))
    return options.peer_name, contextlib.nullcontext(options.peer_url.rstrip("/"))


@contextlib.contextmanager
def cairn(options):
    """The URL of our side."""
    if options.url:
        yield options.url.rstrip("/")
        return
    # Relaxed, as in run.py: meaning is asked here, not durability.
    with CairnServer(options.binary, flags=["--durability", "relaxed"]) as server:
        yield server.url


def compare(our_url, peer_url, seed, count, messages):
    """The pair after `count` operations, and what the reference found wrong with Cairn."""
    made = tables(f"pair-{os.getpid()}")
    pair = Pair(endpoint.client(our_url), endpoint.client(peer_url, read_timeout=PEER_SECONDS_MAX), made,
                random.Random(f"pair {seed}"), messages)
    operations = Operations(pair, made, random.Random(seed))
    mismatch = None
    for table in made:
        create(pair.ours, table)
        create(pair.theirs, table)
    try:
        for _ in range(count):
            operations.random_operation()
    except Mismatch as error:
        mismatch = error
    for table in made:
        for side in (pair.ours, pair.theirs):
            side.delete_table(TableName=table.name)
    return pair, mismatch


def report(name, pair, list_all):
    """Prints the differences by kind; the number of those that are not known."""
    known, unknown = {}, {}
    for difference in pair.found:
        reason = reason_for(name, difference)
        group = known if reason else unknown
        kind = reason or f"{difference.operation}, {difference.spoiler or 'good request'}: {difference.aspect}"
        group.setdefault(kind, []).append(difference)
    for kind, group in sorted(known.items(), key=lambda entry: -len(entry[1])):
        print(f"known, {len(group)} times: {kind}")
        if list_all:
            print(f"  {group[0]}")
    for kind, group in sorted(unknown.items(), key=lambda entry: -len(entry[1])):
        print(f"DIFFERENCE, {len(group)} times: {kind}\n  {group[0]}")
    print(f"{pair.calls} calls: {sum(map(len, known.values()))} known differences of {len(known)} kinds, "
          f"{sum(map(len, unknown.values()))} others of {len(unknown)} kinds")
    return len(unknown)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--dynoxide", metavar="PATH")
    which.add_argument("--dynalite", metavar="PATH")
    which.add_argument("--peer-url", metavar="URL")
    parser.add_argument("--peer-name", default="dynoxide", help="whose known differences count for --peer-url")
    parser.add_argument("--binary", default=binary_from_environment())
    parser.add_argument("--url", help="a Cairn that is already running")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--operations", type=int, default=3000)
    parser.add_argument("--all", action="store_true", help="an example of each known difference, too")
    parser.add_argument("--messages", action="store_true", help="the wording of errors counts, too")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.operations} operations", flush=True)
    name, peer_context = peer(options)
    with cairn(options) as our_url, peer_context as peer_url:
        pair, mismatch = compare(our_url, peer_url, options.seed, options.operations, options.messages)
    unknown = report(name, pair, options.all)
    if mismatch:
        print(f"MISMATCH with the reference\n{mismatch}")
    return 1 if unknown or mismatch else 0


if __name__ == "__main__":
    sys.exit(main())
