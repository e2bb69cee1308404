"""The personal operating system's own query examples, run with boto3 as its document prints them, against items that
were created through the model; and `cairn model verify` on what they left."""

import datetime
import json
import os
import pathlib
import sys
import unittest
import urllib.request

import boto3
from boto3.dynamodb.conditions import Key

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from fixture.cairn_server import DEFAULT_BINARY, ROOT, CairnServer  # noqa: E402

MODEL = str(ROOT / "models" / "personal-os.toml")


class SourceQueries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = CairnServer(os.environ.get("CAIRN_BINARY", DEFAULT_BINARY), flags=["--model", MODEL]).start()
        cls.addClassCleanup(cls.server.close)
        cls.resource = boto3.resource("dynamodb", endpoint_url=cls.server.url, region_name="local",
                                      aws_access_key_id="x", aws_secret_access_key="x")
        cls.table = cls.resource.Table("personal-os-dev")
        cls.tokens = {}

    @classmethod
    def token(cls, user):
        if user not in cls.tokens:
            done = cls.server.command("token", "--sub", user, "--data", cls.server.data)
            assert done.code == 0, done.stderr
            cls.tokens[user] = done.stdout.strip()
        return cls.tokens[user]

    def create(self, user, entity, **values):
        request = urllib.request.Request(f"{self.server.url}/api/m/personal-os/{entity}", method="POST",
                                         data=json.dumps(values).encode(),
                                         headers={"Authorization": f"Bearer {self.token(user)}",
                                                  "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            self.assertEqual(response.status, 201)
            return json.load(response)

    def test_list_users_tasks(self):
        user_id = "lists-tasks"
        for title in ("one", "two", "three"):
            self.create(user_id, "Task", title=title)
        self.create(user_id, "Goal", title="not a task", status="Planning")
        response = self.table.query(
            KeyConditionExpression=Key('pk').eq(f'USER#{user_id}') & Key('sk').begins_with('TASK#')
        )
        tasks = response['Items']
        self.assertEqual({task["title"] for task in tasks}, {"one", "two", "three"})
        for task in tasks:
            self.assertEqual(task["entityType"], "TASK")
            self.assertEqual(task["sk"], f"TASK#{task['id']}")
            self.assertEqual(task["userId"], user_id)

    def test_tasks_by_status_on_gsi1(self):
        first = self.create("by-status", "Task", title="first", status="InProgress", area="Wealth")
        second = self.create("by-status", "Task", title="second", status="InProgress")
        self.create("by-status", "Task", title="done", status="Done")
        response = self.table.query(
            IndexName='GSI1',
            KeyConditionExpression=Key('gsi1pk').eq('TASK') & Key('gsi1sk').begins_with('InProgress#')
        )
        mine = [task for task in response["Items"] if task["userId"] == "by-status"]
        self.assertEqual([task["gsi1sk"] for task in mine], sorted(task["gsi1sk"] for task in mine))
        found = {task["title"]: task for task in mine}
        self.assertEqual(set(found), {"first", "second"})
        self.assertEqual(found["first"]["gsi1sk"], f"InProgress#{first['createdAt']}")
        self.assertEqual(found["first"]["gsi2pk"], "Wealth")
        self.assertEqual(found["first"]["gsi2sk"], f"TASK#{first['createdAt']}")
        self.assertNotIn("gsi2pk", found["second"], second)

    def test_a_goals_linked_tasks(self):
        goal_id = self.create("links", "Goal", title="goal", status="Active")["id"]
        tasks = [self.create("links", "Task", title=f"t{i}", goalIds=[goal_id])["id"] for i in range(3)]
        self.create("links", "Task", title="elsewhere")
        response = self.table.query(
            KeyConditionExpression=Key('pk').eq(f'GOAL#{goal_id}') & Key('sk').begins_with('TASK#')
        )
        linked_task_ids = [item['sk'].replace('TASK#', '') for item in response['Items']]
        self.assertEqual(sorted(linked_task_ids), sorted(tasks))

    def test_metric_logs_in_a_time_range(self):
        metric_id = self.create("logs", "Metric", name="steps", unit="count")["id"]
        for day in (9, 10, 11, 12):
            self.create("logs", "MetricLog", metricId=metric_id, value=1000 * day,
                        loggedAt=f"2026-01-{day:02d}T18:00:00Z")
        start_date, end_date = "2026-01-10", "2026-01-12"
        response = self.table.query(
            KeyConditionExpression=Key('pk').eq(f'METRIC#{metric_id}') &
                                   Key('sk').between(f'LOG#{start_date}', f'LOG#{end_date}')
        )
        logs = response['Items']
        # As the document's own query has it, the last day is cut off: its keys sort behind the bare date.
        self.assertEqual([int(log["value"]) for log in logs], [10000, 11000])
        # The model's pattern treats the last day as inside.
        request = urllib.request.Request(
            f"{self.server.url}/api/m/personal-os/patterns/metricLogRange?metricId={metric_id}"
            f"&from={start_date}&to={end_date}", headers={"Authorization": f"Bearer {self.token('logs')}"})
        with urllib.request.urlopen(request) as answer:
            self.assertEqual([item["value"] for item in json.load(answer)["items"]], [10000, 11000, 12000])

    def test_verify_finds_and_repairs_a_stale_index_key(self):
        server = CairnServer(os.environ.get("CAIRN_BINARY", DEFAULT_BINARY), flags=["--model", MODEL])
        self.addCleanup(server.close)
        server.start()
        table = boto3.resource("dynamodb", endpoint_url=server.url, region_name="local", aws_access_key_id="x",
                               aws_secret_access_key="x").Table("personal-os-dev")
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        good = {"pk": "USER#u", "sk": "TASK#t1", "entityType": "TASK", "id": "t1", "title": "t", "userId": "u",
                "status": "Done", "createdAt": now, "updatedAt": now, "gsi1pk": "TASK", "gsi1sk": f"Done#{now}"}
        table.put_item(Item=good)
        table.put_item(Item={**good, "sk": "TASK#t2", "id": "t2", "gsi1sk": f"Blocked#{now}"})
        table.put_item(Item={**good, "sk": "TASK#t3", "id": "t3", "status": "Nonsense"})
        table.put_item(Item={"pk": "USER#u", "sk": "WHAT#1", "entityType": "WHAT"})
        self.assertEqual(server.terminate(), 0)
        found = server.command("model", "verify", MODEL, "--data", server.data)
        self.assertEqual(found.code, 1, found.stdout + found.stderr)
        self.assertIn(f"USER#u / TASK#t2: Task gsi1sk is stale: should be Done#{now}", found.stdout)
        self.assertIn("USER#u / TASK#t3: Task status must be one of", found.stdout)
        self.assertIn("USER#u / WHAT#1: entityType no entity of the model has the type WHAT", found.stdout)
        self.assertNotIn("TASK#t1", found.stdout)
        repaired = server.command("model", "verify", MODEL, "--data", server.data, "--repair")
        self.assertEqual(repaired.code, 1, repaired.stdout)
        self.assertIn("repaired", repaired.stdout)
        again = server.command("model", "verify", MODEL, "--data", server.data)
        self.assertNotIn("TASK#t2", again.stdout)
        server.start()
        self.assertEqual(table.get_item(Key={"pk": "USER#u", "sk": "TASK#t2"})["Item"]["gsi1sk"], f"Done#{now}")


if __name__ == "__main__":
    unittest.main()
