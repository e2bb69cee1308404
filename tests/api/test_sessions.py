"""Sessions: refreshing, logging out, cookies, requests that other sites make browsers send."""

import datetime
import urllib.parse

from case import HERE, NO_ULID, PASSWORD, TABLES, ApiTest, at_once

ME, SESSIONS, LOGOUT, REFRESH = "/api/auth/me", "/api/auth/sessions", "/api/auth/logout", "/api/auth/refresh"
WORKSHOP = HERE.parent / "model_api" / "workshop.toml"


class SessionTest(ApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.register("ada@example.org")

    def program(self):
        """A new session: its caller, and its refresh token."""
        client = self.client()
        answer = self.expect(200, client.login("ada@example.org", PASSWORD))
        return client, answer.body["refreshToken"]

    def browser(self):
        return self.login("ada@example.org", kind="browser")

    def refresh(self, token):
        return self.client().post(REFRESH, {"refreshToken": token})

    def sessions(self, client):
        return {session["sessionId"]: session for session in self.expect(200, client.get(SESSIONS)).body["items"]}


class Refreshing(SessionTest):
    def test_a_refresh_token_is_good_once(self):
        client, first = self.program()
        session = client.get(ME).body["sessionId"]
        answer = self.expect(200, self.refresh(first))
        self.assertNotEqual(answer.body["refreshToken"], first)
        renewed = self.client(answer.body["accessToken"])
        self.assertEqual(renewed.get(ME).body["sessionId"], session)
        again = self.expect(200, self.refresh(answer.body["refreshToken"]))
        self.expect(200, self.client(again.body["accessToken"]).get(ME))

    def test_the_second_use_ends_the_session_for_both(self):
        client, first = self.program()
        bystander, _ = self.program()
        newest = self.expect(200, self.refresh(first)).body
        refused = self.expect(401, self.refresh(first), "unauthenticated")
        self.assertNotIn(first.encode(), refused.raw)
        for token in (client.token, newest["accessToken"]):
            self.expect(401, self.client(token).get(ME))
        self.expect(401, self.refresh(newest["refreshToken"]))
        self.expect(200, bystander.get(ME))
        events = [item["event"] for item in self.items("CairnIdentity") if item["SK"].startswith("AUDIT#")]
        self.assertIn("refresh_reused", events)

    def test_one_of_twenty_at_once_wins(self):
        """And since the token was used twice, not even the winner stays."""
        for _ in range(3):
            client, token = self.program()
            answers = at_once(20, lambda n: self.refresh(token))
            winners = [answer for answer in answers if answer.status == 200]
            self.assertEqual(len(winners), 1, answers)
            self.assertEqual({answer.status for answer in answers}, {200, 401})
            self.expect(401, self.client(winners[0].body["accessToken"]).get(ME))
            self.expect(401, self.refresh(winners[0].body["refreshToken"]))
            self.expect(401, client.get(ME))

    def test_nothing_else_refreshes(self):
        client, token = self.program()
        browser = self.browser()
        cookie = browser.jar["cairn_session"]
        user, session, generation, mac = token.split(".")
        wrong = [client.token, cookie, browser.csrf, token + "x", token[:-1], token + ".", "." + token, "", ".", "...",
                 f"{user}.{session}.2.{mac}", f"{user}.{session}.0.{mac}", f"{user}.{session}.01.{mac}",
                 f"{user}.{session}.-1.{mac}", f"{user}.{session}.99999999999999999999.{mac}",
                 f"x{user}.{session}.{generation}.{mac}", f"{user}.{NO_ULID}.{generation}.{mac}",
                 f"{user}.{session}.{generation}.{mac}=", f"{user}.{session}.{generation}.", "x" * 2000, "é", "\0"]
        wrong += [token[:i] + ("A" if token[i] != "A" else "B") + token[i + 1:] for i in range(0, len(token), 3)]
        for text in wrong:
            with self.subTest(text=text[:120]):
                answer = self.refresh(text)
                self.assertIn(answer.status, (401, 422), answer)
        self.expect(422, self.refresh("x" * 2001), fields=["refreshToken"])
        self.expect(422, self.client().post(REFRESH, {"refreshToken": token, "userId": "x"}), fields=["userId"])
        # Forged ones end nothing.
        self.expect(200, client.get(ME))
        self.expect(200, browser.get(ME))
        self.expect(200, self.refresh(token))

    def test_a_refresh_survives_a_kill(self):
        _, first = self.program()
        second = self.expect(200, self.refresh(first)).body["refreshToken"]
        self.restart()
        third = self.expect(200, self.refresh(second)).body["refreshToken"]
        self.restart()
        self.expect(401, self.refresh(second))
        self.expect(401, self.refresh(third))


class LoggingOut(SessionTest):
    flags = ("--model", str(WORKSHOP))

    def test_a_program_is_out_at_once(self):
        """Everywhere: also at the interface of models."""
        client, refresh_token = self.program()
        other, _ = self.program()
        for address in (ME, "/api/values", "/api/m", "/api/m/workshop"):
            self.expect(200, client.get(address))
        self.expect(204, client.post(LOGOUT))
        for address in (ME, "/api/values", "/api/plans/settings", "/api/m", "/api/m/workshop", SESSIONS):
            self.expect(401, client.get(address))
        self.expect(401, client.post("/api/m/workshop/Job", {"title": "x"}))
        self.expect(401, client.post(LOGOUT))
        self.expect(401, self.refresh(refresh_token))
        self.expect(200, other.get(ME))

    def test_a_browser_is_out_at_once(self):
        browser = self.browser()
        kept = dict(browser.jar)
        answer = self.expect(204, browser.post(LOGOUT, {}))
        value, attributes = answer.cookies()["cairn_session"]
        self.assertEqual((value, "Max-Age=0" in attributes), ("", True))
        self.assertEqual(list(browser.jar), ["cairn_devices"], "the browser stays known, which lets nobody in")
        browser.jar = kept
        self.expect(401, browser.get(ME))
        self.expect(401, browser.post("/api/values/nodes", {"nodeType": "DRIVER", "title": "x"}))

    def test_everywhere(self):
        (first, first_refresh), (second, _) = self.program(), self.program()
        browser = self.browser()
        self.expect(204, first.post(LOGOUT, {"everywhere": True}))
        for ended in (first, second, browser):
            self.expect(401, ended.get(ME))
        self.expect(401, self.refresh(first_refresh))
        self.expect(200, self.program()[0].get(ME))

    def test_a_logout_survives_a_kill(self):
        client, refresh_token = self.program()
        self.expect(204, client.post(LOGOUT))
        self.restart()
        self.expect(401, client.get(ME))
        self.expect(401, self.refresh(refresh_token))

    def test_wrong_bodies(self):
        client, _ = self.program()
        for body, fields in (({"everywhere": "yes"}, ["everywhere"]), ({"everywhere": None}, ["everywhere"]),
                             ({"everywere": True}, ["everywere"]), ({"sessionId": NO_ULID}, ["sessionId"])):
            self.expect(422, client.post(LOGOUT, body), fields=fields)
        self.expect(200, client.get(ME))
        self.expect(401, self.client().post(LOGOUT))


class Listing(SessionTest):
    def test_lists_where_the_account_is_logged_in(self):
        client, _ = self.program()
        agent = "Cairn-Test/1.0 (a browser) " + "x" * 400
        browser = self.client()
        self.expect(200, browser.post("/api/auth/login", {"email": "ada@example.org", "password": PASSWORD,
                                                          "kind": "browser"}, user_agent=agent))
        listed = self.sessions(client)
        own = listed[client.get(ME).body["sessionId"]]
        self.assertEqual((own["kind"], own["current"], own["address"]), ("program", True, "127.0.0.1"))
        theirs = listed[browser.get(ME).body["sessionId"]]
        self.assertEqual((theirs["kind"], theirs["current"], theirs["userAgent"]), ("browser", False, agent[:300]))
        self.assertEqual([session["current"] for session in listed.values()].count(True), 1)
        for secret in ("token", "generation", "hash"):
            self.assertFalse([name for session in listed.values() for name in session if secret in name.lower()])

    def test_ends_one_of_them(self):
        client, _ = self.program()
        other, refresh_token = self.program()
        name = other.get(ME).body["sessionId"]
        self.expect(204, client.delete(f"{SESSIONS}/{name}"))
        self.expect(401, other.get(ME))
        self.expect(401, self.refresh(refresh_token))
        self.expect(404, client.delete(f"{SESSIONS}/{name}"))
        self.assertNotIn(name, self.sessions(client))
        own = client.get(ME).body["sessionId"]
        self.expect(204, client.delete(f"{SESSIONS}/{own}"))
        self.expect(401, client.get(ME))

    def test_what_is_no_session(self):
        client, _ = self.program()
        own = client.get(ME).body["sessionId"]
        for name in (NO_ULID, "x", own.lower(), own + "0", "..", "%2e%2e", "%00", own + "%20", "*"):
            with self.subTest(name=name):
                self.assertIn(client.delete(f"{SESSIONS}/{name}").status, (400, 404))
        self.expect(404, client.delete(f"{SESSIONS}/"))
        self.expect(405, client.delete(SESSIONS))
        self.expect(401, self.client().delete(f"{SESSIONS}/{own}"))
        self.expect(200, client.get(ME))

    def test_fifty_sessions_and_the_oldest_ends(self):
        """One more than an account may have: fifty-one logins take some seconds of hashing."""
        self.register("many@example.org")
        first = self.login("many@example.org")
        for _ in range(50):
            last = self.login("many@example.org")
        self.expect(401, first.get(ME))
        self.assertEqual(len(self.sessions(last)), 50)

    def test_users_without_an_account_have_none(self):
        visitor = self.user("visitor")
        self.assertEqual(self.sessions(visitor), {})
        self.expect(404, visitor.delete(f"{SESSIONS}/{NO_ULID}"))


class Cookies(SessionTest):
    def test_flags(self):
        client = self.client()
        self.expect(200, client.login("ada@example.org", PASSWORD, "browser"))
        self.assertEqual(len(client.last.headers.get_all("Set-Cookie")), 2)
        _, attributes = client.last.cookies()["cairn_devices"]
        self.assertEqual(sorted(attributes), ["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Strict"])
        _, attributes = client.last.cookies()["cairn_session"]
        self.assertEqual(sorted(a.partition("=")[0] for a in attributes), ["HttpOnly", "Max-Age", "Path", "SameSite"])
        self.assertIn("Path=/", attributes)
        self.assertIn("SameSite=Lax", attributes)

    def test_a_login_gives_a_new_session_whatever_came_along(self):
        """Fixation: a cookie that was there before is neither taken over nor made valid."""
        theirs = self.browser()
        for preset in ("made-up", theirs.jar["cairn_session"], "x.y.1.z"):
            victim = self.client()
            victim.jar = {"cairn_session": preset}
            self.expect(200, victim.login("ada@example.org", PASSWORD, "browser"))
            self.assertNotEqual(victim.jar["cairn_session"], preset)
            self.assertNotEqual(victim.get(ME).body["sessionId"], theirs.get(ME).body["sessionId"])
            attacker = self.client()
            attacker.jar = {"cairn_session": preset}
            if preset != theirs.jar["cairn_session"]:
                self.expect(401, attacker.get(ME))

    def test_none_stands_for_another(self):
        """Cookie, access token, refresh token and CSRF token are good for one purpose each."""
        program, refresh_token = self.program()
        browser = self.browser()
        cookie = browser.jar["cairn_session"]
        for bearer in (refresh_token, cookie, browser.csrf):
            self.expect(401, self.client(bearer).get(ME))
        for value in (refresh_token, program.token, browser.csrf, "", cookie + "x", cookie[:-1], '"' + cookie + '"'):
            client = self.client()
            client.jar = {"cairn_session": value}
            self.expect(401, client.get(ME))

    def test_two_cookies_of_the_name_are_none(self):
        cookie = self.browser().jar["cairn_session"]
        nobody = self.client()
        self.expect(401, nobody.get(ME, cookie=f"cairn_session={cookie}; cairn_session=x"))
        self.expect(401, nobody.get(ME, cookie=f"cairn_session=x; cairn_session={cookie}"))
        self.expect(401, nobody.get(ME, cookie=f"Cairn_Session={cookie}"))
        self.expect(401, nobody.get(ME, cookie=f"__Host-cairn_session={cookie}"))
        self.expect(200, nobody.get(ME, cookie=f"other=1; cairn_session={cookie}; more=2"))

    def test_a_token_goes_before_a_cookie(self):
        """A request with both is judged by the token alone, also when that is refused."""
        browser = self.browser()
        cookie = f"cairn_session={browser.jar['cairn_session']}"
        visitor = self.user("visitor")
        self.assertEqual(visitor.get(ME, cookie=cookie).body["userId"], "visitor")
        self.expect(401, self.client("wrong").get(ME, cookie=cookie))
        self.expect(401, self.client().get(ME, cookie=cookie, authorization="Basic eDp5"))


class OtherSites(SessionTest):
    """What a page of another site can make a browser send (CSRF): refused, and nothing changes."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.login("ada@example.org", kind="browser")
        cls.home = cls.url.replace("http://", "")

    def stored(self):
        return [self.items(table) for table in (*TABLES, "ProductivityData")]

    def changes(self):
        """Every operation that changes something, with a body that would be fine where one is easily made."""
        bodies = {"createNode": {"nodeType": "DRIVER", "title": "forged"}, "logout": {},
                  "changePassword": {"currentPassword": PASSWORD, "newPassword": "another-passphrase"},
                  "deleteMe": {"password": PASSWORD}, "changePlanSettings": {"timezone": "Europe/Berlin"},
                  "commitTree": {"operations": [{"op": "add", "nodeType": "DRIVER", "title": "forged"}]},
                  "createTask": {"title": "forged"}, "createNote": {"title": "forged"}}
        places = {"day": "2026-03-02", "nodeId": "n", "actionId": "a", "blockId": "b", "name": "t",
                  "sessionId": NO_ULID, "taskId": "t", "noteId": "n", "eventId": "e", "masterId": "m", "instanceId": "i",
                  "reminderId": "r", "local": "l", "packRevId": NO_ULID}
        for operation in self.page.contract().operations.values():
            if operation.is_change() and operation.item.get("security") is None:
                address = operation.path
                for name in operation.path_names():
                    address = address.replace("{%s}" % name, places[name])
                yield operation.method.upper(), address, bodies.get(operation.id, {})

    def test_no_change_without_the_token(self):
        """Every operation of the document, with the cookie alone."""
        other = self.browser()
        before = self.stored()
        for method, address, body in self.changes():
            with self.subTest(method=method, address=address):
                for token in (None, "", "x", other.csrf, self.page.csrf + "x", self.page.csrf[:-1],
                              self.page.csrf.lower(),
                              self.page.jar["cairn_session"]):
                    self.expect(403, self.page.send(method, address, body, None, {"X-CSRF-Token": token}), "forbidden")
        self.assertEqual(self.stored(), before)
        self.expect(200, self.page.get(ME))

    def test_no_change_from_another_page(self):
        """Also with the right token: it may have leaked."""
        before = self.stored()
        node = {"nodeType": "DRIVER", "title": "forged"}
        for origin in ("http://evil.example", "null", "https://evil.example", f"http://{self.home}.evil.example",
                       f"http://evil.example:{self.server.port}", f"http://x.{self.home}", f"http://{self.home}/",
                       f"ftp://{self.home}", f"http://{self.home}@evil.example", "http://127.0.0.1", "*",
                       f"HTTP://{self.home}", f"http://{self.home} "[:-1] + "x", "file://"):
            with self.subTest(origin=origin):
                self.expect(403, self.page.post("/api/values/nodes", node, origin=origin))
                self.expect(403, self.page.post(LOGOUT, {}, origin=origin))
        for site in ("cross-site", "same-site", "x"):
            self.expect(403, self.page.post("/api/values/nodes", node, sec_fetch_site=site))
        self.assertEqual(self.stored(), before)
        self.expect(201, self.page.post("/api/values/nodes", node, origin=f"http://{self.home}"))
        self.expect(201, self.page.post("/api/values/nodes", node, sec_fetch_site="same-origin"))

    def test_no_change_by_a_form(self):
        """What forms and simple requests can send is no JSON."""
        before = self.stored()
        json = b'{"nodeType":"DRIVER","title":"forged"}'
        for content_type, body in (("text/plain", json), ("text/plain;charset=UTF-8", json), (None, json), ("", json),
                                   ("application/x-www-form-urlencoded", b"nodeType=DRIVER&title=forged"),
                                   ("application/x-www-form-urlencoded", json), ("application/xml", json),
                                   ("multipart/form-data; boundary=x", json), ("text/json", json),
                                   ("application/jsonx", json), ("text/plain, application/json", json)):
            for token in (None, self.page.csrf):
                with self.subTest(content_type=content_type, token=token is not None):
                    answer = self.page.send("POST", "/api/values/nodes", body, None,
                                            {"Content-Type": content_type, "X-CSRF-Token": token})
                    self.expect(403 if token is None else 415, answer)
        self.assertEqual(self.stored(), before)

    def test_the_token_cannot_be_sent_twice_or_elsewhere(self):
        node = {"nodeType": "DRIVER", "title": "x"}
        before = self.stored()
        for fields in ([self.page.csrf, self.page.csrf], [self.page.csrf, "x"], ["x", self.page.csrf]):
            self.expect(400, self.page.post("/api/values/nodes", node, x_csrf_token=fields))
        self.expect(422, self.page.post("/api/values/nodes", {**node, "csrfToken": self.page.csrf}),
                    fields=["csrfToken"])
        self.expect(403, self.page.send("POST", "/api/values/nodes?X-CSRF-Token=" + self.page.csrf, node, None,
                                        {"X-CSRF-Token": None}))
        self.assertEqual(self.stored(), before)

    def test_another_site_cannot_log_a_browser_in(self):
        """Into the attacker's account, where the victim would then leave things."""
        for address, body in (("/api/auth/login", {"email": "ada@example.org", "password": PASSWORD,
                                                   "kind": "browser"}),
                              ("/api/auth/register", {"email": "forged@example.org", "password": PASSWORD}),
                              (REFRESH, {"refreshToken": "x"})):
            for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec_fetch_site": "cross-site"}):
                answer = self.expect(403, self.client().post(address, body, **headers))
                self.assertEqual(answer.cookies(), {})
            self.expect(415, self.client().send("POST", address, b"email=a&password=b", None,
                                                {"Content-Type": "application/x-www-form-urlencoded"}))

    def test_tokens_need_none_of_this(self):
        """Browsers send no tokens by themselves."""
        program, _ = self.program()
        self.expect(201, program.post("/api/values/nodes", {"nodeType": "DRIVER", "title": "x"},
                                      origin="http://evil.example"))

    def calendar(self):
        """Ids of an event, a series with its first occurrence, and a reminder."""
        day = str(datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=1))
        times = {"title": "x", "startUtc": f"{day}T09:00:00Z", "endUtc": f"{day}T10:00:00Z"}
        event = self.expect(201, self.page.post("/api/nexus/events", times)).body["id"]
        master = self.expect(201, self.page.post("/api/nexus/events", {**times, "rrule": "FREQ=DAILY;COUNT=3"})).body["id"]
        first = self.expect(200, self.page.get(f"/api/nexus/masters/{master}/instances")).body["items"][0]["id"]
        reminder = self.expect(201, self.page.post("/api/nexus/reminders", {"title": "x"})).body["reminderId"]
        return {"eventId": event, "masterId": master, "instanceId": first, "reminderId": reminder}

    def test_reading_changes_nothing(self):
        """GET and HEAD of every operation, with a cookie and from anywhere."""
        self.expect(201, self.page.post("/api/values/nodes", {"nodeType": "DRIVER", "title": "x", "nodeId": "n-read"}))
        revision = self.page.last.body["commit"]["revId"]
        places = {"day": "2026-03-02", "nodeId": "n-read", "revId": revision, "packRevId": NO_ULID,
                  "taskId": self.expect(201, self.page.post("/api/nexus/tasks", {"title": "x"})).body["taskId"],
                  "noteId": self.expect(201, self.page.post("/api/nexus/notes", {"title": "x"})).body["noteId"],
                  "date": "2026-03-02", "month": "2026-03", "token": "x", **self.calendar()}
        queries = {"diffTrees": {"from": revision, "to": revision}, "listPlans": {"from": "2026-03-01",
                                                                                  "to": "2026-03-09"},
                   "diffPlans": {"from": NO_ULID, "to": NO_ULID}, "searchNexus": {"q": "x"},
                   "readAgenda": {"from": "2026-03-01", "to": "2026-03-09"},
                   "readDataItems": {"table": "App",
                                     "partition": "U#" + self.page.get("/api/auth/me").body["userId"]}}
        before = self.stored()
        for operation in self.page.contract().operations.values():
            if operation.is_change():
                continue
            address = operation.path
            for name in operation.path_names():
                address = address.replace("{%s}" % name, urllib.parse.quote(places[name]))
            for method in ("GET", "HEAD"):
                with self.subTest(method=method, operation=operation.id):
                    answer = self.page.send(method, address, None, queries.get(operation.id),
                                            {"Origin": "http://evil.example"})
                    self.expect({"diffPlans": 404, "readPack": 404, "checkConformance": 403, "readFeed": 404}.get(operation.id, 200), answer)
        for method, address, _ in self.changes():  # addresses of changes, asked by GET
            self.assertIn(self.page.get(address).status, (200, 404, 405))
        override = self.page.get("/api/values/undo", x_http_method_override="POST")
        self.expect(405, override)
        self.assertEqual(self.stored(), before)


class WithHttps(SessionTest):
    flags = ("--public-url", "https://cairn.example/app", "--metrics-listen", "127.0.0.1:0")

    def test_the_cookie_is_bound_to_the_host(self):
        client = self.client()
        self.expect(200, client.login("ada@example.org", PASSWORD, "browser"))
        self.assertEqual(set(client.last.cookies()), {"__Host-cairn_session", "__Host-cairn_devices"})
        value, attributes = client.last.cookies()["__Host-cairn_session"]
        self.assertEqual(sorted(a.partition("=")[0] for a in attributes),
                         ["HttpOnly", "Max-Age", "Path", "SameSite", "Secure"])
        self.assertIn("Path=/", attributes)
        self.assertIn("Strict-Transport-Security", client.get(ME).headers)
        plain = self.client()
        plain.jar = {"cairn_session": value}
        self.expect(401, plain.get(ME))

    def test_only_the_public_origin_is_our_own(self):
        page = self.browser()
        node = {"nodeType": "DRIVER", "title": "x"}
        for origin in (self.url, "http://cairn.example", "https://cairn.example:8443", "https://cairn.example/app",
                       "null"):
            self.expect(403, page.post("/api/values/nodes", node, origin=origin))
        self.expect(201, page.post("/api/values/nodes", node, origin="https://cairn.example"))
        answer = self.expect(204, page.post(LOGOUT, {}, origin="https://cairn.example"))
        self.assertEqual(answer.cookies()["__Host-cairn_session"][0], "")
