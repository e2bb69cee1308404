"""Who may reach what: tokens that are refused, owners that do not see each other, what belongs to nobody."""

import base64
import json
import pathlib
import stat
import time
import unittest

import boto3

from case import HOME, MODEL, ModelApiTest, User, claims, make_token
from cairn_server import CairnServer, binary_from_environment


class Tokens(ModelApiTest):
    def test_bad_tokens(self):
        key, now = self.key(), int(time.time())
        good = make_token(key, claims())
        head, payload, signature = good.split(".")
        self.expect(200, User(self.url, good).get("/api/m"))
        bad = {
            "none": None, "empty": " ", "no dots": "x", "two parts": f"{head}.{payload}", "four parts": good + ".x",
            "no signature": f"{head}.{payload}.", "padding": good + "=", "cut": good[:-2], "long": "x" * 9000,
            "other key": make_token(b"k" * 32, claims()), "empty key": make_token(b"", claims()),
            "swapped payload": f"{head}.{make_token(key, claims(sub='bob')).split('.')[1]}.{signature}",
            "ended": make_token(key, claims(exp=now - 120)), "no end": make_token(key, {"iss": "cairn", "sub": "a"}),
            "end is text": make_token(key, claims(exp=str(now + 60))), "end is 1e400": make_token(
                key, b'{"iss":"cairn","sub":"a","exp":1e400}'),
            "not yet": make_token(key, claims(nbf=now + 600)), "no subject": make_token(key, {"iss": "cairn", "exp": now + 9}),
            "empty subject": make_token(key, claims(sub="")), "subject is a list": make_token(key, claims(sub=["alice"])),
            "other issuer": make_token(key, claims(iss="elsewhere")), "other audience": make_token(key, claims(aud="x")),
            "twice": make_token(key, b'{"iss":"cairn","sub":"bob","sub":"alice","exp":%d}' % (now + 60)),
            "deep": make_token(key, b'{"x":' + b"[" * 2000 + b"]" * 2000 + b"}"),
        }
        for algorithm in ("none", "None", "nONE", "HS384", "HS512", "RS256", "ES256", "hs256", ""):
            bad[f"alg {algorithm}"] = make_token(key, claims(), {"alg": algorithm, "typ": "JWT"})
        for member in ({"kid": "../../dev/null"}, {"jku": "http://127.0.0.1:1/"}, {"crit": ["exp"]}, {"typ": "id+jwt"}):
            bad[f"header {member}"] = make_token(key, claims(), {"alg": "HS256", **member})
        unsigned = json.dumps({"alg": "none"}).encode()
        bad["unsigned"] = make_token(key, claims(), unsigned).rsplit(".", 1)[0] + "."
        for what, token in bad.items():
            with self.subTest(what=what):
                reply = self.expect(401, User(self.url, token).get("/api/m"), "unauthenticated")
                self.assertTrue(reply.headers["WWW-Authenticate"].startswith("Bearer"))

    def test_other_schemes(self):
        nobody = User(self.url, None)
        good = self.alice.token
        for field in ("", "Basic YWxpY2U6eA==", good, f"Token {good}", "Bearer"):
            with self.subTest(field=field):
                self.expect(401, nobody.get("/api/m", authorization=field))
        self.expect(200, nobody.get("/api/m", authorization=f"bearer {good}"))

    def test_every_route_needs_a_token(self):
        nobody = User(self.url, None)
        for method, path in (("GET", "/api/m"), ("GET", HOME), ("GET", f"{HOME}/openapi.json"), ("POST", f"{HOME}/Job"),
                             ("GET", f"{HOME}/Settings"), ("GET", f"{HOME}/Job/x"), ("PUT", f"{HOME}/Job/x"),
                             ("PATCH", f"{HOME}/Job/x"), ("DELETE", f"{HOME}/Job/x"), ("GET", f"{HOME}/patterns/jobs"),
                             ("GET", f"{HOME}/Holiday/2026-01-01"), ("GET", "/api/m/nothing"), ("GET", f"{HOME}/Nothing/1")):
            with self.subTest(method=method, path=path):
                self.expect(401, nobody.send(method, path, {} if method in ("POST", "PUT", "PATCH") else None))

    def test_token_command(self):
        def token(*arguments):
            return self.server.command("token", "--data", self.server.data, *arguments)

        done = token("--sub", "zoe", "--claim", "tenantId=acme", "--claim", "role=a=b", "--for", "15m")
        self.assertEqual(done.code, 0, done)
        payload = done.stdout.split(".")[1]
        told = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        self.assertEqual((told["sub"], told["tenantId"], told["role"]), ("zoe", "acme", "a=b"))
        self.assertAlmostEqual(told["exp"] - told["iat"], 900, delta=1)
        for wrong in ((), ("--sub", ""), ("--sub", "a", "--for", "31d"), ("--sub", "a", "--for", "0m"),
                      ("--sub", "a", "--for", "5"), ("--sub", "a", "--for", "-5m"), ("--sub", "a", "--for", "5y"),
                      ("--sub", "a", "--claim", "sub=b"), ("--sub", "a", "--claim", "x"), ("--sub", "a", "--claim", "=x"),
                      ("--sub", "a", "--claim", "x=1", "--claim", "x=2"), ("--sub", "a", "--claim", "x=" + "y" * 5000)):
            with self.subTest(wrong=wrong):
                self.assertEqual(token(*wrong).code, 2, wrong)
        self.assertEqual(token("--sub", "a", "--for", "30d").code, 0)

    def test_key_file_is_for_its_owner(self):
        path = pathlib.Path(self.server.data, "signing.key")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(path.stat().st_size, 32)


class Owners(ModelApiTest):
    """Names that begin like another, and every operation on another's items."""

    def test_prefix_of_another_name(self):
        short, long = self.user("ann"), self.user("anna")
        jobs = {user: [self.job(user=user, title=f"{n}").body["jobId"] for n in range(3)] for user in (short, long)}
        for user in (short, long):
            for pattern in ("jobs", "everything"):
                items = self.expect(200, user.page(pattern, limit=20)).body["items"]
                self.assertEqual(sorted(item["jobId"] for item in items), sorted(jobs[user]))
            other = long if user is short else short
            self.expect(404, user.get(f"Job/{jobs[other][0]}"))

    def test_another_owners_items_do_not_exist(self):
        job = self.job(slug="mine", steps=["a"])
        path = job.headers["Location"]
        self.alice.post("Part", {"jobId": job.body["jobId"], "day": "2026-01-01", "number": 1})
        self.expect(404, self.bob.get(path), "not-found")
        self.expect(404, self.bob.get(path, if_none_match="*"))
        for condition in ("*", job.tag, '"9"'):
            self.expect(404, self.bob.patch(path, {"title": "stolen"}, if_match=condition))
            self.expect(404, self.bob.put(path, {"title": "stolen"}, if_match=condition))
            self.expect(404, self.bob.delete(path, if_match=condition))
        self.expect(404, self.bob.get(f"Part/{job.body['jobId']}/2026-01-01/1"))
        self.assertEqual(self.bob.page("partsBetween", jobId=job.body["jobId"], **{
            "from": "2025-01-01", "to": "2027-01-01"}).body["items"], [])
        self.assertEqual(self.alice.get(path).body, job.body)

    def test_owner_cannot_be_named(self):
        for body in ({"title": "x", "userId": "bob"}, {"title": "x", "userId": ["bob"]}, {"title": "x", "userId": "alice#"}):
            with self.subTest(body=body):
                self.assertIn(self.alice.post("Job", body).status, (404, 422))
        self.expect(201, self.alice.post("Job", {"title": "x", "userId": "alice"}))
        job = self.job()
        self.assertIn(self.alice.patch(job.headers["Location"], {"userId": "bob"}, if_match="*").status, (404, 422))
        self.assertIn(self.alice.put(job.headers["Location"], {"title": "x", "userId": "bob"}, if_match="*").status,
                      (404, 422))
        self.assertEqual(self.alice.get(job.headers["Location"]).body, job.body)
        self.assertEqual(self.bob.page("jobs").body["items"], [])

    def test_subject_that_cannot_stand_in_a_key(self):
        for subject in ("a#b", "#", "a\u0000b", "x" * 300, "a b"):
            with self.subTest(subject=subject):
                mallory = User(self.url, make_token(self.key(), claims(sub=subject)))
                self.assertGreaterEqual(mallory.post("Job", {"title": "x"}).status, 400)
                self.assertGreaterEqual(mallory.page("jobs").status, 400)
                self.assertEqual(mallory.get("Job/01ARZ3NDEKTSV4RRFFQ69G5FAV").status, 404)

    def test_what_belongs_to_nobody(self):
        dynamodb = boto3.client("dynamodb", endpoint_url=self.url, region_name="us-east-1", aws_access_key_id="x",
                                aws_secret_access_key="x")
        for pk, kind in (("HOLIDAY", "HOLIDAY"), ("AUDIT", "AUDIT")):
            dynamodb.put_item(TableName="Workshop-shared-dev", Item={
                "PK": {"S": pk}, "SK": {"S": "2026-01-01"}, "kind": {"S": kind}, "day": {"S": "2026-01-01"},
                "name": {"S": "New Year"}})
        self.assertEqual(self.expect(200, self.bob.get("Holiday/2026-01-01")).body["name"], "New Year")
        self.assertEqual(len(self.expect(200, self.bob.page("holidays")).body["items"]), 1)
        self.expect(404, self.bob.get("Audit/2026-01-01"))
        self.expect(404, self.bob.page("audits"))
        for entity in ("Holiday", "Audit"):
            self.expect(404, self.bob.post(entity, {"day": "2026-01-02", "name": "x"}))
            self.expect(404, self.bob.put(f"{entity}/2026-01-01", {"day": "2026-01-01", "name": "x"}))
            self.expect(404, self.bob.patch(f"{entity}/2026-01-01", {"name": "x"}))
            self.expect(404, self.bob.delete(f"{entity}/2026-01-01"))
        summary = self.bob.get(HOME).body
        self.assertIn("Holiday", [entity["name"] for entity in summary["entities"]])
        self.assertNotIn("Audit", [entity["name"] for entity in summary["entities"]])
        self.assertNotIn("audits", [pattern["name"] for pattern in summary["patterns"]])


class Starting(unittest.TestCase):
    """What `cairn serve` says of models and keys it cannot use."""

    def setUp(self):
        self.server = CairnServer(binary_from_environment())
        self.addCleanup(self.server.close)

    def serve(self, *flags):
        return self.server.command("serve", "--port", "0", "--data", self.server.data, *flags, timeout=20)

    def test_faults_in_a_model_are_printed(self):
        broken = pathlib.Path(self.server.data + ".toml")
        self.addCleanup(broken.unlink)
        broken.write_text(MODEL.read_text().replace('title  = { type = "string"', 'title  = { typ = "string"'))
        done = self.serve("--model", str(broken))
        self.assertEqual(done.code, 2, done)
        self.assertRegex(done.stderr, r"\.toml:\d+:\d+: error")
        self.assertEqual(self.serve("--model", "/nowhere.toml").code, 2)

    def test_two_models_of_one_name(self):
        done = self.serve("--model", str(MODEL), "--model", str(MODEL))
        self.assertEqual(done.code, 2, done)
        self.assertIn("workshop", done.stderr)

    def test_key_that_others_may_read(self):
        data = pathlib.Path(self.server.data)
        data.mkdir()
        key = data / "signing.key"
        key.write_bytes(b"k" * 32)
        key.chmod(0o644)
        done = self.serve()
        self.assertEqual(done.code, 1, done)
        self.assertIn("signing.key", done.stderr)
        key.chmod(0o600)
        key.write_bytes(b"k" * 31)
        self.assertEqual(self.serve().code, 1)


if __name__ == "__main__":
    unittest.main()
