"""Requests as bytes and answers as they come: nothing between a test and the socket would mend what is broken."""

import hashlib
import hmac
import json
import select
import socket
import time
import urllib.parse

HOST = "127.0.0.1"
DEADLINE_SECONDS = 30  # that only a hang reaches; a test that waits for silence says how long
JSON = "application/x-amz-json-1.0"
TARGET = "DynamoDB_20120810."
ALGORITHM = "AWS4-HMAC-SHA256"


class Answer:
    """One answer of the server."""

    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def json(self):
        return json.loads(self.body)

    def code(self):
        """The name of a DynamoDB exception; empty where the server itself refused."""
        try:
            return self.json().get("__type", "").rpartition("#")[2]
        except ValueError:
            return ""

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Talk:
    """What one connection heard: the answers in order, whether the server hung up, how long it took."""

    def __init__(self, answers, closed, seconds):
        self.answers, self.closed, self.seconds = answers, closed, seconds

    def statuses(self):
        return [answer.status for answer in self.answers]

    def __repr__(self):
        return f"{self.answers} {'closed' if self.closed else 'open'} after {self.seconds:.2f} s"


def split_answers(received):
    """The complete answers in these bytes."""
    answers, rest = [], bytes(received)
    while b"\r\n\r\n" in rest:
        head, _, tail = rest.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        status = int(first.split(" ")[1])
        fields = {name.lower(): text.strip() for name, _, text in (line.partition(":") for line in lines)}
        length = int(fields.get("content-length", 0))
        if len(tail) < length:
            break
        if status != 100:
            answers.append(Answer(status, fields, tail[:length]))
        rest = tail[length:]
    return answers


def connect(port, seconds=DEADLINE_SECONDS):
    return socket.create_connection((HOST, port), timeout=seconds)


def ready(connection, deadline, wants_to_send=False):
    """Waits until something can be received, or sent: (readable, writable). Neither: time is over."""
    poll = select.poll()  # not select, which knows descriptors below 1,024 only
    poll.register(connection, select.POLLIN | (select.POLLOUT if wants_to_send else 0))
    events = poll.poll(max(0, deadline - time.monotonic()) * 1000)
    happened = events[0][1] if events else 0
    return bool(happened & ~select.POLLOUT), bool(happened & select.POLLOUT)


def talk(port, data, answers=None, seconds=DEADLINE_SECONDS):
    """Sends and listens at once until that many answers are there, the server hangs up (None: only then), or time is
    over."""
    begin = time.monotonic()
    with connect(port, seconds) as connection:
        connection.setblocking(False)
        unsent, received, found, closed = memoryview(data), bytearray(), [], False
        while not closed and (answers is None or len(found) < answers):
            readable, writable = ready(connection, begin + seconds, bool(unsent))
            if not readable and not writable:
                break
            try:
                if writable:
                    unsent = unsent[connection.send(unsent[:1 << 20]):]
                if readable:
                    heard = connection.recv(1 << 20)
                    received += heard
                    closed = not heard
                    found = split_answers(received)
            except BlockingIOError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                closed = True
        return Talk(found, closed, time.monotonic() - begin)


def chunked(body, size=1 << 20):
    """A body in chunks."""
    pieces = [body[at:at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


class Request:
    """A request in pieces that a test can change before they become bytes. Fields are [name, text] in order."""

    def __init__(self, method, target, fields, body=b""):
        self.method, self.target, self.fields, self.body = method, target, [list(field) for field in fields], body

    def field(self, name):
        return next(text for each, text in self.fields if each.lower() == name.lower())

    def set(self, name, text):
        for field in self.fields:
            if field[0].lower() == name.lower():
                field[1] = text

    def add(self, name, text):
        self.fields.append([name, text])

    def remove(self, name):
        self.fields = [field for field in self.fields if field[0].lower() != name.lower()]

    def head(self, framing=None):
        """`framing`: the lines that say where the body ends, instead of its length."""
        lines = [f"{self.method} {self.target} HTTP/1.1".encode(), *(
            name.encode("latin-1") + b": " + text.encode("latin-1") for name, text in self.fields)]
        lines.append(b"Content-Length: %d" % len(self.body) if framing is None else framing)
        return b"\r\n".join(line for line in lines if line) + b"\r\n\r\n"

    def bytes(self):
        return self.head() + self.body


def unsigned(port, operation, body, **fields):
    """A DynamoDB request whose signature only looks like one: enough for a server without --credentials."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    said = {"Host": f"{HOST}:{port}", "Content-Type": JSON, "X-Amz-Target": TARGET + operation,
            "X-Amz-Date": "20260101T000000Z",
            "Authorization": f"{ALGORITHM} Credential=AKIATEST/20260101/us-east-1/dynamodb/aws4_request, "
                             "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64,
            **{name.replace("_", "-"): text for name, text in fields.items()}}
    return Request("POST", "/", said.items(), body)


def get(port, path):
    return Request("GET", path, [("Host", f"{HOST}:{port}")])


def _hmac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _quote(text):
    return urllib.parse.quote(text, safe="-_.~")


def _canonical_query(query):
    pairs = [part.partition("=") for part in query.split("&") if part]
    unquoted = [(urllib.parse.unquote_to_bytes(name), urllib.parse.unquote_to_bytes(text)) for name, _, text in pairs]
    return "&".join(f"{name}={text}" for name, text in sorted((_quote(name), _quote(text)) for name, text in unquoted))


def _folded(text):
    return " ".join(text.split())


class Signer:
    """SigV4, with every part open to forgery. What a test does not name is as AWS's clients write it."""

    def __init__(self, port, key="AKIAOWNER", secret="secret of owner"):
        self.port, self.key, self.secret = port, key, secret

    def sign(self, operation, body, *, key=None, secret=None, at=None, amz_date=None, scope_date=None,
             region="us-east-1", service="dynamodb", terminator="aws4_request", query="", path="/", signed=None,
             fields=(), body_hash=None, date_field="X-Amz-Date", authorization="{algorithm} Credential={credential}, "
             "SignedHeaders={signed}, Signature={signature}"):
        """`at`: seconds from now; `signed`: the names under the signature; `body_hash`: what it says of the body."""
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        amz_date = amz_date or time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(time.time() + (at or 0)))
        request = Request("POST", path + ("?" + query if query else ""), [
            ("Host", f"{HOST}:{self.port}"), ("Content-Type", JSON), ("X-Amz-Target", TARGET + operation),
            (date_field, amz_date), *fields], body)
        signed = signed or ["content-type", "host", *sorted({date_field.lower(), "x-amz-target"})]
        values = {name: ",".join(_folded(text) for each, text in request.fields if each.lower() == name)
                  for name in signed}
        canonical = "\n".join(["POST", path, _canonical_query(query), *(f"{name}:{values[name]}" for name in signed),
                               "", ";".join(signed), body_hash or hashlib.sha256(body).hexdigest()])
        scope = "/".join([scope_date or amz_date[:8], region, service, terminator])
        derived = ("AWS4" + (secret or self.secret)).encode()
        for part in scope.split("/"):
            derived = _hmac(derived, part)
        to_sign = "\n".join([ALGORITHM, amz_date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        request.add("Authorization", authorization.format(
            algorithm=ALGORITHM, credential=f"{key or self.key}/{scope}", signed=";".join(signed),
            signature=_hmac(derived, to_sign).hex()))
        return request
