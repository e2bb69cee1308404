"""`cairn user` and `cairn demo`: what operators do with accounts, beside a running server and without one."""

import unittest

from case import PASSWORD, ApiTest
from cairn_server import CairnServer, binary_from_environment
from client import Client

ME = "/api/auth/me"
NEW = "an-entirely-new-passphrase"


class Operator:
    """Runs the commands on one data directory."""

    def __init__(self, server):
        self.server = server

    def __call__(self, *arguments, stdin=None):
        return self.server.command(*arguments, "--data", self.server.data, stdin=stdin)


class Beside(ApiTest):
    """A running server does it: the commands only ask."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cairn = staticmethod(Operator(cls.server))

    def done(self, *arguments, stdin=None):
        done = self.cairn(*arguments, stdin=stdin)
        self.assertEqual(done.code, 0, done)
        return done.stdout

    def test_add_and_list(self):
        user_id = self.done("user", "add", " Op@Example.org", stdin=PASSWORD + "\n").strip()
        client = self.login("op@example.org")
        self.assertEqual(client.get(ME).body["userId"], user_id)
        line = next(line for line in self.done("user", "list").splitlines() if "op@example.org" in line)
        self.assertIn(user_id, line)
        self.assertIn("active", line)
        self.assertNotIn("argon2", line)
        again = self.cairn("user", "add", "op@example.org", stdin=NEW + "\n")
        self.assertEqual(again.code, 1, again)
        self.login("op@example.org")

    def test_reset_password_ends_all_sessions(self):
        self.done("user", "add", "reset@example.org", stdin=PASSWORD + "\n")
        program, browser = self.login("reset@example.org"), self.login("reset@example.org", kind="browser")
        self.done("user", "reset-password", "reset@example.org", stdin=NEW + "\n")
        for ended in (program, browser):
            self.expect(401, ended.get(ME))
        self.expect(401, self.client().login("reset@example.org", PASSWORD))
        self.login("reset@example.org", NEW)
        made = self.done("user", "reset-password", "reset@example.org", "--generate").strip()
        self.assertGreaterEqual(len(made), 20)
        self.login("reset@example.org", made)
        self.assertEqual(self.cairn("user", "reset-password", "reset@example.org", stdin="").code, 2)
        self.login("reset@example.org", made)

    def test_disable_and_enable(self):
        self.done("user", "add", "off@example.org", stdin=PASSWORD + "\n")
        client = self.login("off@example.org")
        self.node(client, title="kept")
        refresh_token = self.client().login("off@example.org", PASSWORD).body["refreshToken"]
        self.done("user", "disable", "off@example.org")
        self.expect(401, client.get(ME))
        self.expect(401, self.client().post("/api/auth/refresh", {"refreshToken": refresh_token}))
        self.expect(401, self.client().login("off@example.org", PASSWORD))
        self.assertIn("disabled", self.done("user", "list"))
        self.done("user", "enable", "OFF@example.org")
        self.assertEqual(self.login("off@example.org").get("/api/values").body["nodes"][0]["title"], "kept")

    def test_what_is_refused_says_why(self):
        self.done("user", "add", "there@example.org", stdin=PASSWORD + "\n")
        before = self.items("CairnIdentity")
        for arguments, stdin in ((("user", "add", "no address"), PASSWORD), (("user", "add", "x@example.org"), "short"),
                                 (("user", "add", "x@example.org"), ""), (("user", "add", "x@example.org"), "x" * 9000),
                                 (("user", "disable", "nobody@example.org"), ""),
                                 (("user", "enable", "nobody@example.org"), ""),
                                 (("user", "reset-password", "nobody@example.org"), PASSWORD),
                                 (("user", "reset-password", "there@example.org"), "short"),
                                 (("demo", "nobody@example.org"), "")):
            with self.subTest(arguments=arguments):
                done = self.cairn(*arguments, stdin=stdin + "\n")
                self.assertEqual(done.code, 1, done)
                self.assertTrue(done.stderr.strip(), done)
                self.assertNotIn(PASSWORD, done.stdout + done.stderr)
        for arguments in (("user",), ("user", "add"), ("user", "remove", "x@example.org"), ("demo",)):
            self.assertEqual(self.cairn(*arguments).code, 2, arguments)
        self.assertEqual(self.items("CairnIdentity"), before)

    def test_demo(self):
        self.done("user", "add", "demo@example.org", stdin=PASSWORD + "\n")
        self.done("demo", "demo@example.org")
        client = self.login("demo@example.org")
        self.assertGreater(len(self.expect(200, client.get("/api/values")).body["nodes"]), 10)
        self.expect(200, client.get("/api/values/commits", {"limit": 100}))
        self.expect(200, client.get("/api/values/review"))
        days = self.expect(200, client.get("/api/plans", {"from": "2000-01-01", "to": "2099-12-31"})).body["items"]
        self.assertGreater(len(days), 5)
        self.expect(200, client.get(f"/api/plans/{days[0]['day']}"))
        self.assertGreater(len(self.expect(200, client.get("/api/nexus/tasks")).body["items"]), 5)
        self.assertEqual(self.cairn("demo", "demo@example.org").code, 1)


class Without(unittest.TestCase):
    """No server runs: the commands work on the data directory themselves."""

    def test_everything_is_there_when_the_server_starts(self):
        server = CairnServer(binary_from_environment(), apps=True, flags=["--log-level", "warning"])
        self.addCleanup(server.close)
        cairn = Operator(server)
        self.assertEqual(cairn("user", "list").code, 1)  # there is no data directory yet
        server.start()
        server.terminate()
        self.assertEqual(cairn("user", "list").stdout.count("@"), 0)
        made = cairn("user", "add", "early@example.org", stdin=PASSWORD + "\n")
        self.assertEqual(made.code, 0, made)
        self.assertEqual(cairn("user", "add", "early@example.org", stdin=PASSWORD + "\n").code, 1)
        for command in (("user", "disable", "early@example.org"), ("user", "enable", "early@example.org"),
                        ("demo", "early@example.org")):
            self.assertEqual(cairn(*command).code, 0, command)
        self.assertEqual(cairn("user", "reset-password", "early@example.org", stdin=NEW + "\n").code, 0)
        self.assertIn(made.stdout.strip(), cairn("user", "list").stdout)
        server.start()
        client = Client(server.url)
        self.addCleanup(client.hang_up)
        self.assertEqual(client.login("early@example.org", NEW).status, 200)
        self.assertEqual(client.get(ME).body["userId"], made.stdout.strip())
        self.assertGreater(len(client.get("/api/values").body["nodes"]), 10)
