"""SecurityTest: what every test here starts from. One server for each class; after every case it is alive, healthy
and answers an ordinary request, and what was refused has written nothing. A class also says how much memory its
attacks may cost."""

import pathlib
import re
import resource
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture"), str(HERE.parent / "api")]

import endpoint  # noqa: E402
import wire  # noqa: E402
from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from tables import item, table_definition  # noqa: E402

# Some tests are a crowd of 2,000 clients.
_, descriptors_max = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors_max, descriptors_max))

TABLE = "Guarded"
SANITIZER_REPORT = re.compile(r"AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|runtime error:")
SANITIZED_ADDRESS_SPACE_KB = 1 << 30  # AddressSanitizer reserves terabytes; nothing else here comes near one


def put(key, **more):
    """PutItem's parameters."""
    return {"TableName": TABLE, "Item": item(pk=key, **more)}


class SecurityTest(unittest.TestCase):
    flags = ()
    prefix = ()
    apps = False
    rss_mb_max = 160  # of the release binary, at its highest; it starts with about 35
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.server = CairnServer(binary_from_environment(), apps=cls.apps, prefix=cls.prefix,
                                 flags=["--log-level", "warning", *cls.flags]).start()
        cls.addClassCleanup(cls.server.close)
        cls.port, cls.url = cls.server.port, cls.server.url
        cls.sanitized = cls.memory_kb("VmSize") > SANITIZED_ADDRESS_SPACE_KB
        cls.make_table()
        cls._rss_kb_before = cls.memory_kb("VmRSS")

    @classmethod
    def tearDownClass(cls):
        before, after, peak = (kb // 1024 for kb in (cls._rss_kb_before, cls.memory_kb("VmRSS"),
                                                     cls.memory_kb("VmHWM")))
        print(f"{cls.__name__}: RSS {before} MB before, {after} MB after, {peak} MB at most", file=sys.stderr)
        assert cls.sanitized or peak <= cls.rss_mb_max, f"RSS was {peak} MB, may be {cls.rss_mb_max} MB"
        code = cls.server.terminate()
        assert code == 0, f"exit code {code}: {cls.server.stderr()}"
        assert not SANITIZER_REPORT.search(cls.server.stderr()), cls.server.stderr()

    @classmethod
    def make_table(cls):
        cls.ordinary("CreateTable", table_definition(TABLE, "pk:S"))

    @classmethod
    def memory_kb(cls, name):
        """A line of /proc/PID/status, such as VmRSS; VmHWM is the highest VmRSS so far."""
        status = pathlib.Path(f"/proc/{cls.server.pid}/status").read_text()
        return int(re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE).group(1))

    @classmethod
    def fewer_when_sanitized(cls, count, sanitized):
        """The same attack in a size that slow binaries manage in time."""
        return sanitized if cls.sanitized else count

    # ---- ordinary requests

    @classmethod
    def ordinary(cls, operation, parameters, seconds=wire.DEADLINE_SECONDS):
        """What a client does who means no harm: the parsed answer."""
        heard = wire.talk(cls.port, cls.request(operation, parameters).bytes(), answers=1, seconds=seconds)
        assert heard.statuses() == [200], f"{operation}: {heard}"
        return heard.answers[0].json()

    @classmethod
    def request(cls, operation, parameters, **fields):
        """A request that this server takes; classes with credentials sign it."""
        return wire.unsigned(cls.port, operation, parameters, **fields)

    def stored(self, key):
        return self.ordinary("GetItem", {"TableName": TABLE, "Key": item(pk=key), "ConsistentRead": True}).get("Item")

    # ---- what must hold

    def check_unharmed(self, *absent):
        """Alive, healthy, an ordinary request works, and items with these keys do not exist."""
        self.assertTrue(self.server.running(), self.server.stderr())
        health = wire.talk(self.port, wire.get(self.port, "/healthz").bytes(), answers=1)
        self.assertEqual(health.statuses(), [200], health)
        for key in absent or ("nobody",):
            self.assertTrue(self.stored(key) is None, f"{key} was written")

    def check_answer(self, heard, status, code=None):
        """One answer in time; `status` and `code` may be several."""
        self.assertEqual(len(heard.answers), 1, heard)
        answer = heard.answers[0]
        self.assertIn(answer.status, status if isinstance(status, tuple) else (status,), heard)
        if code is not None:
            self.assertIn(answer.code(), code if isinstance(code, tuple) else (code,), heard)
        return answer


__all__ = ["SecurityTest", "TABLE", "endpoint", "item", "put", "wire"]
