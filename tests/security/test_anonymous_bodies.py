"""anonymous-body: what somebody unknown makes the server read is small. Who may send a large body is decided before it
is read, by the route and by who they are."""

import gzip
import json
from typing import NamedTuple

from app_case import AppTest, WellBehaved
from case import put, wire
from crowd import Crowd
from signed_case import SignedTest
from wait import wait_until

MB = 1 << 20
SMALL = 64 * 1024
REFUSED = "cairn_http_bodies_refused_total"


class Sent(NamedTuple):
    """A request whose body is announced and does not come."""
    name: str
    method: str
    path: str
    length: int
    status: int
    code: str
    user: str = None
    fields: dict = {}


CASES = [
    Sent("login, unknown", "POST", "/api/auth/login", SMALL + 1, 413, "too-large"),
    Sent("register, unknown", "POST", "/api/auth/register", 16 * MB, 413, "too-large"),
    Sent("login with a token", "POST", "/api/auth/login", SMALL + 1, 413, "too-large", "ann"),
    Sent("import, unknown", "POST", "/api/nexus/import", 5 * MB, 401, "unauthenticated"),
    Sent("import, wrong token", "POST", "/api/nexus/import", 5 * MB, 401, "unauthenticated",
         fields={"Authorization": "Bearer nonsense"}),
    Sent("import, wrong cookie", "POST", "/api/nexus/import", 5 * MB, 401, "unauthenticated",
         fields={"Cookie": "cairn_session=nonsense"}),
    Sent("import, too large", "POST", "/api/nexus/import", 5 * MB + 1, 413, "too-large", "ann"),
    Sent("note, unknown", "POST", "/api/nexus/notes", 1 * MB, 401, "unauthenticated"),
    Sent("note, too large", "POST", "/api/nexus/notes", 1 * MB + 1, 413, "too-large", "ann"),
    Sent("nothing there", "POST", "/api/nothing", 1 * MB, 404, "not-found", "ann"),
    Sent("another method", "PUT", "/api/nexus/notes", 1 * MB, 405, "method-not-allowed", "ann"),
    Sent("a page", "GET", "/healthz", 1 * MB, 413, "too-large"),
]


class AnonymousBodies(AppTest):
    rss_mb_max = 160

    def check(self, case, framing):
        request = wire.get(self.port, case.path)
        request.method = case.method
        for name, text in case.fields.items():
            request.add(name, text)
        if case.user:
            request.add("Authorization", "Bearer " + self.token(case.user))
        heard = wire.talk(self.port, request.head(framing=framing), seconds=20)
        self.check_answer(heard, case.status)
        self.assertTrue(heard.closed)
        problem = heard.answers[0].json()
        self.assertEqual(problem["code"], case.code)
        self.assertEqual(heard.answers[0].fields["content-type"], "application/problem+json")
        self.assertEqual(heard.answers[0].fields["x-content-type-options"], "nosniff")

    def test_refusals_do_not_wait_for_the_body(self):
        for case in CASES:
            with self.subTest(case.name):
                self.check(case, b"Content-Length: %d" % case.length)
            with self.subTest(case.name + ", which waits"):
                self.check(case, b"Content-Length: %d\r\nExpect: 100-continue" % case.length)
        self.check_unharmed()

    def test_a_small_body_that_unpacks_to_a_large_one(self):
        request = wire.get(self.port, "/api/auth/login")
        request.method, request.body = "POST", gzip.compress(b" " * (SMALL + 1))
        request.add("Content-Type", "application/json")
        request.add("Content-Encoding", "gzip")
        answer = self.check_answer(wire.talk(self.port, request.bytes(), seconds=20), 413)
        self.assertEqual(answer.json()["code"], "too-large")

    def test_what_is_admitted_is_read(self):
        body = json.dumps({"title": "long", "body": "x" * 190_000}).encode()
        status, answer = self.send("ann", "POST", "/api/nexus/notes", body, Content_Type="application/json",
                                   Expect="100-continue")
        self.assertEqual(status, 201, answer[:500])

    def test_many_anonymous_bodies_disturb_nobody(self):
        """Thirty-six times 16 MB to the login, by length and by chunks, as fast as they are taken."""
        head = b"POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n" % self.port
        by_length = head + b"Content-Length: %d\r\n\r\n" % (16 * MB) + b" " * (16 * MB - 1)
        by_chunks = head + b"Transfer-Encoding: chunked\r\n\r\n" + wire.chunked(b" " * (16 * MB))[:-5]
        before = self.metric(REFUSED)
        with WellBehaved(self, "bob") as bob:
            for sent in (by_length, by_chunks):
                with Crowd() as crowd:
                    crowd.join(self.port, 36)
                    crowd.send_all(sent, seconds=30)
                    crowd.listen(10)
                    self.assertEqual(len(crowd), 0, "all were sent away")
            wait_until(lambda: bob.wrong or bob.done > 10, 60, "somebody else's requests")
            self.assertEqual(bob.wrong, [])
        self.assertEqual(self.metric(REFUSED) - before, 72)
        self.check_unharmed()


class UnsignedBodies(SignedTest):
    """With credentials, POST / takes large bodies of known access keys only."""

    def test_unknown_keys_send_small_bodies(self):
        large = put("intruder", f="x" * 200_000)
        for name, request in (("unsigned", wire.unsigned(self.port, "PutItem", large)),
                              ("unknown key", self.request("PutItem", large))):
            if name == "unknown key":
                request.set("Authorization", request.field("Authorization").replace("Credential=", "Credential=X"))
            with self.subTest(name):
                heard = wire.talk(self.port, request.head(framing=b"Content-Length: 200000"), seconds=20)
                self.check_answer(heard, 400, ("UnrecognizedClientException", "InvalidSignatureException"))
                self.assertTrue(heard.closed)
        self.ordinary("PutItem", put("known", f="x" * 200_000))
        self.check_unharmed("intruder")
