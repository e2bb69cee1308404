"""ws-*: who may open a WebSocket, which frames end it, what a client costs that never reads, and that the right to be
there ends with the token."""

import json
import pathlib
import time
from typing import NamedTuple

from case import SecurityTest, item, wire
from tokens import claims, sign
from wait import wait_until
from websocket import BINARY, CLOSE, CONTINUATION, FINAL, PING, PONG, TEXT, WebSocket, frame, text

APP = "App"  # the applications' table, whose changes are events


class WebSocketTest(SecurityTest):
    apps = True
    allowed = "https://app.example"
    flags = ("--cors-origin", allowed)

    @classmethod
    def token(cls, user="ada", **more):
        return sign(pathlib.Path(cls.server.data, "signing.key").read_bytes(), claims(user, **more))

    def identified(self, user="ada", **more):
        """A WebSocket that was welcomed."""
        socket = WebSocket(self.port, Authorization="Bearer " + self.token(user, **more))
        self.addCleanup(socket.close)
        self.assertEqual(socket.status, 101, socket.refusal)
        self.assertEqual(socket.message()["type"], "welcome")
        return socket

    @classmethod
    def metric(cls, name):
        heard = wire.talk(cls.port, wire.get(cls.port, "/metrics").bytes(), answers=1)
        lines = heard.answers[0].body.decode().splitlines()
        return float(next(line for line in lines if line.startswith(name + " ")).split()[1])


class Opened(NamedTuple):
    """A handshake and its status. `{token}`, `{host}` stand for a good token and this server."""
    name: str
    status: int
    fields: dict
    path: str = "/ws"


TOKEN = {"Authorization": "Bearer {token}"}
ORIGINS = [
    Opened("no origin: a program", 101, TOKEN),
    Opened("own origin", 101, {**TOKEN, "Origin": "http://{host}"}),
    Opened("listed origin", 101, {**TOKEN, "Origin": "https://app.example"}),
    *(Opened(f"origin {origin or 'empty'}", 403, {**TOKEN, "Origin": origin}) for origin in (
        "null", "", "http://evil.example", "https://evil.example", "http://{host}.evil.example", "http://x.{host}",
        "http://{host}@evil.example", "https://app.example.evil.example", "https://evil-app.example",
        "http://app.example", "https://app.example:8443", "https://app.example/", "HTTPS://APP.EXAMPLE", "*",
        "http://127.0.0.1", "http://localhost", "file://", "http://[::1]",
        "https://app.example, https://evil.example")),
    Opened("two origins, the first is listed", 400,
           {**TOKEN, "Origin": ["https://app.example", "http://evil.example"]}),
    Opened("two origins, the last is listed", 400,
           {**TOKEN, "Origin": ["http://evil.example", "https://app.example"]}),
    Opened("page of another site that sends no origin", 403, {**TOKEN, "Sec_Fetch_Site": "cross-site"}),
    Opened("token in the address", 403, {}, "/ws?token={token}"),
    Opened("access_token in the address", 403, {}, "/ws?access_token={token}"),
    Opened("empty query", 403, TOKEN, "/ws?"),
    Opened("wrong token", 401, {"Authorization": "Bearer {token}x"}),
    Opened("empty token", 401, {"Authorization": "Bearer "}),
    Opened("wrong cookie from the own page", 401, {"Cookie": "cairn_session=x", "Origin": "http://{host}"}),
    Opened("cookie without an origin", 403, {"Cookie": "cairn_session=x"}),
    Opened("cookie from a listed page", 403, {"Cookie": "cairn_session=x", "Origin": "https://app.example"}),
]
HANDSHAKES = [
    Opened("no upgrade", 426, {**TOKEN, "Upgrade": None}),
    Opened("no Connection: Upgrade", 426, {**TOKEN, "Connection": "keep-alive"}),
    Opened("version 8", 426, {**TOKEN, "Sec_WebSocket_Version": "8"}),
    Opened("two versions", 426, {**TOKEN, "Sec_WebSocket_Version": ["13", "8"]}),
    Opened("no key", 400, {**TOKEN, "Sec_WebSocket_Key": None}),
    Opened("key of 15 bytes", 400, {**TOKEN, "Sec_WebSocket_Key": "MDEyMzQ1Njc4OWFiY2Rl"}),
    Opened("two keys", 400, {**TOKEN, "Sec_WebSocket_Key": ["MDEyMzQ1Njc4OWFiY2RlZg=="] * 2}),
    Opened("line break in a subprotocol", 400, {**TOKEN, "Sec_WebSocket_Protocol": "a b"}),
    Opened("subprotocol twice", 400, {**TOKEN, "Sec_WebSocket_Protocol": "a, a"}),
]


class Handshakes(WebSocketTest):
    def check_all(self, cases):
        places = {"token": self.token(), "host": f"{wire.HOST}:{self.port}"}

        def filled(said):
            return said if said is None else [filled(each) for each in said] if isinstance(said, list) else \
                said.format(**places)

        for case in cases:
            with self.subTest(case.name):
                fields = {name: filled(said) for name, said in case.fields.items()}
                with WebSocket(self.port, filled(case.path), **fields) as socket:
                    self.assertEqual(socket.status, case.status, socket.refusal)
                self.check_unharmed()
        self.assertNotIn(places["token"], self.server.stderr() + self.server.stdout())

    def test_origins(self):
        self.check_all(ORIGINS)

    def test_handshakes(self):
        self.check_all(HANDSHAKES)


PING_MESSAGE = text({"type": "ping"})
GOOD_TEXT = b'{"type":"ping"}'


class Frames(NamedTuple):
    """What a welcomed client sends, and the code that it is closed with."""
    name: str
    sent: bytes
    code: int


FRAMES = [
    Frames("not masked", frame(TEXT, GOOD_TEXT, masked=False), 1002),
    *(Frames(f"reserved bit {bit:#x}", frame(TEXT, GOOD_TEXT, flags=FINAL | bit), 1002) for bit in (0x10, 0x20, 0x40)),
    *(Frames(f"opcode {opcode}", frame(opcode, GOOD_TEXT), 1002) for opcode in (3, 7, 11, 15)),
    Frames("binary", frame(BINARY, GOOD_TEXT), 1003),
    Frames("length of 2^63", frame(TEXT, b"", length=1 << 63), 1002),
    Frames("length of 2^64 - 1", frame(TEXT, b"", length=(1 << 64) - 1), 1002),
    Frames("length of 2^63 - 1", frame(TEXT, b"", length=(1 << 63) - 1), 1009),
    Frames("length of 2^31", frame(TEXT, b"", length=1 << 31), 1009),
    Frames("short length in eight bytes", frame(TEXT, GOOD_TEXT, length=len(GOOD_TEXT)), 1002),
    Frames("64 KB and 1 byte", frame(TEXT, b" " * (64 * 1024 + 1)), 1009),
    Frames("64 KB and 1 byte in fragments",
           frame(TEXT, b" " * 40_000, flags=0) + frame(CONTINUATION, b" " * 40_000), 1009),
    Frames("1,000,000 empty fragments",
           frame(TEXT, b"", flags=0) + frame(CONTINUATION, b"", flags=0) * 1_000_000, 1009),
    Frames("100,000 fragments of a byte",
           frame(TEXT, b"{", flags=0) + frame(CONTINUATION, b" ", flags=0) * 100_000, 1009),
    Frames("nothing to continue", frame(CONTINUATION, GOOD_TEXT), 1002),
    Frames("message inside a message", frame(TEXT, b"{", flags=0) + PING_MESSAGE, 1002),
    Frames("ping in fragments", frame(PING, b"x", flags=0), 1002),
    Frames("ping of 126 bytes", frame(PING, b"x" * 126), 1002),
    Frames("close of 126 bytes", frame(CLOSE, b"\x03\xe8" + b"x" * 124), 1002),
    Frames("close with half a code", frame(CLOSE, b"\x03"), 1002),
    *(Frames(f"close with {code}", frame(CLOSE, code.to_bytes(2, "big")), 1002) for code in (0, 999, 1004, 1005, 1006,
                                                                                               1015, 2999, 5000)),
    Frames("close reason that is not UTF-8", frame(CLOSE, b"\x03\xe8\xff"), 1007),
    Frames("text that is not UTF-8", frame(TEXT, b"\xff\xfe"), 1007),
    Frames("overlong slash", frame(TEXT, b"\xc0\xaf"), 1007),
    Frames("surrogate", frame(TEXT, b"\xed\xa0\x80"), 1007),
    Frames("character cut off", frame(TEXT, b"\xe2\x82"), 1007),
    Frames("text behind a close", frame(CLOSE, b"\x03\xe8") + PING_MESSAGE * 100, 1000),
    Frames("close without a code", frame(CLOSE), 1005),
    Frames("21 messages that are none", text("[]") * 21, 1008),
    Frames("1,000 messages that are none", text("x") * 1_000, 1008),
    Frames("deep JSON", text("[" * 60_000) * 21, 1008),
    Frames("HTTP instead of frames", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 1002),
    Frames("zeros", b"\0" * 1_000, 1002),
]


class FrameTests(WebSocketTest):
    def test_frames(self):
        for case in FRAMES:
            with self.subTest(case.name):
                socket = self.identified()
                socket.send(case.sent)
                self.assertEqual(socket.close_code(), case.code)
                with self.assertRaises((ConnectionError, ConnectionResetError)):
                    socket.send(frame(CLOSE, b"\x03\xe8"))
                    socket.frame()
                self.check_unharmed()

    def test_flood_of_pings(self):
        """Only the newest pong is owed; the connection goes on."""
        socket = self.identified()
        for _ in range(self.fewer_when_sanitized(100, 20)):
            socket.send(frame(PING, b"x" * 125) * 1_000)
            while True:
                try:
                    opcode, _ = socket.frame(0)
                    self.assertEqual(opcode, PONG)
                except TimeoutError:
                    break
        socket.send(frame(PING, b"last") + PING_MESSAGE)
        while (heard := socket.frame())[0] == PONG:
            pass
        self.assertEqual(json.loads(heard[1]), {"type": "pong"})
        self.check_unharmed()

    def test_flood_of_pings_that_nobody_reads_the_pongs_of(self):
        for _ in range(10):
            socket = self.identified()
            for _ in range(20):
                socket.send(frame(PING, b"x" * 125) * 1_000)
        self.check_unharmed()

    def test_client_that_reads_no_answers_is_dropped(self):
        """It pays for what it asks, not the server."""
        socket = self.identified()
        for _ in range(self.fewer_when_sanitized(100, 50)):
            socket.send(PING_MESSAGE * 10_000)
        wait_until(lambda: not socket.send(PING_MESSAGE), 60, "the client to be dropped")
        self.check_unharmed()

    def test_fragments_with_pings_between_are_one_message(self):
        socket = self.identified()
        socket.send(frame(TEXT, GOOD_TEXT[:5], flags=0) + frame(PING, b"a") + frame(CONTINUATION, GOOD_TEXT[5:]))
        heard = [socket.frame(), socket.frame()]
        self.assertIn((PONG, b"a"), heard)
        self.assertIn({"type": "pong"}, [json.loads(payload) for opcode, payload in heard if opcode == TEXT])


class Strangers(WebSocketTest):
    """Before a token has said who it is."""

    def open(self):
        socket = WebSocket(self.port)
        self.addCleanup(socket.close)
        self.assertEqual(socket.status, 101)
        return socket

    def test_nothing_but_a_token_is_heard(self):
        subscribe = {"type": "subscribe", "room": "values:ada"}
        for name, sent in (("subscribe", subscribe), ("ping", {"type": "ping"}), ("no JSON", "x"),
                           ("no type", {}), ("wrong token", {"type": "auth", "token": "x"}),
                           ("no token", {"type": "auth"}), ("token of another type", {"type": "auth", "token": 1}),
                           ("expired token", {"type": "auth", "token": self.token(exp=int(time.time()) - 300)}),
                           ("token of 60 KB", {"type": "auth", "token": "x" * 60_000})):
            with self.subTest(name):
                socket = self.open()
                socket.send(text(sent) + text(subscribe))
                self.assertEqual(socket.close_code(), 4401)
                self.check_unharmed()

    def test_rooms_of_others_do_not_exist(self):
        socket = self.identified("ada")
        for room in ("values:bob", "values:", "values", "values:*", "values:ada:", "values:ADA", "plan:bob:2026-11-16",
                     "plan:ada:", "plan:ada:2026-13-01", "plan:ada:../bob", ":", "", "nothing:ada", "x" * 600,
                     "values:ada\0"):
            with self.subTest(room):
                socket = self.identified("ada")
                socket.send(text({"type": "subscribe", "room": room}))
                self.assertEqual(socket.message()["code"], "not-found")
        self.check_unharmed()

    def test_cursor_of_another_user_tells_nothing(self):
        bob = self.identified("bob")
        bob.send(text({"type": "subscribe", "room": "values:bob"}))
        cursor = bob.message()["cursor"]
        for forged in (cursor, cursor[:-1], cursor[::-1], "", "x" * 10_000):
            with self.subTest(forged[:20]):
                ada = self.identified("ada")
                ada.send(text({"type": "subscribe", "room": "values:ada", "cursor": forged}))
                self.assertEqual([ada.message()["type"], ada.message()["type"]], ["subscribed", "reset"])


class TokenExpiry(WebSocketTest):
    def talk_until(self, socket, moment):
        socket.send(PING_MESSAGE)
        self.assertEqual(socket.message()["type"], "pong")
        return time.time() >= moment

    def test_connection_ends_with_its_token(self):
        """All at once: one that says nothing, one that talks, one that brings another user's token, one that brings a
        new one of its own."""
        for lead in (3, 12, 48):  # a slow machine needs more to get so far
            ends = int(time.time()) + lead
            silent, talking, foreign, renewed = (self.identified("ada", exp=ends) for _ in range(4))
            foreign.send(text({"type": "auth", "token": self.token("bob")}))
            renewed.send(text({"type": "auth", "token": self.token("ada")}))
            if time.time() < ends - 1:
                break
        self.assertEqual(foreign.message()["code"], "other-user")
        self.assertEqual(renewed.message()["type"], "welcome")
        wait_until(lambda: self.talk_until(talking, ends - 0.9), 60, "the token to end soon")
        for name, socket in (("silent", silent), ("talking", talking), ("foreign", foreign)):
            with self.subTest(name):
                self.assertEqual(socket.close_code(60), 4401)
        self.assertGreaterEqual(time.time(), ends)
        renewed.send(PING_MESSAGE)
        self.assertEqual(renewed.message()["type"], "pong")
        self.check_unharmed()


LONG_NAME = "u" * 250  # of a user: it is in every event, which is then more than 600 bytes


class SlowReaders(WebSocketTest):
    flags = ("--durability", "relaxed")
    rss_mb_max = 480  # 1 MB waits for each of 200 clients; the store; and what the allocator of a busy machine still holds

    def publish(self, first, count):
        """That many revisions of the user's tree, 25 in a request, all on one connection."""
        requests = []
        for start in range(first, first + count, 25):
            keys = [f"REV#VALUES#2026-01-01T00:00:00.000Z#{n:026}" for n in range(start, start + 25)]
            puts = [{"PutRequest": {"Item": item(PK=f"U#{LONG_NAME}", SK=key)}} for key in keys]
            requests.append(self.request("BatchWriteItem", {"RequestItems": {APP: puts}}).bytes())
        heard = wire.talk(self.port, b"".join(requests), answers=len(requests), seconds=60)
        self.assertEqual(set(heard.statuses()), {200}, heard)

    def subscribed(self):
        socket = self.identified(LONG_NAME)
        socket.send(text({"type": "subscribe", "room": f"values:{LONG_NAME}"}))
        self.assertEqual(socket.message()["type"], "subscribed")
        return socket

    def test_clients_that_never_read_are_dropped(self):
        """Twice: what the first ones cost must be given back."""
        published = 0
        for crowd in (1, 2):
            lazy = [self.subscribed() for _ in range(self.fewer_when_sanitized(200, 40))]
            while self.metric("cairn_live_dropped_total") < crowd * len(lazy):
                self.assertLess(published, crowd * 20_000, "clients that read nothing are kept")
                self.publish(published, 1_000)
                published += 1_000
                wait_until(lambda: self.metric("cairn_live_events_total") >= published, 30, "the events")
                self.check_unharmed()
            wait_until(lambda: self.metric("cairn_live_sockets") == 0, 60, "the sockets to be gone")
        self.come_back(published)

    def come_back(self, published):
        """With a cursor nothing is missed; who reads stays."""
        reader = self.subscribed()
        cursor = None
        for n in range(published, published + 100, 25):
            self.publish(n, 25)
            for _ in range(25):
                event = reader.message(10)
                self.assertEqual(event["type"], "event")
                cursor = cursor or event["cursor"]
        again = self.identified(LONG_NAME)
        again.send(text({"type": "subscribe", "room": f"values:{LONG_NAME}", "cursor": cursor}))
        self.assertEqual([again.message()["type"] for _ in range(100)], ["subscribed"] + ["event"] * 99)
        self.check_unharmed()
