"""sig-*: requests whose signature does not cover what arrives. DynamoDB refuses with status 400, so does Cairn. Every
refused request is a PutItem of `intruder`."""

import time
from typing import Callable, NamedTuple

from case import TABLE, item, put, wire
from signed_case import OWNER, READER, TENANT, SignedTest

INTRUDER = "intruder"
PUT = put(INTRUDER)
INVALID, INCOMPLETE = "InvalidSignatureException", "IncompleteSignatureException"
UNKNOWN, MISSING, DENIED = ("UnrecognizedClientException", "MissingAuthenticationTokenException",
                            "AccessDeniedException")
SIGNED = ["content-type", "host", "x-amz-date", "x-amz-target"]
MINUTE, DAY = 60, 24 * 3600


def unchanged(_):
    pass


class Forged(NamedTuple):
    """How a PutItem is signed, what is changed afterwards, and which refusal it gets."""
    name: str
    signing: dict
    code: str = INVALID
    change: Callable = unchanged
    text: str = ""
    body: object = None  # instead of the intruder


def changed(name, change, code=INVALID, **signing):
    """Signed as it should be, then changed."""
    return Forged(name, signing, code, change)


def without(name):
    return [each for each in SIGNED if each != name]


def swap_body(request):
    request.body = request.body.replace(b"honest", INTRUDER.encode())


BODIES = [
    changed("body swapped", swap_body)._replace(body=put("honest")),
    changed("body swapped, hash kept", swap_body,
            fields=[("X-Amz-Content-Sha256", "0" * 64)])._replace(body=put("honest")),
    changed("body longer by a space", lambda request: setattr(request, "body", request.body + b" ")),
    changed("body added", lambda request: setattr(request, "body", wire.json.dumps(PUT).encode()))._replace(body=b""),
    Forged("UNSIGNED-PAYLOAD", {"body_hash": "UNSIGNED-PAYLOAD",
                                "fields": [("X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD")],
                                "signed": ["content-type", "host", "x-amz-content-sha256", "x-amz-date",
                                           "x-amz-target"]}),
    Forged("STREAMING", {"body_hash": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                         "fields": [("X-Amz-Content-Sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD")],
                         "signed": ["content-type", "host", "x-amz-content-sha256", "x-amz-date", "x-amz-target"]}),
    Forged("hash of an empty body", {"body_hash": wire.hashlib.sha256().hexdigest()}),
    Forged("no hash at all", {"body_hash": "-"}),
]
HEADERS = [
    Forged("host not signed", {"signed": without("host")}, text="'Host' must be a 'SignedHeader'"),
    Forged("date not signed", {"signed": without("x-amz-date")}, text="'X-Amz-Date' must be a 'SignedHeader'"),
    Forged("target not signed", {"signed": without("x-amz-target")}, text="'X-Amz-Target' must be a 'SignedHeader'"),
    Forged("nothing signed", {"signed": ["x-nothing"]}, text="must be a 'SignedHeader'"),
    changed("signed field removed", lambda request: request.remove("X-Extra"), signed=SIGNED + ["x-extra"],
            fields=[("X-Extra", "1")]),
    changed("signed field twice", lambda request: request.add("X-Extra", "2"), signed=SIGNED + ["x-extra"],
            fields=[("X-Extra", "1")]),
    changed("target twice", lambda request: request.add("X-Amz-Target", wire.TARGET + "DeleteTable")),
    changed("target before the signed one",
            lambda request: request.fields.insert(0, ["X-Amz-Target", wire.TARGET + "PutItem"]))._replace(
                body={"TableName": TABLE}),
    changed("target replaced", lambda request: request.set("X-Amz-Target", wire.TARGET + "UpdateItem")),
    changed("date twice", lambda request: request.add("X-Amz-Date", "20300101T000000Z")),
    changed("fresh date before an old signature", lambda request: request.fields.insert(
        0, ["X-Amz-Date", time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())]), at=-30 * MINUTE),
    changed("date added to one signed with Date", lambda request: request.add("X-Amz-Date", request.field("Date")),
            date_field="Date", signed=["content-type", "date", "host", "x-amz-target"]),
    changed("host of another server", lambda request: request.set("Host", "elsewhere.localhost")),
    changed("another method's content type", lambda request: request.set("Content-Type", "application/json")),
    changed("no Authorization", lambda request: request.remove("Authorization"), MISSING),
    changed("another scheme", lambda request: request.set("Authorization", "Basic QUtJQTpz"), MISSING),
    changed("bearer token", lambda request: request.set("Authorization", "Bearer a.b.c"), MISSING),
    changed("wrong Authorization before the right one",
            lambda request: request.fields.insert(0, ["Authorization", request.field("Authorization")[:-1] + "x"])),
    changed("Authorization of 10 KB", lambda request: request.set(
        "Authorization", request.field("Authorization") + ", X=" + "x" * 10_000 + ", Signature="),
            (INVALID, INCOMPLETE)),
]
AUTHORIZATION = "{algorithm} Credential={credential}, SignedHeaders={signed}, Signature={signature}"
PARTS = [
    Forged(name, {"authorization": text}, code) for name, text, code in [
        ("no signature", "{algorithm} Credential={credential}, SignedHeaders={signed}", INCOMPLETE),
        ("no credential", "{algorithm} SignedHeaders={signed}, Signature={signature}", INCOMPLETE),
        ("no signed headers", "{algorithm} Credential={credential}, Signature={signature}", INCOMPLETE),
        ("empty signature", "{algorithm} Credential={credential}, SignedHeaders={signed}, Signature=", INCOMPLETE),
        ("algorithm only", "{algorithm}", INCOMPLETE),
        ("another algorithm", AUTHORIZATION.replace("{algorithm}", "AWS4-HMAC-SHA1"), INCOMPLETE),
        ("asymmetric algorithm", AUTHORIZATION.replace("{algorithm}", "AWS4-ECDSA-P256-SHA256"), INCOMPLETE),
        ("no algorithm", AUTHORIZATION.replace("{algorithm} ", ""), MISSING),
        ("credential of four parts", AUTHORIZATION.replace("{credential}", "AKIAOWNER/20260101/us-east-1/dynamodb"),
         INCOMPLETE),
        ("credential of six parts", AUTHORIZATION.replace("{credential}", "{credential}/x"), INCOMPLETE),
        ("signature cut off", AUTHORIZATION.replace("{signature}", "{signature:.63}"), INVALID),
        ("signature longer", AUTHORIZATION + "0", INVALID),
        ("signed headers in another order",
         AUTHORIZATION.replace("{signed}", "host;content-type;x-amz-date;x-amz-target"), INVALID),
        ("signed header more", AUTHORIZATION.replace("{signed}", "{signed};x-more"), INVALID),
    ]
]
DATES = [
    Forged("5 minutes and more ago", {"at": -5 * MINUTE - 5}, text="Signature expired"),
    Forged("5 minutes and more ahead", {"at": 5 * MINUTE + 10}, text="Signature not yet current"),
    Forged("yesterday", {"at": -DAY}, text="Signature expired"),
    Forged("year 3020", {"amz_date": "30200101T000000Z"}, text="Signature not yet current"),
    Forged("year 1970", {"amz_date": "19700101T000000Z"}, text="Signature expired"),
    Forged("year 0000", {"amz_date": "00000101T000000Z"}, (INVALID, INCOMPLETE)),
    Forged("13th month", {"amz_date": "20261301T000000Z"}, INCOMPLETE),
    Forged("30th of February", {"amz_date": "20260230T000000Z"}, INCOMPLETE),
    Forged("25 o'clock", {"amz_date": "20260101T250000Z"}, INCOMPLETE),
    Forged("minus inside", {"amz_date": "2026-1-1T000000Z"}, INCOMPLETE),
    Forged("no time zone", {"amz_date": "20260101T0000000"}, INCOMPLETE),
    Forged("words", {"amz_date": "today"}, INCOMPLETE),
    Forged("seconds since 1970", {"amz_date": "1767225600"}, INCOMPLETE),
    Forged("digits beyond 64 bits", {"amz_date": "9" * 40}, INCOMPLETE),
    Forged("Date as HTTP writes it", {"date_field": "Date", "amz_date": "Thu, 01 Jan 2026 00:00:00 GMT"}, INCOMPLETE),
    changed("no date at all", lambda request: request.remove("X-Amz-Date"), INCOMPLETE),
    Forged("scope of another day", {"scope_date": "20200101"}, text="Date in Credential scope does not match"),
    Forged("scope without a day", {"scope_date": "x"}, text="Date in Credential scope does not match"),
    Forged("scope without a region", {"region": ""}, text="valid region"),
    Forged("scope of another service", {"service": "s3"}, text="correct service"),
    Forged("scope with another terminator", {"terminator": "aws5_request"}, text="valid terminator"),
    changed("scope of another region than signed", lambda request: request.set(
        "Authorization", request.field("Authorization").replace("us-east-1", "eu-west-1"))),
]
KEYS = [
    Forged("unknown key", {"key": ("AKIANOBODY", "x")}, UNKNOWN),
    Forged("empty key", {"key": ("", "x")}, (UNKNOWN, INCOMPLETE)),
    Forged("key of 8 KB", {"key": ("A" * 8_000, "x")}, UNKNOWN),
    Forged("key in lower case", {"key": ("akiaowner", OWNER[1])}, UNKNOWN),
    Forged("key with a space behind", {"key": ("AKIAOWNER\t", OWNER[1])}, (UNKNOWN, INCOMPLETE)),
    Forged("wrong secret", {"key": (OWNER[0], "x")}),
    Forged("empty secret", {"key": (OWNER[0], " ")}),
    Forged("another key's secret", {"key": (OWNER[0], TENANT[1])}),
    changed("signed by the tenant, said to be the owner", lambda request: request.set(
        "Authorization", request.field("Authorization").replace(TENANT[0], OWNER[0])), key=TENANT),
    Forged("tenant writes another's item", {"key": TENANT}, DENIED),
    Forged("reader writes", {"key": READER}, DENIED),
    Forged("session token", {"fields": [("X-Amz-Security-Token", "token")],
                             "signed": ["content-type", "host", "x-amz-date", "x-amz-security-token", "x-amz-target"]},
           UNKNOWN),
    Forged("session token that is not signed", {"fields": [("X-Amz-Security-Token", "token")]}, UNKNOWN),
    Forged("expired session token", {"fields": [("X-Amz-Security-Token", "FwoGZXIvYXdzE" + "A" * 300)]}, UNKNOWN),
]


class Refused(SignedTest):
    def check_all(self, cases):
        for case in cases:
            with self.subTest(case.name):
                request = self.sign("PutItem", PUT if case.body is None else case.body, **case.signing)
                case.change(request)
                answer = self.check_answer(self.send(request), 400, case.code)
                self.assertIn(case.text, answer.body.decode())
                self.check_unharmed(INTRUDER, "honest")

    def test_body(self):
        self.check_all(BODIES)

    def test_headers(self):
        self.check_all(HEADERS)

    def test_parts_of_the_authorization(self):
        self.check_all(PARTS)

    def test_dates(self):
        self.check_all(DATES)

    def test_keys(self):
        self.check_all(KEYS)

    def test_operations_that_nobody_may_call_unsigned(self):
        for operation in ("ListTables", "DescribeTable", "CreateTable", "DeleteTable", "Scan", "Query", "GetItem",
                          "UpdateItem", "BatchWriteItem", "TransactWriteItems", "ExecuteStatement", "CreateBackup",
                          "DescribeEndpoints", "DescribeLimits"):
            with self.subTest(operation):
                answer = self.send(wire.unsigned(self.port, operation, {"TableName": TABLE}))
                self.check_answer(answer, 400, (INVALID, UNKNOWN))

    def test_tenant_reaches_one_key_also_when_it_is_said_twice(self):
        """Whoever checks and whoever writes must read the same one."""
        for first, second in (("T#tenant", INTRUDER), (INTRUDER, "T#tenant")):
            body = f'{{"TableName":"{TABLE}","Item":{{"pk":{{"S":"{first}"}},"pk":{{"S":"{second}"}}}}}}'.encode()
            self.send(self.sign("PutItem", body, key=TENANT))
            body = (f'{{"TableName":"{TABLE}","Item":{{"pk":{{"S":"{first}"}}}},'
                    f'"Item":{{"pk":{{"S":"{second}"}}}}}}').encode()
            self.send(self.sign("PutItem", body, key=TENANT))
            self.check_unharmed(INTRUDER)


def flipped(text, at):
    """One bit of one byte; stays printable."""
    return text[:at] + chr(ord(text[at]) ^ (1 if text[at] != "~" else 2)) + text[at + 1:]


class Part(NamedTuple):
    """A text of a signed request, how to read it and how to write it."""
    name: str
    read: Callable
    write: Callable


def field_part(name):
    return Part(name, lambda request: request.field(name), lambda request, text: request.set(name, text))


FLIPPED = [
    Part("body", lambda request: request.body.decode(),
         lambda request, text: setattr(request, "body", text.encode())),
    Part("query", lambda request: request.target[2:], lambda request, text: setattr(request, "target", "/?" + text)),
    *(field_part(name) for name in ("Host", "X-Amz-Date", "X-Amz-Target", "Content-Type", "X-Extra", "Authorization")),
]


class Flipped(SignedTest):
    def signed(self):
        return self.sign("PutItem", PUT, query="a=1&b=x%20y", fields=[("X-Extra", "some text")],
                         signed=SIGNED + ["x-extra"])

    def test_unflipped_request_is_taken(self):
        self.check_answer(self.send(self.signed()), 200)
        self.remove(INTRUDER)

    def test_every_byte_counts(self):
        for part in FLIPPED:
            with self.subTest(part.name):
                requests = []
                for at in range(len(part.read(self.signed()))):
                    request = self.signed()
                    part.write(request, flipped(part.read(request), at))
                    requests.append(request)
                while requests:
                    sent = b"".join(request.bytes() for request in requests)
                    heard = wire.talk(self.port, sent, answers=len(requests), seconds=self.fewer_when_sanitized(2, 10))
                    self.assertTrue(heard.answers, part.name)
                    for request, answer in zip(requests, heard.answers):
                        self.assertGreaterEqual(answer.status, 400, f"{part.read(request)}: {answer}")
                    # A byte can also break the request itself, or make it one for another host; the connection is
                    # then closed, and the rest never seen.
                    requests = requests[len(heard.answers):]
                self.check_unharmed(INTRUDER)


class Taken(NamedTuple):
    """Signed as AWS takes it, although it looks different from what its clients write."""
    name: str
    signing: dict
    change: Callable = unchanged


def rename(name, spelled):
    def change(request):
        for field in request.fields:
            if field[0] == name:
                field[0] = spelled
    return change


TAKEN = [
    Taken("as AWS's clients write it", {}),
    Taken("names of fields in upper case", {}, rename("X-Amz-Target", "X-AMZ-TARGET")),
    Taken("names of fields in lower case", {}, rename("Authorization", "authorization")),
    Taken("spaces around a value", {}, lambda request: request.set("X-Amz-Target", "  " + request.field(
        "X-Amz-Target") + "  ")),
    Taken("spaces inside a value", {"fields": [("X-Extra", "a   b")], "signed": SIGNED + ["x-extra"]}),
    Taken("two fields of one name", {"fields": [("X-Extra", "a"), ("X-Extra", "b")], "signed": SIGNED + ["x-extra"]}),
    Taken("empty field", {"fields": [("X-Extra", "")], "signed": SIGNED + ["x-extra"]}),
    Taken("no spaces between the parts", {"authorization": AUTHORIZATION.replace(", ", ",")}),
    Taken("spaces instead of commas", {"authorization": AUTHORIZATION.replace(", ", " ")}),
    Taken("parts in another order",
          {"authorization": "{algorithm} Signature={signature}, SignedHeaders={signed}, Credential={credential}"}),
    Taken("without the content type", {"signed": without("content-type")}),
    Taken("Date instead of X-Amz-Date",
          {"date_field": "Date", "signed": ["content-type", "date", "host", "x-amz-target"]}),
    Taken("another region", {"region": "eu-central-1"}),
    Taken("almost 5 minutes ago", {"at": -5 * MINUTE + 20}),
    Taken("almost 5 minutes ahead", {"at": 5 * MINUTE - 20}),
    Taken("query", {"query": "b=2&a=1"}),
    Taken("query with an encoded slash", {"query": "a=%2F"}),
    Taken("query with a slash encoded in lower case", {"query": "a=%2f"}),
    Taken("query with a plus", {"query": "a=x+y"}),
    Taken("query with UTF-8", {"query": "a=%E2%82%AC"}),
    Taken("query without values", {"query": "a&b="}),
    Taken("query with a name twice", {"query": "a=2&a=1&a="}),
    Taken("field that is not signed", {}, lambda request: request.add("X-Amz-Meta", "ignored")),
]


class Accepted(SignedTest):
    def test_what_aws_accepts(self):
        for case in TAKEN:
            with self.subTest(case.name):
                request = self.sign("PutItem", put("honest"), **case.signing)
                case.change(request)
                self.check_answer(self.send(request), 200)
                self.assertIsNotNone(self.stored("honest"))
                self.remove("honest")

    def test_replay_within_five_minutes_is_taken(self):
        """As on AWS: who can read the traffic can repeat it until the signature expires. TLS in front prevents that;
        a condition or a client token makes the repetition harmless."""
        body = {**put("once"), "ConditionExpression": "attribute_not_exists(pk)"}
        plain, guarded = self.sign("PutItem", put("replayed")).bytes(), self.sign("PutItem", body).bytes()
        for _ in range(2):
            self.check_answer(self.send(plain), 200)
        self.check_answer(self.send(guarded), 200)
        self.check_answer(self.send(guarded), 400, "ConditionalCheckFailedException")
        self.assertEqual(self.stored("once"), item(pk="once"))
