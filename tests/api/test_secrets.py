"""No secret is written anywhere but into the answer that hands it out."""

import json

from case import PASSWORD, ApiTest

NODES = "/api/values/nodes"
DRIVER = {"nodeType": "DRIVER", "title": "a driver"}


class Secrets(ApiTest):
    """Whatever goes wrong, no secret is in the log, nor in an answer that does not hand it out."""

    log_level = "debug"

    def test_none_is_logged(self):
        password, other = "canary-password-7f3a", "canary-second-91bc"
        email = "canary@example.org"
        client = self.client()
        for body in ({"email": email, "password": password}, {"email": "x", "password": password},
                     {"email": email, "password": password, "extra": "canary-extra-1"}):
            client.post("/api/auth/register", body)
        program = self.client()
        answer = self.expect(200, program.login(email, password))
        first, access = answer.body["refreshToken"], answer.body["accessToken"]
        page = self.login(email, password, "browser")
        cookie, csrf = page.jar["cairn_session"], page.csrf
        renewed = self.expect(200, client.post("/api/auth/refresh", {"refreshToken": first})).body
        client.post("/api/auth/refresh", {"refreshToken": first})  # used twice: this is logged
        client.post("/api/auth/refresh", {"refreshToken": first + "x"})
        client.login(email, "canary-wrong-5d5d")
        client.send("POST", "/api/auth/login", b'{"email":"' + email.encode() + b'","password":"canary-broken-0a0a')
        client.send("POST", "/api/auth/login", b"canary-plain-3c3c", None, {"Content-Type": "text/plain"})
        page.post("/api/auth/password", {"currentPassword": password, "newPassword": other})
        page.post(NODES, DRIVER, x_csrf_token="canary-csrf-4e4e")
        for token in (access, access[:-3], "canary.bearer.8b8b", renewed["accessToken"]):
            self.client(token).get("/api/auth/me")
        client.get("/api/auth/me", {"access_token": "canary-query-6f6f"})
        client.get("/api/auth/me", cookie="cairn_session=canary-cookie-2d2d", authorization="Basic canary-basic-1e1e")
        self.user("ada").post(NODES, DRIVER, idempotency_key="canary-key-9a9a")
        done = self.server.command("user", "add", "op@example.org", "--data", self.server.data,
                                   stdin="canary-operator-7c7c\n")
        self.assertEqual(done.code, 0, done)
        secrets = [first, access, access.split(".")[2], cookie, cookie.split(".")[-1], csrf, renewed["refreshToken"],
                   renewed["accessToken"], "argon2", self.signing_key().hex(), "canary-"]
        self.assertEqual(self.server.terminate(), 0)
        told = self.server.stderr() + self.server.stdout() + done.stdout + done.stderr
        self.server.start()
        self.assertTrue(told)
        self.assertEqual([secret for secret in secrets if secret in told], [], told)

    def test_log_lines_stay_lines(self):
        """CR and LF in what a client sends do not begin a line of their own."""
        client = self.client()
        client.get("/api/%0a%0dforged-line")
        client.get("/api/values", user_agent="x\tforged-agent")
        for name in ("a\nforged@example.org", "forged\r\n@example.org"):
            client.post("/api/auth/register", {"email": name, "password": PASSWORD})
        for line in self.server.stderr().splitlines():
            if line.strip():
                self.assertIsInstance(json.loads(line), dict, line)
