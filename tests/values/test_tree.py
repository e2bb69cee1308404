"""The values tree as a person works with it: create, edit, move, link, order, complete, put away, bring back."""

import unittest

from case import ACTION, DRIVER, MILESTONE, VALUES, ValuesTest, add, edit, op


class NewTree(ValuesTest):
    def test_an_account_without_commits_has_an_empty_tree_and_no_head(self):
        user = self.user()
        reply = self.expect(200, user.get(VALUES))
        self.assertEqual(reply.body, {"nodes": [], "edges": []})
        self.assertIsNone(reply.tag)
        self.expect(404, user.get(f"{VALUES}/head"), "not-found")
        self.assertEqual(user.get(f"{VALUES}/commits").body, {"items": []})
        self.assertEqual(user.get(f"{VALUES}/tags").body, {"items": []})
        self.expect(404, user.get(f"{VALUES}/nodes/nobody"))
        for verb in ("undo", "redo"):
            self.expect(404, user.post(f"{VALUES}/{verb}"))
        self.assertEqual(user.get(f"{VALUES}/export").raw, b"")
        review = self.expect(200, user.get(f"{VALUES}/review")).body
        self.assertEqual([review[name] for name in ("completed", "added", "archived", "stale", "offers", "progress")],
                         [[]] * 6)

    def test_driver_milestone_and_action_are_created_one_by_one(self):
        """REQ-000-12, 13, 18, 19, 25: every creation is a revision; actions name driver and milestone."""
        user = self.user()
        driver = self.expect(201, user.post(f"{VALUES}/nodes", {"nodeType": DRIVER, "title": "Health"}))
        self.assertTrue(driver["changed"])
        [health] = driver["added"]
        self.assertEqual(driver.tag, f'"{driver["commit"]["revId"]}"')
        self.assertNotIn("parentRevId", driver["commit"])
        milestone = self.expect(201, user.post(f"{VALUES}/nodes", {
            "nodeType": MILESTONE, "title": "Run", "parentId": health, "notes": "In spring."}))
        [run] = milestone["added"]
        self.assertEqual(milestone["commit"]["parentRevId"], driver["commit"]["revId"])
        action = self.expect(201, user.post(f"{VALUES}/nodes", {
            "nodeId": "shoes", "nodeType": ACTION, "title": "Buy shoes", "parentId": run}))
        self.assertEqual(action["added"], ["shoes"])
        direct = self.expect(201, user.post(f"{VALUES}/nodes", {
            "nodeType": ACTION, "title": "Breathe", "parentId": health, "first": True}))
        [breathe] = direct["added"]

        tree = user.tree()
        self.assertEqual(len(user.log()), 4)
        self.assertEqual(tree.nodes["shoes"]["driverId"], health)
        self.assertEqual(tree.nodes["shoes"]["rootDriverId"], health)
        self.assertEqual(tree.nodes["shoes"]["parentMilestoneId"], run)
        self.assertFalse(tree.nodes["shoes"]["archived"])
        self.assertNotIn("parentMilestoneId", tree.nodes[breathe])
        self.assertEqual(tree.nodes[breathe]["driverId"], health)
        self.assertNotIn("driverId", tree.nodes[health])
        self.assertEqual(tree.nodes[health]["rootDriverId"], health)
        self.assertEqual(tree.children(health), [breathe, run])
        self.assertEqual(tree.nodes[run]["notes"], "In spring.")

        one = self.expect(200, user.get(f"{VALUES}/nodes/{run}"))
        self.assertEqual(one["node"], tree.nodes[run])
        self.assertEqual((one["parents"], one["revId"]), ([health], tree.rev))
        self.assertEqual(one["progress"], {"nodeId": run, "completed": 0, "total": 1})
        self.assertNotIn("progress", user.get(f"{VALUES}/nodes/shoes").body)
        children = self.expect(200, user.get(f"{VALUES}/nodes/{health}/children"))
        self.assertEqual([node["nodeId"] for node in children["items"]], [breathe, run])

    def test_where_a_node_may_hang(self):
        """REQ-000-18 to 22: drivers under nothing, nothing under actions, everything under a driver."""
        user = self.with_tree()
        refused = [
            ("wrong-parent", add("x", DRIVER, "health")),
            ("no-parent", add("x", MILESTONE)),
            ("no-parent", add("x", ACTION)),
            ("wrong-parent", add("x", ACTION, "shoes")),
            ("wrong-parent", add("x", MILESTONE, "shoes")),
            ("unknown-parent", add("x", ACTION, "nobody")),
            ("id-taken", add("run", MILESTONE, "health")),
            ("unknown-sibling", add("x", ACTION, "run", afterId="blinds")),
            ("two-places", add("x", ACTION, "run", afterId="shoes", first=True)),
            ("no-place", add("x", DRIVER, afterId="craft")),
            ("wrong-parent", op("move", nodeId="craft", parentId="health")),
            ("wrong-parent", op("link", parentId="shoes", childId="sleep")),
            ("wrong-parent", op("link", parentId="health", childId="craft")),
            ("other-driver", op("link", parentId="side", childId="shoes")),
            ("duplicate-edge", op("link", parentId="run", childId="shoes")),
            ("last-parent", op("unlink", parentId="run", childId="shoes")),
            ("unknown-parent", op("unlink", parentId="sleep", childId="shoes")),
        ]
        for code, operation in refused:
            with self.subTest(code=code, operation=operation):
                reply = self.same_tree(user, lambda: user.commit(operation))
                self.expect(422, reply, code)
                self.assertTrue(all(field.startswith("operations[0].") for field in reply.fields()), reply)


class Editing(ValuesTest):
    def test_edit_changes_what_is_given_and_nothing_else(self):
        user = self.with_tree()
        before = user.tree().nodes
        self.expect(200, user.patch(f"{VALUES}/nodes/run", {"title": "Run far", "notes": "Slowly"}))
        self.expect(200, user.patch(f"{VALUES}/nodes/run", {"title": "Run farther"}))
        after = user.tree().nodes
        self.assertEqual(after.pop("run"), {**before.pop("run"), "title": "Run farther", "notes": "Slowly"})
        self.assertEqual(after, before)
        self.expect(200, user.patch(f"{VALUES}/nodes/run", {"notes": None}))
        self.assertNotIn("notes", user.tree().nodes["run"])
        self.expect(404, user.patch(f"{VALUES}/nodes/nobody", {"title": "x"}), "not-found")

    def test_a_change_that_changes_nothing_makes_no_revision(self):
        """OPEN-000-n."""
        user = self.with_tree()
        tree = user.tree()
        nothing = [
            lambda: user.patch(f"{VALUES}/nodes/run", {"title": tree.nodes["run"]["title"]}),
            lambda: user.patch(f"{VALUES}/nodes/run", {}),
            lambda: user.post(f"{VALUES}/nodes/run/reorder", {"childIds": tree.children("run")}),
            lambda: user.post(f"{VALUES}/nodes/five/move", {"parentId": "run", "afterId": "shoes"}),
            lambda: user.post(f"{VALUES}/nodes/shoes/uncomplete"),
            lambda: user.post(f"{VALUES}/nodes/shoes/restore"),
            lambda: user.commit(edit("run", title="x"), edit("run", title=tree.nodes["run"]["title"])),
            lambda: user.commit(op("archive", nodeId="sleep"), op("restore", nodeId="sleep")),
            lambda: user.post(f"{VALUES}/rollback", {"toRevId": tree.rev}),
        ]
        for number, do in enumerate(nothing):
            with self.subTest(number):
                reply = self.expect(200, self.same_tree(user, do))
                answer = reply.body.get("values", reply.body)
                self.assertFalse(answer["changed"])
                self.assertEqual(answer["commit"]["revId"], tree.rev)

    def test_moves_links_and_orders(self):
        user = self.with_tree()
        self.expect(200, user.post(f"{VALUES}/nodes/race/move", {"parentId": "health", "first": True}))
        tree = user.tree()
        self.assertEqual(tree.children("health"), ["race", "run", "sleep"])
        self.assertEqual(tree.children("run"), ["shoes", "five"])
        self.assertNotIn("parentMilestoneId", tree.nodes["race"])
        self.assertEqual(tree.nodes["race"]["driverId"], "health")

        self.expect(200, user.post(f"{VALUES}/nodes/sleep/move", {"parentId": "health", "afterId": "race"}))
        self.assertEqual(user.tree().children("health"), ["race", "sleep", "run"])

        self.expect(200, user.post(f"{VALUES}/nodes/health/reorder", {"childIds": ["run", "race", "sleep"]}))
        tree = user.tree()
        self.assertEqual(tree.children("health"), ["run", "race", "sleep"])
        self.assertEqual([tree.edges["health", child] for child in ("run", "race", "sleep")], [1, 2, 3])
        for wrong in (["run", "race"], ["run", "race", "sleep", "sleep"], ["run", "race", "side"], []):
            self.expect(422, user.post(f"{VALUES}/nodes/health/reorder", {"childIds": wrong}), "other-children")
        self.expect(404, user.post(f"{VALUES}/nodes/nobody/reorder", {"childIds": []}))

        # REQ-000-17: several parents; the primary one is what the node names.
        self.expect(200, user.commit(op("link", parentId="sleep", childId="book", first=True)))
        self.assertEqual(user.get(f"{VALUES}/nodes/book")["parents"], ["race", "sleep"])
        self.assertEqual(user.tree().nodes["book"]["parentMilestoneId"], "race")
        self.assertEqual(user.tree().children("sleep"), ["book", "blinds"])
        self.expect(200, user.commit(op("unlink", parentId="race", childId="book")))
        self.assertEqual(user.get(f"{VALUES}/nodes/book")["parents"], ["sleep"])
        self.assertEqual(user.tree().nodes["book"]["parentMilestoneId"], "sleep")
        self.expect(422, user.commit(op("unlink", parentId="sleep", childId="book")), "last-parent")

        # The parent to leave can be named.
        self.expect(200, user.commit(op("link", parentId="run", childId="book")))
        self.expect(200, user.post(f"{VALUES}/nodes/book/move", {"parentId": "race", "fromParentId": "run"}))
        self.assertEqual(user.tree().parents("book"), ["race", "sleep"])
        self.expect(422, user.post(f"{VALUES}/nodes/book/move", {"parentId": "run", "fromParentId": "side"}),
                    "unknown-parent")

    def test_nothing_hangs_under_itself(self):
        """OPEN-000-g: refused, with the way round."""
        user = self.with_tree()
        reply = self.same_tree(user, lambda: user.post(f"{VALUES}/nodes/run/move", {"parentId": "race"}))
        self.expect(422, reply, "cycle")
        self.assertRegex(reply["detail"], '"Run".*>.*"Race".*>.*"Run"')
        self.expect(422, user.post(f"{VALUES}/nodes/run/move", {"parentId": "run"}), "cycle")
        self.expect(422, user.commit(op("link", parentId="race", childId="run")), "cycle")
        # Made of two harmless moves in one commit.
        reply = self.same_tree(user, lambda: user.commit(op("link", parentId="sleep", childId="run"),
                                                         op("link", parentId="race", childId="sleep")))
        self.expect(422, reply, "cycle")
        self.assertEqual(reply.fields(), ["operations[1].parentId"])

    def test_moving_to_another_driver_takes_everything_below_along(self):
        """OPEN-000-h."""
        user = self.with_tree()
        reply = self.expect(200, user.post(f"{VALUES}/nodes/run/move", {"parentId": "side"}))
        tree = user.tree()
        for node in ("run", "shoes", "five", "race", "book"):
            self.assertEqual((tree.nodes[node]["driverId"], tree.nodes[node]["rootDriverId"]), ("craft", "craft"))
        self.assertEqual(tree.nodes["run"]["parentMilestoneId"], "side")
        diff = self.expect(200, user.get(f"{VALUES}/commits/{reply['commit']['revId']}"))["diff"]
        self.assertEqual([move["nodeId"] for move in diff["moved"]], ["run"])
        # Whoever looks at the difference learns which drivers changed, all the way down.
        self.assertEqual({change["nodeId"]: (change["from"], change["to"]) for change in diff["driversChanged"]},
                         {node: ("health", "craft") for node in ("run", "shoes", "five", "race", "book")})
        for node in ("run", "book"):
            self.assertEqual(user.log(f"{VALUES}/nodes/{node}/history")[0]["revId"], reply["commit"]["revId"])

    def test_a_shared_descendant_moves_with_force_only(self):
        """OPEN-000-h."""
        user = self.with_tree()
        self.expect(200, user.commit(op("link", parentId="sleep", childId="book")))
        move = f"{VALUES}/nodes/race/move"
        reply = self.same_tree(user, lambda: user.post(move, {"parentId": "craft"}))
        self.expect(422, reply, "shared-descendant")
        self.assertIn("Sleep", reply["detail"])
        self.expect(200, user.post(move, {"parentId": "craft", "force": True}))
        tree = user.tree()
        self.assertEqual(tree.parents("book"), ["race"])
        self.assertEqual(tree.nodes["book"]["driverId"], "craft")
        # Inside one driver sharing does not matter.
        self.expect(200, user.commit(op("link", parentId="side", childId="book")))
        self.expect(200, user.post(move, {"parentId": "side"}))
        self.assertEqual(user.tree().parents("book"), ["race", "side"])

    def test_force_cuts_nothing_that_would_be_left_without_a_living_parent(self):
        user = self.with_tree()
        self.expect(200, user.commit(op("link", parentId="sleep", childId="race"), op("archive", nodeId="run")))
        self.assertEqual(sorted(node for node in user.tree().nodes if node in ("race", "book", "shoes")),
                         ["book", "race"], "what has another living parent stays")
        # "run" is archived: moving it takes "race" along, which lives through "sleep" only.
        reply = self.same_tree(user, lambda: user.post(f"{VALUES}/nodes/run/move",
                                                       {"parentId": "craft", "force": True}))
        self.expect(422, reply, "shared-descendant")


class Life(ValuesTest):
    def test_completing_offers_milestones_and_never_completes_them(self):
        """OPEN-000-i."""
        user = self.with_tree()
        first = self.expect(200, user.post(f"{VALUES}/nodes/shoes/complete"))
        self.assertEqual((first["offers"], "plan" in first.body), ([], False))
        self.assertEqual(first["values"]["commit"]["source"], "completion")
        second = self.expect(200, user.post(f"{VALUES}/nodes/book/complete"))
        self.assertEqual(second["offers"], ["race"], "all of race is done, but run is not")
        third = self.expect(200, user.post(f"{VALUES}/nodes/five/complete",
                                           {"completedAt": "2026-01-02T03:04:05.000Z"}))
        self.assertEqual(third["offers"], ["run"], "race is not above five")
        tree = user.tree()
        self.assertEqual(tree.nodes["five"]["completedAt"], "2026-01-02T03:04:05.000Z")
        self.assertNotIn("completedAt", tree.nodes["run"])
        self.assertEqual(user.get(f"{VALUES}/nodes/health")["progress"],
                         {"nodeId": "health", "completed": 3, "total": 4})

        again = self.same_tree(user, lambda: user.post(f"{VALUES}/nodes/five/complete"))
        self.assertFalse(again["values"]["changed"])
        self.expect(200, user.post(f"{VALUES}/nodes/race/complete"))
        self.assertIn("completedAt", user.tree().nodes["race"])
        opened = self.expect(200, user.post(f"{VALUES}/nodes/five/uncomplete"))
        self.assertEqual((opened["offers"], opened["values"]["commit"]["source"]), ([], "completion"))
        self.assertNotIn("completedAt", user.tree().nodes["five"])
        self.expect(422, user.post(f"{VALUES}/nodes/health/complete"), "wrong-type")
        self.expect(404, user.post(f"{VALUES}/nodes/nobody/complete"))
        self.expect(422, user.post(f"{VALUES}/nodes/five/complete", {"completedAt": "yesterday"}))

    def test_archive_and_restore_with_descendants(self):
        """OPEN-000-j: what has another living parent stays."""
        user = self.with_tree()
        self.expect(200, user.commit(op("link", parentId="sleep", childId="race")))
        before = user.tree(includeArchived="true").content()
        self.expect(200, user.post(f"{VALUES}/nodes/run/archive"))
        living, all_nodes = user.tree(), user.tree(includeArchived="true")
        self.assertEqual({node for node, fields in all_nodes.nodes.items() if fields["archived"]},
                         {"run", "shoes", "five"})
        self.assertFalse(any("deletedAt" in node for node in all_nodes.nodes.values()))
        self.assertEqual(set(all_nodes.nodes) - set(living.nodes), {"run", "shoes", "five"})
        self.assertFalse(any("run" in edge for edge in living.edges))
        self.assertEqual(living.children("sleep"), ["blinds", "race"])
        self.assertEqual([n["nodeId"] for n in user.get(f"{VALUES}/nodes/health/children")["items"]], ["sleep"])
        self.assertEqual([n["nodeId"] for n in user.get(f"{VALUES}/nodes/health/children",
                                                        includeArchived="true")["items"]], ["run", "sleep"])
        self.expect(422, user.post(f"{VALUES}/nodes/shoes/restore"), "parent-deleted")
        self.expect(422, user.commit(add("x", ACTION, "run")), "parent-deleted")
        self.expect(200, user.post(f"{VALUES}/nodes/run/restore"))
        self.assertEqual(user.tree(includeArchived="true").content(), before)

    def test_restore_leaves_what_was_archived_before(self):
        user = self.with_tree()
        self.expect(200, user.post(f"{VALUES}/nodes/book/archive"))
        before = user.tree(includeArchived="true").content()
        self.expect(200, user.post(f"{VALUES}/nodes/run/archive"))
        self.assertNotIn("race", user.tree().nodes)
        self.expect(200, user.post(f"{VALUES}/nodes/run/restore"))
        self.assertEqual(user.tree(includeArchived="true").content(), before)

    def test_delete_is_a_tombstone_that_restore_undoes(self):
        """REQ-000-40, 41; OPEN-000-j: restoring brings back what went in the same commit, nothing else."""
        user = self.with_tree()
        self.expect(200, user.delete(f"{VALUES}/nodes/five"))
        self.expect(200, user.delete(f"{VALUES}/nodes/run"))
        tree = user.tree(includeArchived="true")
        gone = {node: fields["deletedAt"] for node, fields in tree.nodes.items() if "deletedAt" in fields}
        self.assertEqual(set(gone), {"run", "shoes", "five", "race", "book"})
        self.assertTrue(all(tree.nodes[node]["archived"] for node in gone))
        self.assertEqual(len({gone[node] for node in ("run", "shoes", "race", "book")}), 1)
        self.assertEqual(set(user.tree().nodes), {"health", "sleep", "blinds", "craft", "side", "sketch"})
        # Tombstones stay reachable, and refuse to be worked with.
        self.assertIn("deletedAt", user.get(f"{VALUES}/nodes/run")["node"])
        for refused in (edit("run", title="x"), op("complete", nodeId="shoes"), op("archive", nodeId="run"),
                        op("move", nodeId="run", parentId="craft"), op("link", parentId="sleep", childId="book")):
            self.expect(422, user.commit(refused), "deleted")
        again = self.same_tree(user, lambda: user.delete(f"{VALUES}/nodes/run"))
        self.assertFalse(self.expect(200, again)["changed"])
        self.expect(404, user.delete(f"{VALUES}/nodes/nobody"))
        # Later commits carry the tombstones on.
        self.expect(200, user.commit(edit("side", title="Side")))
        self.expect(200, user.post(f"{VALUES}/nodes/run/restore"))
        tree = user.tree(includeArchived="true")
        self.assertEqual({node for node, fields in tree.nodes.items() if fields["archived"]}, {"five"})
        self.assertEqual(tree.children("run"), ["shoes", "five", "race"], "in the order of before")
        self.expect(200, user.post(f"{VALUES}/nodes/five/restore"))
        self.assertIn("five", user.tree().nodes)

    def test_a_driver_goes_and_comes_back_with_all_it_has(self):
        user = self.with_tree()
        before = user.tree(includeArchived="true").content()
        self.expect(200, user.delete(f"{VALUES}/nodes/health"))
        self.assertEqual(set(user.tree().nodes), {"craft", "side", "sketch"})
        self.expect(200, user.post(f"{VALUES}/nodes/health/restore"))
        self.assertEqual(user.tree(includeArchived="true").content(), before)


if __name__ == "__main__":
    unittest.main()
