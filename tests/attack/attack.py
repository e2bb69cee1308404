"""What every attack shares: a release server on loopback, somebody well-behaved beside it, and the report.

    with Attack("unread pages") as attack:
        mallory = attack.user("mallory")
        ...                        # what is there before
        with attack.under_way():   # from here on it is measured
            ...
        attack.check("no unsigned POST /", status != 200, status)
"""

import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fixture"))

from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from wait import wait_until  # noqa: E402,F401  pylint: disable=unused-import

PEAK_MB_MAX = 512
P99_MS_MAX = 100
ATTACK_SECONDS = float(os.environ.get("CAIRN_ATTACK_SECONDS", 12))


class User:
    """Requests with one token, one connection each."""

    def __init__(self, attack, name, token):
        self.attack, self.name, self.token = attack, name, token

    def send(self, method, path, body=None, seconds=60, **fields):
        """(status, headers, body)."""
        connection = self.attack.connect(seconds)
        try:
            wire = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            kind = {} if wire is None else {"Content-Type": "application/json"}
            own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
            connection.request(method, path, wire, {**kind, **own, **fields})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def head(self, method, path, **fields):
        """The bytes of a request without a body, for those who do not read the answer."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.attack.server.port}",
                 *([f"Authorization: Bearer {self.token}"] if self.token else []),
                 *(f"{name}: {value}" for name, value in fields.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Attack:
    def __init__(self, name, flags=()):
        self.name = name
        self.server = CairnServer(binary_from_environment(), apps=True, flags=["--log-level", "error", *flags])
        self.checks, self.notes = [], {}
        self._seconds, self._failures = [], []

    def __enter__(self):
        self.server.start()
        return self

    def __exit__(self, kind, error, _):
        if kind is not None:
            self.check("the script came to its end", False, repr(error))
        alive = self.server.running()
        self.check("alive", alive)
        peak = self.peak_mb() if alive else None
        self.check(f"memory under {PEAK_MB_MAX} MB", alive and peak < PEAK_MB_MAX, f"{peak} MB")
        if self._seconds:
            ordered = sorted(self._seconds)
            self.p99_ms = round(1000 * ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 1)
            self.notes["well-behaved"] = (f"{len(ordered)} requests, median {1000 * ordered[len(ordered) // 2]:.1f} ms, "
                                          f"p99 {self.p99_ms} ms, most {1000 * ordered[-1]:.0f} ms")
            self.check(f"p99 under {P99_MS_MAX} ms", self.p99_ms < P99_MS_MAX, f"{self.p99_ms} ms")
            self.check("every request of the well-behaved was answered", not self._failures, self._failures[:3])
        stopped_in = time.monotonic()
        if alive:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.server.terminate(60)
        self.notes["stopped in"] = f"{time.monotonic() - stopped_in:.1f} s"
        self.server.close()
        self.report()
        return kind is not None and issubclass(kind, Exception)

    # ---- who takes part

    def user(self, name):
        made = self.server.command("token", "--sub", name, "--for", "7d", "--data", self.server.data)
        assert made.code == 0, made
        return User(self, name, made.stdout.strip())

    def stranger(self):
        return User(self, None, None)

    def connect(self, seconds=60):
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=seconds)

    @contextlib.contextmanager
    def under_way(self, user=None):
        """While somebody well-behaved works beside it."""
        good = user or self.user("well-behaved")
        process = subprocess.Popen(["/usr/bin/python3", str(HERE / "well_behaved.py"), f"127.0.0.1:{self.server.port}",
                                    good.token], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        begun = time.monotonic()
        try:
            yield
        finally:
            self.notes["lasted"] = f"{time.monotonic() - begun:.1f} s"
            told = json.loads(process.communicate(timeout=90)[0])
            self._seconds += told["seconds"]
            self._failures += told["failures"]

    def wait(self, seconds=ATTACK_SECONDS):
        """The attack goes on for so long, or until the server is gone."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.server.running():
            time.sleep(0.1)

    @staticmethod
    def at_once(count, work):
        """work(0), work(1), ... side by side; a failure of one is its own business."""
        def safely(number):
            with contextlib.suppress(OSError, http.client.HTTPException):
                work(number)
        threads = [threading.Thread(target=safely, args=(number,), daemon=True) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)

    # ---- what is measured

    def status_of(self, name):
        with open(f"/proc/{self.server.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name))

    def peak_mb(self):
        return self.status_of("VmHWM") // 1024

    def written_mb(self):
        with open(f"/proc/{self.server.pid}/io", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("wchar")) / 1e6

    def cpu_seconds(self):
        with open(f"/proc/{self.server.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stored_mb(self):
        return sum(path.stat().st_size for path in pathlib.Path(self.server.data).rglob("*") if path.is_file()) / 1e6

    def check(self, what, holds, seen=""):
        self.checks.append((what, bool(holds), str(seen)))

    def report(self):
        failed = [check for check in self.checks if not check[1]]
        print(f"{'FAILED' if failed else 'held  '} {self.name}")
        for what, holds, seen in self.checks:
            print(f"    {'ok ' if holds else 'NOT'} {what}{': ' + seen if seen else ''}")
        for what, seen in self.notes.items():
            print(f"        {what}: {seen}")
        sys.stdout.flush()
        if failed:
            _failed.append(self.name)


_failed = []


def end():
    """The exit code of a script."""
    sys.exit(1 if _failed else 0)
