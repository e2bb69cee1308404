"""A model that changes over stored items, as a designer meets it: refused with what to do, filled in the background,
put right by `cairn model verify --repair`; and stored rubbish, which is named as damaged."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from case import CairnServer, User, binary_from_environment
from cairn_server import StartFailed
from wait import wait_until

HEAD = """format = "cairn-model/1"
name = "shop"
[enum]
Status = ["OPEN", "PAID"]
[table.main]
name = "shop-{stage}"
pk = "%(pk)s"
sk = "SK"
type_attr = "kind"
tenant = { param = "shopId", leading = "SHOP#{shopId}", claim = "sub" }
lock = { version = "version" }
index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK"%(project)s }
%(tables)s
[table.main.common]
shopId = "id!"
[entity.Order]
type = "%(type)s"
pk = "SHOP#{shopId}"
sk = "%(sk)s"
index.GSI1 = { pk = "SHOP#{shopId}#STATUS#{status}", sk = "{orderId}" }
%(rules)s
[entity.Order.attr]
orderId = "id!"
email = "email!"
status = { type = "enum:Status", default = "OPEN" }
qty = { type = "int", min = 0, max = 999 }
[pattern.orders]
query = ["Order"]
pk = "SHOP#{shopId}"
sk.begins = "%(begin)s"
[pattern.byStatus]
on = "GSI1"
query = ["Order"]
pk = "SHOP#{shopId}#STATUS#{status}"
%(patterns)s
"""
PLAIN = {"type": "ORDER", "sk": "ORDER#{orderId}", "begin": "ORDER#", "rules": "", "tables": "", "patterns": "",
         "project": "", "pk": "PK"}
BY_EMAIL = {"tables": 'index.GSI2 = { pk = "GSI2PK", sk = "GSI2SK" }',
            "rules": 'index.GSI2 = { pk = "SHOP#{shopId}#MAIL#{email}", sk = "{orderId}" }',
            "patterns": '[pattern.byEmail]\non = "GSI2"\nquery = ["Order"]\npk = "SHOP#{shopId}#MAIL#{email}"\n'}


class ModelChangeTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="cairn-change-")
        self.addCleanup(scratch.cleanup)
        self.model = pathlib.Path(scratch.name, "shop.toml")
        self.scratch = pathlib.Path(scratch.name)
        self.server = CairnServer(binary_from_environment(), flags=["--model", str(self.model)])
        self.addCleanup(self.server.close)
        self.write()
        self.start()

    def write(self, **changes):
        self.model.write_text(HEAD % {**PLAIN, **changes})

    def start(self, test_points=""):
        self.server.start(test_points=test_points)
        made = self.server.command("token", "--sub", "s1", "--data", self.server.data)
        self.shop = User(self.server.url, made.stdout.strip())

    def serve(self, test_points="", **changes):
        """Ends the server and starts it with a changed model."""
        if self.server.running():
            self.server.terminate()
        self.write(**changes)
        self.start(test_points)

    def refused(self, **changes):
        with self.assertRaises(StartFailed) as failed:
            self.serve(**changes)
        return str(failed.exception)

    def verify(self, *flags):
        return self.server.command("model", "verify", str(self.model), "--data", self.server.data, *flags)

    def order(self, order_id, **values):
        reply = self.shop.post("/api/m/shop/Order", {"orderId": order_id, "email": f"{order_id}@example.org", **values})
        self.assertEqual(reply.status, 201, reply)

    def ids(self, pattern, **parameters):
        query = "&".join(f"{name}={value}" for name, value in parameters.items())
        reply = self.shop.get(f"/api/m/shop/patterns/{pattern}?{query}")
        return [item["orderId"] for item in reply.body["items"]] if reply.status == 200 else reply.status

    def store(self, operation, body):
        """The DynamoDB protocol: what other programs do to the items."""
        done = subprocess.run(
            ["curl", "-sS", self.server.url, "-H", f"X-Amz-Target: DynamoDB_20120810.{operation}",
             "-H", "Content-Type: application/x-amz-json-1.0", "-H",
             "Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, "
             "SignedHeaders=host;x-amz-date, Signature=" + "0" * 64, "-H", "X-Amz-Date: 20260101T000000Z", "-d", json.dumps({"TableName": "shop-dev", **body})],
            capture_output=True, text=True, check=True, timeout=60)
        answer = json.loads(done.stdout)
        self.assertNotIn("__type", answer)
        return answer

    def test_changed_type_is_refused_with_what_to_do_and_repaired(self):
        self.order("1")
        said = self.refused(type="ORD")
        self.assertIn('the type of Order was "ORDER" and is "ORD"', said)
        self.assertIn("model verify", said)
        self.assertIn("--accept-model-change", said)
        self.serve()
        self.assertEqual(self.ids("orders"), ["1"])
        self.refused(type="ORD")
        self.assertEqual(self.verify("--repair").code, 0)
        self.serve(type="ORD")
        self.assertEqual((self.ids("orders"), self.ids("byStatus", status="OPEN")), (["1"], ["1"]))
        self.server.terminate()
        self.assertEqual(self.verify().code, 0)

    def test_changed_sort_key_is_refused_and_repaired_with_its_guards(self):
        unique = {"rules": 'unique = [["shopId", "email"]]'}
        self.serve(**unique)
        self.order("1")
        changed = {**unique, "sk": "BUY#{orderId}", "begin": "BUY#"}
        self.assertIn('sk of Order was "ORDER#{orderId}" and is "BUY#{orderId}"', self.refused(**changed))
        done = self.verify("--repair")
        self.assertEqual(done.code, 0, done)
        self.serve(**changed)
        self.assertEqual(self.ids("orders"), ["1"])
        reply = self.shop.post("/api/m/shop/Order", {"orderId": "2", "email": "1@example.org"})
        self.assertEqual(reply.status, 409, reply)

    def test_accepted_change_is_served_and_remembered(self):
        self.order("1")
        self.refused(type="ORD")
        self.server.flags.append("--accept-model-change")
        self.start()
        self.assertEqual(self.ids("orders"), [])
        self.server.terminate()
        self.server.flags.remove("--accept-model-change")
        self.start()

    def test_new_index_is_filled_also_after_a_crash(self):
        for number in range(5):
            self.order(str(number))
        self.serve(test_points="model.fill=1:hold", **BY_EMAIL)
        self.server.await_point("model.fill")
        self.assertEqual(self.ids("byEmail", email="3@example.org"), 503)
        self.assertEqual(len(self.ids("byStatus", status="OPEN")), 5)
        self.server.kill()
        self.start(test_points="model.fill=1:hold")
        self.server.await_point("model.fill")
        self.assertEqual(self.ids("byEmail", email="3@example.org"), 503)
        self.server.let_go("model.fill")
        wait_until(lambda: self.ids("byEmail", email="3@example.org") == ["3"], 60, "the index")
        metrics = User(self.server.url, None).get("/metrics").raw.decode()
        self.assertIn("\ncairn_model_fills_unfinished 0\n", metrics)
        self.assertIn("\ncairn_model_fill_repaired_total 5\n", metrics)
        self.server.terminate()
        self.assertEqual(self.verify().code, 0)
        self.start()
        self.assertNotIn("cairn_model_fills_unfinished", User(self.server.url, None).get("/metrics").raw.decode())

    def test_projection_of_an_index_may_change(self):
        self.order("1", qty=3)
        self.serve(project=', project = ["qty"]')
        reply = self.shop.get("/api/m/shop/patterns/byStatus?status=OPEN")
        self.assertEqual([(item["orderId"] if "orderId" in item else None, item["qty"])
                          for item in reply.body["items"]], [(None, 3)], reply)
        self.serve(project=', project = ["qty", "orderId"]')
        self.assertEqual(self.ids("byStatus", status="OPEN"), ["1"])

    def test_unique_over_stored_items_needs_guards(self):
        self.order("1")
        self.order("2", email="1@example.org")
        unique = {"rules": 'unique = [["shopId", "email"]]'}
        self.assertIn("must be unique and has no guard", self.refused(**unique))
        done = self.verify("--repair")
        self.assertEqual(done.code, 1, done)
        self.assertIn("must be unique, and SHOP#s1 / ORDER#", done.stdout)
        self.assertIn("must be unique and is not", self.refused(**unique))

    def test_verify_finds_guards_versions_and_other_keys(self):
        unique = {"rules": 'unique = [["shopId", "email"]]'}
        self.serve(**unique)
        self.order("1")
        self.order("2")
        items = self.store("Scan", {})["Items"]
        guards = [item for item in items if "guardOf" in item]
        self.assertEqual(len(guards), 2)
        first, second = sorted(guards, key=lambda guard: guard["guardOf"]["S"])
        self.store("DeleteItem", {"Key": {name: first[name] for name in ("PK", "SK")}})
        self.store("DeleteItem", {"Key": {"PK": {"S": "SHOP#s1"}, "SK": {"S": "ORDER#2"}}})
        self.store("UpdateItem", {"Key": {"PK": {"S": "SHOP#s1"}, "SK": {"S": "ORDER#1"}},
                                  "UpdateExpression": "REMOVE version"})
        self.server.terminate()
        done = self.verify()
        self.assertEqual(done.code, 1, done)
        self.assertIn("version is missing", done.stdout)
        self.assertIn(f"its guard {first['PK']['S']} / {first['SK']['S']} is missing", done.stdout)
        self.assertIn("guards a value of SHOP#s1 / ORDER#2, which does not have it", done.stdout)
        self.assertIn("3 findings", done.stdout)
        self.assertEqual(self.verify("--repair").code, 0)
        self.assertEqual(self.verify().code, 0)
        self.write(pk="HASH", **unique)
        done = self.verify()
        self.assertEqual((done.code, done.stdout), (1, ""), done)
        self.assertIn("does not fit the model: its primary key is another", done.stderr)

    def test_stored_rubbish_is_named_as_damaged(self):
        self.order("1")
        self.order("2")
        self.store("UpdateItem", {"Key": {"PK": {"S": "SHOP#s1"}, "SK": {"S": "ORDER#1"}},
                                  "UpdateExpression": "SET qty = :q, #s = :s REMOVE email",
                                  "ExpressionAttributeNames": {"#s": "status"},
                                  "ExpressionAttributeValues": {":q": {"S": "three"}, ":s": {"S": "LOST"}}})
        reply = self.shop.get("/api/m/shop/Order/1")
        self.assertEqual((reply.status, reply.body["code"]), (500, "damaged"), reply)
        self.assertEqual(sorted(reply.fields()), ["email", "qty", "status"])
        page = self.shop.get("/api/m/shop/patterns/orders").body["items"]
        self.assertEqual(page[0]["$key"], {"orderId": "1"})
        self.assertEqual(sorted(error["field"] for error in page[0]["$damaged"]), ["email", "qty", "status"])
        self.assertEqual(page[1]["orderId"], "2")
        mended = self.shop.patch("/api/m/shop/Order/1", {"qty": 3, "status": "PAID", "email": "a@example.org"},
                                 if_match="*")
        self.assertEqual(mended.status, 200, mended)
        self.assertEqual(self.shop.get("/api/m/shop/Order/1").status, 200)

    def test_an_unknown_member_hides_no_other_error(self):
        for method, path in (("POST", "Order"), ("PUT", "Order/1")):
            if method == "PUT":
                self.order("1")
            reply = self.shop.send(method, f"/api/m/shop/{path}", {"orderId": "1", "colour": "red", "qty": -1},
                                   {"If-Match": "*"} if method == "PUT" else {})
            self.assertEqual(reply.status, 422, reply)
            self.assertEqual(sorted(reply.fields()), ["colour", "email", "qty"], reply)
        reply = self.shop.patch("/api/m/shop/Order/1", {"colour": "red", "qty": 1000}, if_match="*")
        self.assertEqual(sorted(reply.fields()), ["colour", "qty"], reply)

    def test_put_and_patch_keep_defaults_and_the_index(self):
        self.order("1", status="PAID")
        replaced = self.shop.put("/api/m/shop/Order/1", {"email": "a@example.org"}, if_match="*")
        self.assertEqual((replaced.status, replaced.body["status"]), (200, "OPEN"), replaced)
        self.assertEqual(self.ids("byStatus", status="OPEN"), ["1"])
        self.shop.patch("/api/m/shop/Order/1", {"status": "PAID"}, if_match="*")
        self.assertEqual(self.ids("byStatus", status="OPEN"), [])
        patched = self.shop.patch("/api/m/shop/Order/1", {"status": None}, if_match="*")
        self.assertEqual((patched.status, patched.body["status"]), (200, "OPEN"), patched)
        self.assertEqual(self.ids("byStatus", status="OPEN"), ["1"])


class Memory(unittest.TestCase):
    def test_a_server_in_memory_takes_tokens_of_a_key_directory(self):
        with tempfile.TemporaryDirectory(prefix="cairn-change-") as scratch:
            model, keys = pathlib.Path(scratch, "shop.toml"), pathlib.Path(scratch, "keys")
            model.write_text(HEAD % PLAIN)
            flags = ["--memory", "--model", str(model), "--key-directory", str(keys)]
            with CairnServer(binary_from_environment(), flags=flags) as server:
                token = server.command("token", "--sub", "s1", "--data", str(keys)).stdout.strip()
                user = User(server.url, token)
                self.assertEqual(user.post("/api/m/shop/Order", {"orderId": "1", "email": "a@example.org"}).status, 201)
                self.assertNotIn("/memory", server.stderr())
                self.assertNotIn("error", server.stderr())

    def test_a_data_directory_has_its_own_key(self):
        server = CairnServer(binary_from_environment(), flags=["--key-directory", "keys"])
        self.addCleanup(server.close)
        self.assertRaises(StartFailed, server.start)
        self.assertIn("--key-directory goes with --memory", server.stderr())


if __name__ == "__main__":
    unittest.main()
