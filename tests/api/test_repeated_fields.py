"""A field that decides who is asking, from where or on what condition, given more than once: the request is refused,
whatever the second one says. Of two readers in a row one would take the first and the other the last."""

import http.client
import unittest

from case import PASSWORD, ApiTest

ME = "/api/auth/me"
AWS = ("AWS4-HMAC-SHA256 Credential=AKIATEST/20260101/us-east-1/dynamodb/aws4_request, "
       "SignedHeaders=host;x-amz-date, Signature=" + "0" * 64)


class RepeatedFields(ApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ada = cls.account("ada@example.org")
        cls.bob = cls.account("bob@example.org")
        cls.page = cls.account("page@example.org", kind="browser")

    def refused(self, answer, field):
        self.expect(400, answer)
        self.assertIn(field, answer.body["detail"])
        self.assertEqual(answer.cookies(), {})

    def test_authorization(self):
        ada, bob = f"Bearer {self.ada.token}", f"Bearer {self.bob.token}"
        self.expect(200, self.client().get(ME, authorization=[ada]))
        for fields in ([ada, bob], [bob, ada], [ada, ada], [ada, ""], ["", ada], [ada, "Basic x"], [ada, bob, ada]):
            for path in (ME, "/api/values", "/openapi.json", "/api/nexus/tasks", "/"):
                self.refused(self.client().get(path, authorization=fields), "Authorization")

    def test_a_token_beside_a_signature(self):
        fields = {"Authorization": AWS, "X-Amz-Date": "20260101T000000Z", "X-Amz-Target": "DynamoDB_20120810.ListTables",
                  "Content-Type": "application/x-amz-json-1.0"}
        self.assertEqual(self.sent(fields).status, 200)
        for name in ("Authorization", "Content-Type"):
            answer = self.sent(fields, (name.lower(), fields[name]))
            self.assertEqual(answer.status, 400)
            self.assertIn(b"InvalidSignatureException", answer.read())

    def sent(self, fields, *more):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        self.addCleanup(connection.close)
        connection.putrequest("POST", "/")
        for name, value in (*fields.items(), *more, ("Content-Length", "2")):
            connection.putheader(name, value)
        connection.endheaders(b"{}")
        return connection.getresponse()

    def test_cookies(self):
        name, value = next((name, value) for name, value in self.page.jar.items() if "session" in name)
        other = self.login("bob@example.org", kind="browser").jar[name]
        good = f"{name}={value}"
        self.expect(200, self.client().get(ME, cookie=[good, "x=y"]))
        for fields in ([f"{good}; {name}={other}"], [good, f"{name}={other}"], [f"{name}=; {good}"], [good, good]):
            self.expect(401, self.client().get(ME, cookie=fields))

    def test_fields_of_changes(self):
        node = {"nodeType": "DRIVER", "title": "x"}
        before = self.items()
        for name, values in (("X-CSRF-Token", [self.page.csrf, "x"]), ("Origin", [self.url, "http://evil.example"]),
                             ("Origin", ["http://evil.example", self.url]), ("Content-Type", ["application/json"] * 2),
                             ("Sec-Fetch-Site", ["same-origin", "cross-site"]), ("Idempotency-Key", ["a", "b"]),
                             ("If-Match", ['"1"', '"2"'])):
            with self.subTest(name=name, values=values):
                self.refused(self.page.send("POST", "/api/values/nodes", node, None, {name: values}), name)
        self.assertEqual(self.items(), before)
        self.expect(201, self.page.post("/api/values/nodes", node))

    def test_nobody_logs_in_with_two_origins(self):
        answer = self.client().post("/api/auth/login", {"email": "ada@example.org", "password": PASSWORD},
                                    origin=[self.url, "http://evil.example"])
        self.refused(answer, "Origin")


if __name__ == "__main__":
    unittest.main()
