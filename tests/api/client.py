"""HTTP for the tests of applications: one line per request. Every answer is checked against /openapi.json.

    ada = Client(server.url, token)
    answer = ada.post("/api/values/nodes", {"nodeType": "DRIVER", "title": "Health"}, if_match='"..."')
    answer.status, answer.body["commit"], answer.tag, ada.last
"""

import gzip
import http.client
import json
import threading
import urllib.parse

from contract import Broken, Contract, parse_json

_SAFE_FIELDS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                "Cross-Origin-Resource-Policy": "same-origin"}


class Answer:
    """An answer: status, headers, body as bytes (`raw`) and as Python values (`body`)."""

    def __init__(self, response, method, path, sent_json=None):
        self.method, self.path, self.sent_json = method, path, sent_json
        self.status, self.headers = response.status, response.headers
        self.wire = response.read()
        self.raw = gzip.decompress(self.wire) if self.headers.get("Content-Encoding") == "gzip" else self.wire
        kind = self.headers.get("Content-Type", "").partition(";")[0]
        is_json = kind == "application/json" or kind.endswith("+json")
        self.body = parse_json(self.raw) if self.raw and is_json else None

    @property
    def tag(self):
        return self.headers.get("ETag")

    @property
    def code(self):
        return (self.body or {}).get("code")

    @property
    def replayed(self):
        return self.headers.get("Idempotent-Replayed") == "true"

    def __getitem__(self, name):
        """A member of the body."""
        return self.body[name]

    def fields(self):
        """The names of the fields a problem is about."""
        return [error["field"] for error in (self.body or {}).get("errors", [])]

    def cookies(self):
        """Every Set-Cookie: {name: (value, [attributes])}."""
        told = {}
        for line in self.headers.get_all("Set-Cookie") or ():
            pair, *attributes = [part.strip() for part in line.split(";")]
            name, _, value = pair.partition("=")
            told[name] = (value, attributes)
        return told

    def __repr__(self):
        return f"{self.status} {self.raw[:2000].decode(errors='replace')}"


class Client:
    """Requests of one caller: a program with a token, or a browser with cookies. Usable from several threads: each
    has its own connection."""

    def __init__(self, url, token=None):
        self.url, self.token = url, token
        self.jar = {}  # cookies, as a browser keeps them; sent when there is no token
        self.csrf = None  # sent with changes that carry cookies
        self.last = None
        self._open = []  # connections of all threads
        self._local = threading.local()

    def hang_up(self):
        """Closes the connections: at the end, and after the server was gone."""
        while self._open:
            self._open.pop().close()
        self._local = threading.local()

    # ---- one line per request

    def get(self, path, query=None, **headers):
        return self.send("GET", path, None, query, _named(headers))

    def head(self, path, query=None, **headers):
        return self.send("HEAD", path, None, query, _named(headers))

    def post(self, path, body=None, query=None, **headers):
        return self.send("POST", path, body, query, _named(headers))

    def put(self, path, body=None, query=None, **headers):
        return self.send("PUT", path, body, query, _named(headers))

    def patch(self, path, body=None, query=None, **headers):
        return self.send("PATCH", path, body, query, _named(headers))

    def delete(self, path, body=None, query=None, **headers):
        return self.send("DELETE", path, body, query, _named(headers))

    def send(self, method, path, body=None, query=None, headers=()):
        """`body`: Python values are sent as JSON, bytes as they are. A header None is not sent, a list is several."""
        if query:
            path += "?" + urllib.parse.urlencode(query)
        sent_json = body if body is not None and not isinstance(body, bytes) else None
        wire = json.dumps(body).encode() if sent_json is not None else body
        fields = {**self._fields(method), **({"Content-Type": "application/json"} if wire is not None else {}),
                  **dict(headers)}
        answer = self._exchange(method, path, wire, {n: t for n, t in fields.items() if t is not None}, sent_json)
        self._check(answer)
        self._keep_cookies(answer)
        self.last = answer
        return answer

    # ---- sessions

    def login(self, email, password, kind="program"):
        """POST /api/auth/login, and from then on a caller who is logged in."""
        answer = self.post("/api/auth/login", {"email": email, "password": password, "kind": kind})
        if answer.status == 200:
            self.token, self.csrf = answer.body.get("accessToken"), answer.body.get("csrfToken")
        return answer

    # ---- inside

    def _fields(self, method):
        if self.token is not None:
            return {"Authorization": f"Bearer {self.token}"}
        if not self.jar:
            return {}
        fields = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.jar.items())}
        if method not in ("GET", "HEAD") and self.csrf:
            fields["X-CSRF-Token"] = self.csrf
        return fields

    def _keep_cookies(self, answer):
        for name, (value, attributes) in answer.cookies().items():
            if "Max-Age=0" in attributes:
                self.jar.pop(name, None)
            else:
                self.jar[name] = value

    def _connection(self):
        if not hasattr(self._local, "connection"):
            parts = urllib.parse.urlsplit(self.url)
            self._local.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
            self._open.append(self._local.connection)
        return self._local.connection

    def _exchange(self, method, path, wire, fields, sent_json=None):
        connection = self._connection()
        try:
            _request(connection, method, path, wire, fields)
            return Answer(connection.getresponse(), method, path, sent_json)
        except (http.client.HTTPException, OSError):
            connection.close()
            del self._local.connection
            raise

    def contract(self):
        return Contract.of(self.url, lambda: self._exchange("GET", "/openapi.json", None, {}).raw)

    def _check(self, answer):
        self.contract().check(answer)
        for name, value in _SAFE_FIELDS.items():
            if answer.headers.get_all(name) != [value]:
                raise Broken(f"{answer.method} {answer.path}: {name} is {answer.headers.get_all(name)}")
        if len(answer.headers.get_all("Cache-Control") or ()) != 1 or "public" in answer.headers["Cache-Control"]:
            raise Broken(f"{answer.method} {answer.path}: Cache-Control is {answer.headers.get_all('Cache-Control')}")


def _request(connection, method, path, wire, fields):
    names = {name.lower() for name in fields}
    connection.putrequest(method, path, skip_accept_encoding="accept-encoding" in names, skip_host="host" in names)
    if "content-length" not in names and (wire is not None or method in ("POST", "PUT", "PATCH")):
        connection.putheader("Content-Length", str(len(wire or b"")))
    for name, value in fields.items():
        for text in value if isinstance(value, list) else [value]:
            connection.putheader(name, text)
    connection.endheaders(wire)


def _named(headers):
    """if_match="x" is If-Match: x."""
    return {name.replace("_", "-").title(): text for name, text in headers.items()}
