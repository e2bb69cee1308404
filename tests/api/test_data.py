"""/api/data: the stored items behind what a user sees, their own and nobody else's. boto3 tells what is stored."""

from case import ApiTest

import tables

PARTITIONS, ITEMS = "/api/data/partitions", "/api/data/items"


class DataTest(ApiTest):
    def starts(self, user):
        """Partitions to begin with, by label."""
        items = self.expect(200, user.get(PARTITIONS)).body["items"]
        return {item["label"]: item for item in items}

    def read(self, user, place, **more):
        """One page of a partition: of a starting one, or of a link."""
        return self.expect(200, user.get(ITEMS, {"table": place["table"], "partition": place["partition"], **more})).body

    def read_all(self, user, place, limit=100):
        items, page = [], {}
        while True:
            page = self.read(user, place, limit=limit, **({"cursor": page["nextCursor"]} if page else {}))
            items += page["items"]
            if "nextCursor" not in page:
                return items

    def stored(self, place):
        """The same partition as a DynamoDB client reads it."""
        found, start = [], {}
        while True:
            page = self.dynamodb().query(
                TableName=place["table"], KeyConditionExpression="PK = :pk", ConsistentRead=True,
                ExpressionAttributeValues=tables.values(pk=place["partition"]), **start)
            found += page["Items"]
            if "LastEvaluatedKey" not in page:
                return found
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def of(self, items, entity):
        return [item for item in items if item.get("entity") == entity]


class Looking(DataTest):
    """A user with demo data, at the items behind it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ada = cls.account("ada@example.org")
        cls.ada_id = cls.ada.get("/api/auth/me").body["userId"]
        assert cls.ada.post("/api/values/demo", idempotency_key="k").status == 200
        assert cls.ada.post("/api/nexus/tasks", {"title": "one"}).status == 201

    def test_where_to_begin(self):
        starts = self.starts(self.ada)
        self.assertEqual({label: (start["model"], start["table"]) for label, start in starts.items()}, {
            "Account and sessions": ("platform", "CairnIdentity"),
            "Receipts of requests": ("platform", "CairnReceipts"),
            "Log of the tree, tags, settings, list of days": ("values", "App"),
            "Current tree": ("values", "App"),
            "Today's plan": ("values", "App"),
            "Log of today's plan": ("values", "App"),
            "Calendar, tasks, reminders, notes": ("nexus", "ProductivityData")})
        for label, start in starts.items():
            with self.subTest(label=label):
                self.assertIn(self.ada_id, start["partition"])
                self.assertTrue(self.read(self.ada, start)["items"])

    def test_items_are_what_is_stored(self):
        for label, start in self.starts(self.ada).items():
            with self.subTest(label=label):
                shown = [{**item["keys"], **item["attributes"]} for item in self.read_all(self.ada, start)]
                stored = [{name: value for name, value in item.items() if name != "passwordHash"}
                          for item in self.stored(start)]
                self.assertEqual(shown, stored)

    def test_every_item_has_the_models_own_name(self):
        starts = self.starts(self.ada)
        named = {label: {item["entity"] for item in self.read_all(self.ada, start)} for label, start in starts.items()}
        self.assertEqual(named["Current tree"], {"ValuesNode", "ValuesEdge"})
        self.assertEqual(named["Today's plan"], {"PlanTodo", "PlanBlock"})
        self.assertEqual(named["Log of today's plan"], {"PlanHead", "PlanRev"})
        self.assertEqual(named["Account and sessions"], {"User", "Session", "AuditEntry"})
        self.assertEqual(named["Receipts of requests"], {"Receipt"})
        page = self.read(self.ada, starts["Current tree"])
        self.assertEqual({entity["name"]: (entity["pk"], entity["sk"]) for entity in page["entities"]}["ValuesEdge"],
                         ("U#{userId}#VALUES#{revId}", "EDGE#{parentNodeId}#{order:06d}#{childNodeId}"))
        self.assertTrue(all(entity["doc"] for entity in page["entities"]))

    def test_links_lead_from_the_head_to_its_snapshot(self):
        starts = self.starts(self.ada)
        root = self.read_all(self.ada, starts["Log of the tree, tags, settings, list of days"])
        head, = self.of(root, "ValuesHead")
        link, = head["links"]
        self.assertEqual((link["table"], link["partition"]), ("App", starts["Current tree"]["partition"]))
        self.assertEqual(link["entities"], ["ValuesNode", "ValuesEdge", "ValuesPack"])
        plan_head, = self.of(self.read_all(self.ada, starts["Log of today's plan"]), "PlanHead")
        self.assertEqual([link["partition"] for link in plan_head["links"]], [starts["Today's plan"]["partition"]])

    def test_links_lead_to_something(self):
        """Every revision and every day to its own partition, none into the void; and back to where they came from."""
        root_start = self.starts(self.ada)["Log of the tree, tags, settings, list of days"]
        root = self.read_all(self.ada, root_start)
        for entity in ("ValuesRev", "PlanDay"):
            items = self.of(root, entity)
            self.assertGreater(len(items), 10)
            for item in items[:5]:
                link, = item["links"]
                page = self.read(self.ada, link)
                self.assertTrue(page["items"], link)
                self.assertEqual([parent["partition"] for parent in page["parents"]], [root_start["partition"]])
        day = self.read(self.ada, self.of(root, "PlanDay")[0]["links"][0])
        revision = self.of(day["items"], "PlanRev")[0]
        link, = revision["links"]
        snapshot = self.read(self.ada, link)
        self.assertTrue({item["entity"] for item in snapshot["items"]} <= {"PlanTodo", "PlanBlock"})
        self.assertEqual([parent["partition"] for parent in snapshot["parents"]],
                         [root_start["partition"], day["partition"]])

    def test_secrets_are_named_and_not_shown(self):
        start = self.starts(self.ada)["Account and sessions"]
        user, = self.of(self.read_all(self.ada, start), "User")
        self.assertEqual(user["hidden"], ["passwordHash"])
        self.assertNotIn("passwordHash", user["attributes"])
        secret, = [item["passwordHash"]["S"] for item in self.stored(start) if "passwordHash" in item]
        self.assertNotIn(secret, str(self.read_all(self.ada, start)))
        self.assertNotIn("argon2", str(self.read_all(self.ada, start)))

    def test_pages(self):
        start = self.starts(self.ada)["Current tree"]
        whole = self.read_all(self.ada, start)
        self.assertGreater(len(whole), 20)
        for limit in (1, 7, len(whole), 100):
            with self.subTest(limit=limit):
                self.assertEqual(self.read_all(self.ada, start, limit), whole)
        self.assertEqual(len(self.read(self.ada, start)["items"]), min(50, len(whole)))

    def test_cursors_belong_to_one_partition_and_one_user(self):
        starts = self.starts(self.ada)
        tree, root = starts["Current tree"], starts["Log of the tree, tags, settings, list of days"]
        cursor = self.read(self.ada, tree, limit=1)["nextCursor"]
        wrong = [{**root, "cursor": cursor}, {**tree, "cursor": cursor[:-2]}, {**tree, "cursor": "AAAA"},
                 {**tree, "cursor": self.ada.get("/api/values/commits", {"limit": 1}).body["nextCursor"]}]
        for place in wrong:
            query = {name: place[name] for name in ("table", "partition", "cursor")}
            self.expect(400, self.ada.get(ITEMS, query))

    def test_an_item_that_no_entity_has(self):
        place = {"table": "App", "partition": f"U#{self.ada_id}#ODD"}
        self.assertEqual(self.read(self.ada, place)["items"], [])
        odd = {"PK": {"S": place["partition"]}, "SK": {"S": "odd"}, "n": {"N": "1"}, "b": {"B": b"\x00\xff"}}
        self.dynamodb().put_item(TableName="App", Item=odd)
        item, = self.read(self.ada, place)["items"]
        self.assertNotIn("entity", item)
        self.assertEqual((item["keys"], item["attributes"], item["links"]),
                         ({"PK": odd["PK"], "SK": odd["SK"]}, {"b": {"B": "AP8="}, "n": {"N": "1"}}, []))


class Refusing(DataTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ada, cls.eve = cls.user("ada"), cls.user("eve")
        test = cls()
        test.tree(cls.ada)
        test.tree(cls.user("ada2"))

    def test_what_is_not_ones_own_is_not_there(self):
        """Status and body are the same to the byte, whether anybody has the partition or not."""
        revision = self.ada.get("/api/values/head").body["headRevId"]
        self.expect(200, self.ada.get(ITEMS, {"table": "App", "partition": f"U#ada#VALUES#{revision}"}))
        nobodys = self.expect(404, self.eve.get(ITEMS, {"table": "App", "partition": "U#nobody"})).raw
        tried = [("App", partition) for partition in (
            "U#ada", f"U#ada#VALUES#{revision}", "U#ada#", "u#eve", "U#evel", "U#ev", "U#", "U", "#", "U#eve2", " U#eve",
            "U#eve\tx", "X", "USER#eve", "U#ada#U#eve", "JOB#00")]
        tried += [("CairnIdentity", "USER#ada"), ("CairnIdentity", "LOGIN#ada@example.org"), ("CairnIdentity", "USERS"),
                  ("CairnReceipts", "USER#ada"), ("CairnJobs", "JOB#00"), ("CairnJobs", "U#eve"), ("Nothing", "U#eve"),
                  ("app", "U#eve"), ("t", "U#eve"), ("App.GSI1", "U#eve")]
        for table, partition in tried:
            with self.subTest(table=table, partition=partition):
                answer = self.eve.get(ITEMS, {"table": table, "partition": partition})
                self.assertEqual((answer.status, answer.raw), (404, nobodys))

    def test_ones_own_that_has_nothing_is_empty(self):
        for partition in ("U#eve", "U#eve#VALUES#nothing", "U#eve#PLAN#2026-03-02"):
            page = self.expect(200, self.eve.get(ITEMS, {"table": "App", "partition": partition})).body
            self.assertEqual((page["items"], page["entities"]), ([], []))
        self.assertEqual(set(self.starts(self.eve)), {"Account and sessions", "Receipts of requests",
                                                      "Log of the tree, tags, settings, list of days",
                                                      "Calendar, tasks, reminders, notes"})

    def test_a_prefix_of_an_id_is_another_user(self):
        """ada is not ada2."""
        self.expect(404, self.ada.get(ITEMS, {"table": "App", "partition": "U#ada2"}))
        self.assertNotIn("ada2", str(self.read_all(self.ada, {"table": "App", "partition": "U#ada"})))

    def test_requests_are_checked(self):
        good = {"table": "App", "partition": "U#ada"}
        for query, field in (({"table": "App"}, "partition"), ({"partition": "U#ada"}, "table"),
                             ({**good, "limit": 0}, "limit"), ({**good, "limit": 101}, "limit"),
                             ({**good, "limit": "x"}, "limit"), ({**good, "partition": ""}, "partition"),
                             ({**good, "partition": "U#ada#" + "x" * 2048}, "partition"),
                             ({**good, "cursor": ""}, "cursor"), ({**good, "index": "GSI1"}, "index")):
            with self.subTest(query=query):
                self.expect(400, self.ada.get(ITEMS, query), fields=[field])
        self.expect(401, self.client().get(ITEMS, good))
        self.expect(401, self.client().get(PARTITIONS))
        self.expect(405, self.ada.post(ITEMS, {}))
