"""conn-flood: more connections than a server has use for. Those who were there before are served meanwhile, and
everybody else afterwards."""

import os
import pathlib

from case import SecurityTest, TABLE, put, wire
from crowd import Crowd
from tables import item
from wait import wait_until


class IdleConnections(SecurityTest):
    def test_2000_idle_connections(self):
        with Crowd() as crowd:
            crowd.join(self.port, self.fewer_when_sanitized(2_000, 500))
            for _ in range(20):
                self.check_unharmed()
            crowd.listen(0)
            self.assertEqual(crowd.gone, {}, "idle connections may stay for a while")
        self.check_unharmed()

    def test_2000_clients_that_come_and_go(self):
        for _ in range(self.fewer_when_sanitized(20, 5)):
            with Crowd() as crowd:
                crowd.join(self.port, 100, b"GET /healthz HTTP/1.1\r\n")
        self.check_unharmed()

    def test_2000_clients_that_leave_with_their_answers_unread(self):
        asks = self.request("Scan", {"TableName": TABLE}).bytes() * 10
        for _ in range(self.fewer_when_sanitized(20, 5)):
            with Crowd() as crowd:
                crowd.join(self.port, 100, asks)
        self.check_unharmed()


class FewDescriptors(SecurityTest):
    """The usual limit of 1,024 open files, and more connections than that."""

    prefix = ("/bin/sh", "-c", 'ulimit -n 1024; exec "$0" "$@"')
    rss_mb_max = 450  # what is written meanwhile is in memtables

    def open_files(self):
        return len(os.listdir(f"/proc/{self.server.pid}/fd"))

    def limit(self):
        lines = pathlib.Path(f"/proc/{self.server.pid}/limits").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("Max open files")).split()[3])

    def test_connections_do_not_take_the_files_of_the_store(self):
        """The store needs descriptors for new files. A write that cannot get one would be the last one."""
        self.assertEqual(self.limit(), 1_024)
        filler = "x" * 390_000
        written = self.fewer_when_sanitized(150, 40)  # MB, about: the store begins new files meanwhile
        early = wire.connect(self.port)
        self.addCleanup(early.close)
        with Crowd() as crowd:
            crowd.join(self.port, 1_100)
            crowd.listen(0.5)  # those who are turned away
            self.assertLess(self.open_files(), 900)
            for n in range(written // 4):
                puts = [{"PutRequest": {"Item": item(pk=f"{n}-{i}", f=filler)}} for i in range(10)]
                early.sendall(self.request("BatchWriteItem", {"RequestItems": {TABLE: puts}}).bytes())
                self.check_next_answer(early)
            early.sendall(self.request("PutItem", put("during")).bytes())
            self.check_next_answer(early)
            early.sendall(wire.get(self.port, "/healthz").bytes())
            self.check_next_answer(early)
        wait_until(lambda: self.open_files() < 200, 60, "the crowd to be gone")
        self.check_unharmed()
        self.assertIsNotNone(self.stored("during"))

    def check_next_answer(self, connection):
        connection.settimeout(self.fewer_when_sanitized(5, 20))  # a disk may be slow
        received = b""
        while not wire.split_answers(received):
            heard = connection.recv(1 << 16)
            self.assertTrue(heard, f"hung up: {received}")
            received += heard
        self.assertEqual([answer.status for answer in wire.split_answers(received)], [200], received)
