"""Packing away: a full tree has room again, history shows everything as it was, and what was packed can be brought back."""

import datetime
import unittest

from case import ACTION, DRIVER, MILESTONE, PLANS, VALUES, ValuesTest, add, edit, op, partition
from chance import seeded_random

NDJSON = {"Content-Type": "application/x-ndjson"}


class Packing(ValuesTest):
    def pack(self, user, **more):
        return self.expect(200, user.post(f"{VALUES}/pack", more))

    def packs(self, user):
        return self.expect(200, user.get(f"{VALUES}/packs"))["items"]

    def names(self, user, pack):
        return [n["nodeId"] for n in self.expect(200, user.get(f"{VALUES}/packs/{pack}"))["nodes"]]

    def everything(self, user, **query):
        return user.tree(includeArchived="true", **query).content()

    def test_what_is_done_leaves_the_tree_and_stays_in_history(self):
        user = self.with_tree()
        self.expect(200, user.commit(op("complete", nodeId="book"), op("archive", nodeId="sleep"),
                                     op("delete", nodeId="shoes")))
        before, rev = self.everything(user), user.rev()
        packed = self.pack(user)
        self.assertEqual((packed["packed"], packed["left"]), (4, 7))
        commit = packed["values"]["commit"]
        self.assertEqual((commit["parentRevId"], commit["message"], packed["values"]["changed"]),
                         (rev, "Pack away 4 nodes", True))
        pack = commit["revId"]
        self.assertEqual(sorted(user.tree(includeArchived="true").nodes),
                         ["craft", "five", "health", "race", "run", "side", "sketch"])
        self.assertEqual(self.everything(user, rev=rev), before, "every old revision is as it was")
        diff = self.expect(200, user.get(f"{VALUES}/commits/{pack}"))["diff"]
        self.assertEqual(([n["nodeId"] for n in diff["removed"]], diff["packed"], diff["moved"]),
                         (["blinds", "book", "shoes", "sleep"], [pack], []))
        back = self.expect(200, user.get(f"{VALUES}/diff", **{"from": pack, "to": rev}))
        self.assertEqual((len(back["added"]), back["unpacked"]), (4, [pack]))
        self.assertIn(pack, [c["revId"] for c in user.log(f"{VALUES}/nodes/book/history")])
        # Progress goes on counting.
        self.assertEqual(self.expect(200, user.get(f"{VALUES}/nodes/race"))["progress"],
                         {"nodeId": "race", "completed": 1, "total": 1})
        # The items: no node, one small item for all of them.
        items = partition(self.dynamodb(), f"U#{user.id}#VALUES#{pack}", "")
        self.assertNotIn("NODE#book", [item["SK"] for item in items])
        self.assertEqual([item["nodeCount"] for item in items if item["SK"] == f"PACK#{pack}"], [4])
        # Listed, and brought back in parts.
        self.assertEqual([(p["packRevId"], p["packedAt"], p["nodeCount"]) for p in self.packs(user)],
                         [(pack, commit["revTs"], 4)])
        self.assertEqual(self.names(user, pack), ["blinds", "book", "shoes", "sleep"])
        unpack = lambda **body: user.post(f"{VALUES}/packs/{pack}/unpack", body)
        self.expect(422, self.same_tree(user, lambda: unpack(nodeIds=["five"])), "unknown-node", ["nodeIds"])
        self.expect(200, unpack(nodeIds=["blinds"]))
        self.assertEqual(self.names(user, pack), ["book", "shoes"], "sleep came along: blinds hangs under it")
        self.assertTrue(self.expect(200, unpack())["changed"])
        self.assertEqual((self.everything(user), self.packs(user)), (before, []))
        self.expect(404, unpack(), "not-found")
        self.expect(404, user.get(f"{VALUES}/packs/{pack}"), "not-found")

    def test_which_nodes_go(self):
        user = self.with_tree()
        self.assertFalse(self.pack(user)["values"]["changed"], "nothing is done")
        self.expect(200, user.commit(op("complete", nodeId="book", completedAt="2026-01-01T00:00:00Z"),
                                     op("complete", nodeId="five", completedAt="2026-02-01T00:00:00Z"),
                                     op("complete", nodeId="run"), op("archive", nodeId="sketch")))
        packed = self.pack(user, completed=False)
        self.assertEqual(self.names(user, packed["values"]["commit"]["revId"]), ["sketch"])
        packed = self.pack(user, before="2026-02-01T00:00:00Z")
        self.assertEqual(self.names(user, packed["values"]["commit"]["revId"]), ["book"])
        packed = self.pack(user)
        self.assertEqual(self.names(user, packed["values"]["commit"]["revId"]), ["five"], "run has open ones below")
        self.assertEqual([p["nodeCount"] for p in self.packs(user)], [1, 1, 1])
        self.expect(422, user.post(f"{VALUES}/pack", {"before": "yesterday"}), fields=["before"])
        self.expect(404, self.user().post(f"{VALUES}/pack"), "not-found")

    def test_versions_undo_and_repetition(self):
        user = self.with_tree()
        self.expect(200, user.commit(op("delete", nodeId="run")))
        before, tag = self.everything(user), user.get(VALUES).tag
        self.expect(412, user.post(f"{VALUES}/pack", {}, {"If-Match": '"01ARZ3NDEKTSV4RRFFQ69G5FAV"'}), "version-mismatch")
        key = {"Idempotency-Key": "pack-once", "If-Match": tag}
        first = self.expect(200, user.post(f"{VALUES}/pack", {}, key))
        self.assertEqual(self.expect(200, user.post(f"{VALUES}/pack", {}, key)).body, first.body)
        after = self.everything(user)
        self.expect(200, user.post(f"{VALUES}/undo"))
        self.assertEqual((self.everything(user), self.packs(user)), (before, []))
        self.expect(200, user.post(f"{VALUES}/redo"))
        self.assertEqual(self.everything(user), after)
        self.assertEqual(self.names(user, self.packs(user)[0]["packRevId"]), ["book", "five", "race", "run", "shoes"])

    def test_merging_with_a_change_of_what_was_packed(self):
        user = self.with_tree()
        self.expect(200, user.commit(op("complete", nodeId="book"), op("complete", nodeId="five")))
        base = user.rev()
        self.pack(user)
        merged = self.expect(200, user.commit(edit("sketch", title="Draw"), baseRevId=base, onConflict="merge"))
        self.assertTrue(merged["merged"])
        self.assertEqual((user.tree().nodes["sketch"]["title"], len(self.packs(user))), ("Draw", 1))
        conflict = self.expect(409, user.commit(edit("book", title="Other"), baseRevId=base, onConflict="merge"),
                               "merge-conflict")
        self.assertEqual([(c["nodeId"], c["field"], c["theirs"]) for c in conflict["conflicts"]], [("book", "", None)])
        self.expect(200, user.commit(edit("book", title="Other"), baseRevId=base, onConflict="merge",
                                     theirsRevId=conflict["headRevId"],
                                     resolutions=[{"nodeId": "book", "field": "", "take": "mine"}]))
        self.assertEqual(user.tree().nodes["book"]["title"], "Other")
        self.assertEqual(self.names(user, self.packs(user)[0]["packRevId"]), ["five"])

    def test_plans_and_reviews_know_what_was_packed(self):
        user = self.with_tree()
        today = user.get(f"{PLANS}/settings")["today"]
        monday = datetime.date.fromisoformat(today)
        monday -= datetime.timedelta(days=monday.weekday())
        long_ago = str(monday - datetime.timedelta(days=24))
        for day in (today, long_ago):
            self.expect(201, user.post(f"{PLANS}/{day}/todos", {"actionId": "five"}))
        self.expect(201, user.post(f"{PLANS}/{today}/todos", {"actionId": "book"}))
        self.expect(200, user.commit(op("complete", nodeId="book", completedAt=f"{long_ago}T12:00:00Z"),
                                     op("complete", nodeId="five"), op("archive", nodeId="sketch")))
        plans = lambda: [user.get(f"{PLANS}/{day}")["todos"] for day in (today, long_ago)]
        shown = ("completed", "added", "archived", "progress")
        week = lambda day: {part: [(n["nodeId"], n.get("completed"), n.get("total"), n.get("completedAt")) for n in nodes]
                            for part, nodes in user.get(f"{VALUES}/review", weekOf=day).body.items() if part in shown}
        before = plans(), week(today), week(long_ago)
        self.assertEqual([n[0] for n in before[1]["completed"] + before[2]["completed"]], ["five", "book"])
        self.assertEqual(self.pack(user)["packed"], 3)
        self.assertEqual((plans(), week(today), week(long_ago)), before)
        # Not what is no action of the tree any more: it cannot be planned, and does not roll over.
        self.expect(422, user.post(f"{PLANS}/{long_ago}/todos", {"actionId": "book"}))

    def test_export_and_import(self):
        user, other = self.with_tree(), self.user()
        self.expect(200, user.commit(op("complete", nodeId="book"), op("archive", nodeId="sleep")))
        pack = self.pack(user)["values"]["commit"]["revId"]
        self.expect(200, user.post(f"{VALUES}/packs/{pack}/unpack", {"nodeIds": ["sleep"]}))
        lines = self.expect(200, user.get(f"{VALUES}/export")).raw
        imported = self.expect(200, other.send("POST", f"{VALUES}/import", lines, None, NDJSON))
        self.assertEqual(imported["revisions"], 4)
        self.assertEqual(self.expect(200, other.get(f"{VALUES}/export")).raw, lines)
        self.assertEqual(self.names(other, pack), ["blinds", "book"])
        self.expect(200, other.post(f"{VALUES}/packs/{pack}/unpack", {}))
        self.assertIn("book", other.tree().nodes)
        forged = lines.replace(pack.encode(), b"01ARZ3NDEKTSV4RRFFQ69G5FAV", 0)
        forged = forged.replace(b'"packed":[{"packRevId":"' + pack.encode(), b'"packed":[{"packRevId":"01ARZ3NDEKTSV4RRFFQ69G5FAV')
        self.assertNotEqual(forged, lines)
        self.expect(422, self.user().send("POST", f"{VALUES}/import", forged, None, NDJSON), "bad-history")

    def test_a_full_tree_has_room_again(self):
        """The refusal says how, and the limit counts what is in the tree."""
        user = self.user()
        self.expect(200, user.commit(add("d", DRIVER), add("m", MILESTONE, "d"), add("keep", ACTION, "m")))
        made = 3
        while made < 5000:
            count = min(500, 5000 - made)
            names = [f"n{made + i}" for i in range(count)]
            self.expect(200, user.commit(*[add(name, ACTION, "m") for name in names],
                                         *[op("complete", nodeId=name) for name in names]))
            made += count
        full = self.expect(422, user.commit(add("more", ACTION, "m")), "too-many-nodes")
        self.assertIn("POST /api/values/pack", full["detail"])
        packed = self.pack(user)
        self.assertEqual((packed["packed"], packed["left"]), (4997, 3))
        self.expect(200, user.commit(add("more", ACTION, "m")))
        self.assertEqual(user.get(f"{VALUES}/nodes/m")["progress"], {"nodeId": "m", "completed": 4997, "total": 4999})
        rev = packed["values"]["commit"]["revId"]
        self.expect(200, user.post(f"{VALUES}/packs/{rev}/unpack", {"nodeIds": ["n3", "n4999"]}))
        self.expect(422, self.same_tree(user, lambda: user.post(f"{VALUES}/packs/{rev}/unpack", {})), "too-many-nodes")

    def test_random_work_with_packing(self):
        """Every revision stays as it was; undo, redo and rollback bring back trees with their packs; a copy by export
        and import is the same."""
        random = seeded_random()
        user = self.user()
        self.expect(200, user.commit(add("d", DRIVER), add("m", MILESTONE, "d")))
        seen = {}
        for step in range(60):
            tree = user.tree(includeArchived="true")
            nodes = sorted(tree.nodes)
            actions = [n for n in nodes if n not in ("d", "m")]
            kind = random.choice(["add", "add", "add", "complete", "archive", "delete", "restore", "pack", "unpack", "undo",
                                  "redo", "rollback"])
            if kind == "add":
                parent = random.choice(["d", "m"] + [n for n in nodes if tree.nodes[n]["nodeType"] == MILESTONE])
                user.commit(add(f"x{step}", random.choice([ACTION, MILESTONE]), parent))
            elif kind in ("complete", "archive", "delete", "restore") and actions:
                past = {"completedAt": "2026-01-02T03:04:05Z"} if kind == "complete" and random.random() < 0.5 else {}
                user.commit(op(kind, nodeId=random.choice(actions), **past))
            elif kind == "pack":
                self.pack(user, completed=random.random() < 0.7)
            elif kind == "unpack" and self.packs(user):
                pack = random.choice(self.packs(user))["packRevId"]
                some = self.names(user, pack)
                self.assertIn(user.post(f"{VALUES}/packs/{pack}/unpack",
                                        random.choice([{}, {"nodeIds": [random.choice(some)]}]) if some else {}).status, (200, 422))
            elif kind in ("undo", "redo"):
                self.assertIn(user.post(f"{VALUES}/{kind}").status, (200, 409))
            elif kind == "rollback" and seen:
                rev = random.choice(sorted(seen))
                self.expect(200, user.post(f"{VALUES}/rollback", {"toRevId": rev}))
                self.assertEqual((self.everything(user), self.packs(user)), seen[rev])
            seen.setdefault(user.rev(), (self.everything(user), self.packs(user)))
        for rev, (content, _) in seen.items():
            self.assertEqual(self.everything(user, rev=rev), content)
        other = self.user()
        lines = self.expect(200, user.get(f"{VALUES}/export")).raw
        self.expect(200, other.send("POST", f"{VALUES}/import", lines, None, NDJSON))
        self.assertEqual((self.everything(other), self.packs(other)), (self.everything(user), self.packs(user)))


if __name__ == "__main__":
    unittest.main()
