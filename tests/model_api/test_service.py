"""The service as a whole: races, restarts, what DynamoDB clients see, descriptions, metrics, settings."""

import concurrent.futures
import json
import pathlib
import re
import unittest

import boto3

from case import HOME, MODEL, ModelApiTest, User
from cairn_server import ROOT, CairnServer, binary_from_environment


class Races(ModelApiTest):
    def at_once(self, count, work):
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            return list(pool.map(work, range(count)))

    def test_one_of_many_with_the_same_tag_wins(self):
        job = self.job()
        replies = self.at_once(32, lambda n: self.alice.patch(job.headers["Location"], {"rank": n}, if_match=job.tag))
        winners = [n for n, reply in enumerate(replies) if reply.status == 200]
        self.assertEqual(len(winners), 1, replies)
        self.assertEqual({reply.status for reply in replies}, {200, 412})
        self.assertEqual(self.alice.get(job.headers["Location"]).body["rank"], winners[0])
        self.assertEqual(self.alice.get(job.headers["Location"]).tag, '"2"')

    def test_all_of_many_without_a_tag_count(self):
        job = self.job()
        replies = self.at_once(16, lambda n: self.alice.patch(job.headers["Location"], {"rank": n}, if_match="*"))
        changed = [reply for reply in replies if reply.status == 200]
        self.assertEqual(len(changed), 16, replies)

    def test_one_of_many_takes_the_unique_value(self):
        replies = self.at_once(16, lambda n: self.alice.post("Job", {"title": str(n), "slug": "race"}))
        self.assertEqual(sorted(reply.status for reply in replies), [201] + [409] * 15)

    def test_one_of_many_creates(self):
        replies = self.at_once(16, lambda n: self.alice.post("Entry", {"number": 77, "amount": n}))
        self.assertEqual(sorted(reply.status for reply in replies), [201] + [409] * 15)
        replies = self.at_once(16, lambda n: self.alice.post("Receipt", {"number": "race", "total": n}))
        self.assertEqual(sorted(reply.status for reply in replies), [200] * 15 + [201])
        self.assertEqual(len({reply.raw for reply in replies}), 1)


class Durable(ModelApiTest):
    def test_everything_survives_a_kill(self):
        job = self.job(slug="kept", marks=["a", "b"])
        self.alice.patch(job.headers["Location"], {"rank": 9}, if_match=job.tag)
        before = self.alice.get(job.headers["Location"])
        self.stop(kill=True)
        self.server.start()
        after = self.expect(200, self.alice.get(job.headers["Location"]))
        self.assertEqual((after.raw, after.tag), (before.raw, before.tag))
        self.assertEqual(self.alice.page("jobsByState", state="OPEN").body["items"][0]["rank"], 9)
        self.expect(409, self.alice.post("Job", {"title": "x", "slug": "kept"}))

    def test_a_model_that_grew_gets_its_new_index(self):
        grown = pathlib.Path(self.server.data + "-grown.toml")
        self.addCleanup(grown.unlink)
        text = MODEL.read_text()
        text = text.replace('index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }',
                            'index.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }\n'
                            'index.GSI2 = { pk = "GSI2PK", sk = "GSI2SK" }', 1)
        text = text.replace('unique = [["userId", "slug"]]',
                            'index.GSI2 = { pk = "U#{userId}#SLUG", sk = "{slug}", when = "exists(slug)" }\n'
                            'unique = [["userId", "slug"]]', 1)
        text += '\n[pattern.bySlug]\non = "GSI2"\nquery = ["Job"]\npk = "U#{userId}#SLUG"\n'
        grown.write_text(text)
        self.stop()
        flags = self.server.flags
        try:
            self.server.flags = [str(grown) if flag == str(MODEL) else flag for flag in flags]
            self.server.start()
            self.job(slug="zz-new")
            slugs = [item["slug"] for item in self.expect(200, self.alice.page("bySlug")).body["items"]]
            self.assertIn("zz-new", slugs)
        finally:
            self.stop()
            self.server.flags = flags
            self.server.start()


class SeenByDynamoDb(ModelApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = boto3.resource("dynamodb", endpoint_url=cls.url, region_name="us-east-1", aws_access_key_id="x",
                                   aws_secret_access_key="x").Table("Workshop-dev")

    def test_items_have_the_keys_of_the_model(self):
        job = self.job(slug="seen", rank=12, price=2.5, marks=["b", "a"], pin="1234").body
        item = self.table.get_item(Key={"PK": "U#alice", "SK": f"JOB#{job['jobId']}"})["Item"]
        self.assertEqual((item["GSI1PK"], item["GSI1SK"]), ("U#alice#STATE#OPEN", f"0012#{job['jobId']}"))
        self.assertEqual((item["kind"], str(item["p"]), item["marks"], item["pin"]), ("JOB", "2.5", {"a", "b"}, "1234"))
        self.assertNotIn("userId", item)
        self.assertNotIn("price", item)
        guard = self.table.get_item(Key={"PK": "U#alice#UNIQUE#Job#seen", "SK": "UNIQUE"})
        self.assertIn("Item", guard)
        self.alice.patch(f"Job/{job['jobId']}", {"state": "DONE"}, if_match="*")
        item = self.table.get_item(Key={"PK": "U#alice", "SK": f"JOB#{job['jobId']}"})["Item"]
        self.assertNotIn("GSI1PK", item)
        self.assertNotIn("GSI1SK", item)

    def test_time_to_live_is_set(self):
        self.alice.post("Stamp", {"name": "t", "until": "2090-01-01T00:00:00Z"})
        item = self.table.get_item(Key={"PK": "U#alice", "SK": "STAMP#t"})["Item"]
        self.assertEqual(int(item["ttl"]), 3786912000)
        client = self.table.meta.client
        described = client.describe_time_to_live(TableName="Workshop-dev")["TimeToLiveDescription"]
        self.assertEqual((described["TimeToLiveStatus"], described["AttributeName"]), ("ENABLED", "ttl"))

    def test_items_written_elsewhere_are_served(self):
        self.table.put_item(Item={"PK": "U#alice", "SK": "WISH#boat", "kind": "WISH", "name": "boat", "note": "by boto3",
                                  "stranger": "not in the model"})
        body = self.expect(200, self.alice.get("Wish/boat")).body
        self.assertEqual((body["note"], body["userId"]), ("by boto3", "alice"))
        self.assertNotIn("stranger", body)


class Described(ModelApiTest):
    def test_list_and_summary(self):
        models = self.expect(200, self.alice.get("/api/m")).body["models"]
        self.assertEqual([(model["name"], model["href"]) for model in models], [("workshop", HOME)])
        summary = self.expect(200, self.alice.get(HOME)).body
        entities = {entity["name"]: entity for entity in summary["entities"]}
        self.assertEqual(entities["Part"]["key"], ["jobId", "day", "number"])
        self.assertEqual(entities["Settings"]["key"], [])
        patterns = {pattern["name"]: pattern for pattern in summary["patterns"]}
        self.assertEqual([parameter["name"] for parameter in patterns["partsBetween"]["parameters"]],
                         ["jobId", "from", "to"])
        self.assertEqual(patterns["everything"]["parameters"], [])

    def test_openapi_describes_what_is_served(self):
        document = json.loads(self.expect(200, self.alice.get(f"{HOME}/openapi.json")).raw)
        self.assertEqual(document["openapi"], "3.1.0")
        exported = self.server.command("model", "export", str(MODEL), "--to", "openapi")
        self.assertEqual(json.loads(exported.stdout), document)

        def resolve(reference):
            place = document
            for part in reference.removeprefix("#/").split("/"):
                place = place[part.replace("~1", "/").replace("~0", "~")]
            return place

        def walk(node):
            if isinstance(node, dict):
                if "$ref" in node:
                    resolve(node["$ref"])
                for value in node.values():
                    walk(value)
            elif isinstance(node, list):
                for value in node:
                    walk(value)

        walk(document)
        for path, item in document["paths"].items():
            declared = {parameter["name"] for parameter in item.get("parameters", []) if parameter["in"] == "path"}
            self.assertEqual(declared, set(re.findall(r"{(\w+)}", path)), path)
            # What is described is served: no address and method of the document is unknown to the server.
            for method in set(item) - {"parameters"}:
                sent = re.sub(r"{\w+}", "x", path)
                body = {} if method in ("post", "put", "patch") else None
                self.assertNotIn(self.alice.send(method.upper(), sent, body).status, (405, 415, 500), (method, path))

    def test_answers_fit_their_schema(self):
        document = json.loads(self.alice.get(f"{HOME}/openapi.json").raw)
        schema = document["components"]["schemas"]["Job"]
        body = self.job(slug="fits", marks=["a"], place={"street": "s"}, due=None, pin="1234").body
        self.assertLessEqual(set(body), set(schema["properties"]))
        self.assertLessEqual(set(schema["required"]), set(body))


class EveryModel(unittest.TestCase):
    """The models of the repository, all served at once: every operation of their descriptions answers."""

    HOSTILE = ("x", "a%23b", "%F0%9F%98%80", "-1", "9" * 200, "2026-01-01", "..", "%22")

    def test_every_operation_answers(self):
        files = sorted(ROOT.glob("models/*.toml")) + sorted(ROOT.glob("examples/*/*.toml"))
        server = CairnServer(binary_from_environment(),
                             flags=["--user-requests-per-second", "0",
                                    *(part for file in files for part in ("--model", str(file)))])
        self.addCleanup(server.close)
        server.start()
        claims = ("--claim", "tenantId=acme", "--claim", "orgId=acme")
        token = server.command("token", "--sub", "alice", *claims, "--data", server.data).stdout.strip()
        alice = User(server.url, token)
        models = alice.get("/api/m").body["models"]
        self.assertEqual(len(models), len(files))
        for model in models:
            for path, item in json.loads(alice.get(model["href"] + "/openapi.json").raw)["paths"].items():
                for method, operation in item.items():
                    if method != "parameters":
                        self.try_operation(alice, method.upper(), path, operation)
        self.assertTrue(server.running(), server.stderr())

    def try_operation(self, user, method, path, operation):
        for text in self.HOSTILE:
            address = re.sub(r"{\w+}", text, path)
            names = [parameter["name"] for parameter in operation.get("parameters", []) if parameter.get("in") == "query"]
            address += "?" + "&".join(f"{name}={text}" for name in names if name != "limit") if names else ""
            for body in ({}, {"x": text}) if method in ("POST", "PUT", "PATCH") else (None,):
                reply = user.send(method, address, body, {"If-Match": "*"} if method in ("PUT", "PATCH", "DELETE") else {})
                self.assertNotIn(reply.status, (405, 415, 428), (method, address, reply))
                self.assertLess(reply.status, 500, (method, address, reply))


class Settings(ModelApiTest):
    flags = ("--stage", "prod")

    def test_stage_names_the_tables(self):
        client = boto3.client("dynamodb", endpoint_url=self.url, region_name="us-east-1", aws_access_key_id="x",
                              aws_secret_access_key="x")
        self.assertEqual(client.list_tables()["TableNames"], ["CairnModels", "Workshop-prod", "Workshop-shared-prod"])

    def test_metrics(self):
        before = self.metrics()
        self.job()
        self.alice.page("jobs")
        after = self.metrics()
        self.assertGreater(after['cairn_model_store_calls_total{operation="Query"}'],
                           before['cairn_model_store_calls_total{operation="Query"}'])
        self.assertEqual(after["cairn_request_scans_total"], 0)
        client = boto3.client("dynamodb", endpoint_url=self.url, region_name="us-east-1", aws_access_key_id="x",
                              aws_secret_access_key="x")
        client.scan(TableName="Workshop-prod")  # not a request of a model
        self.assertEqual(self.metrics()["cairn_request_scans_total"], 0)

    def test_health(self):
        self.assertEqual(User(self.url, None).get("/healthz").body, {"status": "ok"})


class ConfigFile(unittest.TestCase):
    def test_models_in_the_config_file(self):
        server = CairnServer(binary_from_environment())
        self.addCleanup(server.close)
        config = pathlib.Path(server.data + ".config")
        self.addCleanup(config.unlink)
        config.write_text(f'model = ["{MODEL}"]\nstage = "cfg"\n')
        server.flags = ["--config", str(config)]
        server.start()
        token = server.command("token", "--sub", "a", "--data", server.data).stdout.strip()
        self.assertEqual(User(server.url, token).get("/api/m").body["models"][0]["name"], "workshop")


if __name__ == "__main__":
    unittest.main()
