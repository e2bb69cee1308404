"""slowloris: bodies that trickle, answers that nobody reads. Takes as long as the deadlines, which are fixed; all clients
wait at once."""

from case import SecurityTest, TABLE, put
from crowd import Crowd
from tables import item

DEADLINE_SECONDS = 10  # for a body that comes more slowly than 8 KB/s; a client that takes nothing has 15
PATIENCE_SECONDS = 240  # of a busy machine; whoever goes on talking would never be dropped without a deadline
PAGES = 40  # of 1 MB each: more than the kernel keeps for a client that does not read


class VerySlowClients(SecurityTest):
    def test_slow_bodies_and_slow_readers_are_dropped(self):
        for n in range(4):
            self.ordinary("PutItem", put(f"page-{n}", f="x" * 380_000))
        length = self.request("PutItem", b"").head(framing=b"Content-Length: 1000000") + b"{"
        chunks = self.request("PutItem", b"").head(framing=b"Transfer-Encoding: chunked") + b"1\r\n{\r\n"
        scans = self.request("Scan", {"TableName": TABLE}).bytes() * PAGES
        count = self.fewer_when_sanitized(100, 20)
        with Crowd() as crowd:
            by_length = crowd.join(self.port, count, length)
            by_chunks = crowd.join(self.port, count, chunks)
            readers = crowd.join(self.port, count // 5, scans)
            crowd.leave_unread(readers)
            crowd.trickle([(b" ", by_length), (b"1\r\n \r\n", by_chunks)], 5, PATIENCE_SECONDS, self.check_unharmed)
            self.assertEqual(len(crowd), 0, "still there")
            early = [seconds for seconds in crowd.gone.values() if seconds < DEADLINE_SECONDS - 1]
            self.assertFalse(early, f"{len(early)} were dropped too early")
            self.assertTrue(all(b" 408 " in crowd.heard[each] for each in by_length + by_chunks))
        self.check_unharmed()
        self.ordinary("DeleteItem", {"TableName": TABLE, "Key": item(pk="page-0")})
