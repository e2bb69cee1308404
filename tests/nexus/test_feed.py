"""The secret address of a calendar: works without login, ends when told to, says nothing to others, is kept nowhere."""

import base64
import json
import pathlib
import unittest

from case import TABLE
from calendar_case import SETTINGS, utc
from client import Client
from interchange_case import EXPORT, FEED, InterchangeTest, judged, judges


class Feed(InterchangeTest):
    def renew(self, user):
        answer = self.expect(201, user.post(FEED))
        self.assertEqual(answer.headers["Cache-Control"], "no-store")
        self.assertEqual(sorted(answer.body), ["createdAt", "url"])
        return answer.body["url"]

    def anyone(self):
        stranger = Client(self.server.url)
        self.addCleanup(stranger.hang_up)
        return stranger

    def test_is_the_export_without_login(self):
        ada, stranger = self.user(), self.anyone()
        self.timed(ada, "secret meeting", 1)
        url = self.renew(ada)
        answer = self.expect(200, stranger.get(url))
        self.assertEqual(answer.raw, ada.get(EXPORT).raw)
        self.assertEqual(answer.headers["Content-Type"], "text/calendar")
        self.assertIn("private", answer.headers["Cache-Control"])
        self.expect(304, stranger.get(url, if_none_match=answer.tag))
        self.assertEqual(self.expect(200, stranger.head(url)).tag, answer.tag)
        for command in judges().values():
            self.assertEqual(judged(command, answer.raw, utc(0, "00:00:00"), utc(3)), self.happens(ada, utc(0, "00:00:00"), utc(3)))
        self.timed(ada, "another", 2)
        self.assertNotEqual(self.expect(200, stranger.get(url, if_none_match=answer.tag)).tag, answer.tag)
        settings = ada.get(SETTINGS).body
        self.assertTrue(settings["hasFeed"])
        self.assertNotIn(url.split("/")[-2].split(".")[1], json.dumps(settings))

    def test_a_new_one_ends_the_one_before_and_deleting_ends_both(self):
        ada, stranger = self.user(), self.anyone()
        self.expect(204, ada.delete(FEED))
        first = self.renew(ada)
        second = self.renew(ada)
        self.expect(404, stranger.get(first))
        self.expect(200, stranger.get(second))
        self.expect(204, ada.delete(FEED))
        self.expect(404, stranger.get(second))
        self.expect(204, ada.delete(FEED))
        self.assertFalse(ada.get(SETTINGS).body["hasFeed"])
        self.expect(401, stranger.post(FEED))
        self.expect(401, stranger.delete(FEED))

    def test_every_wrong_token_is_answered_alike(self):
        ada, bob, stranger = self.user(), self.user(), self.anyone()
        url = self.renew(ada)
        self.renew(bob)
        token = url.split("/")[-2]
        user, secret = token.split(".")
        text = lambda name: base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")  # noqa: E731
        revoked = self.user()
        gone = self.renew(revoked).split("/")[-2]
        self.expect(204, revoked.delete(FEED))
        wrong = [gone, f"{text(bob.id)}.{secret}", f"{text('nobody')}.{secret}", f"{user}.", f".{secret}", user, ".", "..",
                 f"{user}.{secret[:-1]}", f"{user}.{secret}A", f"{user}.{'A' * 43}", f"{user}={'.'}{secret}",
                 f"{text('a#b')}.{secret}", f"{text(ada.id + '#')}.{secret}",
                 "x" * 3000, f"{text('u' * 2000)}.{secret}", f"{user}.{secret}.{secret}", f"{user}%20.{secret}"]
        for place in range(len(secret)):
            wrong.append(f"{user}.{secret[:place]}{'A' if secret[place] != 'A' else 'B'}{secret[place + 1:]}")
        answers = {}
        for one in wrong:
            answer = stranger.get(f"{FEED}/{one}/calendar.ics")
            self.assertEqual(answer.status, 404, (one, answer))
            answers.setdefault((answer.raw, tuple(sorted(n for n in answer.headers))), []).append(one)
        self.assertEqual(len(answers), 1, answers)
        self.expect(200, stranger.get(url))

    def test_the_secret_is_kept_nowhere(self):
        ada = self.user()
        url = self.expect(201, ada.post(FEED, idempotency_key="feed-key")).body["url"]
        self.expect(200, self.anyone().get(url))
        self.expect(404, self.anyone().get(url.replace("/calendar.ics", "x/calendar.ics")))
        secret = url.split("/")[-2].split(".")[1]
        item = next(item for item in self.everything(ada) if item["entityType"] == "SETTINGS")
        self.assertEqual(len(item["feedHash"]), 43)
        self.assertNotIn(secret, str(item))
        data = ada.get("/api/data/items", {"table": TABLE, "partition": f"USER#{ada.id}"})
        self.assertNotIn(item["feedHash"], data.raw.decode())
        self.assertNotIn(secret, self.server.stderr())
        metrics = Client(self.server.url).get("/metrics").raw.decode()
        self.assertNotIn(secret, metrics)
        held = [str(path) for path in pathlib.Path(self.server.data).rglob("*")
                if path.is_file() and secret.encode() in path.read_bytes()]
        self.assertEqual(held, [])

    def test_a_disabled_account_has_none(self):
        email, password = "feed@example.org", "a-long-enough-passphrase\n"
        added = self.server.command("user", "add", email, "--data", self.server.data, stdin=password)
        self.assertEqual(added.code, 0, added)
        ada, stranger = self.user(added.stdout.strip()), self.anyone()
        url = self.renew(ada)
        unknown = self.expect(404, stranger.get(url.replace("/calendar.ics", "x/calendar.ics")))
        self.expect(200, stranger.get(url))

        def change(verb):
            self.assertEqual(self.server.command("user", verb, email, "--data", self.server.data).code, 0)
        change("disable")
        self.assertEqual(self.expect(404, stranger.get(url)).raw, unknown.raw)
        self.expect(401, ada.get(EXPORT))
        change("enable")
        self.expect(200, stranger.get(url))

    def test_survives_a_restart(self):
        ada = self.user()
        url = self.renew(ada)
        self.restart()
        self.expect(200, self.anyone().get(url))


if __name__ == "__main__":
    unittest.main()
