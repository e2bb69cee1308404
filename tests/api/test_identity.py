"""Accounts: registering, logging in, guessing, passwords. Deleting is in test_delete_account.py, sessions are in
test_sessions.py.
"""

import json
import threading

from case import PASSWORD, TABLES, ApiTest, at_once
from wait import wait_until

REGISTER, LOGIN, ME = "/api/auth/register", "/api/auth/login", "/api/auth/me"
NOT_GIVEN = object()


def without_date(answer):
    return sorted((name, value) for name, value in answer.headers.items() if name != "Date")


class Registering(ApiTest):
    def users(self):
        return [item for item in self.items("CairnIdentity") if item["SK"] == "USER"]

    def test_a_new_account(self):
        answer = self.client().post(REGISTER, {"email": " New@Example.org ", "password": PASSWORD,
                                               "displayName": "Änne"})
        self.expect(201, answer)
        self.assertEqual(answer.body, {"email": "new@example.org"})
        me = self.login("NEW@example.ORG").get(ME).body
        self.assertEqual((me["email"], me["displayName"]), ("new@example.org", "Änne"))
        self.assertNotIn("csrfToken", me)

    def test_a_taken_address_is_answered_alike(self):
        """Nobody learns who has an account, and sending it twice does no harm: the request is idempotent by nature."""
        first = self.client().post(REGISTER, {"email": "taken@example.org", "password": PASSWORD})
        again = self.client().post(REGISTER, {"email": "taken@example.org", "password": "another-passphrase"})
        shouted = self.client().post(REGISTER, {"email": "TAKEN@example.org", "password": PASSWORD, "displayName": "x"})
        for other in (again, shouted):
            self.assertEqual((first.status, first.raw, without_date(first)),
                             (other.status, other.raw, without_date(other)))
        self.expect(401, self.client().login("taken@example.org", "another-passphrase"))
        self.assertNotIn("displayName", self.login("taken@example.org").get(ME).body)

    def test_one_of_many_at_once(self):
        answers = at_once(6, lambda n: self.client().post(REGISTER, {"email": "race@example.org",
                                                                     "password": f"{PASSWORD}-{n}"}))
        self.assertEqual([answer.status for answer in answers], [201] * 6)
        self.assertEqual(len([user for user in self.users() if user["email"] == "race@example.org"]), 1)
        entered = [n for n in range(6) if self.client().login("race@example.org", f"{PASSWORD}-{n}").status == 200]
        self.assertEqual(len(entered), 1)

    def test_wrong_fields_are_all_named(self):
        before = self.items("CairnIdentity")
        good = {"email": "wrong@example.org", "password": PASSWORD}
        rows = [({"email": NOT_GIVEN}, ["email"]), ({"password": NOT_GIVEN}, ["password"]),
                ({"email": NOT_GIVEN, "password": NOT_GIVEN}, ["email", "password"]),
                ({"email": None}, ["email"]), ({"email": 7}, ["email"]), ({"email": ["a@b.c"]}, ["email"]),
                ({"email": ""}, ["email"]), ({"email": "nobody"}, ["email"]), ({"email": "@example.org"}, ["email"]),
                ({"email": "a b@example.org"}, ["email"]), ({"email": "a@b@example.org"}, ["email"]),
                ({"email": "a\n@example.org"}, ["email"]), ({"email": "a\0@example.org"}, ["email"]),
                ({"email": "a" * 250 + "@example.org"}, ["email"]),
                ({"password": ""}, ["password"]), ({"password": "short"}, ["password"]),
                ({"password": "password"}, ["password"]), ({"password": "12345678"}, ["password"]),
                ({"password": "wrong@example.org"}, ["password"]), ({"password": "x" * 201}, ["password"]),
                ({"password": "x" * 5000}, ["password"]), ({"password": True}, ["password"]),
                ({"password": {"$ne": ""}}, ["password"]),
                ({"displayName": "x" * 201}, ["displayName"]), ({"displayName": "a\nb"}, ["displayName"]),
                ({"displayName": 1}, ["displayName"]),
                ({"email": "nobody", "password": "short"}, ["email", "password"])]
        for change, fields in rows:
            with self.subTest(change=str(change)[:80]):
                body = {name: value for name, value in {**good, **change}.items() if value is not NOT_GIVEN}
                answer = self.expect(422, self.client().post(REGISTER, body), "invalid", fields)
                self.assertNotIn(PASSWORD.encode(), answer.raw)
        self.assertEqual(self.items("CairnIdentity"), before)

    def test_what_is_not_asked_for_cannot_be_set(self):
        """Mass assignment: every member that the operation does not know is refused by its name."""
        before = self.items("CairnIdentity")
        for name in ("userId", "state", "role", "isAdmin", "version", "passwordHash", "createdAt", "PK", "_ttl",
                     "tenantId",
                     "__proto__", "Email"):
            with self.subTest(name=name):
                body = {"email": "mass@example.org", "password": PASSWORD, name: "x"}
                self.expect(422, self.client().post(REGISTER, body), fields=[name])
                self.expect(422, self.client().post(LOGIN, body), fields=[name])
        close = self.client().post(REGISTER, {"email": "m@example.org", "pasword": PASSWORD})
        self.assertIn("password", {e["field"]: e["message"] for e in close.body["errors"]}["pasword"])
        self.assertEqual(self.items("CairnIdentity"), before)

    def test_what_is_stored_lets_nobody_in(self):
        program, browser = self.account("stored@example.org"), self.login("stored@example.org", kind="browser")
        login = self.client().login("stored@example.org", PASSWORD)
        secrets = [PASSWORD, program.token, login.body["refreshToken"], browser.csrf, *browser.jar.values()]
        text = json.dumps([self.items(table) for table in TABLES], default=str)
        self.assertEqual([secret for secret in secrets if secret in text], [])
        user = next(user for user in self.users() if user["email"] == "stored@example.org")
        self.assertTrue(user["passwordHash"].startswith("$argon2id$"))
        for client in (program, browser):
            for address in (ME, "/api/auth/sessions"):
                self.assertNotIn(b"argon2", client.get(address).raw)


class RegisteringMuch(ApiTest):
    def test_twenty_an_hour_and_no_more(self):
        """Counted by where the connection comes from; what a client claims about itself changes nothing."""
        known = [self.client().post(REGISTER, {"email": "same@example.org", "password": PASSWORD}).status
                 for _ in range(20)]
        self.assertEqual(known, [201] * 20)
        for claim in ({}, {"x_forwarded_for": "203.0.113.7"}, {"forwarded": "for=203.0.113.7"},
                      {"x_real_ip": "203.0.113.7"}, {"user_agent": "another"}):
            answer = self.client().post(REGISTER, {"email": "next@example.org", "password": PASSWORD}, **claim)
            self.expect(429, answer, "too-many-attempts")
            self.assertGreater(int(answer.headers["Retry-After"]), 60)
        self.assertNotIn("next@example.org", [item.get("email") for item in self.items("CairnIdentity")])
        self.login("same@example.org")

    def test_operators_are_not_counted(self):
        """An operator brings as many people as there are."""
        for number in range(22):
            done = self.server.command("user", "add", f"user{number}@example.org", "--data", self.server.data,
                                       stdin=PASSWORD + "\n")
            self.assertEqual(done.code, 0, done)


class LoggingIn(ApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.register("ada@example.org")

    def test_a_program_gets_tokens(self):
        client = self.client()
        answer = self.expect(200, client.post(LOGIN, {"email": "ada@example.org", "password": PASSWORD}))
        self.assertEqual(set(answer.body), {"userId", "expiresAt", "accessToken", "tokenType", "expiresIn",
                                            "refreshToken"})
        self.assertEqual((answer.body["tokenType"], answer.body["expiresIn"]), ("Bearer", 900))
        self.assertEqual(answer.cookies(), {})
        self.assertEqual(answer.headers["Cache-Control"], "no-store")
        self.expect(200, self.client(answer.body["accessToken"]).get(ME))

    def test_a_browser_gets_a_cookie(self):
        client = self.client()
        answer = self.expect(200, client.login("ada@example.org", PASSWORD, "browser"))
        self.assertEqual(set(answer.body), {"userId", "expiresAt", "csrfToken"})
        self.assertEqual(set(answer.cookies()), {"cairn_session", "cairn_devices"})
        self.assertNotIn(answer.cookies()["cairn_session"][0].encode(), answer.raw)
        self.expect(200, client.get(ME))

    def test_wrong_fields(self):
        for change, fields in (({"kind": "robot"}, ["kind"]), ({"kind": None}, ["kind"]),
                               ({"password": ""}, ["password"]),
                               ({"email": 1}, ["email"]), ({"password": ["x"]}, ["password"]), ({"otp": "1"}, ["otp"])):
            with self.subTest(change=change):
                body = {"email": "ada@example.org", "password": PASSWORD, **change}
                self.expect(422, self.client().post(LOGIN, body), fields=fields)

    def test_nobody_learns_which_addresses_have_accounts(self):
        self.register("off@example.org")
        done = self.server.command("user", "disable", "off@example.org", "--data", self.server.data)
        self.assertEqual(done.code, 0, done)
        answers = [self.client().login(email, password) for email, password in (
            ("ada@example.org", "wrong-passphrase"), ("nobody@example.org", "wrong-passphrase"),
            ("off@example.org", PASSWORD), ("off@example.org", "wrong-passphrase"), ("no address", "x"),
            ("ada@example.org", "y" * 900), ("ada@example.org", PASSWORD + "\0"), ("ada@example.org", PASSWORD + " "))]
        first = self.expect(401, answers[0], "unauthenticated")
        for answer in answers[1:]:
            self.assertEqual((first.status, first.raw, without_date(first)),
                             (answer.status, answer.raw, without_date(answer)))
        self.login("ada@example.org")


class Guessing(ApiTest):
    def guess(self, email, times, **headers):
        client = self.client()
        return [client.send("POST", LOGIN, {"email": email, "password": f"guess-{n}"}, None, headers)
                for n in range(times)]

    def test_known_and_unknown_addresses_are_slowed_alike(self):
        self.register("known@example.org")
        known, unknown = self.guess("known@example.org", 50), self.guess("unknown@example.org", 50)
        for answers in (known, unknown):
            statuses = [answer.status for answer in answers]
            self.assertEqual(statuses[:5], [401] * 5)
            self.assertLessEqual(statuses.count(401), 10, statuses)
            self.assertEqual(set(statuses[5:]) - {401, 429}, set())
            refused = next(answer for answer in answers if answer.status == 429)
            self.expect(429, refused, "too-many-attempts")
            self.assertGreaterEqual(int(refused.headers["Retry-After"]), 1)
        self.assertEqual({answer.raw for answer in known if answer.status == 401},
                         {answer.raw for answer in unknown if answer.status == 401})
        self.assertEqual({answer.body["title"] for answer in known if answer.status == 429},
                         {answer.body["title"] for answer in unknown if answer.status == 429})
        self.register("bystander@example.org")
        self.login("bystander@example.org")

    def test_the_right_password_waits_too(self):
        """It would be a way to find out; and neither spelling nor a claimed address is a way around."""
        self.register("target@example.org")
        guesses = at_once(12, lambda n: self.client().login("target@example.org", f"guess-{n}").status)
        self.assertLessEqual(set(guesses), {401, 429})
        for email, headers in (("target@example.org", {}), ("TARGET@example.org ", {}),
                               ("target@example.org", {"X-Forwarded-For": "203.0.113.9"})):
            answer = self.client().send("POST", LOGIN, {"email": email, "password": PASSWORD}, None, headers)
            self.expect(429, answer)

    def test_a_session_is_no_way_to_guess_faster(self):
        """Changing the password and deleting the account count as guesses too."""
        thief = self.account("victim@example.org")
        statuses = [thief.post("/api/auth/password", {"currentPassword": f"guess-{n}", "newPassword": PASSWORD}).status
                    for n in range(4)]
        statuses += [thief.delete(ME, {"password": f"guess-{n}"}).status for n in range(8)]
        self.assertEqual(statuses[:5], [422] * 5)
        self.assertEqual(set(statuses[5:]), {429})
        self.expect(429, thief.delete(ME, {"password": PASSWORD}))
        self.expect(200, thief.get(ME))


class GuessingFromOneNetwork(ApiTest):
    def test_a_hundred_failures_and_the_network_waits(self):
        self.register("inside@example.org")
        self.register("outside@example.org")
        inside, known = self.login("inside@example.org"), self.login("inside@example.org", kind="browser")
        client = self.client()
        statuses = [client.post(LOGIN, {"email": f"no address {n}", "password": "x"}).status for n in range(105)]
        self.assertEqual((statuses.count(401), statuses[-1]), (100, 429))
        self.expect(429, self.client().login("inside@example.org", PASSWORD))
        self.expect(200, inside.get(ME))
        self.expect(422, inside.post("/api/auth/password", {"currentPassword": "wrong", "newPassword": PASSWORD}),
                    fields=["currentPassword"])
        # Whoever has logged in here before does not wait for the others, with the right password or a wrong one.
        known.token = None
        for _ in range(3):
            self.expect(401, known.login("inside@example.org", "wrong", kind="browser"))
            self.expect(200, known.login("inside@example.org", PASSWORD, kind="browser"))
        self.expect(429, known.login("outside@example.org", PASSWORD, kind="browser"))
        other = self.client()
        other.jar = {name: value for name, value in known.jar.items() if "devices" not in name}
        self.expect(429, other.login("inside@example.org", PASSWORD, kind="browser"))


class GuessingBehindAProxy(ApiTest):
    flags = ("--trusted-proxy", "127.0.0.1")

    def test_one_client_keeps_no_other_out(self):
        self.register("inside@example.org")
        client = self.client()
        statuses = [client.post(LOGIN, {"email": f"no address {n}", "password": "x"}, x_forwarded_for="203.0.113.5").status
                    for n in range(105)]
        self.assertEqual((statuses.count(401), statuses[-1]), (100, 429))
        body = {"email": "inside@example.org", "password": PASSWORD}
        self.expect(429, self.client().post(LOGIN, body, x_forwarded_for="203.0.113.5"))
        self.expect(429, self.client().post(LOGIN, body, x_forwarded_for="198.51.100.7, 203.0.113.5"))
        self.expect(200, self.client().post(LOGIN, body, x_forwarded_for="203.0.113.6"))


class Flood(ApiTest):
    def test_two_hundred_logins_at_once(self):
        """Hashing is bounded: some are answered 429 at once, and whoever does not log in notices nothing."""
        self.register("busy@example.org")
        inside = self.login("busy@example.org")
        self.restart("identity.hash=1:hold")  # however fast this machine hashes
        statuses, lock = [], threading.Lock()
        clients = [self.client() for _ in range(200)]

        def guess(number):
            answer = clients[number].post(LOGIN, {"email": f"flood{number}@example.org", "password": "guess-guess"})
            with lock:
                statuses.append(answer.status)

        flood = [threading.Thread(target=guess, args=(number,)) for number in range(200)]
        for one in flood:
            one.start()
        wait_until(lambda: statuses.count(429) > 50, 120, "some to be turned away")
        for _ in range(5):
            self.expect(200, self.client().get("/healthz"))
            self.expect(200, inside.get(ME))
        self.server.let_go("identity.hash")
        for one in flood:
            one.join()
        self.assertEqual(set(statuses), {401, 429}, statuses)
        with open(f"/proc/{self.server.pid}/status") as status:
            peak_kb = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        self.assertLess(peak_kb, 700_000)


class Passwords(ApiTest):
    NEW = "an-entirely-new-passphrase"

    def test_a_new_password_ends_all_other_sessions_at_once(self):
        program = self.account("change@example.org")
        refresh_token = self.client().login("change@example.org", PASSWORD).body["refreshToken"]
        other, browser = self.login("change@example.org"), self.login("change@example.org", kind="browser")
        answer = self.expect(200, program.post("/api/auth/password", {"currentPassword": PASSWORD,
                                                                      "newPassword": self.NEW}))
        for ended in (program, other, browser):
            self.expect(401, ended.get(ME))
        self.expect(401, self.client().post("/api/auth/refresh", {"refreshToken": refresh_token}))
        renewed = self.client(answer.body["accessToken"])
        self.assertEqual([s["current"] for s in self.expect(200, renewed.get("/api/auth/sessions")).body["items"]],
                         [True])
        self.expect(401, self.client().login("change@example.org", PASSWORD))
        self.login("change@example.org", self.NEW)

    def test_a_browser_goes_on_as_a_browser(self):
        self.register("page@example.org")
        browser = self.login("page@example.org", kind="browser")
        old = dict(browser.jar)
        answer = browser.post("/api/auth/password", {"currentPassword": PASSWORD, "newPassword": self.NEW})
        self.assertEqual(set(self.expect(200, answer).body), {"userId", "expiresAt", "csrfToken"})
        self.assertNotEqual(browser.jar, old)
        self.expect(200, browser.get(ME))
        self.expect(403, browser.post("/api/auth/logout", {}))  # still the old CSRF token
        browser.csrf = answer.body["csrfToken"]
        self.expect(204, browser.post("/api/auth/logout", {}))

    def test_what_is_refused_changes_nothing(self):
        client = self.account("same@example.org")
        for body, fields in (({"currentPassword": "wrong-passphrase", "newPassword": self.NEW}, ["currentPassword"]),
                             ({"currentPassword": PASSWORD, "newPassword": "short"}, ["newPassword"]),
                             ({"currentPassword": PASSWORD, "newPassword": "same@example.org"}, ["newPassword"]),
                             ({"newPassword": self.NEW}, ["currentPassword"]),
                             ({"currentPassword": PASSWORD}, ["newPassword"]),
                             ({"currentPassword": PASSWORD, "newPassword": self.NEW, "userId": "x"}, ["userId"])):
            with self.subTest(body=body):
                self.expect(422, client.post("/api/auth/password", body), fields=fields)
        self.expect(200, client.get(ME))
        self.expect(401, self.client().post("/api/auth/password", {"currentPassword": PASSWORD,
                                                                   "newPassword": self.NEW}))
        self.login("same@example.org")

    def test_one_of_many_changes_wins(self):
        clients = [self.account("many@example.org")] + [self.login("many@example.org") for _ in range(5)]
        answers = at_once(6, lambda n: clients[n].post("/api/auth/password", {
            "currentPassword": PASSWORD, "newPassword": f"{self.NEW}-{n}"}))
        winners = [n for n, answer in enumerate(answers) if answer.status == 200]
        self.assertEqual(len(winners), 1, answers)
        self.assertLessEqual({answer.status for answer in answers}, {200, 401, 422, 429})
        self.login("many@example.org", f"{self.NEW}-{winners[0]}")

    def test_users_without_an_account_have_no_password(self):
        visitor = self.user("visitor")
        self.expect(404, visitor.post("/api/auth/password", {"currentPassword": PASSWORD, "newPassword": self.NEW}))
        self.expect(404, visitor.delete(ME, {"password": PASSWORD}))
        self.assertEqual(visitor.get(ME).body, {"userId": "visitor"})
