"""headers/uri: heads that are too large, too long, or no HTTP."""

from typing import NamedTuple

from case import SecurityTest, wire
from tables import table_definition

KB = 1024
HOST = b"Host: localhost\r\n"


def head(target=b"/healthz", fields=HOST, method=b"GET"):
    return method + b" " + target + b" HTTP/1.1\r\n" + fields + b"\r\n"


def of_size(bytes_total):
    """A head of exactly this size."""
    return head(fields=HOST + b"X: " + b"x" * (bytes_total - len(head()) - 5) + b"\r\n")


class Head(NamedTuple):
    name: str
    sent: bytes
    status: int
    closes: bool = True


HEADS = [
    Head("16 KB, just allowed", of_size(16 * KB), 200, closes=False),
    Head("16 KB and 1 byte", of_size(16 * KB + 1), 431),
    Head("17 KB", of_size(17 * KB), 431),
    Head("16 MB in one field", of_size(16 * KB * KB), 431),
    Head("17 KB without an end", head(fields=HOST + b"X: " + b"x" * 17 * KB)[:-2], 431),
    Head("name of 17 KB", head(fields=HOST + b"x" * 17 * KB + b": x\r\n"), 431),
    Head("1,000 fields below 16 KB", head(fields=HOST + b"".join(b"X-%d: x\r\n" % n for n in range(1_000))), 200,
         closes=False),
    Head("10,000 fields", head(fields=HOST + b"".join(b"X-%d: x\r\n" % n for n in range(10_000))), 431),
    Head("100,000 empty lines before", b"\r\n" * 100_000 + head(), 200, closes=False),
    Head("target of 9 KB", head(b"/" + b"a" * 9 * KB), 414),
    Head("target of 64 KB", head(b"/" + b"a" * 64 * KB), 414),
    Head("query of 64 KB", head(b"/healthz?" + b"a" * 64 * KB), 414),
    Head("64 KB without a line", b"GET /" + b"a" * 64 * KB, 414),
    Head("method of 64 KB", head(method=b"G" * 64 * KB), 414),
    Head("zero bytes", b"\0" * KB + b"\r\n\r\n", 400),
    Head("all bytes", bytes(range(256)) * 4 + b"\r\n\r\n", 400),
    Head("TLS hello", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x01" * 512 + b"\r\n\r\n", 400),
    Head("HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    Head("dots climb out of the pages", head(b"/../../../../etc/passwd"), 404, closes=False),
    Head("encoded dots", head(b"/%2e%2e%2f%2e%2e%2fetc/passwd"), 400, closes=False),
    Head("encoded zero byte", head(b"/healthz%00"), 400, closes=False),
    Head("broken percent-encoding", head(b"/%zz%"), 400, closes=False),
]


class Heads(SecurityTest):
    apps = True

    def test_heads(self):
        for case in HEADS:
            with self.subTest(case.name):
                heard = wire.talk(self.port, case.sent, answers=None if case.closes else 1)
                self.check_answer(heard, case.status)
                self.assertEqual(heard.closed, case.closes, heard)
                self.assertNotIn(b"root:", heard.answers[0].body)
                self.check_unharmed()


STRANGE = '\xff\xfe"\\\x80<script>'  # bytes of a header field that are no text


class Echo(NamedTuple):
    """A request with strange bytes in a field that answers repeat."""
    name: str
    field: str
    replaced: str  # in the field; empty: all of it
    operation: str = "CreateTable"


ECHOES = [
    Echo("Authorization", "Authorization", "Credential="),
    Echo("access key", "Authorization", "AKIATEST"),
    Echo("region", "Authorization", "us-east-1"),
    Echo("service and region", "Authorization", "us-east-1/dynamodb"),
    Echo("date", "X-Amz-Date", ""),
    Echo("host", "Host", "", "DescribeEndpoints"),
    Echo("target", "X-Amz-Target", "CreateTable"),
    Echo("content type", "Content-Type", ""),
]


class Echoes(SecurityTest):
    def test_answers_are_json_whatever_the_head_says(self):
        for number, case in enumerate(ECHOES):
            with self.subTest(case.name):
                request = self.request(case.operation, table_definition(f"Echo{number}", "pk:S"))
                text = request.field(case.field)
                request.set(case.field, text.replace(case.replaced or text, STRANGE))
                heard = wire.talk(self.port, request.bytes(), answers=1)
                answer = self.check_answer(heard, (200, 400, 404, 421))
                if "json" in answer.fields["content-type"] and answer.status != 404:
                    self.assertIsInstance(answer.json(), dict)
                self.check_unharmed()
