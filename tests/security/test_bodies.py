"""big-body, gzip-evil, json-deep, json-wide: bodies that are too large, packed with malice, or no JSON a server should
follow. Every one is a PutItem of `intruder`; only where a case says so may it be there afterwards."""

import gzip
import zlib
from typing import NamedTuple

from case import SecurityTest, TABLE, put, wire
from crowd import Crowd
from tables import item

MB = 1 << 20
BODY_BYTES_MAX = 16 * MB
INTRUDER = "intruder"
GOOD = b'{"TableName":"Guarded","Item":{"pk":{"S":"intruder"}}}'
SERIALIZATION, VALIDATION = "SerializationException", "ValidationException"


def padded(bytes_total):
    """The same request, with spaces up to this size."""
    return GOOD[:-1] + b" " * (bytes_total - len(GOOD)) + b"}"


class Sent(NamedTuple):
    """A body, how it is framed and coded, and what it must get."""
    name: str
    body: bytes
    status: int
    code: str = ""
    framing: bytes = None  # instead of the length; `wire_body` is then what follows
    wire_body: bytes = None
    coding: str = None

    def is_written(self):
        return self.status == 200


class BodyTest(SecurityTest):
    def check(self, case):
        fields = {"Content_Encoding": case.coding} if case.coding else {}
        head = self.request("PutItem", case.body, **fields).head(case.framing)
        sent = head + (case.body if case.wire_body is None else case.wire_body)
        heard = wire.talk(self.port, sent, answers=1, seconds=self.fewer_when_sanitized(2, 10))
        self.check_answer(heard, case.status, case.code)
        if case.is_written():
            self.assertIsNotNone(self.stored(INTRUDER))
            self.ordinary("DeleteItem", {"TableName": TABLE, "Key": item(pk=INTRUDER)})
        self.check_unharmed(INTRUDER)

    def check_all(self, cases):
        for case in cases:
            with self.subTest(case.name):
                self.check(case)


TOO_LARGE = padded(BODY_BYTES_MAX + 1)
TOO_LARGE_PACKED = gzip.compress(TOO_LARGE)
LARGE = [
    Sent("16 MB and 1 byte, announced only", b"", 413, framing=b"Content-Length: %d" % (BODY_BYTES_MAX + 1)),
    Sent("2^63 bytes, announced only", b"", 413, framing=b"Content-Length: %d" % (1 << 63)),
    Sent("2^64 - 1 bytes, announced only", b"", 413, framing=b"Content-Length: %d" % ((1 << 64) - 1)),
    Sent("waits for 100 Continue", b"", 413,
         framing=b"Expect: 100-continue\r\nContent-Length: %d" % (BODY_BYTES_MAX + 1)),
    Sent("16 MB and 1 byte by length", TOO_LARGE, 413),
    Sent("16 MB and 1 byte by chunks", TOO_LARGE, 413, framing=b"Transfer-Encoding: chunked",
         wire_body=wire.chunked(TOO_LARGE)),
    Sent("one chunk of 2^59 bytes", b"", 413, framing=b"Transfer-Encoding: chunked",
         wire_body=b"8" + b"0" * 14 + b"\r\n" + TOO_LARGE),
    Sent("16 MB and 1 byte packed", TOO_LARGE_PACKED, 413, coding="gzip"),
    Sent("20 MB of spaces packed", gzip.compress(b" " * (20 * MB)), 413, coding="gzip"),
    Sent("packed and in chunks", TOO_LARGE_PACKED, 413, coding="gzip", framing=b"Transfer-Encoding: chunked",
         wire_body=wire.chunked(TOO_LARGE_PACKED, 1000)),
    Sent("16 MB, just allowed", padded(BODY_BYTES_MAX), 200),
    Sent("16 MB by chunks, just allowed", b"", 200, framing=b"Transfer-Encoding: chunked",
         wire_body=wire.chunked(padded(BODY_BYTES_MAX))),
]


class LargeBodies(BodyTest):
    rss_mb_max = 700  # 512 MB is for bodies

    def test_large(self):
        self.check_all(LARGE)

    def test_announced_bodies_cost_no_memory(self):
        """Sixty times 16 MB are announced, a little arrives."""
        before = self.memory_kb("VmRSS")
        head = self.request("PutItem", b"").head(framing=b"Content-Length: %d" % BODY_BYTES_MAX)
        connections = [wire.connect(self.port) for _ in range(60)]
        try:
            for connection in connections:
                connection.sendall(head + b"{" + b" " * 20_000)
            self.check_unharmed(INTRUDER)
            self.assertLess(self.memory_kb("VmRSS") - before, 60 * 1024)
        finally:
            for connection in connections:
                connection.close()
        self.check_unharmed(INTRUDER)

    def test_many_bodies_at_once_share_a_budget(self):
        """Fifty times 16 MB arrive but for the last byte; 512 MB is what all bodies may take."""
        sent = self.request("PutItem", padded(BODY_BYTES_MAX)).bytes()[:-1]
        with Crowd() as crowd:
            crowd.join(self.port, 50)
            crowd.send_all(sent, seconds=20)
            refused = [descriptor for descriptor, heard in crowd.heard.items() if b" 503 " in heard]
            self.assertGreater(len(refused), 5)
            self.assertLess(len(refused), 40)
            self.check_unharmed(INTRUDER)
        self.check_unharmed(INTRUDER)


PACKED = gzip.compress(GOOD)
GZIP = [
    Sent("not gzip at all", b"nothing that was packed", 400),
    Sent("unpacked, but said to be packed", GOOD, 400),
    Sent("empty", b"", 400),
    Sent("magic number only", PACKED[:2], 400),
    Sent("header only", PACKED[:10], 400),
    Sent("without its last byte", PACKED[:-1], 400),
    Sent("without checksum and length", PACKED[:-8], 400),
    Sent("wrong checksum", PACKED[:-8] + bytes([PACKED[-8] ^ 1]) + PACKED[-7:], 400),
    Sent("wrong length", PACKED[:-1] + bytes([PACKED[-1] ^ 1]), 400),
    Sent("broken in the middle", PACKED[:14] + b"\xff\xff\xff" + PACKED[17:], 400),
    Sent("junk behind", PACKED + b"junk", 400),
    Sent("zeros behind", PACKED + b"\0" * 100, 400),
    Sent("second member cut off", gzip.compress(GOOD[:20]) + gzip.compress(GOOD[20:])[:-3], 400),
    Sent("second member decides, too large", PACKED + gzip.compress(b" " * BODY_BYTES_MAX), 413),
    Sent("gzip of gzip", gzip.compress(PACKED), 400, SERIALIZATION),
    Sent("zlib instead of gzip", zlib.compress(GOOD), 400),
    Sent("bomb of 1000:1", gzip.compress(b" " * (200 * MB)), 413),
    Sent("bomb of gzip in gzip", gzip.compress(gzip.compress(b" " * (200 * MB))), 400, SERIALIZATION),
    Sent("100,000 empty members", gzip.compress(b"") * 100_000, 400, SERIALIZATION),
    Sent("reserved flags", PACKED[:3] + b"\xe0" + PACKED[4:], 400),
    Sent("name without an end", PACKED[:3] + b"\x08" + PACKED[4:10] + b"a" * 100_000, 400),
    Sent("two members", gzip.compress(GOOD[:20]) + gzip.compress(GOOD[20:]), 200),
    Sent("spaces up to 16 MB", gzip.compress(padded(BODY_BYTES_MAX)), 200),
]
CODINGS = ["deflate", "br", "gzip, gzip", "identity, gzip", "gzip;q=1", "x", "compress"]


class Gzip(BodyTest):
    rss_mb_max = 200

    def test_gzip(self):
        self.check_all(case._replace(coding="gzip") for case in GZIP)

    def test_codings_that_nobody_decodes(self):
        self.check_all(Sent(coding, PACKED, 415, coding=coding) for coding in CODINGS)


def with_attribute(text):
    """PutItem of the intruder with one more attribute, as JSON text."""
    return GOOD[:-2] + b"," + text + b"}}"


def members(count, value):
    return b",".join(b'"k%d":%s' % (n, value) for n in range(count))


JSON_TEXTS = [
    Sent("item of 33 levels", with_attribute(b'"a":' + b'{"L":[' * 33 + b'{"S":"x"}' + b"]}" * 33), 400, VALIDATION),
    Sent("item of 32 levels and a leaf",
         with_attribute(b'"a":' + b'{"M":{"m":' * 32 + b'{"S":"x"}' + b"}}" * 32), 400, VALIDATION),
    Sent("item of 5,000 levels", with_attribute(b'"a":' + b'{"L":[' * 5_000 + b'{"S":"x"}' + b"]}" * 5_000), 400,
         SERIALIZATION),
    Sent("100,000 times [", b"[" * 100_000, 400, SERIALIZATION),
    Sent("100,000 lists", b"[" * 100_000 + b"]" * 100_000, 400, SERIALIZATION),
    Sent("100,000 lists as a parameter", GOOD[:-1] + b',"X":' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400,
         SERIALIZATION),
    Sent("100,000 objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 400, SERIALIZATION),
    Sent("16 MB of [", b"[" * BODY_BYTES_MAX, 400, SERIALIZATION),
    Sent("1,000,000 unknown parameters, nothing else", b"{" + members(1_000_000, b"1") + b"}", 400, VALIDATION),
    Sent("400,000 attributes", with_attribute(members(400_000, b'{"NULL":true}')), 400, VALIDATION),
    Sent("400,000 times the same attribute", with_attribute(b",".join([b'"a":{"NULL":true}'] * 400_000)), 200),
    Sent("list of 500,000 values", with_attribute(b'"a":{"L":[' + b",".join([b'{"N":"1"}'] * 500_000) + b"]}"), 400,
         VALIDATION),
    Sent("set of 200,000 numbers",
         with_attribute(b'"a":{"NS":[' + b",".join(b'"%d"' % n for n in range(200_000)) + b"]}"), 400, VALIDATION),
    Sent("set of 200,000 equal numbers", with_attribute(b'"a":{"NS":[' + b",".join([b'"1"'] * 200_000) + b"]}"), 400,
         VALIDATION),
    Sent("type said twice", with_attribute(b'"a":{"S":"x","S":"y"}'), 400, VALIDATION),
    Sent("two types", with_attribute(b'"a":{"S":"x","N":"1"}'), 400, VALIDATION),
    Sent("bare 1e400", with_attribute(b'"a":{"N":1e400}'), 400, SERIALIZATION),
    Sent("1e400", with_attribute(b'"a":{"N":"1e400"}'), 400, VALIDATION),
    Sent("exponent of a million digits", with_attribute(b'"a":{"N":"1e' + b"9" * 1_000_000 + b'"}'), 400, VALIDATION),
    Sent("number of a million digits", with_attribute(b'"a":{"N":"' + b"9" * 1_000_000 + b'"}'), 400, VALIDATION),
    Sent("million zeros before a digit", with_attribute(b'"a":{"N":"' + b"0" * 1_000_000 + b'1"}'), 200),
    Sent("lone high surrogate", with_attribute(rb'"a":{"S":"\ud800"}'), 400, SERIALIZATION),
    Sent("lone low surrogate", with_attribute(rb'"a":{"S":"\udc00"}'), 400, SERIALIZATION),
    Sent("surrogates in the wrong order", with_attribute(rb'"a":{"S":"\udc00\ud800"}'), 400, SERIALIZATION),
    Sent("surrogate as UTF-8", with_attribute(b'"a":{"S":"\xed\xa0\x80"}'), 400, SERIALIZATION),
    Sent("overlong slash", with_attribute(b'"a":{"S":"\xc0\xaf"}'), 400, SERIALIZATION),
    Sent("beyond Unicode", with_attribute(b'"a":{"S":"\xf4\x90\x80\x80"}'), 400, SERIALIZATION),
    Sent("UTF-8 cut off at the end", GOOD[:-1] + b',"X":"\xe2\x82', 400, SERIALIZATION),
    Sent("text of 5 MB", with_attribute(b'"a":{"S":"' + b"x" * (5 * MB) + b'"}'), 400, VALIDATION),
    Sent("name of 5 MB", with_attribute(b'"' + b"x" * (5 * MB) + b'":{"S":"a"}'), 400, VALIDATION),
    Sent("binary that is no base64", with_attribute(b'"a":{"B":"' + b"=" * 1_000_000 + b'"}'), 400,
         (SERIALIZATION, VALIDATION)),
    Sent("byte order mark", b"\xef\xbb\xbf" + GOOD, 400, SERIALIZATION),
    Sent("UTF-16", GOOD.decode().encode("utf-16"), 400, SERIALIZATION),
    Sent("zero byte behind", GOOD + b"\0", 400, SERIALIZATION),
    Sent("zero byte in a text", with_attribute(b'"a":{"S":"x\0y"}'), 400, SERIALIZATION),
    Sent("two documents", GOOD + GOOD, 400, SERIALIZATION),
    Sent("comment", b"/* */" + GOOD, 400, SERIALIZATION),
    Sent("comma behind the last", GOOD[:-1] + b",}", 400, SERIALIZATION),
    Sent("NaN", GOOD[:-1] + b',"X":NaN}', 400, SERIALIZATION),
    Sent("one quote", b'"', 400, SERIALIZATION),
    Sent("one backslash in a text", GOOD[:-1] + b',"X":"\\', 400, SERIALIZATION),
    Sent("escape cut off", GOOD[:-1] + b',"X":"\\u12', 400, SERIALIZATION),
]


class Json(BodyTest):
    flags = ("--threads", "2")
    rss_mb_max = 1_000  # 280 MB of bodies, 256 MB for what is parsed, 200 MB for each that is being parsed

    def test_json(self):
        self.check_all(JSON_TEXTS)

    def test_twenty_wide_texts_at_once(self):
        """Parsed, such a text takes ten times its size; only so many may wait for their commit together."""
        wide = GOOD[:-1] + b',"X":[' + b"0," * (7 * MB) + b"0]}"
        sent = self.request("PutItem", wide).bytes()
        with Crowd() as crowd:
            crowd.join(self.port, self.fewer_when_sanitized(20, 5))
            crowd.send_all(sent, seconds=20)
            statuses = crowd.answers(seconds=20)
        self.assertIn(200, statuses)
        self.assertLessEqual(set(statuses), {200, 503})
        self.ordinary("DeleteItem", {"TableName": TABLE, "Key": item(pk=INTRUDER)})
        self.check_unharmed(INTRUDER)

    def test_of_a_parameter_said_twice_only_one_counts(self):
        self.ordinary("PutItem", put("kept"))
        sent = b'{"TableName":"Elsewhere","TableName":"Guarded","Item":{"pk":{"S":"a"}},"Item":{"pk":{"S":"b"}}}'
        heard = wire.talk(self.port, self.request("PutItem", sent).bytes(), answers=1)
        self.assertEqual(len(heard.answers), 1, heard)
        written = [key for key in "ab" if self.stored(key)]
        self.assertLessEqual(len(written), 1)
        self.assertEqual(len(written), 1 if heard.statuses() == [200] else 0)
        self.check_unharmed(INTRUDER)


class RestText(NamedTuple):
    name: str
    body: bytes
    status: int = 400


LOGIN = b'{"email":"a@example.org","password":"a-long-enough-passphrase"'
REST_TEXTS = [
    RestText("30,000 times [", b"[" * 30_000),
    RestText("30,000 lists", b"[" * 30_000 + b"]" * 30_000),
    RestText("10,000 objects", b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
    RestText("deep member", LOGIN + b',"x":' + b"[" * 30_000 + b"]" * 30_000 + b"}"),
    RestText("email said twice", LOGIN + b',"email":"b@example.org"}'),
    RestText("5,000 unknown members", LOGIN + b"," + members(5_000, b"1") + b"}", 422),
    RestText("100,000 lists", b"[" * 100_000 + b"]" * 100_000, 413),
    RestText("64 KB and 1 byte", LOGIN + b" " * (64 * 1024 - len(LOGIN)) + b"}", 413),
    RestText("1 MB and 1 byte", LOGIN + b" " * (MB - len(LOGIN)) + b"}", 413),
    RestText("1e400", LOGIN + b',"x":1e400}'),
    RestText("lone surrogate", LOGIN + rb',"x":"\ud800"}'),
    RestText("byte order mark", b"\xef\xbb\xbf" + LOGIN + b"}"),
    RestText("not UTF-8", LOGIN + b',"x":"\xff"}'),
    RestText("UTF-16", (LOGIN + b"}").decode().encode("utf-16")),
    RestText("two documents", LOGIN + b"}{}"),
    RestText("list", b"[]"),
    RestText("empty", b""),
    RestText("zero bytes", b"\0" * 1_000),
]
REST_ROUTES = ["/api/auth/login", "/api/auth/register", "/api/auth/refresh"]  # open to strangers


class RestJson(SecurityTest):
    apps = True

    def test_strangers_bodies(self):
        for path in REST_ROUTES:
            for case in REST_TEXTS:
                with self.subTest(case.name, path=path):
                    request = wire.Request("POST", path, [("Host", "localhost"), ("Content-Type", "application/json")],
                                           case.body)
                    heard = wire.talk(self.port, request.bytes(), answers=1)
                    # Where a member is unknown and another one missing, either may be told.
                    answer = self.check_answer(heard, (case.status, 422))
                    self.assertLess(len(answer.body), 20_000, "an answer repeats too much of what was sent")
                    self.check_unharmed()
