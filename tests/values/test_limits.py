"""Limits of the tree, one below and one above; ids that would forge keys; values that are none."""

import json
import unittest
import urllib.parse

from case import ACTION, DRIVER, MILESTONE, VALUES, ValuesTest, add, edit, op, partition, whole_table


def grow(count, parent, prefix):
    return [op("add", nodeId=f"{prefix}{i:04}", nodeType=ACTION, title="t", parentId=parent) for i in range(count)]


class Size(ValuesTest):
    def test_five_thousand_nodes_and_not_one_more(self):
        """OPEN-000-o."""
        user = self.user("big")
        self.expect(200, user.commit(add("d", DRIVER), *grow(999, "d", "a")))
        for prefix in "bcde":
            self.expect(200, user.commit(*grow(1000, "d", prefix)))
        tree = user.tree()
        self.assertEqual((len(tree.nodes), len(tree.edges)), (5000, 4999))
        self.assertEqual(tree.edges["d", "e0999"], 4999)
        log = user.log()
        for refused in ([add("x", ACTION, "d")], [op("delete", nodeId="a0000"), add("x", ACTION, "d")]):
            self.expect(422, user.commit(*refused), "too-many-nodes")
        self.assertEqual(user.log(), log)
        self.assertEqual({item["PK"] for item in whole_table(self.dynamodb(), "App") if item["PK"].startswith("U#big")},
                         {"U#big"} | {f"U#big#VALUES#{commit['revId']}" for commit in log},
                         "a refused commit leaves nothing")
        # A full tree can still be worked with.
        self.expect(200, user.commit(edit("a0000", title="other")))
        self.assertEqual(user.tree().nodes["a0000"]["title"], "other")
        self.expect(200, user.post(f"{VALUES}/undo"))

    def test_a_thousand_operations_and_not_one_more(self):
        user = self.with_tree()
        self.expect(200, user.commit(*grow(1000, "run", "n")))
        self.expect(422, self.same_tree(user, lambda: user.commit(*grow(1001, "run", "m"))), fields=["operations"])

    def test_a_deep_tree(self):
        """REQ-000-16: arbitrary depth."""
        user = self.user()
        chain = [add("m0000", DRIVER)] + [add(f"m{i:04}", MILESTONE, f"m{i - 1:04}") for i in range(1, 1000)]
        self.expect(200, user.commit(*chain))
        self.expect(200, user.commit(add("leaf", ACTION, "m0999")))
        self.assertEqual(user.tree().nodes["leaf"]["driverId"], "m0000")
        self.expect(200, user.post(f"{VALUES}/nodes/leaf/complete"))
        self.assertEqual(user.get(f"{VALUES}/nodes/m0000")["progress"], {"nodeId": "m0000", "completed": 1, "total": 1})
        reply = self.expect(422, user.post(f"{VALUES}/nodes/m0001/move", {"parentId": "m0999"}), "cycle")
        self.assertLess(len(reply["detail"]), 2000, "a long way round is told in short")
        self.expect(200, user.delete(f"{VALUES}/nodes/m0001"))
        self.assertEqual(set(user.tree().nodes), {"m0000"})

    def test_titles_notes_messages(self):
        """Bytes count, not characters."""
        user = self.with_tree()
        self.expect(200, user.commit(edit("run", title="t" * 1000)))
        self.expect(200, user.commit(edit("run", title="ü" * 500)))
        self.expect(200, user.commit(edit("run", notes="n" * 50_000)))
        self.expect(200, user.commit(edit("run", title="x"), message="m" * 2000))
        for path, body in (("operations[0].title", {"title": "t" * 1001}),
                           ("operations[0].title", {"title": "ü" * 501}),
                           ("operations[0].title", {"title": ""}),
                           ("operations[0].notes", {"notes": "n" * 50_001})):
            self.expect(422, self.same_tree(user, lambda: user.commit(edit("run", **body))), fields=[path])
            self.expect(422, user.patch(f"{VALUES}/nodes/run", body), fields=[path.split(".")[1]])
        self.expect(422, user.commit(edit("run", title="y"), message="m" * 2001), fields=["message"])
        # An automatic message stays within the limit, whatever the title.
        self.expect(200, user.commit(op("add", nodeType=ACTION, title="t" * 1000, parentId="run")))
        self.expect(200, user.commit(op("add", nodeType=ACTION, title='"' * 1000, parentId="run")))
        self.expect(200, user.post(f"{VALUES}/nodes/run/archive"))
        tag = "t" * 100
        self.expect(200, user.put(f"{VALUES}/tags/{tag}", {"revId": user.rev()}))
        reply = user.put(f"{VALUES}/tags/{tag}t", {"revId": user.rev()})
        self.assertIn(reply.status, (404, 422), reply)

    def test_ten_million_bytes_of_text_and_no_more(self):
        """Every revision has all of it, so that a tree has a limit as a whole too."""
        user = self.with_tree()
        note = "n" * 50_000
        long = lambda name: op("add", nodeId=name, nodeType=ACTION, title="t", parentId="run", notes=note)
        for first in range(0, 190, 19):
            self.expect(200, user.commit(*[long(f"n{first + i}") for i in range(19)]))
        self.expect(200, user.commit(*[long(f"m{i}") for i in range(9)]))
        self.expect(422, self.same_tree(user, lambda: user.commit(edit("run", notes=note))), "too-much-text")
        self.expect(200, user.commit(edit("run", notes=note), edit("m0", notes=None)))

    def test_texts_keep_every_character(self):
        user = self.with_tree()
        controls = '"\\/\b\f\n\r\t\u0000\u001f'
        for text in ('"\\/', "日本語 🏔️ \u2028", "e\u0301 é", "U#1#VALUES#", "%2F%00", " padded "):
            self.expect(200, user.commit(edit("run", title=text, notes=text + controls)))
            node = user.tree().nodes["run"]
            self.assertEqual((node["title"], node["notes"]), (text, text + controls))
        self.assertEqual(user.post(f"{VALUES}/commits", b'{"operations":[{"op":"edit","nodeId":"run",'
                                   b'"title":"\xff"}]}').status, 400)


class Titles(ValuesTest):
    def test_a_title_is_one_line_that_shows_something(self):
        user = self.with_tree()
        for title in (" ", "\u00a0\u2003", "\u200b", "\u0000", "a\u0000b", "a\nb", "\t", "x\u007f", "x\u0085"):
            with self.subTest(title=title):
                named = {**add("n", ACTION, "run"), "title": title}
                self.expect(422, self.same_tree(user, lambda: user.commit(named)), fields=["operations[0].title"])
                self.expect(422, user.patch(f"{VALUES}/nodes/run", {"title": title}), fields=["title"])

        for name in ("%20", "%E2%80%8B", "a%0Ab"):
            self.expect(404, user.put(f"{VALUES}/tags/{name}", {"revId": user.rev()}), fields=["name"])

    def test_titles_that_are_there_already_stay(self):
        """Histories of before may have such titles: they are imported, shown and left alone."""
        user = self.user()
        node = {"nodeId": "d", "nodeType": DRIVER, "title": " \n", "createdAt": "2026-01-01T00:00:00.000Z",
                "archived": False, "rootDriverId": "d"}
        line = {"format": "cairn-values/1", "revId": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "source": "daily_update", "nodes": [node]}
        self.expect(200, user.send("POST", f"{VALUES}/import", json.dumps(line).encode(), None,
                                   {"Content-Type": "application/x-ndjson"}))
        self.expect(200, user.commit(add("a", ACTION, "d"), edit("d", notes="x")))
        self.assertEqual(user.tree().nodes["d"]["title"], " \n")


class Injection(ValuesTest):
    def test_ids_are_segments_of_addresses(self):
        user = self.with_tree()
        for node_id in ("a/b", "/", ".", ".."):
            with self.subTest(node_id):
                named = {**add("n", ACTION, "run"), "nodeId": node_id}
                self.expect(422, self.same_tree(user, lambda: user.commit(named)), fields=["operations[0].nodeId"])

    def test_an_id_with_a_slash_of_before_is_reachable(self):
        user = self.user()
        node = lambda name, kind, **more: {"nodeId": name, "nodeType": kind, "title": name, "rootDriverId": "a/d",
                                           "createdAt": "2026-01-01T00:00:00.000Z", "archived": False, **more}
        line = {"format": "cairn-values/1", "revId": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "source": "daily_update",
                "nodes": [node("a/d", DRIVER), node("b/c", ACTION, driverId="a/d")],
                "children": [{"parentNodeId": "a/d", "childIds": ["b/c"]}]}
        self.expect(200, user.send("POST", f"{VALUES}/import", json.dumps(line).encode(), None,
                                   {"Content-Type": "application/x-ndjson"}))
        self.assertEqual(self.expect(200, user.get(f"{VALUES}/nodes/b%2Fc"))["parents"], ["a/d"])
        self.assertEqual(self.expect(200, user.get(f"{VALUES}/nodes/a%2fd/children"))["items"][0]["nodeId"], "b/c")
        self.expect(200, user.patch(f"{VALUES}/nodes/b%2Fc", {"title": "Reached"}))
        self.expect(200, user.post(f"{VALUES}/nodes/b%2Fc/complete"))
        self.expect(404, user.get(f"{VALUES}/nodes/b/c"))

    def test_ids_that_would_forge_a_key_are_refused(self):
        """REQ-X-11: x#1#y would be an edge of another node."""
        user = self.with_tree()
        for node_id in ("x#1#y", "x#000001#y", "#", "", "a b", "a\nb", "\u00e9", "x" * 257, "!", "\u0000", 'x"y'):
            with self.subTest(node_id):
                forged = {**add("n", ACTION, "run"), "nodeId": node_id}
                self.expect(422, self.same_tree(user, lambda: user.commit(forged)), fields=["operations[0].nodeId"])
                self.expect(422, user.post(f"{VALUES}/nodes", {"nodeId": node_id, "nodeType": ACTION, "title": "t",
                                                               "parentId": "run"}), fields=["nodeId"])
        for place in ({"parentId": "run#000001"}, {"parentId": "run", "afterId": "shoes#"}):
            self.expect(422, user.commit(op("add", nodeType=ACTION, title="t", **place)))
        for path in ("run%23000001%23shoes", "run%20", "x" * 257):
            for reply in (user.get(f"{VALUES}/nodes/{path}"), user.get(f"{VALUES}/nodes/{path}/children"),
                          user.patch(f"{VALUES}/nodes/{path}", {"title": "x"}), user.delete(f"{VALUES}/nodes/{path}")):
                self.expect(404, reply)
        self.expect(200, user.commit(add("x" * 256, ACTION, "run"), add("x-1.~$&'()*+,;=:@_", ACTION, "run")))
        edges = partition(self.dynamodb(), f"U#{user.id}#VALUES#{user.rev()}", "EDGE#run#")
        self.assertEqual([edge["SK"].count("#") for edge in edges], [3] * 5)
        reply = self.expect(200, user.get(f"{VALUES}/nodes/x-1.~$&'()*+,;=:@_"))
        self.assertEqual(reply["parents"], ["run"])

    def test_ids_that_hold_another_id_are_told_apart(self):
        user = self.user()
        self.expect(200, user.commit(add("a", DRIVER), add("a.b", MILESTONE, "a"), add("a.b.c", ACTION, "a.b"),
                                     add("A", DRIVER), add("A.b", MILESTONE, "A")))
        names = lambda node: [n["nodeId"] for n in user.get(f"{VALUES}/nodes/{node}/children")["items"]]
        self.assertEqual([names(node) for node in ("a", "a.b", "A", "A.b")], [["a.b"], ["a.b.c"], ["A.b"], []])

    def test_tags_cannot_leave_their_corner(self):
        user = self.with_tree()
        for name in ("..", "a#b", "HEAD#VALUES", "%", "~", "é", "a b"):
            path = f"{VALUES}/tags/{urllib.parse.quote(name, safe='')}"
            self.expect(200, user.put(path, {"revId": user.rev()}))
            self.assertEqual(user.tree(tag=name).rev, user.rev())
        items = partition(self.dynamodb(), f"U#{user.id}")
        self.assertTrue(all(item["SK"].count("#") == 2 for item in items if item["SK"].startswith("TAG#")))
        self.assertEqual(sum(item["SK"].startswith("TAG#VALUES#") for item in items), 7)
        self.assertEqual(len(user.get(f"{VALUES}/tags")["items"]), 7)

    def test_users_whose_ids_would_forge_a_key_have_nothing(self):
        owner = self.with_tree("victim")
        rev = owner.rev()
        for name in (f"victim#VALUES#{rev}", "victim#PLAN#2026-01-01", "victim#"):
            intruder = self.user(name)
            reply = intruder.get(VALUES)
            self.assertIn(reply.status, (401, 403, 404, 422), f"{name}: {reply}")
            self.assertGreaterEqual(intruder.commit(add("x", DRIVER)).status, 400)
        before = owner.tree().content()
        self.assertEqual(before, owner.tree().content())


class Values(ValuesTest):
    def test_words_that_are_none_of_the_known_ones(self):
        """REQ-000-7, 13."""
        user = self.with_tree()
        good = edit("run", title="x")
        cases = [
            ({"operations": [good], "source": "rollback"}, ["source"]),
            ({"operations": [good], "source": ""}, ["source"]),
            ({"operations": [good], "source": 1}, ["source"]),
            ({"operations": [add("x", "driver")]}, ["operations[0].nodeType"]),
            ({"operations": [add("x", "HABIT", "health")]}, ["operations[0].nodeType"]),
            ({"operations": [op("rename", nodeId="run")]}, ["operations[0].op"]),
            ({"operations": [{"nodeId": "run"}]}, ["operations[0].op"]),
            ({"operations": ["edit"]}, ["operations[0]"]),
            ({"operations": good}, ["operations"]),
            ({}, ["operations"]),
            ({"operations": [good], "force": True}, ["force"]),
            ({"operations": [edit("run", titel="x")]}, ["operations[0].titel"]),
            ({"operations": [edit("run", title=5)]}, ["operations[0].title"]),
            ({"operations": [op("move", nodeId="run")]}, ["operations[0].parentId"]),
            ({"operations": [op("move", nodeId="race", parentId="health", force="yes")]}, ["operations[0].force"]),
            ({"operations": [op("complete", nodeId="five", completedAt="2026-02-30T00:00:00Z")]},
             ["operations[0].completedAt"]),
            ({"operations": [good, add("x", "HABIT"), edit("run", titel="x")]},
             ["operations[1].nodeType", "operations[2].titel"]),
        ]
        for body, fields in cases:
            with self.subTest(body):
                reply = self.same_tree(user, lambda: user.post(f"{VALUES}/commits", body))
                self.expect(422, reply, fields=fields)

    def test_bodies_that_are_no_json(self):
        user = self.with_tree()
        for body in (b"", b"[]", b"{", b'"x"', b"null", b'{"operations":[]}x', b'{"operations":' + b"[" * 100_000):
            reply = self.same_tree(user, lambda: user.post(f"{VALUES}/commits", body))
            self.assertIn(reply.status, (400, 422), reply)
        self.expect(415, user.post(f"{VALUES}/commits", b"{}", {"Content-Type": "text/plain"}))
        big = b'{"operations":[{"op":"edit","nodeId":"run","title":"' + b"x" * (3 * 1024 * 1024) + b'"}]}'
        self.assertIn(user.post(f"{VALUES}/commits", big).status, (413, 422))

    def test_a_node_cannot_be_given_what_the_tree_derives(self):
        """Mass assignment: driver, root, archived and times come from the tree, not from the request."""
        user = self.with_tree()
        for name, value in (("driverId", "craft"), ("rootDriverId", "craft"), ("parentMilestoneId", "side"),
                            ("archived", True), ("deletedAt", "2026-01-01T00:00:00Z"), ("userId", "other"),
                            ("createdAt", "2026-01-01T00:00:00Z"), ("completedAt", "2026-01-01T00:00:00Z"),
                            ("nodeType", "ACTION"), ("revId", "x")):
            self.expect(422, user.patch(f"{VALUES}/nodes/run", {"title": "x", name: value}), fields=[name])
        self.assertEqual(user.tree().nodes["run"]["title"], "Run")


if __name__ == "__main__":
    unittest.main()
