"""slowloris: bodies that trickle, answers that nobody reads. Takes as long as the deadlines, which are fixed; all clients
wait at once."""

from case import SecurityTest, TABLE, put
from crowd import Crowd
from tables import item

BODY_SECONDS = 10  # for a body that comes more slowly than 8 KB/s
UNREAD_SECONDS = 15  # for a client that takes nothing
LATE_SECONDS = 5
PAGES = 40  # of 1 MB each: more than the kernel keeps for a client that does not read


class VerySlowClients(SecurityTest):
    def test_slow_bodies_and_slow_readers_are_dropped_in_time(self):
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
            for _ in range(4):
                crowd.listen((BODY_SECONDS - 2) / 4)
                self.assertEqual(crowd.gone, {}, "nobody is dropped early")
                crowd.say(b" ", by_length)
                crowd.say(b"1\r\n \r\n", by_chunks)
                self.check_unharmed()
            crowd.listen(2 + UNREAD_SECONDS - BODY_SECONDS + LATE_SECONDS)
            self.assertEqual(len(crowd), 0, "still there")
            self.assertTrue(all(b" 408 " in crowd.heard[each] for each in by_length + by_chunks))
        self.check_unharmed()
        self.ordinary("DeleteItem", {"TableName": TABLE, "Key": item(pk="page-0")})
