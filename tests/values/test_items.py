"""An auditor with boto3: every key and attribute of the tree and of a plan as the design names them."""

import re
import unittest

from case import MILESTONE, PLANS, SMALL_TREE, VALUES, ValuesTest, add, edit, op, partition, whole_table

INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
DAY = "2030-05-06"


class ItemsTest(ValuesTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = cls.dynamodb()

    def items(self, key, begins=""):
        return partition(self.store, key, begins)

    def item(self, key, sort_key):
        found = [item for item in self.items(key, sort_key) if item["SK"] == sort_key]
        self.assertEqual(len(found), 1, f"{key} {sort_key}")
        return found[0]


class TreeItems(ItemsTest):
    def test_head_and_log(self):
        """REQ-000-5, 6, 8, 9."""
        user = self.with_tree()
        first = user.log()[0]
        key = f"U#{user.id}"
        self.assertEqual(sorted(item["SK"] for item in self.items(key)),
                         ["HEAD#VALUES", f"REV#VALUES#{first['revTs']}#{first['revId']}"])
        head = self.item(key, "HEAD#VALUES")
        self.assertEqual((head["headRevId"], head["headRevTs"], head["itemCount"]),
                         (first["revId"], first["revTs"], 20))
        self.assertRegex(head["updatedAt"], INSTANT)
        rev = self.item(key, f"REV#VALUES#{first['revTs']}#{first['revId']}")
        self.assertIsNone(rev.get("parentRevId"))
        self.assertEqual({name: rev[name] for name in ("revId", "revTs", "message", "source", "itemCount")},
                         {"revId": first["revId"], "revTs": first["revTs"], "message": "Begin",
                          "source": "weekly_review", "itemCount": 20})
        self.assertRegex(rev["revId"], ULID)
        self.assertRegex(rev["revTs"], INSTANT)
        self.expect(200, user.commit(edit("run", title="x"), source="daily_update", message="Edit"))
        self.assertEqual(self.item(key, rev["SK"]), rev, "the log is only appended to")
        second = self.items(key, "REV#VALUES#")[-1]
        self.assertEqual((second["parentRevId"], second["message"], second["source"]),
                         (first["revId"], "Edit", "daily_update"))
        self.assertEqual(self.item(key, "HEAD#VALUES")["headRevId"], second["revId"])

    def test_nodes_and_edges(self):
        """REQ-000-10, 12, 14, 15; OPEN-000-f."""
        user = self.with_tree()
        self.expect(200, user.post(f"{VALUES}/nodes/five/complete", {"completedAt": "2026-01-02T03:04:05.000Z"}))
        key = f"U#{user.id}#VALUES#{user.rev()}"
        nodes = {item["SK"]: item for item in self.items(key, "NODE#")}
        self.assertEqual(sorted(nodes), sorted(f"NODE#{node}" for node, _, _ in SMALL_TREE))
        five = nodes["NODE#five"]
        self.assertEqual({name: value for name, value in five.items() if name not in ("PK", "SK", "createdAt") and
                          value is not None},
                         {"nodeType": "ACTION", "title": "Five", "completedAt": "2026-01-02T03:04:05.000Z",
                          "archived": False, "driverId": "health", "parentMilestoneId": "run",
                          "rootDriverId": "health"})
        self.assertRegex(five["createdAt"], INSTANT)
        driver = nodes["NODE#health"]
        self.assertEqual((driver["nodeType"], driver["rootDriverId"], driver.get("driverId")),
                         ("DRIVER", "health", None))
        edges = [(item["SK"], item["childNodeId"], item["childNodeType"]) for item in self.items(key, "EDGE#run#")]
        self.assertEqual(edges, [("EDGE#run#000001#shoes", "shoes", "ACTION"),
                                 ("EDGE#run#000002#five", "five", "ACTION"),
                                 ("EDGE#run#000003#race", "race", "MILESTONE")])
        self.assertEqual(len(self.items(key)), 20, "the whole snapshot is one partition")

    def test_the_current_tree_is_one_get_and_one_query(self):
        """REQ-000-36, 39."""
        user = self.with_tree()
        self.expect(200, user.commit(op("link", parentId="sleep", childId="book"), op("archive", nodeId="side")))
        head = self.store.get_item(TableName="App", ConsistentRead=True, Key={
            "PK": {"S": f"U#{user.id}"}, "SK": {"S": "HEAD#VALUES"}})["Item"]
        key = f"U#{user.id}#VALUES#{head['headRevId']['S']}"
        items = self.items(key)
        tree = user.tree(includeArchived="true")
        self.assertEqual({item["SK"][5:]: (item["title"], item["archived"])
                          for item in items if item["SK"][:5] == "NODE#"},
                         {node: (fields["title"], fields["archived"]) for node, fields in tree.nodes.items()})
        split = [item["SK"].split("#") for item in items if item["SK"][:5] == "EDGE#"]
        self.assertEqual({(parent, child): int(order) for _, parent, order, child in split}, tree.edges)
        for node in tree.nodes:
            self.assertEqual([item["childNodeId"] for item in self.items(key, f"EDGE#{node}#")], tree.children(node))

    def test_ten_children_are_in_order(self):
        """REQ-X-5: 10 comes behind 2."""
        user = self.user()
        names = [f"m{i}" for i in range(12)]
        self.expect(200, user.commit(add("d", "DRIVER"), *[add(name, MILESTONE, "d") for name in names]))
        found = self.items(f"U#{user.id}#VALUES#{user.rev()}", "EDGE#d#")
        self.assertEqual([item["childNodeId"] for item in found], names)

    def test_old_snapshots_stay_byte_for_byte(self):
        """REQ-000-8, 11, 26, 41: whatever follows, what was published is as it was; tombstones go on."""
        user = self.with_tree()
        seen = {}

        def remember():
            for commit in user.log():
                rev = commit["revId"]
                raw = self.store.query(TableName="App", KeyConditionExpression="PK = :p", ConsistentRead=True,
                                       ExpressionAttributeValues={":p": {"S": f"U#{user.id}#VALUES#{rev}"}})["Items"]
                log = self.store.get_item(TableName="App", ConsistentRead=True, Key={
                    "PK": {"S": f"U#{user.id}"}, "SK": {"S": f"REV#VALUES#{commit['revTs']}#{rev}"}})["Item"]
                self.assertEqual(seen.setdefault(rev, (raw, log)), (raw, log))

        for do in (lambda: user.delete(f"{VALUES}/nodes/race"), lambda: user.post(f"{VALUES}/nodes/five/complete"),
                   lambda: user.commit(op("move", nodeId="sleep", parentId="craft")),
                   lambda: user.post(f"{VALUES}/undo"), lambda: user.post(f"{VALUES}/rollback", {
                       "toRevId": user.log()[-1]["revId"]}), lambda: user.post(f"{VALUES}/undo"),
                   lambda: user.commit(add("walk", MILESTONE, "health"))):
            self.expect(200, do())
            remember()
        self.assertEqual(len(seen), 8)
        for node in ("race", "book"):
            tombstone = self.item(f"U#{user.id}#VALUES#{user.rev()}", f"NODE#{node}")
            self.assertEqual(tombstone["archived"], True)
            self.assertRegex(tombstone["deletedAt"], INSTANT)

    def test_restoring_is_written_down(self):
        """OPEN-000-b."""
        user = self.with_tree()
        old = user.rev()
        self.expect(200, user.commit(edit("run", title="x")))
        self.expect(200, user.post(f"{VALUES}/rollback", {"toRevId": old}))
        rev = self.items(f"U#{user.id}", "REV#VALUES#")[-1]
        self.assertEqual((rev["restoredFrom"], rev["restoredBy"], rev["source"], rev["message"]),
                         (old, "rollback", "daily_update", f"Rollback to {old}"))

    def test_tags(self):
        user = self.with_tree()
        self.expect(200, user.put(f"{VALUES}/tags/v1", {"revId": user.rev()}))
        tag = self.item(f"U#{user.id}", "TAG#VALUES#v1")
        self.assertEqual((tag["revId"], tag["revTs"]), (user.rev(), user.log()[0]["revTs"]))


class PlanItems(ItemsTest):
    def test_every_item_of_a_day(self):
        """REQ-000-27 to 34, 38."""
        user = self.with_tree()
        values = user.rev()
        first = self.expect(200, user.post(f"{PLANS}/{DAY}/commits", {"operations": [
            op("addTodo", actionId="book", classification="urgent", estimatedPomodoros=2, notes="Early"),
            op("addTodo", actionId="five"),
            op("addBlock", blockId="b1", blockType="POMODORO", start=f"{DAY}T09:00:00.000Z", end=f"{DAY}T09:25:00.000Z",
               actionId="book"),
            op("addBlock", blockId="b0", blockType="MEETING", start=f"{DAY}T10:00:00.000Z",
               end=f"{DAY}T11:00:00.000Z")]}))
        commit = first["commit"]
        key = f"U#{user.id}#PLAN#{DAY}"
        self.assertEqual([item["SK"] for item in self.items(key)], ["HEAD", f"REV#{commit['revTs']}#{commit['revId']}"])
        head = self.item(key, "HEAD")
        self.assertEqual((head["headRevId"], head["headRevTs"], head["itemCount"]),
                         (commit["revId"], commit["revTs"], 4))
        self.assertRegex(head["updatedAt"], INSTANT)
        rev = self.items(key, "REV#")[0]
        self.assertEqual((rev["revId"], rev.get("parentRevId"), rev["reason"], rev["valuesRevId"], rev["itemCount"]),
                         (commit["revId"], None, "morning_plan", values, 4))
        snapshot = self.items(f"{key}#{commit['revId']}")
        self.assertEqual([item["SK"] for item in snapshot],
                         [f"BLOCK#{DAY}T09:00:00.000Z#b1", f"BLOCK#{DAY}T10:00:00.000Z#b0",
                          "TODO#000001#A#book", "TODO#000002#A#five"])
        plain = [{name: value for name, value in item.items() if name not in ("PK", "SK") and value is not None}
                 for item in snapshot]
        self.assertEqual(plain, [
            {"blockType": "POMODORO", "endTimeIso": f"{DAY}T09:25:00.000Z", "actionId": "book", "pomodoroIndex": 1},
            {"blockType": "MEETING", "endTimeIso": f"{DAY}T11:00:00.000Z"},
            {"actionId": "book", "classification": "urgent", "estimatedPomodoros": 2, "notes": "Early"},
            {"actionId": "five", "classification": "other"}])

        done = self.expect(200, user.post(f"{PLANS}/{DAY}/todos/book/complete"))
        second = self.items(key, "REV#")[-1]
        self.assertEqual((second["parentRevId"], second["reason"], second["valuesRevId"]),
                         (commit["revId"], "completion", done["values"]["commit"]["revId"]))
        self.assertEqual(self.items(f"{key}#{commit['revId']}"), snapshot)
        self.assertEqual([{**item, "PK": ""} for item in self.items(f"{key}#{second['revId']}")],
                         [{**item, "PK": ""} for item in snapshot], "a todo itself has no mark of being done")
        self.assertEqual(self.items(f"U#{user.id}", "REV#VALUES#")[-1]["source"], "completion")

    def test_rolled_todos_know_their_day(self):
        user = self.with_tree()
        self.expect(201, user.post(f"{PLANS}/{DAY}/todos", {"actionId": "five"}))
        rolled = self.expect(200, user.post(f"{PLANS}/2030-05-07/rollover"))
        [todo] = self.items(f"U#{user.id}#PLAN#2030-05-07#{rolled['commit']['revId']}")
        self.assertEqual((todo["SK"], todo["rolledFrom"]), ("TODO#000001#A#five", DAY))
        self.assertEqual(self.items(f"U#{user.id}#PLAN#2030-05-07", "REV#")[0]["reason"], "rollover")


class Isolation(ItemsTest):
    def test_users_whose_ids_begin_alike(self):
        """REQ-000-2, 3, 4; REQ-X-12: 1 and 12 share nothing."""
        one, twelve = self.user("1"), self.with_tree("12")
        self.expect(201, twelve.post(f"{PLANS}/{DAY}/todos", {"actionId": "five"}))
        self.expect(200, twelve.put(f"{VALUES}/tags/mine", {"revId": twelve.rev()}))
        for reply in (one.get(VALUES), one.get(f"{VALUES}/commits"), one.get(f"{VALUES}/tags"),
                      one.get(PLANS, **{"from": "2000-01-01", "to": "2099-12-31"}), one.get(f"{PLANS}/{DAY}/commits"),
                      one.get(f"{PLANS}/{DAY}")):
            self.assertNotIn(b"five", reply.raw)
            self.assertNotIn(twelve.rev().encode(), reply.raw)
        for reply in (one.get(VALUES, rev=twelve.rev()), one.get(f"{VALUES}/nodes/five"),
                      one.post(f"{PLANS}/{DAY}/todos/five/complete")):
            self.expect(404, reply)
        self.expect(200, one.commit(add("five", "DRIVER")))
        before = self.items("U#12")
        self.expect(200, one.delete(f"{VALUES}/nodes/five"))
        self.assertEqual(self.items("U#12"), before)

    def test_every_partition_belongs_to_one_user(self):
        """REQ-000-1, 2."""
        for name in ("a", "a.b", "ab"):
            user = self.with_tree(name)
            self.expect(201, user.post(f"{PLANS}/{DAY}/todos", {"actionId": "five"}))
        form = re.compile(r"U#[^#]+(#VALUES#[0-9A-Z]{26}|#PLAN#\d{4}-\d\d-\d\d(#[0-9A-Z]{26})?)?")
        for item in whole_table(self.store, "App"):
            self.assertTrue(form.fullmatch(item["PK"]), item["PK"])
        table = self.store.describe_table(TableName="App")["Table"]
        self.assertEqual([(key["AttributeName"], key["KeyType"]) for key in table["KeySchema"]],
                         [("PK", "HASH"), ("SK", "RANGE")])
        self.assertNotIn("GlobalSecondaryIndexes", table)


if __name__ == "__main__":
    unittest.main()
