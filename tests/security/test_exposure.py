"""What a server serves to whom: one that others can reach answers no unsigned POST / and shows no metrics, the tables of
the server itself need a grant by name, requests by a name that is not the server's and pages of other sites are refused,
and only a trusted proxy says where a request comes from."""

import gzip
import json
import pathlib
import socket
import tempfile
import unittest

import case  # noqa: F401  (finds the other folders)
import wire
from cairn_server import CairnServer, StartFailed, binary_from_environment
from client import Client
from relay import Relay
from tables import item, table_definition
from wait import wait_until
from websocket import WebSocket, handshake

OWN_TABLES = ("CairnIdentity", "CairnReceipts", "CairnJobs", "CairnModels")
PASSWORD = "a-long-enough-passphrase"
EVERY_OPERATION = (
    "GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchGetItem", "BatchWriteItem",
    "TransactGetItems", "TransactWriteItems", "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction",
    "CreateTable", "UpdateTable", "DeleteTable", "DescribeTable", "ListTables", "UpdateTimeToLive",
    "DescribeTimeToLive", "TagResource", "UntagResource", "ListTagsOfResource", "DescribeLimits", "DescribeEndpoints",
    "CreateBackup", "DescribeBackup", "ListBackups", "DeleteBackup", "RestoreTableFromBackup",
    "DescribeContinuousBackups", "NoSuchOperation")


class ExposureTest(unittest.TestCase):
    """One server for each class."""

    flags = ()
    host = "127.0.0.1"
    apps = True

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="cairn-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.server = CairnServer(binary_from_environment(), apps=cls.apps, host=cls.host,
                                 flags=["--log-level", "info", *cls.more_flags(), *cls.flags]).start()
        cls.addClassCleanup(cls.server.close)
        cls.port = cls.server.port

    @classmethod
    def tearDownClass(cls):
        assert cls.server.terminate() == 0, cls.server.stderr()
        assert not case.SANITIZER_REPORT.search(cls.server.stderr()), cls.server.stderr()

    @classmethod
    def more_flags(cls):
        return []

    def said(self, *words):
        """The line at the start that has all these words."""
        return wait_until(lambda: [line for line in self.server.stdout().splitlines()
                                   if all(word in line for word in words)], 10, f"a line with {words}")[0]

    def send(self, data, port=None):
        heard = wire.talk(port or self.port, data if isinstance(data, bytes) else data.bytes(), answers=1, seconds=10)
        self.assertEqual(len(heard.answers), 1, heard)
        return heard.answers[0]

    def get(self, path, port=None, **fields):
        said = {"Host": f"127.0.0.1:{self.port}", **{name.replace("_", "-"): text for name, text in fields.items()}}
        return self.send(wire.Request("GET", path, said.items()), port)

    def unsigned(self, operation, body, **fields):
        return self.send(wire.unsigned(self.port, operation, body, **fields))

    def check_protocol_is_off(self):
        for operation in EVERY_OPERATION:
            answer = self.unsigned(operation, {"TableName": "CairnIdentity"})
            self.assertEqual((answer.status, answer.code()), (400, "AccessDeniedException"), operation)
            self.assertIn("--credentials", answer.body.decode())
        for body in (b"", b"{", b"x" * 300_000):
            self.assertEqual(self.unsigned("Scan", body).code(), "AccessDeniedException")
        self.assertEqual(self.send(wire.Request("POST", "/?X-Amz-Algorithm=AWS4-HMAC-SHA256",
                                                [("Host", "localhost")], b"{}")).code(), "AccessDeniedException")


class BehindAProxy(ExposureTest):
    """As the README says: a proxy in front, --public-url, no more."""

    flags = ("--public-url", "https://cairn.example")

    def test_the_protocol_is_off(self):
        self.check_protocol_is_off()
        self.assertIn("--credentials", self.said("DynamoDB protocol: off"))

    def test_metrics_are_hidden(self):
        self.assertEqual(self.get("/metrics").status, 404)
        self.said("metrics:", "off")

    def test_the_rest_is_served(self):
        self.assertEqual(self.get("/healthz").status, 200)
        self.assertEqual(self.get("/", Host="cairn.example").status, 200)
        self.assertEqual(self.get("/openapi.json", Host="cairn.example:443").status, 200)
        self.said("pages and API:", "https://cairn.example")

    def test_a_request_without_a_host_is_refused(self):
        self.assertEqual(self.send(b"GET /healthz HTTP/1.0\r\n\r\n").status, 421)


class OnEveryAddress(ExposureTest):
    host = "0.0.0.0"

    def test_the_protocol_is_off(self):
        self.check_protocol_is_off()

    def test_metrics_are_hidden(self):
        self.assertEqual(self.get("/metrics").status, 404)

    def test_the_address_of_the_connection_is_a_name_of_ours(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # sends nothing
            except OSError:
                self.skipTest("this machine has no other address")
            address = probe.getsockname()[0]
        self.assertEqual(self.get("/healthz", Host=f"{address}:{self.port}").status,
                         200 if address.startswith("127.") else 421)  # arrived at 127.0.0.1
        with socket.create_connection((address, self.port), timeout=10) as connection:
            connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: {address}:{self.port}\r\n\r\n".encode())
            self.assertIn(b" 200 ", connection.recv(65536))


class MetricsElsewhere(ExposureTest):
    flags = ("--public-url", "https://cairn.example", "--metrics-listen", "127.0.0.1:0")

    def test_only_there_and_nothing_else(self):
        port = int(self.server.metrics_url().rpartition(":")[2])
        self.assertNotEqual(port, self.port)
        self.assertIn(b"cairn_store_writable 1", self.get("/metrics", port).body)
        self.assertEqual(self.get("/metrics").status, 404)
        for path in ("/", "/healthz", "/openapi.json", "/metrics/x"):
            self.assertEqual(self.get(path, port).status, 404, path)
        self.assertEqual(self.send(wire.unsigned(self.port, "ListTables", {}), port).status, 404)
        self.assertEqual(self.get("/metrics", port, Host="evil.example").status, 421)


class MetricsWithAToken(ExposureTest):
    TOKEN = "scrape-me-0123456789"
    flags = ("--public-url", "https://cairn.example")

    @classmethod
    def more_flags(cls):
        path = cls.folder / "metrics.token"
        path.write_text(cls.TOKEN + "\n")
        return ["--metrics-token", str(path)]

    def test_only_with_it(self):
        for wrong in ({}, {"Authorization": "Bearer scrape-me-012345678"}, {"Authorization": self.TOKEN},
                      {"Authorization": "Bearer "}, {"Authorization": f"Bearer {self.TOKEN}x"}):
            answer = self.get("/metrics", **wrong)
            self.assertEqual((answer.status, answer.fields["www-authenticate"]), (401, "Bearer"), wrong)
        self.assertIn(b"cairn_store_writable 1", self.get("/metrics", Authorization=f"Bearer {self.TOKEN}").body)
        self.assertNotIn(self.TOKEN, self.server.stdout() + self.server.stderr())

    def test_a_short_token_is_refused_at_the_start(self):
        path = self.folder / "short.token"
        path.write_text("secret\n")
        with _Unstarted(["--metrics-token", str(path)]) as refused:
            self.assertIn("16 characters", refused.complaint())


class _Unstarted:
    """A server that must not start."""

    def __init__(self, flags):
        self._server = CairnServer(binary_from_environment(), flags=flags)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.close()

    def complaint(self):
        try:
            self._server.start()
        except StartFailed:
            return self._server.stderr()
        raise AssertionError("it started")


class OwnTables(ExposureTest):
    """Keys reach the server's own tables only if their credentials name them."""

    ALL, NAMED, OTHER = ("AKIAALL", "secret of all"), ("AKIANAMED", "secret of named"), ("AKIAOTHER", "secret of other")
    flags = ("--public-url", "https://cairn.example")

    @classmethod
    def more_flags(cls):
        path = cls.folder / "credentials.json"
        path.write_text(json.dumps({"credentials": [
            {"accessKeyId": cls.ALL[0], "secretAccessKey": cls.ALL[1]},
            {"accessKeyId": cls.NAMED[0], "secretAccessKey": cls.NAMED[1], "tables": ["CairnIdentity"]},
            {"accessKeyId": cls.OTHER[0], "secretAccessKey": cls.OTHER[1], "tables": ["App"]}]}))
        return ["--credentials", str(path)]

    def call(self, key, operation, parameters):
        return self.send(wire.Signer(self.port, *key).sign(operation, parameters))

    def attempts(self, table):
        """Every way to a table: operation and parameters."""
        key = item(PK="USER#1", SK="USER")
        arn = f"arn:aws:dynamodb:us-east-1:000000000000:table/{table}"
        where = "WHERE PK = 'USER#1' AND SK = 'USER'"
        yield from (
            ("GetItem", {"TableName": table, "Key": key}),
            ("GetItem", {"TableName": arn, "Key": key}),
            ("PutItem", {"TableName": table, "Item": key}),
            ("UpdateItem", {"TableName": table, "Key": key}),
            ("DeleteItem", {"TableName": table, "Key": key}),
            ("Query", {"TableName": table, "KeyConditionExpression": "PK = :p",
                       "ExpressionAttributeValues": {":p": {"S": "USER#1"}}}),
            ("Scan", {"TableName": table}),
            ("BatchGetItem", {"RequestItems": {"App": {"Keys": [key]}, table: {"Keys": [key]}}}),
            ("BatchWriteItem", {"RequestItems": {table: [{"PutRequest": {"Item": key}}]}}),
            ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": "App", "Key": key}},
                                                    {"Get": {"TableName": table, "Key": key}}]}),
            ("TransactWriteItems", {"TransactItems": [{"ConditionCheck": {
                "TableName": table, "Key": key, "ConditionExpression": "attribute_exists(PK)"}}]}),
            ("ExecuteStatement", {"Statement": f"SELECT * FROM {table}"}),
            ("ExecuteStatement", {"Statement": f'SELECT * FROM "{table}" {where}'}),
            ("BatchExecuteStatement", {"Statements": [{"Statement": f"SELECT * FROM {table} {where}"}]}),
            ("ExecuteTransaction", {"TransactStatements": [{"Statement": f"SELECT * FROM {table} {where}"}]}),
            ("CreateTable", table_definition(table, "PK:S")),
            ("UpdateTable", {"TableName": table, "StreamSpecification": {
                "StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}),
            ("DeleteTable", {"TableName": table}),
            ("DescribeTable", {"TableName": table}),
            ("DescribeTable", {"TableName": arn}),
            ("UpdateTimeToLive", {"TableName": table, "TimeToLiveSpecification": {
                "Enabled": True, "AttributeName": "PK"}}),
            ("DescribeTimeToLive", {"TableName": table}),
            ("TagResource", {"ResourceArn": arn, "Tags": [{"Key": "a", "Value": "b"}]}),
            ("UntagResource", {"ResourceArn": arn, "TagKeys": ["a"]}),
            ("ListTagsOfResource", {"ResourceArn": arn}),
            ("CreateBackup", {"TableName": table, "BackupName": "stolen"}),
            ("ListBackups", {"TableName": table}),
            ("DescribeContinuousBackups", {"TableName": table}),
        )

    def test_a_key_for_everything_does_not_reach_them(self):
        for table in OWN_TABLES:
            for operation, parameters in self.attempts(table):
                with self.subTest(operation, table=table):
                    answer = self.call(self.ALL, operation, parameters)
                    self.assertIn(b"AccessDenied", answer.body, answer)
                    self.assertNotIn(b"passwordHash", answer.body)

    def test_a_key_for_other_tables_does_not_reach_them(self):
        for operation, parameters in self.attempts("CairnIdentity"):
            with self.subTest(operation):
                answer = self.call(self.OTHER, operation, parameters)
                refused = any(code in answer.body for code in (b"AccessDenied", b"ResourceNotFound"))
                self.assertTrue(refused, answer)

    def test_lists_leave_them_out(self):
        for limit in (1, 2, 3, 100):
            seen, start = [], {}
            while True:
                answer = self.call(self.ALL, "ListTables", {"Limit": limit, **start}).json()
                seen += answer["TableNames"]
                if "LastEvaluatedTableName" not in answer:
                    break
                start = {"ExclusiveStartTableName": answer["LastEvaluatedTableName"]}
            self.assertIn("App", seen)
            self.assertFalse(set(OWN_TABLES) & set(seen), seen)

    def test_a_grant_by_name(self):
        self.assertEqual(self.call(self.NAMED, "Scan", {"TableName": "CairnIdentity"}).status, 200)
        self.assertEqual(self.call(self.NAMED, "ListTables", {}).json()["TableNames"], ["CairnIdentity"])
        self.assertEqual(self.call(self.NAMED, "Scan", {"TableName": "CairnJobs"}).code(), "ResourceNotFoundException")

    def test_unsigned_requests_are_refused(self):
        for operation in EVERY_OPERATION:
            answer = self.unsigned(operation, {"TableName": "CairnIdentity"})
            self.assertEqual(answer.status, 400, operation)
            self.assertNotIn(b"TableNames", answer.body)


class Names(ExposureTest):
    """DNS rebinding: a page of another site whose name leads here."""

    flags = ("--allowed-host", "cairn.lan")

    def test_other_names_are_refused_everywhere(self):
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1.evil.example", "localhost.evil.example",
                     "192.0.2.7", "x", "[2001:db8::1]"):
            for path in ("/", "/healthz", "/metrics", "/openapi.json", "/api/auth/me", "/app.js"):
                answer = self.get(path, Host=host)
                self.assertEqual(answer.status, 421, (host, path))
                self.assertIn(b"--allowed-host", answer.body)
            answer = self.unsigned("ListTables", {}, Host=host)
            self.assertEqual(answer.status, 421, host)
            self.assertNotIn(b"TableNames", answer.body)
            heard = wire.talk(self.port, handshake(host), answers=1)
            self.assertEqual(heard.statuses(), [421], host)

    def test_own_names_are_served(self):
        for host in ("localhost", f"localhost:{self.port}", "LOCALHOST", "dev.localhost", f"127.0.0.1:{self.port}",
                     "127.1.2.3", "[::1]", "cairn.lan", f"Cairn.LAN:{self.port}"):
            self.assertEqual(self.get("/healthz", Host=host).status, 200, host)
            self.assertEqual(self.unsigned("ListTables", {}, Host=host).status, 200, host)

    def test_an_old_program_without_a_name(self):
        self.assertEqual(self.send(b"GET /healthz HTTP/1.0\r\n\r\n").status, 200)


class Origins(ExposureTest):
    """A browser lets any page send a POST; that must not be enough."""

    LISTED = "https://app.example"
    flags = ("--cors-origin", LISTED)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        heard = wire.talk(cls.port, wire.unsigned(cls.port, "CreateTable", table_definition("Open", "pk:S")).bytes(),
                          answers=1, seconds=10)
        assert heard.statuses() == [200], heard

    def put(self, key, **fields):
        return self.unsigned("PutItem", {"TableName": "Open", "Item": item(pk=key)}, **fields)

    def stored(self, key):
        return "Item" in self.unsigned("GetItem", {"TableName": "Open", "Key": item(pk=key)}).json()

    def test_pages_of_others_do_nothing(self):
        for number, origin in enumerate(("https://evil.example", "null", "http://localhost:1", "file://",
                                         "https://app.example.evil.example", f"http://127.0.0.1:{self.port}0")):
            answer = self.put(f"evil{number}", Origin=origin)
            self.assertEqual((answer.status, answer.code()), (403, "AccessDeniedException"), origin)
            self.assertIn(b"--cors-origin", answer.body)
            self.assertFalse(self.stored(f"evil{number}"), origin)

    def test_own_pages_and_programs(self):
        self.assertEqual(self.put("own", Origin=f"http://127.0.0.1:{self.port}").status, 200)
        self.assertEqual(self.put("program").status, 200)
        self.assertTrue(self.stored("own") and self.stored("program"))

    def test_an_sdk_in_a_listed_page(self):
        question = wire.Request("OPTIONS", "/", [
            ("Host", f"127.0.0.1:{self.port}"), ("Origin", self.LISTED), ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "amz-sdk-invocation-id,amz-sdk-request,authorization,content-type,"
                                               "x-amz-content-sha256,x-amz-date,x-amz-target,x-amz-user-agent")])
        answer = self.send(question)
        self.assertEqual((answer.status, answer.fields["access-control-allow-origin"]), (204, self.LISTED))
        allowed = {name.strip().lower() for name in answer.fields["access-control-allow-headers"].split(",")}
        self.assertTrue(set(question.field("Access-Control-Request-Headers").split(",")) <= allowed, allowed)
        answer = self.put("listed", Origin=self.LISTED)
        self.assertEqual((answer.status, answer.fields["access-control-allow-origin"]), (200, self.LISTED))
        self.assertTrue(self.stored("listed"))
        # Also where the answer is an error, and what the page may read of it.
        for answer in (answer, self.unsigned("DescribeTable", {"TableName": "nowhere"}, Origin=self.LISTED)):
            self.assertEqual(answer.fields["access-control-allow-origin"], self.LISTED)
            exposed = {name.strip().lower() for name in answer.fields["access-control-expose-headers"].split(",")}
            self.assertLessEqual({"x-amzn-requestid", "x-amz-crc32", "date"}, exposed)

    def test_fields_of_a_newer_sdk_in_a_listed_page(self):
        asked = "x-amz-account-id-endpoint-mode,x-amzn-query-mode,amz-sdk-new,x-other"
        answer = self.send(wire.Request("OPTIONS", "/", [
            ("Host", f"127.0.0.1:{self.port}"), ("Origin", self.LISTED), ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", asked)]))
        allowed = {name.strip().lower() for name in answer.fields["access-control-allow-headers"].split(",")}
        self.assertEqual(set(asked.split(",")) - allowed, {"x-other"})

    def test_refused_bodies_carry_the_fields_too(self):
        """A page must be able to read why its request was not taken."""
        answer = self.send(wire.Request("POST", "/", [
            ("Host", f"127.0.0.1:{self.port}"), ("Origin", self.LISTED), ("Content-Encoding", "gzip"),
            ("Content-Type", "application/x-amz-json-1.0"), ("X-Amz-Target", "DynamoDB_20120810.ListTables")],
            gzip.compress(b" " * (20 << 20))))
        self.assertEqual((answer.status, answer.fields["access-control-allow-origin"]), (413, self.LISTED))


class Proxies(ExposureTest):
    """Where a request comes from decides whose limits it counts for."""

    flags = ("--trusted-proxy", "127.0.0.1", "--websockets-per-address", "2")

    def address_of_session(self, port, email, **fields):
        """Where the server thinks that a login came from."""
        client = Client(f"http://127.0.0.1:{port}")
        self.addCleanup(client.hang_up)
        client.post("/api/auth/register", {"email": email, "password": PASSWORD})
        client.hang_up()
        answer = client.send("POST", "/api/auth/login", {"email": email, "password": PASSWORD, "kind": "program"},
                             None, fields)
        self.assertEqual(answer.status, 200, answer)
        reader = Client(self.server.url, answer.body["accessToken"])
        self.addCleanup(reader.hang_up)
        sessions = reader.get("/api/auth/sessions").body["items"]
        self.assertEqual(len(sessions), 1, sessions)
        return sessions[0]["address"]

    def test_the_client_is_whom_the_proxy_names(self):
        with Relay(self.port, "198.51.100.7") as relay:
            self.assertEqual(self.address_of_session(relay.port, "ada@example.org"), "198.51.100.7")
            # What the client itself says stands before it.
            self.assertEqual(self.address_of_session(relay.port, "bob@example.org", **{"X-Forwarded-For": "203.0.113.9",
                             "Forwarded": "for=203.0.113.9"}), "198.51.100.7")
        with Relay(self.port, "[2001:db8::7]:4711") as relay:
            self.assertEqual(self.address_of_session(relay.port, "eve@example.org"), "2001:db8::7")

    def open_through(self, relay):
        socket = WebSocket(relay.port, Authorization=None)
        self.addCleanup(socket.close)
        return socket.status

    def test_one_client_cannot_take_all_websockets(self):
        with Relay(self.port, "198.51.100.7") as one, Relay(self.port, "198.51.100.8") as other:
            self.assertEqual([self.open_through(one) for _ in range(3)], [101, 101, 429])
            self.assertEqual(self.open_through(other), 101)


class Strangers(ExposureTest):
    """Nobody is trusted unless listed."""

    flags = ("--trusted-proxy", "192.0.2.1")

    def test_what_they_say_is_ignored(self):
        with Relay(self.port, "198.51.100.7") as relay:
            self.assertEqual(Proxies.address_of_session(self, relay.port, "ada@example.org"), "127.0.0.1")


class StandardField(ExposureTest):
    """With --proxy-header forwarded the other field is the client's own invention."""

    flags = ("--trusted-proxy", "127.0.0.0/8", "--proxy-header", "forwarded")

    def test_only_the_field_that_the_proxy_writes(self):
        with Relay(self.port, "[2001:db8::7]:4711", "Forwarded", 'for="{}";proto=https') as relay:
            self.assertEqual(Proxies.address_of_session(self, relay.port, "ada@example.org",
                                                        **{"X-Forwarded-For": "203.0.113.9"}), "2001:db8::7")


class Settings(unittest.TestCase):
    def test_wrong_ones_are_named(self):
        for flags, words in ((["--trusted-proxy", "proxy.example"], "--trusted-proxy"),
                             (["--trusted-proxy", "10.0.0.1/8"], "--trusted-proxy"),
                             (["--allowed-host", "https://x.example"], "--allowed-host"),
                             (["--metrics-listen", "9100"], "--metrics-listen"),
                             (["--metrics-token", "/nowhere"], "/nowhere"),
                             (["--proxy-header", "via"], "--proxy-header"),
                             (["--http-redirect-port", "80"], "--tls-cert"),
                             (["--tls-cert", "x"], "--tls-key")):
            with self.subTest(flags), _Unstarted(flags) as refused:
                complaint = refused.complaint()
                self.assertIn(words, complaint)
                self.assertEqual(complaint.count("\n"), 1, complaint)


if __name__ == "__main__":
    unittest.main()
