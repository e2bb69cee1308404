"""What a bad disk may do, and what the store must make of it.

disk_fault_test.py [--binary PATH] [-v]
"""

import argparse
import contextlib
import itertools
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture")]

from botocore.exceptions import BotoCoreError, ClientError  # noqa: E402

import endpoint  # noqa: E402
from cairn_server import CairnServer, StartFailed, binary_from_environment  # noqa: E402
from chance import seeded_random  # noqa: E402
from tables import gsi, item, table_definition  # noqa: E402
from wait import wait_until  # noqa: E402

TABLE = "faults"


class DiskFaultTest(unittest.TestCase):
    binary = binary_from_environment()

    def server(self, **more):
        server = CairnServer(self.binary, **more)
        self.addCleanup(server.close)
        return server

    def start(self, server):
        server.start()
        self.db = endpoint.client(server.url, read_timeout=30)
        with contextlib.suppress(self.db.exceptions.ResourceInUseException):
            self.db.create_table(**table_definition(TABLE, "pk:S", gsi("by-a", "a:S"), stream="NEW_IMAGE"))
        wait_until(lambda: self.db.describe_table(TableName=TABLE)["Table"]["TableStatus"] == "ACTIVE", 30, TABLE)

    def put(self, number, bytes_=100):
        self.db.put_item(TableName=TABLE, Item=item(pk=str(number), a="x", n=number, filler="x" * bytes_))

    def numbers(self):
        """Every item by a scan of the table; the index has to agree."""
        found = {where.get("IndexName"): self.scan(**where) for where in ({}, {"IndexName": "by-a"})}
        self.assertEqual(found[None], found["by-a"])
        return found[None]

    def scan(self, **where):
        numbers = set()
        for page in self.db.get_paginator("scan").paginate(TableName=TABLE, ProjectionExpression="n", **where):
            numbers |= {int(row["n"]["N"]) for row in page["Items"]}
        return numbers

    def health(self, server):
        return endpoint.send(server.url, None, {}, method="GET", path="/healthz").status

    def assert_kept(self, acknowledged, unsure):
        """Everything acknowledged is there, and of the rest at most what nobody can be sure of."""
        found = self.numbers()
        self.assertGreaterEqual(found, acknowledged)
        self.assertLessEqual(len(found - acknowledged), unsure, "writes that were refused came back")

    def assert_verified(self, server):
        done = server.verify()
        self.assertEqual((done.code, done.stderr), (0, ""), done)


class DamagedLog(DiskFaultTest):
    COUNT = 200

    def log_with_items(self):
        """A killed server and the file its last writes are in."""
        server = self.server()
        self.start(server)
        for number in range(self.COUNT):
            self.put(number)
        server.kill()
        logs = sorted(pathlib.Path(server.data).glob("*.log"), key=lambda path: int(path.stem))
        return server, max(logs, key=lambda path: path.stat().st_size)

    def assert_nothing_lost(self, server):
        self.start(server)
        self.assertEqual(self.numbers(), set(range(self.COUNT)))
        self.put(self.COUNT)
        server.kill()
        self.start(server)
        self.assertEqual(self.numbers(), set(range(self.COUNT + 1)))
        server.kill()
        self.assert_verified(server)

    def test_half_a_record_at_the_end_is_ignored(self):
        server, log = self.log_with_items()
        # A record's head (checksum, length 1000, type 1) and the first bytes of its body: what a power loss leaves.
        with open(log, "ab") as file:
            file.write(b"\x12\x34\x56\x78" + (1000).to_bytes(2, "little") + b"\x01" + b"begun")
        self.assert_nothing_lost(server)

    def test_zeroes_at_the_end_are_ignored(self):
        server, log = self.log_with_items()
        with open(log, "ab") as file:
            file.write(bytes(4096))
        self.assert_nothing_lost(server)

    def test_garbage_at_the_end_is_ignored(self):
        server, log = self.log_with_items()
        with open(log, "ab") as file:
            file.write(bytes(range(1, 256)) * 40)
        self.assert_nothing_lost(server)

    def test_damage_to_the_last_record_is_no_torn_tail(self):
        """It had been synced: the mark says so."""
        server, log = self.log_with_items()
        data = bytearray(log.read_bytes())
        data[-2] ^= 0x01
        log.write_bytes(data)
        self.assert_refused(server, log.name)

    def test_missing_log_is_noticed(self):
        server, log = self.log_with_items()
        log.unlink()
        self.assert_refused(server, ".log")
        self.assert_refused(server, ".log")

    def assert_refused(self, server, words):
        with self.assertRaises(StartFailed):
            server.start()
        self.assertIn(words, server.stderr().splitlines()[-1])

    def test_damage_in_the_middle_is_refused_in_one_line(self):
        server, log = self.log_with_items()
        data = bytearray(log.read_bytes())
        data[len(data) // 2] ^= 0x40
        log.write_bytes(data)
        with self.assertRaises(StartFailed):
            server.start()
        self.assertIn(server.data, server.stderr().splitlines()[-1])
        self.assertIn(log.name, server.stderr().splitlines()[-1])
        done = server.verify()
        self.assertEqual(done.code, 1, done)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done)


class FailedSync(DiskFaultTest):
    FAILS_AFTER = 20  # syncs of one thread

    def setUp(self):
        probe = subprocess.run(["strace", "-f", "-o", os.devnull, "-e", "trace=fdatasync", "true"],
                               capture_output=True, check=False) if shutil.which("strace") else None
        if probe is None or probe.returncode != 0:
            self.skipTest("strace is not there or may not trace")

    def traced(self):
        """A server whose writer's disk fails after some syncs. -D: the server is our child, strace is its."""
        return self.server(prefix=["strace", "-D", "-f", "-qq", "-o", os.devnull, "-e", "trace=fdatasync,fsync", "-e",
                                   f"inject=fdatasync,fsync:error=EIO:when={self.FAILS_AFTER}+"])

    def write_until_refused(self):
        acknowledged = set()
        for number in range(500):
            try:
                self.put(number)
                acknowledged.add(number)
            except (ClientError, BotoCoreError) as error:
                return acknowledged, error
        self.fail("500 writes were acknowledged although the disk fails")

    def test_failed_sync_is_never_acknowledged_and_makes_the_store_read_only(self):
        server = self.traced()
        self.start(server)
        self.assertEqual(self.health(server), 200)
        acknowledged, error = self.write_until_refused()
        self.assertIsInstance(error, ClientError, "the connection broke instead of an answer")
        self.assertGreaterEqual(error.response["ResponseMetadata"]["HTTPStatusCode"], 500)
        self.assertEqual(self.health(server), 503)
        for number in range(1000, 1005):
            with self.assertRaises(ClientError):
                self.put(number)
        self.assertGreaterEqual(self.scan(), acknowledged)
        self.assertTrue(server.running())

        # It stops as asked, and says that it could not write.
        self.assertEqual(server.terminate(), 3, server.stderr())
        self.assertIn("stopped while the store took no writes", server.stderr())
        server.prefix = []
        self.start(server)
        self.assertEqual(self.health(server), 200)
        self.assert_kept(acknowledged, unsure=1)
        self.put(2000)
        server.kill()
        self.assert_verified(server)


class FillingWriter(threading.Thread):
    """Writes until it is stopped, or the server is gone."""

    def __init__(self, url, numbers, seed):
        super().__init__(daemon=True)
        self.db = endpoint.client(url, read_timeout=30)
        self.numbers, self.random = numbers, random.Random(seed)
        self.acknowledged, self.refused, self.failure = set(), 0, None
        self._stopping = threading.Event()

    def run(self):
        while not self._stopping.is_set():
            number = next(self.numbers)
            rows = [item(pk=str(number), a="x", n=number, filler="x" * self.random.choice((100, 3_000, 60_000)))]
            if self.random.random() < 0.2:
                rows.append(item(pk=f"{number} too", a="x", n=number))
            try:
                self.db.transact_write_items(TransactItems=[{"Put": {"TableName": TABLE, "Item": row}} for row in rows])
                self.acknowledged.add(number)
            except ClientError as error:
                self.refused += 1
                if error.response["ResponseMetadata"]["HTTPStatusCode"] < 500:
                    self.failure = error
            except BotoCoreError:
                return

    def stop(self):
        self._stopping.set()
        self.join(60)
        if self.failure:
            raise self.failure


class FullDisk(DiskFaultTest):
    SIZE_MB = 64

    def setUp(self):
        self.mount = tempfile.mkdtemp(prefix="cairn-full-")
        self.addCleanup(shutil.rmtree, self.mount, ignore_errors=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.SIZE_MB}m", "tmpfs", self.mount],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.skipTest(f"may not mount a small file system: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", self.mount], check=False)

    def test_full_disk_is_said_and_nothing_acknowledged_is_lost(self):
        server = self.server(data=pathlib.Path(self.mount, "data"))
        self.start(server)
        ballast = pathlib.Path(self.mount, "ballast")
        ballast.write_bytes(bytes(24 << 20))
        acknowledged, refusal = set(), None
        for number in range(2000):
            try:
                self.put(number, 100_000)
                acknowledged.add(number)
            except ClientError as error:
                refusal = error
                break
        self.assertIsNotNone(refusal, "2000 items of 100 KB fit into 40 MB")
        self.assertGreaterEqual(refusal.response["ResponseMetadata"]["HTTPStatusCode"], 500)
        self.assertGreater(len(acknowledged), 20)
        self.assertGreaterEqual(self.scan(), acknowledged)
        self.assertTrue(server.running())
        self.assertEqual(self.health(server), 503)

        # With room again the store goes on by itself.
        ballast.unlink()
        wait_until(lambda: self.may_put(5000), 60, "writes after there is room again")
        self.assertEqual(self.health(server), 200)
        acknowledged.add(5000)
        copy = pathlib.Path(self.mount, "copy")
        done = server.command("backup", "--data", server.data, "--to", copy)
        self.assertEqual(done.code, 0, done)
        self.assertEqual(server.terminate(), 0, server.stderr())
        self.start(self.server(data=copy))
        self.assert_kept(acknowledged, unsure=1)
        self.start(server)
        self.assert_kept(acknowledged, unsure=1)
        self.put(5001)
        server.kill()
        self.assert_verified(server)

    def test_goes_on_although_nobody_writes(self):
        """What expires is looked for once an hour here: that must not be what notices the room."""
        server = self.server(data=pathlib.Path(self.mount, "data"), flags=["--ttl-sweep-seconds", "3600"])
        self.start(server)
        self.leave_room(2 << 20)
        number = 0
        while self.may_put(number, 100_000):
            number += 1
        self.assertEqual(self.health(server), 503)
        self.leave_room(256 << 20)
        wait_until(lambda: self.health(server) == 200, 60, "the store to be well again")
        self.assertTrue(self.may_put(number))

    def test_filled_again_and_again_under_load(self):
        """Six writers; with and without kill -9 while the disk is full. CAIRN_ROUNDS for more."""
        chance, rounds = seeded_random(), int(os.environ.get("CAIRN_ROUNDS", "3"))
        server = self.server(data=pathlib.Path(self.mount, "data"))
        self.start(server)
        acknowledged, unsure, numbers = set(), 0, itertools.count(10_000)
        for _ in range(rounds):
            self.leave_room(chance.choice((2, 5, 9)) << 20)
            writers = [FillingWriter(server.url, numbers, chance.random()) for _ in range(6)]
            for writer in writers:
                writer.start()
            self.await_refusals(server, writers, 20)
            if chance.random() < 0.5:
                self.leave_room(0)
                self.await_refusals(server, writers, chance.randrange(100))
            if chance.random() < 0.5:
                server.kill()
                unsure += len(writers)
            for writer in writers:
                writer.stop()
                acknowledged |= writer.acknowledged
            self.leave_room(256 << 20)
            if not server.running():
                self.start(server)
            number = next(numbers)
            wait_until(lambda: self.may_put(number), 60, "writes after there is room again")
            acknowledged.add(number)
            self.assert_kept(acknowledged, unsure)
        self.assertEqual(server.terminate(), 0, server.stderr())
        self.assert_verified(server)

    def await_refusals(self, server, writers, more):
        def refused():
            return sum(writer.refused for writer in writers)
        enough = refused() + more
        wait_until(lambda: refused() >= enough or not server.running(), 60, f"{more} refusals")
        self.assertTrue(server.running(), server.stderr())

    def leave_room(self, room):
        """Makes the file system as large as what is in it and so many bytes."""
        def resize():
            found = os.statvfs(self.mount)
            size = (found.f_blocks - found.f_bfree) * found.f_frsize + room
            command = ["mount", "-o", f"remount,size={max(size, found.f_frsize)}", self.mount]
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        wait_until(resize, 30, "the file system to be as large as asked")  # fails while it grows

    def may_put(self, number, bytes_=100):
        with contextlib.suppress(ClientError):
            self.put(number, bytes_)
            return True
        return False


class WrongPlace(DiskFaultTest):
    def refusal(self, server):
        with self.assertRaises(StartFailed):
            server.start()
        return server.stderr().splitlines()[-1]

    def test_removed_directory_is_noticed_without_a_write(self):
        for leave in (shutil.rmtree, lambda data: os.rename(data, data + " elsewhere"), self.replace):
            server = self.server()
            self.start(server)
            self.put(1)
            leave(server.data)
            wait_until(lambda: self.health(server) == 503, 60, "the loss to be noticed")
            told = endpoint.send(server.url, None, {}, method="GET", path="/healthz").json()
            self.assertIn("removed or replaced", str(told))
            with self.assertRaises(ClientError):
                self.put(2)
            self.assertEqual(self.scan(), {1})
            self.assertEqual(server.terminate(), 3, server.stderr())

    @staticmethod
    def replace(data):
        os.rename(data, data + " elsewhere")
        shutil.copytree(data + " elsewhere", data, ignore=shutil.ignore_patterns("*.sock", "control*"))

    def test_another_process_is_named(self):
        server = self.server()
        self.start(server)
        self.assertIn("in use by another process", self.refusal(self.server(data=server.data)))

    def test_read_only_file_system_is_named(self):
        mount = tempfile.mkdtemp(prefix="cairn-read-only-")
        self.addCleanup(shutil.rmtree, mount, ignore_errors=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", mount], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            self.skipTest(f"may not mount a small file system: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", mount], check=False)
        server = self.server(data=pathlib.Path(mount, "data"))
        self.start(server)
        self.put(1)
        self.assertEqual(server.terminate(), 0, server.stderr())
        subprocess.run(["mount", "-o", "remount,ro", mount], check=True)
        words = self.refusal(server)
        self.assertIn("read-only", words)
        self.assertNotIn("in use", words)
        words = self.refusal(self.server(data=pathlib.Path(mount, "new")))
        self.assertIn("read-only", words.lower())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=binary_from_environment())
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("names", nargs="*", help="e.g. FullDisk")
    options = parser.parse_args()
    DiskFaultTest.binary = options.binary
    loader, here = unittest.TestLoader(), sys.modules[__name__]
    suite = loader.loadTestsFromNames(options.names, here) if options.names else loader.loadTestsFromModule(here)
    result = unittest.TextTestRunner(verbosity=2 if options.verbose else 1).run(suite)
    for test, reason in result.skipped:
        print(f"skipped {test.id()}: {reason}")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
