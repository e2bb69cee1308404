"""Addresses that are confirmed and passwords that are recovered, with a mail server on this machine."""

import pathlib
import queue
import re
import sys
import tempfile
import unittest

from case import PASSWORD, ApiTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "nexus"))
from receivers import MailServer  # noqa: E402

ME = "/api/auth/me"
FORGOT, RESET, VERIFY, EMAIL = ("/api/auth/password/forgot", "/api/auth/password/reset", "/api/auth/email/verify",
                                "/api/auth/email")
NEW = "an-entirely-new-passphrase"


class MailTest(ApiTest):
    @classmethod
    def setUpClass(cls):
        cls.mail = MailServer()
        cls.addClassCleanup(cls.mail.close)
        cls.flags = ("--smtp-url", cls.mail.url, "--smtp-from", "cairn@host.example", "--delivery-pause-ms", "200")
        super().setUpClass()

    def setUp(self):
        self.mail.arrived = queue.Queue()

    def letter(self, to):
        """The next mail, which goes there: its text."""
        _, receiver, mail, _ = self.mail.next()
        self.assertEqual(receiver, f"<{to}>")
        return mail.get_content()

    def link(self, to, page):
        """The token of the link in it."""
        text = self.letter(to)
        found = re.search(rf"^{re.escape(self.url)}/{page}#(\S+)\s*$", text, re.MULTILINE)
        self.assertTrue(found, text)
        return found[1]

    def confirmed(self, email, kind="program"):
        """A new account whose address is confirmed."""
        client = self.account(email, kind)
        self.expect(200, self.client().post(VERIFY, {"token": self.link(email, "verify")}))
        return client


class Addresses(MailTest):
    def test_a_new_account_is_asked(self):
        client = self.account("fresh@example.org")
        self.assertEqual(client.get(ME).body["emailVerified"], False)
        self.expect(200, client.get("/api/values"))  # everything works meanwhile
        token = self.link("fresh@example.org", "verify")
        answer = self.expect(200, self.client().post(VERIFY, {"token": token}))
        self.assertEqual(answer.body, {"email": "fresh@example.org"})
        self.assertEqual(client.get(ME).body["emailVerified"], True)
        self.expect(200, self.client().post(VERIFY, {"token": token}))

    def test_it_is_sent_again_when_asked(self):
        client = self.account("again@example.org")
        first = self.link("again@example.org", "verify")
        for _ in range(3):
            self.expect(202, client.post("/api/auth/email/verification"))
            self.link("again@example.org", "verify")
        refused = self.expect(429, client.post("/api/auth/email/verification"), "too-many-attempts")
        self.assertGreater(int(refused.headers["Retry-After"]), 60)
        self.expect(401, self.client().post("/api/auth/email/verification"))
        self.expect(200, self.client().post(VERIFY, {"token": first}))

    def test_a_new_address_is_asked_and_the_old_one_told(self):
        client = self.confirmed("old@example.org")
        answer = client.post(EMAIL, {"newEmail": "New.One@Example.org", "password": PASSWORD})
        self.assertEqual(self.expect(200, answer).body, {"email": "old@example.org", "emailVerified": True,
                                                         "pendingEmail": "new.one@example.org"})
        self.assertEqual(client.get(ME).body["pendingEmail"], "new.one@example.org")
        letters = {receiver: mail.get_content() for _, receiver, mail, _ in (self.mail.next(), self.mail.next())}
        self.assertEqual(sorted(letters), ["<new.one@example.org>", "<old@example.org>"])
        self.assertIn("new.one@example.org", letters["<old@example.org>"])
        self.assertNotIn("#", letters["<old@example.org>"])
        self.login("old@example.org")
        token = letters["<new.one@example.org>"].split("/verify#")[1].split()[0]
        self.expect(200, self.client().post(VERIFY, {"token": token}))
        self.assertEqual(client.get(ME).body["email"], "new.one@example.org")
        self.assertNotIn("pendingEmail", client.get(ME).body)
        self.login("new.one@example.org")
        self.expect(401, self.client().login("old@example.org", PASSWORD))
        self.expect(422, self.client().post(VERIFY, {"token": token}))
        self.assertEqual([item["PK"] for item in self.items("CairnIdentity") if item["SK"] == "LOGIN" and "old@" in item["PK"]],
                         [])

    def test_what_is_refused_changes_nothing(self):
        client = self.confirmed("same@example.org")
        self.confirmed("there@example.org")
        for body, fields in (({"newEmail": "<a@x.org>", "password": PASSWORD}, ["newEmail"]),
                             ({"newEmail": "same@example.org", "password": PASSWORD}, ["newEmail"]),
                             ({"newEmail": "next@example.org", "password": "wrong"}, ["password"]),
                             ({"newEmail": "next@example.org"}, ["password"])):
            self.expect(422, client.post(EMAIL, body), fields=fields)
        # An address that somebody has: nobody learns it, and the link does nothing.
        self.expect(200, client.post(EMAIL, {"newEmail": "there@example.org", "password": PASSWORD}))
        letters = {receiver: mail.get_content() for _, receiver, mail, _ in (self.mail.next(), self.mail.next())}
        token = letters["<there@example.org>"].split("/verify#")[1].split()[0]
        self.expect(409, self.client().post(VERIFY, {"token": token}))
        self.expect(204, client.delete("/api/auth/email/pending"))
        self.expect(204, client.delete("/api/auth/email/pending"))
        self.assertEqual(client.get(ME).body["email"], "same@example.org")
        self.login("there@example.org")

    def test_operators_vouch(self):
        done = self.server.command("user", "add", "op@example.org", "--data", self.server.data, stdin=PASSWORD + "\n")
        self.assertEqual(done.code, 0, done)
        self.assertEqual(self.login("op@example.org").get(ME).body["emailVerified"], True)


class Recovery(MailTest):
    def test_a_forgotten_password(self):
        program = self.confirmed("ada@example.org")
        browser = self.login("ada@example.org", kind="browser")
        self.expect(202, self.client().post(FORGOT, {"email": " ADA@example.org"}))
        token = self.link("ada@example.org", "reset")
        self.expect(422, self.client().post(RESET, {"token": token, "newPassword": "short"}), fields=["newPassword"])
        page = self.client()
        answer = self.expect(200, page.post(RESET, {"token": token, "newPassword": NEW, "kind": "browser"}))
        page.csrf = answer.body["csrfToken"]
        self.assertEqual(page.get(ME).body["email"], "ada@example.org")
        for ended in (program, browser):
            self.expect(401, ended.get(ME))
        self.expect(401, self.client().login("ada@example.org", PASSWORD))
        self.login("ada@example.org", NEW)
        self.expect(422, self.client().post(RESET, {"token": token, "newPassword": PASSWORD}))
        self.assertNotIn(token, self.server.stderr())
        held = [str(path) for path in pathlib.Path(self.server.data).rglob("*")
                if path.is_file() and token.split(".")[-1].encode() in path.read_bytes()]
        self.assertEqual(held, [])

    def test_known_and_unknown_addresses_are_answered_alike(self):
        self.confirmed("known@example.org")
        known, unknown = (self.expect(202, self.client().post(FORGOT, {"email": email}))
                          for email in ("known@example.org", "unknown@example.org"))
        self.assertEqual((known.raw, sorted(known.headers)), (unknown.raw, sorted(unknown.headers)))
        self.link("known@example.org", "reset")
        self.assertTrue(self.mail.arrived.empty())

    def test_mails_are_limited(self):
        self.confirmed("often@example.org")
        statuses = [self.client().post(FORGOT, {"email": "often@example.org"}).status for _ in range(4)]
        self.assertEqual(statuses, [202] * 4)
        for _ in range(3):
            self.link("often@example.org", "reset")
        # Had there been a fourth, it would be the next.
        self.register("marker@example.org")
        self.link("marker@example.org", "verify")

    def test_it_is_offered(self):
        self.assertEqual(self.client().get("/api/auth/options").body, {"sendsMail": True})


class ManyForgotten(MailTest):
    def test_ten_an_hour_for_one_network(self):
        statuses = [self.client().post(FORGOT, {"email": f"u{n}@example.org"}).status for n in range(11)]
        self.assertEqual(statuses, [202] * 10 + [429])


class WithoutMail(ApiTest):
    def test_says_whom_to_ask(self):
        self.assertEqual(self.client().get("/api/auth/options").body, {"sendsMail": False})
        self.register("quiet@example.org")
        answer = self.expect(422, self.client().post(FORGOT, {"email": "quiet@example.org"}))
        self.assertIn("whoever runs it", answer.body["detail"])

    def test_a_new_address_counts_at_once(self):
        client = self.account("before@example.org")
        self.register("taken@example.org")
        self.expect(422, client.post(EMAIL, {"newEmail": "taken@example.org", "password": PASSWORD}), fields=["newEmail"])
        answer = self.expect(200, client.post(EMAIL, {"newEmail": "after@example.org", "password": PASSWORD}))
        self.assertEqual(answer.body, {"email": "after@example.org", "emailVerified": False})
        self.login("after@example.org")
        self.expect(401, self.client().login("before@example.org", PASSWORD))

    def test_mail_needs_an_address_that_links_can_lead_to(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as keys:
            keys.write('{"credentials": [{"accessKeyId": "AKIATEST", "secretAccessKey": "secret"}]}')
            keys.flush()
            done = self.server.command("serve", "--memory", "--host", "0.0.0.0", "--port", "0", "--credentials", keys.name,
                                       "--smtp-url", "smtp://127.0.0.1:1", "--smtp-from", "cairn@host.example")
        self.assertEqual(done.code, 2, done)
        self.assertIn("--public-url", done.stderr)


if __name__ == "__main__":
    unittest.main()
