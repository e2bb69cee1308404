"""Two people at once: stale bases are refused, disjoint changes merge, the same field on both sides is told."""

import unittest

from case import ACTION, MILESTONE, VALUES, ValuesTest, add, edit, op

UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


class StaleBase(ValuesTest):
    def test_a_commit_on_a_stale_base_changes_nothing(self):
        """REQ-000-24, OPEN-000-d: fail is the default."""
        user = self.with_tree()
        base = user.rev()
        self.expect(200, user.commit(edit("run", title="Theirs"), baseRevId=base))
        for more in ({}, {"onConflict": "fail"}):
            reply = self.same_tree(user, lambda: user.commit(edit("sleep", title="Mine"), baseRevId=base, **more))
            self.expect(409, reply, "stale-base")
            self.assertIn(user.rev(), reply["detail"])
        self.expect(422, user.commit(edit("sleep", title="Mine"), baseRevId=base, onConflict="win"),
                    fields=["onConflict"])
        self.expect(409, user.commit(edit("sleep", title="Mine"), baseRevId=UNKNOWN), "stale-base")
        self.expect(404, user.commit(edit("sleep", title="Mine"), baseRevId=UNKNOWN, onConflict="merge"))
        self.expect(422, user.commit(edit("sleep", title="Mine"), baseRevId="x"), fields=["baseRevId"])
        self.expect(409, self.user().commit(add("d", "DRIVER"), baseRevId=base), "stale-base")

    def test_if_match_is_a_base_too(self):
        user = self.with_tree()
        old = user.get(VALUES).tag
        fresh = self.expect(200, user.patch(f"{VALUES}/nodes/run", {"title": "1"}, {"If-Match": old})).tag
        for send in (lambda tag: user.patch(f"{VALUES}/nodes/run", {"title": "2"}, {"If-Match": tag}),
                     lambda tag: user.post(f"{VALUES}/nodes/shoes/complete", None, {"If-Match": tag}),
                     lambda tag: user.post(f"{VALUES}/undo", None, {"If-Match": tag}),
                     lambda tag: user.delete(f"{VALUES}/nodes/book", {"If-Match": tag})):
            self.expect(412, self.same_tree(user, lambda: send(old)), "version-mismatch")
            fresh = self.expect(200, send(fresh)).tag
        # The tag of a tree with its archived nodes names the same revision.
        everything = user.get(VALUES, includeArchived="true").tag
        self.assertNotEqual(everything, user.get(VALUES).tag)
        self.expect(200, user.patch(f"{VALUES}/nodes/run", {"title": "3"}, {"If-Match": everything}))


class Merging(ValuesTest):
    def setUp(self):
        self.me = self.with_tree()
        self.base = self.me.rev()

    def theirs(self, *operations):
        return self.expect(200, self.me.commit(*operations))["commit"]["revId"]

    def mine(self, *operations, **more):
        return self.me.commit(*operations, baseRevId=self.base, onConflict="merge", **more)

    def conflicts(self, *operations, **more):
        reply = self.same_tree(self.me, lambda: self.mine(*operations, **more))
        self.expect(409, reply, "merge-conflict")
        return reply["conflicts"]

    def test_disjoint_changes_merge(self):
        """OPEN-000-d: by node and by field."""
        head = self.theirs(edit("run", title="Theirs"), add("walk", MILESTONE, "health"),
                           op("complete", nodeId="shoes"))
        reply = self.expect(200, self.mine(edit("run", notes="Mine"), add("swim", MILESTONE, "health"),
                                           op("move", nodeId="five", parentId="race"), op("delete", nodeId="blinds")))
        self.assertEqual((reply["merged"], reply["changed"], reply["added"]), (True, True, ["swim"]))
        self.assertEqual(reply["commit"]["parentRevId"], head)
        tree = self.me.tree()
        self.assertEqual((tree.nodes["run"]["title"], tree.nodes["run"]["notes"]), ("Theirs", "Mine"))
        self.assertEqual(tree.children("health"), ["run", "sleep", "walk", "swim"])
        self.assertEqual(tree.parents("five"), ["race"])
        self.assertIn("completedAt", tree.nodes["shoes"])
        self.assertNotIn("blinds", tree.nodes)

    def test_merging_on_a_current_base_is_an_ordinary_commit(self):
        reply = self.expect(200, self.mine(edit("run", title="Mine")))
        self.assertFalse(reply["merged"])

    def test_the_same_change_twice_is_none(self):
        self.theirs(edit("run", title="Same"), op("complete", nodeId="five", completedAt="2026-01-01T00:00:00.000Z"))
        reply = self.same_tree(self.me, lambda: self.mine(edit("run", title="Same"), op("complete", nodeId="five")))
        self.assertFalse(self.expect(200, reply)["changed"])

    def test_the_same_field_is_a_conflict_that_a_resolution_settles(self):
        self.theirs(edit("run", title="Theirs", notes="Theirs"), edit("five", title="Five!"))
        operations = [edit("run", title="Mine", notes="Mine"), edit("book", title="Book!")]
        found = self.conflicts(*operations)
        self.assertEqual(found, [
            {"nodeId": "run", "field": "notes", "base": None, "theirs": "Theirs", "mine": "Mine"},
            {"nodeId": "run", "field": "title", "base": "Run", "theirs": "Theirs", "mine": "Mine"}])
        take_mine = {"nodeId": "run", "field": "title", "take": "mine"}
        self.assertEqual([c["field"] for c in self.conflicts(*operations, resolutions=[take_mine])], ["notes"])
        reply = self.expect(200, self.mine(*operations, resolutions=[
            take_mine, {"nodeId": "run", "field": "notes", "take": "value", "value": "Ours"}]))
        self.assertTrue(reply["merged"])
        tree = self.me.tree()
        self.assertEqual((tree.nodes["run"]["title"], tree.nodes["run"]["notes"]), ("Mine", "Ours"))
        self.assertEqual((tree.nodes["five"]["title"], tree.nodes["book"]["title"]), ("Five!", "Book!"))

    def test_taking_theirs_everywhere_changes_nothing(self):
        self.theirs(edit("run", title="Theirs"))
        reply = self.same_tree(self.me, lambda: self.mine(edit("run", title="Mine"), resolutions=[
            {"nodeId": "run", "field": "title", "take": "theirs"}]))
        self.assertFalse(self.expect(200, reply)["changed"])

    def test_wrong_resolutions_are_told(self):
        self.theirs(edit("run", title="Theirs"))
        for resolution, field in (
                ({"nodeId": "run", "field": "title", "take": "ours"}, "resolutions[0].take"),
                ({"nodeId": "run", "field": "title", "take": "value"}, "resolutions[0].value"),
                ({"nodeId": "run", "field": "order", "take": "value", "value": "x"}, "resolutions[0].value"),
                ({"nodeId": "run", "field": "completedAt", "take": "value", "value": "x"}, "resolutions[0].value"),
                ({"nodeId": "run", "take": "mine"}, "resolutions[0].field")):
            self.expect(422, self.mine(edit("run", title="Mine"), resolutions=[resolution]), fields=[field])
        value = {"nodeId": "run", "field": "title", "take": "value", "value": "x" * 1001}
        reply = self.same_tree(self.me, lambda: self.mine(edit("run", title="Mine"), resolutions=[value]))
        self.assertIn(reply.status, (409, 422), reply)

    def test_moves_to_two_parents(self):
        self.theirs(op("move", nodeId="five", parentId="race"))
        move = op("move", nodeId="five", parentId="sleep")
        self.assertEqual(self.conflicts(move), [
            {"nodeId": "five", "field": "parent", "base": "run", "theirs": "race", "mine": "sleep"}])
        self.expect(200, self.mine(move, resolutions=[
            {"nodeId": "five", "field": "parent", "take": "value", "value": "health"}]))
        self.assertEqual(self.me.tree().parents("five"), ["health"])

    def test_two_orders(self):
        self.theirs(op("reorder", parentId="run", childIds=["race", "five", "shoes"]))
        mine = op("reorder", parentId="run", childIds=["five", "shoes", "race"])
        self.assertEqual(self.conflicts(mine), [
            {"nodeId": "run", "field": "order", "base": ["shoes", "five", "race"],
             "theirs": ["race", "five", "shoes"], "mine": ["five", "shoes", "race"]}])
        self.expect(200, self.mine(mine, resolutions=[{"nodeId": "run", "field": "order", "take": "mine"}]))
        self.assertEqual(self.me.tree().children("run"), ["five", "shoes", "race"])

    def test_deleting_what_the_other_side_edits(self):
        self.theirs(edit("five", title="Still wanted"))
        found = self.conflicts(op("delete", nodeId="five"))
        self.assertEqual([(c["nodeId"], c["field"], c["base"], c["theirs"]) for c in found],
                         [("five", "deletedAt", None, None)])
        self.expect(200, self.mine(op("delete", nodeId="five"), resolutions=[
            {"nodeId": "five", "field": "deletedAt", "take": "theirs"}]))
        self.assertEqual(self.me.tree().nodes["five"]["title"], "Still wanted")

    def test_hanging_something_under_what_the_other_side_deletes(self):
        self.theirs(op("delete", nodeId="race"))
        found = self.conflicts(add("medal", ACTION, "race"))
        self.assertEqual({c["nodeId"] for c in found}, {"race"})
        self.expect(200, self.mine(add("medal", ACTION, "race"), resolutions=[
            {"nodeId": "race", "field": found[0]["field"], "take": "mine"}]))
        tree = self.me.tree()
        self.assertIn("medal", tree.nodes)
        self.assertEqual(tree.children("race"), ["book", "medal"])

    def test_two_moves_that_are_a_cycle_together_only(self):
        self.expect(200, self.me.commit(add("a", MILESTONE, "health"), add("b", MILESTONE, "health")))
        self.base = self.me.rev()
        self.theirs(op("move", nodeId="a", parentId="b"))
        reply = self.same_tree(self.me, lambda: self.mine(op("move", nodeId="b", parentId="a")))
        self.assertEqual(reply.status, 409, reply)

    def test_the_same_id_added_on_both_sides(self):
        self.theirs(add("walk", MILESTONE, "health"))
        reply = self.same_tree(self.me, lambda: self.mine(op("add", nodeId="walk", nodeType="ACTION", title="Other",
                                                             parentId="run")))
        self.expect(409, reply)

    def test_a_rollback_removed_what_was_edited(self):
        self.expect(200, self.me.commit(add("walk", MILESTONE, "health")))
        added = self.me.rev()
        self.expect(200, self.me.post(f"{VALUES}/rollback", {"toRevId": self.base}))
        self.base = added
        found = self.conflicts(edit("walk", title="Walk far"))
        self.assertEqual([(c["nodeId"], c["field"]) for c in found], [("walk", "")])
        self.expect(200, self.mine(edit("walk", title="Walk far"), resolutions=[
            {"nodeId": "walk", "field": "", "take": "mine"}]))
        self.assertEqual(self.me.tree().nodes["walk"]["title"], "Walk far")


class Retrying(ValuesTest):
    def test_a_repeated_request_is_applied_once(self):
        """REQ-X-16: the receipt is written with the commit."""
        user = self.with_tree()
        body = {"operations": [op("add", nodeType=ACTION, title="Once", parentId="run")]}
        first = self.expect(200, user.post(f"{VALUES}/commits", body, {"Idempotency-Key": "k1"}))
        again = self.same_tree(user, lambda: user.post(f"{VALUES}/commits", body, {"Idempotency-Key": "k1"}))
        self.assertEqual((again.status, again.body, again.tag), (first.status, first.body, first.tag))
        other = {"operations": [op("add", nodeType=ACTION, title="Twice", parentId="run")]}
        self.expect(422, self.same_tree(user, lambda: user.post(f"{VALUES}/commits", other,
                                                                {"Idempotency-Key": "k1"})), "idempotency-mismatch")
        stranger = self.with_tree()
        self.assertNotEqual(stranger.post(f"{VALUES}/commits", body, {"Idempotency-Key": "k1"})["added"],
                            first["added"])


if __name__ == "__main__":
    unittest.main()
