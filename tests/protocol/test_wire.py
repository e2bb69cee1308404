"""The protocol under the SDKs: headers, checksums, compression, connections, and requests that are none."""

import gzip
import json
import socket
import urllib.parse
import zlib

import endpoint
from case import ProtocolTest
from tables import item

JSON = "application/x-amz-json-1.0"


class WireTest(ProtocolTest):
    def send(self, operation, parameters, **headers):
        body = parameters if isinstance(parameters, bytes) else json.dumps(parameters).encode()
        return endpoint.send(self.url, body, endpoint.signed_headers(self.url, operation, body, **headers))

    def error_type(self, reply):
        return reply.json()["__type"].rpartition("#")[2]


class Answers(WireTest):
    def test_success_has_type_request_id_and_checksum(self):
        reply = self.send("ListTables", {})
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.headers["Content-Type"], JSON)
        self.assertRegex(reply.headers["x-amzn-RequestId"], r"^[0-9A-Za-z-]{20,}$")
        self.assertEqual(int(reply.headers["x-amz-crc32"]), zlib.crc32(reply.body))
        self.assertEqual(int(reply.headers["Content-Length"]), len(reply.body))

    def test_errors_have_them_too(self):
        reply = self.send("DescribeTable", {"TableName": "no-such-table"})
        self.assertEqual(reply.status, 400)
        self.assertEqual(reply.headers["Content-Type"], JSON)
        self.assertEqual(int(reply.headers["x-amz-crc32"]), zlib.crc32(reply.body))
        self.assertTrue(reply.headers["x-amzn-RequestId"])
        self.assertEqual(reply.json()["__type"], "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException")

    def test_request_ids_differ(self):
        ids = {self.send("ListTables", {}).headers["x-amzn-RequestId"] for _ in range(20)}
        self.assertEqual(len(ids), 20)

    def test_healthz_is_well(self):
        reply = endpoint.send(self.url, None, {}, method="GET", path="/healthz")
        self.assertEqual(reply.status, 200)


class Compression(WireTest):
    def test_compressed_request_is_understood(self):
        name = self.table()
        body = gzip.compress(json.dumps({"TableName": name, "Item": item(pk="zipped")}).encode())
        reply = self.send("PutItem", body, **{"Content-Encoding": "gzip"})
        self.assertEqual(reply.status, 200, reply.body)
        self.assertIsNotNone(self.get(name, item(pk="zipped")))

    def test_large_answer_is_compressed_when_accepted_and_its_checksum_holds(self):
        name = self.table()
        self.put(name, item(pk="k", f="x" * 50_000))
        get = {"TableName": name, "Key": item(pk="k")}
        plain = self.send("GetItem", get)
        self.assertIsNone(plain.headers["Content-Encoding"])
        packed = self.send("GetItem", get, **{"Accept-Encoding": "gzip"})
        self.assertEqual(packed.headers["Content-Encoding"], "gzip")
        self.assertLess(len(packed.body), 5_000)
        self.assertEqual(int(packed.headers["x-amz-crc32"]), zlib.crc32(packed.body))
        self.assertEqual(gzip.decompress(packed.body), plain.body)

    def test_broken_compression_is_an_error_and_writes_nothing(self):
        name = self.table()
        good = gzip.compress(json.dumps({"TableName": name, "Item": item(pk="bad")}).encode())
        for broken in (b"not gzip at all", good[:-5], good[:12] + b"\x00\x00\x00" + good[15:], b""):
            with self.subTest(broken=broken[:12]):
                reply = self.send("PutItem", broken, **{"Content-Encoding": "gzip"})
                self.assertIn(reply.status, (400, 500), reply.body)
        self.assert_absent(name, item(pk="bad"))

    def test_bomb_is_refused(self):
        bomb = gzip.compress(b" " * (20 * 1024 * 1024))
        self.assertLess(len(bomb), 100_000)
        reply = self.send("ListTables", bomb, **{"Content-Encoding": "gzip"})
        self.assertEqual(reply.status, 413)


class BadRequests(WireTest):
    def test_unknown_operation(self):
        for operation in ("NoSuchOperation", "CreateGlobalTable", "EnableKinesisStreamingDestination", ""):
            with self.subTest(operation=operation):
                reply = self.send(operation, {})
                self.assertEqual((reply.status, self.error_type(reply)), (400, "UnknownOperationException"))

    def test_bad_json(self):
        for body in (b"{", b"", b"[]", b"\"text\"", b"{\"TableName\": }", b"{} trailing", b"\xff\xfe", b"nul",
                     b"{\"TableName\": \"\xc3\x28\"}"):
            with self.subTest(body=body):
                reply = self.send("DescribeTable", body)
                self.assertEqual((reply.status, self.error_type(reply)), (400, "SerializationException"))

    def test_deep_json_is_refused_and_the_server_lives(self):
        for body in (b"[" * 100_000, b"{\"a\":" * 100_000, b"{\"Item\":" + b"[" * 50_000 + b"]" * 50_000 + b"}"):
            reply = self.send("PutItem", body)
            self.assertEqual(reply.status, 400)
        self.assertEqual(self.send("ListTables", {}).status, 200)

    def test_parameter_of_another_type(self):
        for parameters in ({"TableName": 5}, {"TableName": "t-1", "Item": []}, {"TableName": "t-1", "Item": "x"},
                           {"TableName": "t-1", "Item": {"pk": "bare"}}, {"TableName": "t-1", "Item": {"pk": {"S": 1}}}):
            with self.subTest(parameters=parameters):
                reply = self.send("PutItem", parameters)
                self.assertEqual((reply.status, self.error_type(reply)), (400, "SerializationException"))

    def test_missing_authentication(self):
        body = b"{}"
        reply = endpoint.send(self.url, body, {"Content-Type": JSON, "X-Amz-Target": endpoint.target("ListTables")})
        self.assertEqual((reply.status, self.error_type(reply)), (400, "MissingAuthenticationTokenException"))

    def test_body_above_16_mb(self):
        reply = self.send("PutItem", b"{\"x\":\"" + b"x" * (16 * 1024 * 1024) + b"\"}")
        self.assertEqual(reply.status, 413)

    def test_body_of_almost_16_mb_is_read(self):
        filler = b" " * (16 * 1024 * 1024 - 2)
        reply = self.send("ListTables", b"{" + filler + b"}")
        self.assertEqual(reply.status, 200)

    def test_other_methods_and_paths(self):
        for method, path in (("GET", "/nowhere"), ("PUT", "/"), ("DELETE", "/")):
            with self.subTest(method=method, path=path):
                reply = endpoint.send(self.url, None, {}, method=method, path=path)
                self.assertIn(reply.status, (400, 404, 405))


class Connections(WireTest):
    def raw(self, *requests):
        """Bytes to send for (operation, parameters) pairs, one after the other."""
        host = urllib.parse.urlsplit(self.url).netloc
        parts = []
        for operation, parameters in requests:
            body = json.dumps(parameters).encode()
            headers = {"Host": host, **endpoint.signed_headers(self.url, operation, body),
                       "Content-Length": str(len(body))}
            parts.append(b"POST / HTTP/1.1\r\n" + b"".join(
                f"{name}: {text}\r\n".encode() for name, text in headers.items()) + b"\r\n" + body)
        return b"".join(parts)

    def socket(self):
        parts = urllib.parse.urlsplit(self.url)
        connection = socket.create_connection((parts.hostname, parts.port), timeout=30)
        self.addCleanup(connection.close)
        return connection

    def read_answer(self, stream):
        status = int(stream.readline().split()[1])
        length = 0
        while True:
            line = stream.readline().strip()
            if not line:
                break
            name, _, text = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(text)
        return status, stream.read(length)

    def test_connection_is_kept_alive(self):
        connection = endpoint.connect(self.url)
        self.addCleanup(connection.close)
        sockets = set()
        for _ in range(50):
            connection.request("POST", "/", b"{}", endpoint.signed_headers(self.url, "ListTables", b"{}"))
            answer = connection.getresponse()
            answer.read()
            self.assertEqual(answer.status, 200)
            sockets.add(id(connection.sock))
        self.assertEqual(len(sockets), 1)

    def test_pipelined_requests_are_answered_in_order(self):
        name = self.table()
        connection = self.socket()
        requests = []
        for n in range(20):
            requests.append(("PutItem", {"TableName": name, "Item": item(pk="k", n=n)}))
            requests.append(("GetItem", {"TableName": name, "Key": item(pk="k"), "ConsistentRead": True}))
        connection.sendall(self.raw(*requests))
        stream = connection.makefile("rb")
        for n in range(20):
            self.assertEqual(self.read_answer(stream), (200, b"{}"))
            status, body = self.read_answer(stream)
            self.assertEqual((status, json.loads(body)["Item"]["n"]), (200, {"N": str(n)}))

    def test_request_in_small_pieces_is_understood(self):
        connection = self.socket()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        data = self.raw(("ListTables", {}))
        for start in range(0, len(data), 7):
            connection.sendall(data[start:start + 7])
        self.assertEqual(self.read_answer(connection.makefile("rb"))[0], 200)

    def test_chunked_request_is_understood(self):
        body = b"{}"
        headers = {"Host": urllib.parse.urlsplit(self.url).netloc,
                   **endpoint.signed_headers(self.url, "ListTables", body), "Transfer-Encoding": "chunked"}
        headers.pop("Content-Length", None)
        head = b"POST / HTTP/1.1\r\n" + b"".join(f"{k}: {v}\r\n".encode() for k, v in headers.items()) + b"\r\n"
        connection = self.socket()
        connection.sendall(head + b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
        self.assertEqual(self.read_answer(connection.makefile("rb"))[0], 200)

    def test_smuggled_requests_are_refused_and_the_connection_closed(self):
        name = self.table()
        hidden = self.raw(("PutItem", {"TableName": name, "Item": item(pk="smuggled")}))
        heads = [b"Content-Length: 5\r\nTransfer-Encoding: chunked", b"Content-Length: 5\r\nContent-Length: 6",
                 b"Content-Length: +5", b"Content-Length: 5,5", b"Content-Length: 0x5", b"Transfer-Encoding: xchunked",
                 b"Content-Length : 5", b"Transfer-Encoding: chunked, identity"]
        for head in heads:
            with self.subTest(head=head):
                connection = self.socket()
                connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n\r\n0\r\n\r\n" + hidden)
                connection.shutdown(socket.SHUT_WR)
                stream = connection.makefile("rb")
                try:
                    status, _ = self.read_answer(stream)
                    self.assertGreaterEqual(status, 400)
                    self.assertEqual(stream.read(), b"", "the connection goes on")
                except ConnectionResetError:
                    pass
        self.assert_absent(name, item(pk="smuggled"))

    def test_headers_above_16_kb_are_refused(self):
        connection = self.socket()
        connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 20_000 + b"\r\n\r\n")
        self.assertIn(self.read_answer(connection.makefile("rb"))[0], (400, 431))

    def test_client_that_leaves_in_the_middle_does_not_disturb_others(self):
        data = self.raw(("ListTables", {}))
        for length in (1, 20, len(data) - 1):
            connection = self.socket()
            connection.sendall(data[:length])
            connection.close()
        self.assertEqual(self.send("ListTables", {}).status, 200)
