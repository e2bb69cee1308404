"""The recipe for nginx in docs/operating.md, as it stands there, in front of a public server. Skipped where there is no
nginx; CAIRN_NGINX names another one than that of the PATH."""

import http.client
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import tempfile
import unittest

import case  # noqa: F401  (finds the other folders)
from cairn_server import ROOT, CairnServer, binary_from_environment
from test_tls import free_port, make_pair
from wait import wait_until

NAME, PASSWORD = "cairn.example", "a-long-enough-passphrase"
SCRATCH = "".join(f"{kind}_temp_path {{folder}}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))


def nginx():
    return os.environ.get("CAIRN_NGINX") or shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")


@unittest.skipUnless(nginx(), "nginx is not installed")
class Nginx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="cairn-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        certificate, key = make_pair(cls.folder, "proxy")
        cls.server = CairnServer(binary_from_environment(), apps=True, flags=[
            "--log-level", "info", "--public-url", f"https://{NAME}", "--trusted-proxy", "127.0.0.1"]).start()
        cls.addClassCleanup(cls.server.close)
        recipe = re.search(r"^nginx:\n\n```\n(.*?)```", (ROOT / "docs" / "operating.md").read_text(), re.M | re.S)[1]
        cls.port = free_port()
        for old, new in (("listen 443 ssl", f"listen 127.0.0.1:{cls.port} ssl"), ("127.0.0.1:8000", f"127.0.0.1:{cls.server.port}"),
                         ("/etc/letsencrypt/live/cairn.example/fullchain.pem", str(certificate)),
                         ("/etc/letsencrypt/live/cairn.example/privkey.pem", str(key))):
            assert old in recipe, (old, recipe)
            recipe = recipe.replace(old, new)
        scratch = SCRATCH.replace("{folder}", str(cls.folder))
        configuration = cls.folder / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""  # else its workers may not use the folder
        configuration.write_text(f"{user} daemon off; pid {cls.folder}/pid; error_log {cls.folder}/error.log; "
                                 f"events {{ }} http {{ access_log off; {scratch} {recipe} }}")
        cls.proxy = subprocess.Popen([nginx(), "-c", str(configuration), "-p", str(cls.folder)],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.proxy.wait)
        cls.addClassCleanup(cls.proxy.terminate)
        wait_until(lambda: cls._status("/healthz") == 200, 60, "the proxy")

    @classmethod
    def _status(cls, path):
        try:
            return cls.ask("GET", path).status
        except OSError:
            return None

    @classmethod
    def ask(cls, method, path, body=None, **fields):
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", cls.port, timeout=60, context=trust)
        try:
            kind = {} if body is None else {"Content-Type": "application/json"}
            wire = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, wire, {"Host": NAME, **kind, **fields})
            answer = connection.getresponse()
            answer.text = answer.read() if answer.status != 101 else b""
            return answer
        finally:
            connection.close()

    def token(self, email):
        self.assertEqual(self.ask("POST", "/api/auth/register", {"email": email, "password": PASSWORD}).status, 201)
        answer = self.ask("POST", "/api/auth/login", {"email": email, "password": PASSWORD})
        return json.loads(answer.text)["accessToken"]

    def test_serves_pages_and_nothing_of_the_inside(self):
        self.assertEqual(self.ask("GET", "/").status, 200)
        scan = self.ask("POST", "/", {"TableName": "CairnIdentity"}, **{"X-Amz-Target": "DynamoDB_20120810.Scan"})
        self.assertEqual(scan.status, 400)
        self.assertIn(b"AccessDeniedException", scan.text)
        self.assertEqual(self.ask("GET", "/metrics").status, 404)
        self.assertEqual(self.ask("GET", "/healthz", Host="evil.example").status, 421)

    def test_large_bodies_come_through(self):
        token = self.token("large@example.org")
        note = self.ask("POST", "/api/nexus/notes", {"body": "x" * 190_000}, Authorization=f"Bearer {token}")
        self.assertEqual(note.status, 201)
        self.assertEqual(self.ask("POST", "/api/auth/login", b"x" * 3_000_000).status, 413)

    def test_websockets_come_through(self):
        token = self.token("socket@example.org")
        answer = self.ask("GET", "/ws", **{"Authorization": f"Bearer {token}", "Origin": f"https://{NAME}", "Connection": "Upgrade",
                                           "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                                           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
        self.assertEqual(answer.status, 101)


if __name__ == "__main__":
    unittest.main()
