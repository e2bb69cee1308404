"""Counts the instructions of a server with callgrind: the same every time, whatever else the machine does.

A server is started under valgrind and runs some fifty times slower; only what happens inside `counted` counts.
"""

import contextlib
import re
import subprocess
import time


def under_callgrind(server):
    """Starts the server so that its instructions can be counted."""
    command = server.command
    server.command = lambda: ["valgrind", "--tool=callgrind", "--instr-atstart=no",
                              f"--callgrind-out-file={server.scratch}/instructions", *command()]
    server.start()


class Count:
    total = 0


@contextlib.contextmanager
def counted(server):
    """with counted(server) as count: ...; then count.total, without what the server does by the clock."""
    count, begin = Count(), time.monotonic()
    _control(server, "--instr=on")
    _control(server, "--zero")
    yield count
    _control(server, "--dump")
    _control(server, "--instr=off")
    dump = max(server.scratch.glob("instructions.*"), key=lambda file: file.stat().st_mtime_ns)
    count.total = int(re.search(r"^totals: (\d+)", dump.read_text(errors="replace"), re.MULTILINE).group(1))
    count.total -= int(getattr(server, "idle_instructions", 0) * (time.monotonic() - begin))
    dump.unlink()


def count_idle(server, seconds=4):
    """How many instructions a second the server takes while nobody asks."""
    with counted(server) as count:
        time.sleep(seconds)
    server.idle_instructions = count.total / seconds
    return server.idle_instructions


def _control(server, what):
    subprocess.run(["callgrind_control", what, str(server.process.pid)], check=True, stdout=subprocess.DEVNULL)
