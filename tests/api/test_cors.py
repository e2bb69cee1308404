"""CORS: which pages of other sites may use the API from a browser. What they can make a browser send without asking is
in test_sessions.py.
"""

from case import PASSWORD, ApiTest

NODES = "/api/values/nodes"
DRIVER = {"nodeType": "DRIVER", "title": "a driver"}


class PagesOfOtherSites(ApiTest):
    """CORS is off unless someone is listed."""

    def fields(self, answer):
        return [name for name in answer.headers if name.lower().startswith("access-control")]

    def test_nobody_is_allowed(self):
        ada = self.user("ada")
        for origin in ("https://app.example", "null", self.url, "*"):
            self.assertEqual(self.fields(ada.get("/api/values", origin=origin)), [])
            question = self.client().send("OPTIONS", NODES, None, None, {
                "Origin": origin, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization"})
            self.assertEqual((self.expect(405, question) and self.fields(question)), [])


class PagesOfAListedSite(ApiTest):
    APP, LOCAL = "https://app.example", "http://localhost:3000"
    flags = ("--cors-origin", APP, "--cors-origin", LOCAL)

    def ask(self, origin, method="POST", address=NODES):
        return self.client().send("OPTIONS", address, None, None, {
            "Origin": origin, "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "authorization"})

    def test_the_question_before(self):
        for origin in (self.APP, self.LOCAL):
            for method, address in (("POST", NODES), ("DELETE", f"{NODES}/n"), ("PATCH", "/api/plans/settings"),
                                    ("GET", "/api/values")):
                answer = self.expect(204, self.ask(origin, method, address))
                self.assertEqual(answer.headers["Access-Control-Allow-Origin"], origin)
                self.assertIn(method, answer.headers["Access-Control-Allow-Methods"])
                allowed = answer.headers["Access-Control-Allow-Headers"].lower()
                for name in ("authorization", "content-type", "idempotency-key", "if-match", "if-none-match"):
                    self.assertIn(name, allowed)
                self.assertEqual(answer.headers["Vary"], "Origin")
                self.assertNotIn("Access-Control-Allow-Credentials", answer.headers)

    def test_others_are_not_named(self):
        ada = self.user("ada")
        for origin in ("https://evil.example", "null", "https://app.example.evil", "http://app.example",
                       "https://app.example:8443",
                       "https://APP.example", "https://xapp.example", "*", "https://app.example, https://evil.example",
                       [self.APP, "https://evil.example"]):
            with self.subTest(origin=origin):
                for answer in (ada.get("/api/values", origin=origin), self.ask(origin)):
                    self.assertNotIn("Access-Control-Allow-Origin", answer.headers)
                    self.assertIn("Origin", answer.headers["Vary"])
        self.assertIn("Origin", ada.get("/api/values").headers["Vary"])

    def test_a_listed_page_works_with_tokens(self):
        """It registers, logs in, and uses the token."""
        client = self.client()
        body = {"email": "app@example.org", "password": PASSWORD}
        self.expect(201, client.post("/api/auth/register", body, origin=self.APP))
        answer = self.expect(200, client.post("/api/auth/login", body, origin=self.APP))
        self.assertEqual(answer.headers["Access-Control-Allow-Origin"], self.APP)
        app = self.client(answer.body["accessToken"])
        made = self.expect(201, app.post(NODES, DRIVER, origin=self.APP))
        self.assertIn("ETag", made.headers["Access-Control-Expose-Headers"])
        self.expect(200, client.post("/api/auth/refresh", {"refreshToken": answer.body["refreshToken"]},
                                     origin=self.APP))
        refused = self.expect(401, self.client("x").get("/api/values", origin=self.APP))
        self.assertEqual(refused.headers["Access-Control-Allow-Origin"], self.APP)

    def test_but_not_with_cookies(self):
        self.register("cookie@example.org")
        page = self.login("cookie@example.org", kind="browser")
        self.expect(403, page.post(NODES, DRIVER, origin=self.APP))
        self.expect(403, self.client().post("/api/auth/login", {"email": "cookie@example.org", "password": PASSWORD},
                                            origin="https://evil.example"))
