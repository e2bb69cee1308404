"""smuggle: requests whose end two readers could see at different places. Each is followed by a second request on the
same connection, which must never be executed."""

from typing import NamedTuple

from case import SecurityTest, TABLE, item, put, wire

VISIBLE, HIDDEN = "visible", "hidden"
BODY = b'{"TableName":"Guarded","Item":{"pk":{"S":"visible"}}}'
LENGTH = b"Content-Length: %d" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked"
CHUNKED_BODY = wire.chunked(BODY)
SIZE = b"%x" % len(BODY)
MB = 1 << 20


class Framing(NamedTuple):
    """The lines that say where a request ends, and the body behind them."""
    name: str
    lines: bytes
    body: bytes = BODY
    status: tuple = (400,)


LENGTHS = [
    Framing("length, then chunked", LENGTH + b"\r\n" + CHUNKED, CHUNKED_BODY),
    Framing("chunked, then length", CHUNKED + b"\r\n" + LENGTH),
    Framing("length 0 and chunked", b"Content-Length: 0\r\n" + CHUNKED, CHUNKED_BODY),
    Framing("two lengths", LENGTH + b"\r\nContent-Length: 0"),
    Framing("the same length twice", LENGTH + b"\r\n" + LENGTH),
    Framing("list of lengths", LENGTH + b",%d" % len(BODY)),
    Framing("plus sign", b"Content-Length: +%d" % len(BODY)),
    Framing("minus sign", b"Content-Length: -%d" % len(BODY)),
    Framing("hexadecimal", b"Content-Length: 0x" + SIZE),
    Framing("exponent", b"Content-Length: 5e1"),
    Framing("space inside", b"Content-Length: 5 3"),
    Framing("empty", b"Content-Length:"),
    Framing("beyond 64 bits", b"Content-Length: %d" % ((1 << 64) + len(BODY))),
    Framing("letters behind", LENGTH + b"x"),
    Framing("space before the colon", b"Content-Length : %d" % len(BODY)),
    Framing("tab before the colon", b"Content-Length\t: %d" % len(BODY)),
]
CODINGS = [
    Framing("chunked, identity", b"Transfer-Encoding: chunked, identity", CHUNKED_BODY),
    Framing("identity, chunked", b"Transfer-Encoding: identity, chunked", CHUNKED_BODY),
    Framing("gzip, chunked", b"Transfer-Encoding: gzip, chunked", CHUNKED_BODY),
    Framing("xchunked", b"Transfer-Encoding: xchunked", CHUNKED_BODY),
    Framing("parameter", b"Transfer-Encoding: chunked;q=1", CHUNKED_BODY),
    Framing("quoted", b'Transfer-Encoding: "chunked"', CHUNKED_BODY),
    Framing("vertical tab", b"Transfer-Encoding: \x0bchunked", CHUNKED_BODY),
    Framing("tab before the colon", b"Transfer-Encoding\t: chunked", CHUNKED_BODY),
    Framing("space before the colon", b"Transfer-Encoding : chunked", CHUNKED_BODY),
    Framing("twice", CHUNKED + b"\r\n" + CHUNKED, CHUNKED_BODY),
    Framing("chunked, then identity", CHUNKED + b"\r\nTransfer-Encoding: identity", CHUNKED_BODY),
    Framing("identity, then chunked", b"Transfer-Encoding: identity\r\n" + CHUNKED, CHUNKED_BODY),
    Framing("empty", b"Transfer-Encoding:", CHUNKED_BODY),
]
LINES = [
    Framing("folded field", b"X-Long: a\r\n b\r\n" + LENGTH),
    Framing("folded coding", b"Transfer-Encoding:\r\n chunked", CHUNKED_BODY),
    Framing("length inside a fold", b"X-Long: a\r\n\t" + LENGTH),
    Framing("line feed alone", b"X-Long: a\n" + LENGTH),
    Framing("carriage return alone", b"X-Long: a\r" + LENGTH),
    Framing("head ends with line feeds", LENGTH + b"\n\n" + BODY, b""),
    Framing("zero byte in a value", b"X-Long: a\0b\r\n" + LENGTH),
    Framing("zero byte in a name", b"X-\0Long: a\r\n" + LENGTH),
    Framing("zero byte in the length", LENGTH + b"\0"),
    Framing("no colon", b"X-Long\r\n" + LENGTH),
    Framing("no name", b": a\r\n" + LENGTH),
    Framing("two hosts", b"Host: elsewhere\r\n" + LENGTH),
    Framing("unknown expectation", b"Expect: 200-ok\r\n" + LENGTH, BODY, (417,)),
]
CHUNKS = [
    Framing("size beyond 64 bits", CHUNKED, b"1%s%s\r\n%s\r\n0\r\n\r\n" % (b"0" * (16 - len(SIZE)), SIZE, BODY)),
    Framing("size of 16 f", CHUNKED, b"f" * 16 + b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    Framing("size of 1 MB of zeros", CHUNKED, b"0" * MB + SIZE + b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    Framing("negative size", CHUNKED, b"-" + CHUNKED_BODY),
    Framing("size with a plus", CHUNKED, b"+" + CHUNKED_BODY),
    Framing("size with 0x", CHUNKED, b"0x" + CHUNKED_BODY),
    Framing("space before the size", CHUNKED, b" " + CHUNKED_BODY),
    Framing("space behind the size", CHUNKED, SIZE + b" \r\n" + BODY + b"\r\n0\r\n\r\n"),
    Framing("no size", CHUNKED, b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    Framing("line feed behind the size", CHUNKED, SIZE + b"\n" + BODY + b"\r\n0\r\n\r\n"),
    Framing("line feed inside an extension", CHUNKED, SIZE + b";a\nb\r\n" + BODY + b"\r\n0\r\n\r\n"),
    Framing("extension of 1 MB", CHUNKED, SIZE + b";" + b"a" * MB + b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    Framing("data longer than its size", CHUNKED, b"5\r\n" + BODY + b"\r\n0\r\n\r\n"),
    Framing("line feed behind the data", CHUNKED, SIZE + b"\r\n" + BODY + b"\n0\r\n\r\n"),
    Framing("trailer of 1 MB", CHUNKED, CHUNKED_BODY[:-2] + b"X: " + b"a" * MB + b"\r\n\r\n"),
    Framing("folded trailer", CHUNKED, CHUNKED_BODY[:-2] + b" X: a\r\n\r\n"),
    Framing("line feed ends the trailer", CHUNKED, CHUNKED_BODY[:-2] + b"X: a\n\r\n"),
]


class FirstLine(NamedTuple):
    name: str
    line: bytes
    lines: bytes = LENGTH
    body: bytes = BODY
    status: tuple = (400,)


FIRST_LINES = [
    FirstLine("HTTP/1.0 and chunked", b"POST / HTTP/1.0", CHUNKED, CHUNKED_BODY),
    FirstLine("HTTP/2.0", b"POST / HTTP/2.0", status=(400, 505)),
    FirstLine("HTTP/1.9", b"POST / HTTP/1.9", status=(400, 505)),
    FirstLine("lower case", b"POST / http/1.1"),
    FirstLine("no version", b"POST /"),
    FirstLine("two spaces", b"POST  / HTTP/1.1"),
    FirstLine("tabs", b"POST\t/\tHTTP/1.1"),
    FirstLine("space in the target", b"POST /a b HTTP/1.1"),
    FirstLine("zero byte in the target", b"POST /\0 HTTP/1.1"),
    FirstLine("field in the target", b"POST /\rHost: HTTP/1.1"),
    FirstLine("zero byte in the method", b"PO\0ST / HTTP/1.1"),
    FirstLine("space before the method", b" POST / HTTP/1.1"),
]


class Understood(NamedTuple):
    """Unusual and allowed: it must be read in the one way that the standard allows."""
    name: str
    lines: bytes
    body: bytes


UNDERSTOOD = [
    Understood("tab before the value", b"Transfer-Encoding:\tchunked", CHUNKED_BODY),
    Understood("spaces around the value", b"Content-Length: \t%d \t" % len(BODY), BODY),
    Understood("upper case", b"TRANSFER-ENCODING: CHUNKED", CHUNKED_BODY),
    Understood("leading zeros", b"Content-Length: 000%d" % len(BODY), BODY),
    Understood("chunks of one byte", CHUNKED, wire.chunked(BODY, 1)),
    Understood("extension and trailer", CHUNKED,
               SIZE + b";a=b\r\n" + BODY + b"\r\n0;c\r\nContent-Length: 5\r\n\r\n"),
]


class Smuggling(SecurityTest):
    def hidden(self):
        return self.request("PutItem", put(HIDDEN)).bytes()

    def visible_head(self, lines):
        return self.request("PutItem", BODY).head(framing=lines)

    def check_refused(self, data, status):
        heard = wire.talk(self.port, data + self.hidden())
        self.assertEqual(len(heard.answers), 1, heard)
        self.assertIn(heard.answers[0].status, status, heard)
        self.assertTrue(heard.closed, f"the connection goes on: {heard}")
        self.check_unharmed(VISIBLE, HIDDEN)

    def check_framings(self, framings):
        for framing in framings:
            with self.subTest(framing.name):
                self.check_refused(self.visible_head(framing.lines) + framing.body, framing.status)

    def test_lengths(self):
        self.check_framings(LENGTHS)

    def test_codings(self):
        self.check_framings(CODINGS)

    def test_lines(self):
        self.check_framings(LINES)

    def test_chunks(self):
        self.check_framings(CHUNKS)

    def test_first_lines(self):
        for case in FIRST_LINES:
            with self.subTest(case.name):
                head = self.visible_head(case.lines).partition(b"\r\n")[2]
                self.check_refused(case.line + b"\r\n" + head + case.body, case.status)

    def test_host_is_missing(self):
        request = self.request("PutItem", put(VISIBLE))
        request.remove("Host")
        self.check_refused(request.bytes(), (400,))

    def test_what_the_standard_allows_is_read_in_one_way(self):
        """And the request behind it is a request: what the other tests hide could be executed."""
        for case in UNDERSTOOD:
            with self.subTest(case.name):
                heard = wire.talk(self.port, self.visible_head(case.lines) + case.body + self.hidden(), answers=2)
                self.assertEqual(heard.statuses(), [200, 200], heard)
                for key in (VISIBLE, HIDDEN):
                    self.assertIsNotNone(self.stored(key))
                    self.ordinary("DeleteItem", {"TableName": TABLE, "Key": item(pk=key)})
                self.check_unharmed(VISIBLE, HIDDEN)

    def test_request_inside_a_body_is_data(self):
        """GET and HEAD usually have no body; this one has a request in it."""
        health = wire.get(self.port, "/healthz").bytes()
        for method in ("GET", "HEAD", "DELETE", "OPTIONS"):
            for framing, body in ((None, self.hidden()), (CHUNKED, wire.chunked(self.hidden()))):
                with self.subTest(method, chunked=framing is not None):
                    request = wire.Request(method, "/healthz", [("Host", "localhost"), ("Connection", "close")], body)
                    heard = wire.talk(self.port, request.head(framing) + body + health)
                    self.assertTrue(heard.closed, heard)
                    self.assertLessEqual(len(heard.answers), 1, heard)
                    self.check_unharmed(HIDDEN)
