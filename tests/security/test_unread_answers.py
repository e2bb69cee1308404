"""unread: clients that ask for much and read none of it. What is queued for them is bounded, whoever they are; others
do not notice."""

import re
import socket

from app_case import AppTest, WellBehaved
from case import wire
from crowd import Crowd
from wait import wait_until

MB = 1 << 20
UNREAD = "cairn_http_unread_response_bytes"
ABORTED = "cairn_http_responses_aborted_total"
SHARE_BYTES = 32 * MB  # of what is unread, for one user
SLOW_SECONDS = 60  # for the server to have worked off what it was asked, on a busy machine


class Unread(AppTest):
    rss_mb_max = 300

    def check_bounded(self, ask, count):
        """So many connections ask and do not read, while somebody else works."""
        before = self.metric(ABORTED)
        with WellBehaved(self, "bob") as bob, Crowd() as crowd:
            descriptors = crowd.join(self.port, count, ask)
            crowd.leave_unread(descriptors)
            done = bob.done
            wait_until(lambda: bob.wrong or bob.done > done + 20, SLOW_SECONDS, "somebody else's requests")
            self.assertLessEqual(self.metric(UNREAD), SHARE_BYTES + MB)
            # Whoever takes nothing is given up.
            wait_until(lambda: self.metric(UNREAD) == 0, SLOW_SECONDS, "the unread answers to be given up")
            self.assertGreater(self.metric(ABORTED), before)
            self.assertEqual(bob.wrong, [])
        self.check_unharmed()


class UnreadPages(Unread):
    """The kernel keeps some megabytes for each connection, so each asks for several pages."""

    def test_pages_of_notes(self):
        for n in range(20):
            self.post("ann", "/api/nexus/notes", {"title": f"note {n}", "body": "x" * 190_000})
        pages = self.asking("ann", "/api/nexus/notes?limit=100") * 12
        self.check_bounded(pages, self.fewer_when_sanitized(120, 30))

    def test_a_page_is_cut_by_bytes_and_goes_on(self):
        sizes, seen, cursor = [], set(), ""
        for n in range(30):
            self.post("cat", "/api/nexus/notes", {"title": f"note {n}", "body": "x" * 190_000})
        while True:
            status, body = self.send("cat", "GET", "/api/nexus/notes?limit=100" + cursor)
            self.assertEqual(status, 200)
            sizes.append(len(body))
            seen |= set(re.findall(rb'"noteId":"([^"]+)"', body))
            more = re.search(rb'"nextCursor":"([^"]+)"', body)
            if not more:
                break
            cursor = "&cursor=" + more.group(1).decode()
        self.assertEqual(len(seen), 30)
        self.assertLess(max(sizes), 2 * MB)


class UnreadFeeds(Unread):
    EVENTS = 300
    TEXT = "y" * 48_000  # 14 MB in all

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test"]
        batches = [[]]
        for n in range(cls.EVENTS):
            batches[-1] += ["BEGIN:VEVENT", f"UID:{n}", f"DTSTART;TZID=Europe/Berlin:202601{n % 28 + 1:02}T090000",
                            f"SUMMARY:event {n}", "DESCRIPTION:" + cls.TEXT, "END:VEVENT"]
            if n % 90 == 89:
                batches.append([])
        for batch in batches:
            if not batch:
                continue
            text = "\r\n".join([*lines, *batch, "END:VCALENDAR", ""]).encode()
            status, body = cls.send("ann", "POST", "/api/nexus/import", text, Content_Type="text/calendar")
            assert status == 200, (status, body[:500])
        cls.feed = cls.post("ann", "/api/nexus/feed", {})["url"]

    def test_feeds_and_exports(self):
        ask = wire.get(self.port, self.feed).bytes() + self.asking("ann", "/api/nexus/calendar.ics")
        self.check_bounded(ask, self.fewer_when_sanitized(60, 10))

    def test_a_large_feed_arrives_whole_and_has_a_tag(self):
        status, body = self.send(None, "GET", self.feed)
        self.assertEqual(status, 200)
        self.assertGreater(len(body), self.EVENTS * len(self.TEXT))
        self.assertEqual(body.count(b"BEGIN:VEVENT"), self.EVENTS)
        self.assertEqual(body.count(b"BEGIN:VTIMEZONE"), 1)
        self.assertLess(body.index(b"BEGIN:VTIMEZONE"), body.index(b"BEGIN:VEVENT"))
        self.assertTrue(body.endswith(b"END:VCALENDAR\r\n"))
        heard = wire.talk(self.port, wire.get(self.port, self.feed).bytes().replace(b"GET ", b"HEAD ", 1), seconds=20,
                          answers=1)
        tag = heard.answers[0].fields["etag"]
        self.assertEqual(heard.answers[0].fields["transfer-encoding"], "chunked")
        self.assertEqual(self.send(None, "GET", self.feed, If_None_Match=tag), (304, b""))

    def test_a_slow_reader_gets_all_of_it(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32 * 1024)
            connection.sendall(wire.get(self.port, self.feed).bytes())
            received, end = 0, b""
            while not end.endswith(b"END:VCALENDAR\r\n\r\n0\r\n\r\n"):
                heard = connection.recv(16 * 1024)
                self.assertTrue(heard, "cut off")
                received, end = received + len(heard), (end + heard)[-40:]
        self.assertGreater(received, self.EVENTS * len(self.TEXT))
