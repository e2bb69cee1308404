"""TLS without a proxy: modern protocols only, WebSockets too, plain HTTP led to https, a renewed certificate taken while
serving, a bad one not."""

import http.client
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import unittest
import warnings

import case  # noqa: F401  (finds the other folders)
from cairn_server import CairnServer, StartFailed, binary_from_environment
from wait import wait_until
from websocket import frame, handshake

PASSWORD = "a-long-enough-passphrase"


def make_pair(folder, name):
    """A certificate for localhost and its key: (certificate, key). `name` is who it says it belongs to."""
    certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", f"/O={name}/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    key.chmod(0o600)
    return certificate, key


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class TlsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="cairn-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.certificate, cls.key = cls.folder / "server.crt", cls.folder / "server.key"
        cls.first = make_pair(cls.folder, "first")
        shutil.copy2(cls.first[0], cls.certificate)
        shutil.copy2(cls.first[1], cls.key)
        cls.redirect_port = None
        for _ in range(20):  # a free port may be taken before the server has it
            cls.redirect_port = free_port()
            cls.server = CairnServer(binary_from_environment(), apps=True, flags=[
                "--log-level", "info", "--tls-cert", str(cls.certificate), "--tls-key", str(cls.key),
                "--http-redirect-port", str(cls.redirect_port)])
            try:
                cls.server.start()
                break
            except StartFailed:
                cls.server.close()
        cls.addClassCleanup(cls.server.close)
        cls.port = cls.server.port

    @classmethod
    def tearDownClass(cls):
        assert cls.server.terminate() == 0, cls.server.stderr()
        assert not case.SANITIZER_REPORT.search(cls.server.stderr()), cls.server.stderr()

    def context(self, authority=None):
        context = ssl.create_default_context(cafile=str(authority or self.first[0]))
        return context

    def connect(self, context=None):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        try:
            return (context or self.context()).wrap_socket(plain, server_hostname="localhost")
        except BaseException:
            plain.close()
            raise

    def owner(self):
        """Who the certificate says it belongs to, whoever signed it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with self.connect(context) as connection:
            text = subprocess.run(["openssl", "x509", "-inform", "der", "-noout", "-subject"], check=True,
                                  input=connection.getpeercert(binary_form=True), capture_output=True).stdout.decode()
        return text.partition("O = ")[2].partition(",")[0].strip()

    def request(self, method, path, body=None, **fields):
        connection = http.client.HTTPSConnection("localhost", self.port, context=self.context(), timeout=20)
        self.addCleanup(connection.close)
        connection.request(method, path, body, {name.replace("_", "-"): text for name, text in fields.items()})
        answer = connection.getresponse()
        answer.text = answer.read().decode()
        return answer


class Serving(TlsTest):
    def test_pages_and_api(self):
        self.assertTrue(self.server.url.startswith("https://"), self.server.url)
        answer = self.request("GET", "/")
        self.assertEqual(answer.status, 200)
        self.assertIn("max-age=", answer.headers["Strict-Transport-Security"])
        self.assertEqual(self.request("GET", "/healthz").text, '{"status":"ok"}')
        large = self.request("GET", "/openapi.json")
        self.assertEqual((large.status, len(large.text.encode())), (200, int(large.headers["Content-Length"])))

    def test_cookies_are_secure(self):
        account = '{"email":"ada@example.org","password":"%s","kind":"browser"}' % PASSWORD
        self.request("POST", "/api/auth/register", account.replace(',"kind":"browser"', ""),
                     Content_Type="application/json")
        answer = self.request("POST", "/api/auth/login", account, Content_Type="application/json",
                              Origin=f"https://localhost:{self.port}")
        self.assertEqual(answer.status, 200, answer.text)
        cookie = answer.headers["Set-Cookie"]
        self.assertTrue(cookie.startswith("__Host-cairn_session=") and "Secure" in cookie, cookie)

    def test_modern_protocols_only(self):
        for version, is_modern in ((ssl.TLSVersion.TLSv1, False), (ssl.TLSVersion.TLSv1_1, False),
                                   (ssl.TLSVersion.TLSv1_2, True), (ssl.TLSVersion.TLSv1_3, True)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                context = self.context()
                context.set_ciphers("ALL:@SECLEVEL=0")  # the client would take anything
                context.minimum_version = context.maximum_version = version
            with self.subTest(version):
                if is_modern:
                    with self.connect(context) as connection:
                        self.assertIn(("GCM" in connection.cipher()[0], "CHACHA20" in connection.cipher()[0]),
                                      ((True, False), (False, True)))
                else:
                    self.assertRaises(ssl.SSLError, self.connect, context)
        weak = self.context()
        weak.maximum_version = ssl.TLSVersion.TLSv1_2
        weak.set_ciphers("ECDHE-ECDSA-AES128-SHA256:AES128-GCM-SHA256:@SECLEVEL=0")
        self.assertRaises(ssl.SSLError, self.connect, weak)

    def test_the_protocol_is_named(self):
        context = self.context()
        context.set_alpn_protocols(["h2", "http/1.1"])
        with self.connect(context) as connection:
            self.assertEqual(connection.selected_alpn_protocol(), "http/1.1")

    def test_websockets(self):
        with self.connect() as connection:
            connection.sendall(handshake(f"localhost:{self.port}", Origin=f"https://localhost:{self.port}"))
            received = b""
            while b"\r\n\r\n" not in received:
                heard = connection.recv(65536)
                self.assertTrue(heard, received)
                received += heard
            head, _, rest = received.partition(b"\r\n\r\n")
            self.assertIn(b" 101 ", head)
            connection.sendall(frame(9, b"are you there"))
            while b"are you there" not in rest:  # in the pong
                heard = connection.recv(65536)
                self.assertTrue(heard, rest)
                rest += heard

    def test_plain_http_gets_nothing_here(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            received = b""
            try:
                while heard := connection.recv(65536):
                    received += heard
            except ConnectionResetError:
                pass
            self.assertNotIn(b"HTTP/", received)

    def test_plain_http_is_led_to_https(self):
        for method, path in (("GET", "/"), ("GET", "/notes?q=1"), ("POST", "/api/auth/login"), ("POST", "/"),
                             ("GET", "/healthz"), ("GET", "/metrics")):
            connection = http.client.HTTPConnection("localhost", self.redirect_port, timeout=20)
            connection.request(method, path, b"{}" if method == "POST" else None)
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.headers["Location"], answer.read()),
                             (308, f"https://localhost:{self.port}{path}", b""))
            connection.close()
        connection = http.client.HTTPConnection("localhost", self.redirect_port, timeout=20)
        connection.request("GET", "/", headers={"Host": "evil.example"})
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["Location"]), (421, None))
        connection.close()


class Renewing(TlsTest):
    def replace(self, source, target):
        """As certbot and others do: a new file takes the old one's name at once."""
        copy = target.with_suffix(".new")
        shutil.copy2(source, copy)
        os.replace(copy, target)

    def test_a_new_pair_is_taken_and_a_bad_one_is_not(self):
        self.assertEqual(self.owner(), "first")
        before = self.connect()
        self.addCleanup(before.close)
        bad = "the old one stays"
        self.replace(make_pair(self.folder, "half")[0], self.certificate)  # without its key
        wait_until(lambda: bad in self.server.stderr(), 30, "a complaint about the key")
        self.assertIn("does not belong to the certificate", self.server.stderr())
        self.assertEqual(self.owner(), "first")

        certificate, key = make_pair(self.folder, "second")
        self.replace(certificate, self.certificate)
        self.replace(key, self.key)
        wait_until(lambda: self.owner() == "second", 30, "the second certificate")

        self.certificate.write_text("nonsense")
        os.kill(self.server.pid, signal.SIGHUP)
        wait_until(lambda: "is not a certificate chain" in self.server.stderr(), 30, "a complaint about nonsense")
        self.assertEqual(self.owner(), "second")

        before.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")  # whoever was there goes on
        self.assertIn(b" 200 ", before.recv(65536))


class Settings(unittest.TestCase):
    def test_bad_files_are_named_at_the_start(self):
        with tempfile.TemporaryDirectory(prefix="cairn-test-") as name:
            folder = pathlib.Path(name)
            good, other = make_pair(folder, "good"), make_pair(folder, "other")
            open_key = folder / "open.key"
            shutil.copy2(good[1], open_key)
            open_key.chmod(0o644)
            for certificate, key, words in ((folder / "none", good[1], "No such file"),
                                            (good[0], folder / "none", "No such file"),
                                            (good[0], other[1], "does not belong to the certificate"),
                                            (good[1], good[1], "is not a certificate chain in PEM"),
                                            (good[0], open_key, "chmod 600")):
                server = CairnServer(binary_from_environment(),
                                     flags=["--tls-cert", str(certificate), "--tls-key", str(key)])
                self.addCleanup(server.close)
                with self.subTest(words), self.assertRaises(StartFailed) as failed:
                    server.start()
                self.assertIn(words, str(failed.exception))


if __name__ == "__main__":
    unittest.main()
