"""What the tests of the REST interface share: a server with the workshop model, tokens, and requests in one line."""

import base64
import hashlib
import hmac
import http.client
import json
import pathlib
import sys
import threading
import time
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fixture"))

from cairn_server import CairnServer, binary_from_environment  # noqa: E402

MODEL = HERE / "workshop.toml"
HOME = "/api/m/workshop"


class Reply:
    """An answer: status, headers, and the body as Python values (numbers with a point stay text: no digit is lost)."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.raw = response.read()
        kind = response.headers.get("Content-Type", "")
        self.body = json.loads(self.raw, parse_float=str) if "json" in kind and self.raw else None

    @property
    def tag(self):
        return self.headers.get("ETag")

    def fields(self):
        """The names of the fields a problem is about."""
        return [error["field"] for error in (self.body or {}).get("errors", [])]

    def __repr__(self):
        return f"{self.status} {self.raw.decode(errors='replace')}"


class User:
    """Requests on behalf of one token. Usable from several threads: each has its own connection."""

    def __init__(self, url, token):
        self.url, self.token = url, token
        self.hang_up()

    def hang_up(self):
        """Forgets the connections: after the server was gone."""
        self._local = threading.local()

    def _connection(self):
        if not hasattr(self._local, "connection"):
            parts = urllib.parse.urlsplit(self.url)
            self._local.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
        return self._local.connection

    def send(self, method, path, body=None, headers=()):
        """`body`: Python values are sent as JSON, bytes as they are."""
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None:
            sent["Content-Type"] = "application/merge-patch+json" if method == "PATCH" else "application/json"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        sent.update(headers)
        connection = self._connection()
        try:
            connection.request(method, path if path.startswith("/") else f"{HOME}/{path}", body=body,
                               headers={name: text for name, text in sent.items() if text is not None})
            return Reply(connection.getresponse())
        except (http.client.HTTPException, OSError):
            connection.close()
            del self._local.connection
            raise

    def post(self, path, body, **headers):
        return self.send("POST", path, body, _named(headers))

    def get(self, path, **headers):
        return self.send("GET", path, None, _named(headers))

    def put(self, path, body, **headers):
        return self.send("PUT", path, body, _named(headers))

    def patch(self, path, body, **headers):
        return self.send("PATCH", path, body, _named(headers))

    def delete(self, path, **headers):
        return self.send("DELETE", path, None, _named(headers))

    def page(self, pattern, **parameters):
        return self.get(f"patterns/{pattern}?" + urllib.parse.urlencode(parameters))


def _named(headers):
    """if_match="x" is If-Match: x."""
    return {name.replace("_", "-").title(): text for name, text in headers.items()}


def _base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def make_token(key, payload, header=None):
    """Any token, correctly signed."""
    parts = [_base64url(json.dumps(part).encode() if not isinstance(part, bytes) else part)
             for part in (header or {"alg": "HS256", "typ": "JWT"}, payload)]
    text = ".".join(parts)
    return text + "." + _base64url(hmac.new(key, text.encode(), hashlib.sha256).digest())


def claims(**more):
    return {"iss": "cairn", "sub": "alice", "exp": int(time.time()) + 600, **more}


class ModelApiTest(unittest.TestCase):
    """One server for each class; afterwards no request has scanned."""

    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.server = CairnServer(binary_from_environment(),
                                 flags=["--log-level", "warning", "--model", str(MODEL), *cls.flags]).start()
        cls.addClassCleanup(cls.server.close)
        cls.url = cls.server.url
        cls._users = {}
        cls.alice, cls.bob = cls.user("alice"), cls.user("bob")

    @classmethod
    def tearDownClass(cls):
        metrics = cls.metrics()
        assert metrics["cairn_request_scans_total"] == 0, metrics
        assert metrics['cairn_model_store_calls_total{operation="Scan"}'] == 0, metrics

    @classmethod
    def key(cls):
        return pathlib.Path(cls.server.data, "signing.key").read_bytes()

    @classmethod
    def user(cls, name, *flags):
        """A user with a token made by the program itself; a new one for each name."""
        if (name, flags) not in cls._users:
            done = cls.server.command("token", "--sub", name, "--data", cls.server.data, *flags)
            assert done.code == 0, done
            cls._users[name, flags] = User(cls.url, done.stdout.strip())
        return cls._users[name, flags]

    @classmethod
    def stop(cls, kill=False):
        cls.server.kill() if kill else cls.server.terminate()
        for user in cls._users.values():
            user.hang_up()

    @classmethod
    def metrics(cls):
        text = User(cls.url, None).get("/metrics").raw.decode()
        return {name: float(value) for name, value in
                (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))}

    def expect(self, status, reply, code=None, fields=None):
        """The answer's status, and for a problem its form."""
        self.assertEqual(reply.status, status, reply)
        if status >= 400:
            self.assertEqual(reply.headers["Content-Type"], "application/problem+json", reply)
            self.assertEqual(reply.body["status"], status)
            self.assertTrue(reply.body["title"] and reply.body["type"].endswith(reply.body["code"]), reply)
        if code is not None:
            self.assertEqual(reply.body["code"], code, reply)
        if fields is not None:
            self.assertEqual(sorted(reply.fields()), sorted(fields), reply)
        return reply

    def job(self, user=None, **values):
        """A new job."""
        return self.expect(201, (user or self.alice).post("Job", {"title": "a job", **values}))
