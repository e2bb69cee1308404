"""History: commits and their differences, time travel, rollback, undo and redo, tags, the weekly review."""

import datetime
import json
import unittest

from case import ACTION, MILESTONE, VALUES, ValuesTest, add, edit, op, ulid_at
from chance import seeded_random


class Commits(ValuesTest):
    def test_several_operations_are_one_revision(self):
        user = self.with_tree()
        base = user.rev()
        reply = self.expect(200, user.commit(
            add("walk", MILESTONE, "health"), add("dog", ACTION, "walk"),
            {"op": "add", "nodeType": ACTION, "title": "Unnamed", "parentId": "walk", "first": True},
            edit("run", title="Run!"), op("complete", nodeId="shoes"), op("move", nodeId="five", parentId="race"),
            baseRevId=base, source="weekly_review", message="Much at once"))
        commit = reply["commit"]
        self.assertEqual((commit["parentRevId"], commit["source"], commit["message"]),
                         (base, "weekly_review", "Much at once"))
        self.assertEqual((reply["changed"], reply["merged"]), (True, False))
        self.assertEqual(reply["added"][:2], ["walk", "dog"])
        tree = user.tree()
        self.assertEqual(tree.children("walk"), [reply["added"][2], "dog"])
        self.assertEqual(commit["itemCount"], len(tree.nodes) + len(tree.edges))
        self.assertEqual(len(user.log()), 2)

        detail = self.expect(200, user.get(f"{VALUES}/commits/{commit['revId']}"))
        self.assertEqual(detail["commit"], commit)
        diff = detail["diff"]
        self.assertEqual((diff["fromRevId"], diff["toRevId"]), (base, commit["revId"]))
        self.assertEqual(sorted(node["nodeId"] for node in diff["added"]), sorted(reply["added"]))
        self.assertEqual({(c["nodeId"], c["field"]) for c in diff["changed"]},
                         {("run", "title"), ("shoes", "completedAt")})
        self.assertEqual(next(c for c in diff["changed"] if c["field"] == "title"),
                         {"nodeId": "run", "field": "title", "from": "Run", "to": "Run!"})
        self.assertEqual(diff["moved"], [{"nodeId": "five", "from": {"parentNodeId": "run", "order": 2},
                                          "to": {"parentNodeId": "race", "order": 2}}])
        self.assertEqual(diff["removed"], [])

    def test_all_or_nothing(self):
        user = self.with_tree()
        reply = self.same_tree(user, lambda: user.commit(edit("run", title="x"), edit("nobody", title="y")))
        self.expect(422, reply, "unknown-node", ["operations[1].nodeId"])
        self.expect(422, self.same_tree(user, lambda: user.commit()), fields=["operations"])

    def test_the_first_commit_is_compared_with_nothing(self):
        user = self.with_tree()
        detail = self.expect(200, user.get(f"{VALUES}/commits/{user.rev()}"))
        self.assertNotIn("fromRevId", detail["diff"])
        self.assertEqual(len(detail["diff"]["added"]), 11)
        self.assertEqual(len(detail["diff"]["edgesAdded"]), 9)

    def test_history_is_newest_first_in_pages_and_by_source(self):
        """REQ-000-37, REQ-X-15."""
        user = self.with_tree()
        sources = ["daily_update", "weekly_review", "completion"]
        made = [user.log()[0]["revId"]]
        for number in range(11):
            reply = self.expect(200, user.commit(edit("run", notes=str(number)), source=sources[number % 3]))
            made.append(reply["commit"]["revId"])
        self.assertEqual([commit["revId"] for commit in user.log()], made[::-1])
        self.assertEqual(sorted(made), made, "ids sort as history does")
        self.assertEqual([commit["revId"] for commit in user.log(limit=5)], made[::-1])
        page = user.get(f"{VALUES}/commits", limit=5)
        self.assertEqual(len(page["items"]), 5)
        found = user.log(source="weekly_review", limit=2)
        self.assertEqual([commit["source"] for commit in found], ["weekly_review"] * len(found))
        self.assertEqual(len(found), 5)
        self.expect(400, user.get(f"{VALUES}/commits", source="nightly"), fields=["source"])
        self.expect(400, user.get(f"{VALUES}/commits", limit=101), fields=["limit"])
        self.expect(400, user.get(f"{VALUES}/commits", limit=0), fields=["limit"])
        self.expect(400, user.get(f"{VALUES}/commits", cursor="nonsense"))
        self.expect(400, self.user().get(f"{VALUES}/commits", cursor=page["nextCursor"]))

    def test_diff_of_two_revisions_both_ways(self):
        """OPEN-000-c."""
        user = self.with_tree()
        first = user.rev()
        self.expect(200, user.commit(add("walk", MILESTONE, "health", first=True)))
        self.expect(200, user.delete(f"{VALUES}/nodes/sleep"))
        self.expect(200, user.post(f"{VALUES}/nodes/run/reorder", {"childIds": ["race", "shoes", "five"]}))
        last = user.rev()
        diff = self.expect(200, user.get(f"{VALUES}/diff", **{"from": first, "to": last})).body
        self.assertEqual([node["nodeId"] for node in diff["added"]], ["walk"])
        self.assertEqual({(c["nodeId"], c["field"]) for c in diff["changed"]},
                         {(node, field) for node in ("sleep", "blinds") for field in ("archived", "deletedAt")})
        self.assertEqual([move["nodeId"] for move in diff["moved"]], ["race"], "what made room has not moved")
        self.assertEqual(diff["edgesAdded"], [{"parentNodeId": "health", "order": 1, "childNodeId": "walk"}])
        back = self.expect(200, user.get(f"{VALUES}/diff", **{"from": last, "to": first})).body
        self.assertEqual([node["nodeId"] for node in back["removed"]], ["walk"])
        self.assertEqual(sorted((c["nodeId"], c["field"], c.get("from"), c.get("to")) for c in diff["changed"]
                                if c["field"] == "archived"),
                         sorted((c["nodeId"], c["field"], c.get("to"), c.get("from")) for c in back["changed"]
                                if c["field"] == "archived"))
        same = self.expect(200, user.get(f"{VALUES}/diff", **{"from": last, "to": last})).body
        self.assertFalse(any(same[name] for name in same if isinstance(same[name], list)))
        unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        self.expect(404, user.get(f"{VALUES}/diff", **{"from": unknown, "to": last}))
        self.expect(400, user.get(f"{VALUES}/diff", **{"from": "x", "to": last}), fields=["from"])
        self.expect(400, user.get(f"{VALUES}/diff", to=last), fields=["from"])
        self.expect(404, self.user().get(f"{VALUES}/diff", **{"from": first, "to": last}))

    def test_a_nodes_history_has_the_revisions_that_touched_it(self):
        user = self.with_tree()
        touching = [user.rev()]
        for do in (lambda: user.commit(edit("five", title="Five!")),
                   lambda: user.post(f"{VALUES}/nodes/five/move", {"parentId": "run", "first": True}),
                   lambda: user.post(f"{VALUES}/nodes/five/complete"),
                   lambda: user.commit(op("link", parentId="sleep", childId="five")),
                   lambda: user.delete(f"{VALUES}/nodes/five"),
                   lambda: user.post(f"{VALUES}/nodes/five/restore"),
                   lambda: user.post(f"{VALUES}/rollback", {"toRevId": touching[0]})):
            self.expect(200, do())
            touching.append(user.rev())
            self.expect(200, user.commit(edit("side", notes=str(len(touching)))))
        self.assertEqual([commit["revId"] for commit in user.log(f"{VALUES}/nodes/five/history")], touching[::-1])
        self.assertEqual([commit["revId"] for commit in user.log(f"{VALUES}/nodes/five/history", limit=2)],
                         touching[::-1])
        self.expect(404, user.get(f"{VALUES}/nodes/nobody/history"))

    def test_a_commit_that_touched_hundreds_is_in_their_histories_too(self):
        user = self.with_tree()
        self.expect(200, user.commit(*[add(f"n{i:03}", ACTION, "side") for i in range(300)]))
        many = user.rev()
        self.expect(200, user.commit(edit("n007", title="Bond")))
        self.assertEqual([c["revId"] for c in user.log(f"{VALUES}/nodes/n007/history")], [user.rev(), many])
        self.assertEqual([c["revId"] for c in user.log(f"{VALUES}/nodes/n299/history")], [many])
        self.assertEqual(len(user.log(f"{VALUES}/nodes/sketch/history")), 1)


class TimeTravel(ValuesTest):
    def test_every_old_revision_stays_readable_by_id_moment_and_tag(self):
        """REQ-000-26, OPEN-000-e, OPEN-000-q."""
        user = self.with_tree()
        seen = [user.tree(includeArchived="true")]
        for operation in (edit("run", title="Run 1"), op("delete", nodeId="race"), op("complete", nodeId="five"),
                          op("move", nodeId="sleep", parentId="craft")):
            self.expect(200, user.commit(operation))
            seen.append(user.tree(includeArchived="true"))
        for tree in seen:
            for query in ({"rev": tree.rev}, {"at": tree.ts}):
                found = user.tree(includeArchived="true", **query)
                self.assertEqual((found.rev, found.content()), (tree.rev, tree.content()))
        just_before = datetime.datetime.fromisoformat(seen[0].ts[:-1]) - datetime.timedelta(milliseconds=1)
        self.assertEqual(user.get(VALUES, at=just_before.isoformat(timespec="milliseconds") + "Z").body,
                         {"nodes": [], "edges": []})
        self.assertEqual(user.tree(at="2999-01-01T00:00:00Z").rev, seen[-1].rev)

        # The node of then, and its children of then.
        self.assertEqual(user.get(f"{VALUES}/nodes/run", rev=seen[0].rev)["node"]["title"], "Run")
        self.assertEqual([n["nodeId"] for n in user.get(f"{VALUES}/nodes/run/children", rev=seen[0].rev)["items"]],
                         ["shoes", "five", "race"])
        self.assertEqual([n["nodeId"] for n in user.get(f"{VALUES}/nodes/run/children", at=seen[2].ts)["items"]],
                         ["shoes", "five"])
        self.assertEqual(user.get(f"{VALUES}/nodes/sleep", rev=seen[0].rev)["node"]["driverId"], "health")

        tag = self.expect(200, user.put(f"{VALUES}/tags/before%20the%20move%231", {"revId": seen[3].rev}))
        self.assertEqual((tag["name"], tag["revId"]), ("before the move#1", seen[3].rev))
        self.assertEqual(user.tree(includeArchived="true", tag="before the move#1").content(), seen[3].content())
        self.expect(200, user.put(f"{VALUES}/tags/a", {"revId": seen[0].rev}))
        self.expect(200, user.put(f"{VALUES}/tags/a", {"revId": seen[1].rev}))  # tags move
        self.assertEqual([(t["name"], t["revId"]) for t in user.pages(f"{VALUES}/tags", limit=1)],
                         [("a", seen[1].rev), ("before the move#1", seen[3].rev)])
        self.expect(404, user.get(VALUES, tag="b"))
        self.expect(404, user.put(f"{VALUES}/tags/c", {"revId": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}))
        self.expect(404, self.user().put(f"{VALUES}/tags/c", {"revId": seen[0].rev}))
        self.expect(404, self.user().get(VALUES, tag="a"))

    def test_a_tag_is_removed_and_its_revision_stays(self):
        user = self.with_tree()
        rev = user.rev()
        for name in ("spring", "a%2Fb"):
            self.expect(200, user.put(f"{VALUES}/tags/{name}", {"revId": rev}))
        names = lambda: [tag["name"] for tag in self.expect(200, user.get(f"{VALUES}/tags"))["items"]]
        self.assertEqual(names(), ["a/b", "spring"])
        self.assertEqual(self.expect(204, user.delete(f"{VALUES}/tags/spring")).raw, b"")
        self.assertEqual(names(), ["a/b"])
        self.expect(404, user.delete(f"{VALUES}/tags/spring"), "not-found")
        self.expect(404, user.get(VALUES, tag="spring"))
        self.assertEqual(self.expect(200, user.get(VALUES, tag="a/b"))["revId"], rev)
        self.expect(204, user.delete(f"{VALUES}/tags/a%2Fb"))
        self.assertEqual((names(), user.tree(rev=rev).rev), ([], rev))

    def test_one_way_to_name_a_revision_at_a_time(self):
        user = self.with_tree()
        tree = user.tree()
        self.expect(200, user.put(f"{VALUES}/tags/t", {"revId": tree.rev}))
        for query in ({"rev": tree.rev, "at": tree.ts}, {"rev": tree.rev, "tag": "t"}, {"at": tree.ts, "tag": "t"}):
            self.expect(400, user.get(VALUES, **query))
        self.expect(404, user.get(VALUES, rev="01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        for query in ({"rev": "x"}, {"at": "x"}, {"at": "2026-13-01T00:00:00Z"}, {"includeArchived": "maybe"},
                      {"tag": ""}, {"unknown": "1"}):
            self.expect(400, user.get(VALUES, **query))

    def test_a_revision_of_another_user_is_not_found(self):
        """REQ-X-13."""
        owner, other = self.with_tree(), self.with_tree()
        rev = owner.rev()
        for reply in (other.get(VALUES, rev=rev), other.get(f"{VALUES}/commits/{rev}"),
                      other.get(f"{VALUES}/nodes/run", rev=rev),
                      other.post(f"{VALUES}/rollback", {"toRevId": rev}),
                      other.get(f"{VALUES}/export", after=rev)):
            self.expect(404, reply, "not-found")
        reply = other.commit(edit("run", title="x"), baseRevId=rev, onConflict="merge")
        self.expect(404, reply)

    def test_unchanged_trees_are_not_sent_twice(self):
        user = self.with_tree()
        reply = user.get(VALUES)
        self.assertEqual(user.get(VALUES, headers={"If-None-Match": reply.tag}).status, 304)
        self.assertEqual(user.get(VALUES, headers={"If-None-Match": reply.tag}, includeArchived="true").status, 200)
        self.expect(200, user.commit(edit("run", title="x")))
        self.assertEqual(user.get(VALUES, headers={"If-None-Match": reply.tag}).status, 200)


class Undo(ValuesTest):
    def setUp(self):
        self.me = self.with_tree()
        self.revs = [self.me.rev()]

    def edit(self, title):
        reply = self.expect(200, self.me.commit(edit("run", title=title)))
        self.revs.append(reply["commit"]["revId"])

    def step(self, verb, title, restored=None):
        reply = self.expect(200, self.me.post(f"{VALUES}/{verb}"))
        commit = reply["commit"]
        self.assertTrue(reply["changed"])
        self.assertEqual(commit["parentRevId"], self.revs[-1], "history goes on; nothing is lost")
        self.assertEqual(commit["restoredBy"], verb)
        self.assertEqual(commit["source"], "daily_update")
        self.assertEqual(self.me.tree().nodes["run"]["title"], title)
        if restored is not None:
            self.assertEqual(commit["restoredFrom"], restored)
            self.assertIn(restored, commit["message"])
        self.revs.append(commit["revId"])

    def test_rollback_is_a_new_revision_equal_to_an_old_one(self):
        """OPEN-000-b, REQ-000-43."""
        user = self.me
        old = user.tree(includeArchived="true")
        self.edit("A")
        self.expect(200, user.delete(f"{VALUES}/nodes/race"))
        self.expect(200, user.commit(add("walk", MILESTONE, "health")))
        parent = user.rev()
        reply = self.expect(200, user.post(f"{VALUES}/rollback", {"toRevId": old.rev, "source": "weekly_review"}))
        commit = reply["commit"]
        self.assertEqual((commit["parentRevId"], commit["restoredFrom"], commit["restoredBy"], commit["source"]),
                         (parent, old.rev, "rollback", "weekly_review"))
        self.assertEqual(commit["message"], f"Rollback to {old.rev}")
        self.assertEqual(user.tree(includeArchived="true").content(), old.content())
        self.assertEqual(len(user.log()), 5)
        self.expect(200, user.post(f"{VALUES}/undo"))
        self.assertIn("walk", user.tree().nodes)
        named = self.expect(200, user.post(f"{VALUES}/rollback", {"toRevId": old.rev, "message": "Enough"}))
        self.assertEqual(named["commit"]["message"], "Enough")
        self.expect(404, user.post(f"{VALUES}/rollback", {"toRevId": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}))
        self.expect(409, user.post(f"{VALUES}/rollback", {"toRevId": parent, "baseRevId": parent}), "stale-base")

    def test_long_chains(self):
        for title in "ABCD":
            self.edit(title)
        _, a, b, c, d = self.revs
        self.step("undo", "C", c)
        self.step("undo", "B", b)
        self.step("undo", "A", a)
        self.step("redo", "B", b)
        self.step("redo", "C", c)
        self.step("undo", "B", b)
        self.step("redo", "C", c)
        self.step("redo", "D", d)
        self.expect(409, self.me.post(f"{VALUES}/redo"), "nothing-to-redo")
        self.step("undo", "C", c)
        self.edit("E")
        self.expect(409, self.me.post(f"{VALUES}/redo"), "nothing-to-redo")
        # The edit is undone first, then what was current when it was made, as if the steps had not been.
        self.step("undo", "C")
        self.step("undo", "B")
        self.step("undo", "A")
        self.step("redo", "B")
        self.step("redo", "C")
        self.step("redo", "E")
        self.expect(409, self.me.post(f"{VALUES}/redo"), "nothing-to-redo")

    def test_back_to_the_first_revision_and_no_further(self):
        self.edit("A")
        self.edit("B")
        self.step("undo", "A")
        self.step("undo", "Run")
        self.expect(409, self.same_tree(self.me, lambda: self.me.post(f"{VALUES}/undo")), "nothing-to-undo")
        self.step("redo", "A")
        self.step("redo", "B")

    def test_random_chains_are_those_of_an_editor(self):
        """Undo and redo against the two stacks every editor has."""
        chance = seeded_random()
        undo, redo, now, number = [], [], "Run", 0
        for _ in range(60):
            verb = chance.choice(("edit", "undo", "undo", "redo", "redo"))
            if verb == "edit":
                number += 1
                undo.append(now)
                redo, now = [], f"title {number}"
                self.edit(now)
                continue
            source, target = (undo, redo) if verb == "undo" else (redo, undo)
            if not source:
                self.expect(409, self.me.post(f"{VALUES}/{verb}"), f"nothing-to-{verb}")
                continue
            target.append(now)
            now = source.pop()
            self.step(verb, now)

    def test_a_rollback_is_undone_like_an_edit(self):
        self.edit("A")
        self.edit("B")
        self.expect(200, self.me.post(f"{VALUES}/rollback", {"toRevId": self.revs[0]}))
        self.revs.append(self.me.rev())
        self.step("undo", "B")
        self.step("undo", "A")
        self.step("redo", "B")
        self.step("redo", "Run")


class Review(ValuesTest):
    def test_the_week_of_a_new_tree(self):
        user = self.with_tree()
        self.expect(200, user.commit(op("complete", nodeId="book"), op("archive", nodeId="sleep")))
        self.expect(200, user.delete(f"{VALUES}/nodes/shoes"))
        review = self.expect(200, user.get(f"{VALUES}/review")).body
        names = {part: [node["nodeId"] for node in review[part]]
                 for part in ("completed", "added", "archived", "stale", "offers")}
        self.assertEqual(names["completed"], ["book"])
        self.assertEqual(names["offers"], ["race"])
        self.assertEqual(names["archived"], ["blinds", "shoes", "sleep"])
        self.assertNotIn("shoes", names["added"])
        self.assertEqual(names["stale"], [])
        self.assertEqual({p["nodeId"]: (p["completed"], p["total"]) for p in review["progress"]},
                         {"health": (1, 2), "run": (1, 2), "race": (1, 1), "craft": (0, 1), "side": (0, 1)})
        monday = datetime.date.fromisoformat(review["from"])
        self.assertEqual((monday.weekday(), datetime.date.fromisoformat(review["to"]) - monday),
                         (0, datetime.timedelta(days=6)))
        self.assertEqual(user.get(f"{VALUES}/review", weekOf=review["to"]).body, review)
        early = self.expect(200, user.get(f"{VALUES}/review", weekOf="2020-02-29")).body
        self.assertEqual((early["from"], early["to"], early["added"]), ("2020-02-24", "2020-03-01", []))
        self.expect(400, user.get(f"{VALUES}/review", weekOf="2026-02-30"), fields=["weekOf"])
        for edge in ("0001-01-01", "9999-12-31"):
            self.assertLess(user.get(f"{VALUES}/review", weekOf=edge).status, 500)

    def test_what_was_done_last_week_and_told_today(self):
        user = self.with_tree()
        today = datetime.date.fromisoformat(user.get("/api/plans/settings")["today"])
        friday = today - datetime.timedelta(days=today.weekday() + 3)
        review = lambda day: self.expect(200, user.get(f"{VALUES}/review", weekOf=str(day))).body
        done = lambda day: [node["nodeId"] for node in review(day)["completed"]]
        self.assertEqual((done(friday), done(today)), ([], []))
        self.expect(200, user.post(f"{VALUES}/nodes/book/complete", {"completedAt": f"{friday}T15:00:00Z"}))
        self.expect(200, user.commit(add("late", "ACTION", "run"),
                                     op("complete", nodeId="late", completedAt=f"{friday}T16:00:00Z")))
        self.assertEqual((done(friday), done(today)), (["book", "late"], []))
        self.assertEqual(review(friday)["completed"][0]["completedAt"], f"{friday}T15:00:00.000Z")
        self.expect(200, user.post(f"{VALUES}/nodes/book/uncomplete"))
        self.assertEqual(done(friday), ["late"], "not done after all")

    def test_a_week_of_the_past_in_the_users_zone(self):
        """A history made for it: what belongs to the week is told, to the minute where the user lives."""
        user = self.user()
        self.expect(200, user.patch("/api/plans/settings", {"timezone": "Europe/Berlin", "dayStartHour": 4}))
        node = lambda name, kind, created, **more: {
            "nodeId": name, "nodeType": kind, "title": name, "createdAt": created, "archived": False,
            "rootDriverId": "d", **({} if kind == "DRIVER" else {"driverId": "d"}), **more}
        action = lambda name, created, **more: node(name, "ACTION", created, **more)
        # The week of 5 October 2026 starts on Monday at 4:00 in Berlin, 2:00 UTC, and ends a week later.
        before, start, end, after = ("2026-10-05T01:59:59.999Z", "2026-10-05T02:00:00.000Z",
                                     "2026-10-12T01:59:59.999Z", "2026-10-12T02:00:00.000Z")
        long_ago = "2026-08-01T00:00:00.000Z"
        old = [node("d", "DRIVER", long_ago), action("forgotten", long_ago)]
        old += [action(f"{what}-{when}", long_ago) for what in ("done", "gone", "touched")
                for when in ("before", "start", "end", "after")]
        steps = [(long_ago, old)]
        for when, moment in (("before", before), ("start", start), ("end", end), ("after", after)):
            steps.append((moment, [action(f"made-{when}", moment), action(f"done-{when}", long_ago, completedAt=moment),
                                   action(f"gone-{when}", long_ago, archived=True, deletedAt=moment),
                                   action(f"touched-{when}", long_ago, notes="!")]))
        lines, known = [], []
        for number, (moment, nodes) in enumerate(steps):
            known += [n["nodeId"] for n in nodes if n["nodeId"] not in known and n["nodeId"] != "d"]
            lines.append({"format": "cairn-values/1", "revId": ulid_at(moment, number), "source": "daily_update",
                          "nodes": nodes, "children": [{"parentNodeId": "d", "childIds": list(known)}],
                          **({"parentRevId": lines[-1]["revId"]} if lines else {})})
        body = "".join(json.dumps(line) + "\n" for line in lines).encode()
        self.expect(200, user.post(f"{VALUES}/import", body, {"Content-Type": "application/x-ndjson"}))
        told = lambda day: {part: [n["nodeId"] for n in found] for part, found in
                            self.expect(200, user.get(f"{VALUES}/review", weekOf=day)).body.items()
                            if isinstance(found, list) and part != "progress"}
        for day in ("2026-10-05", "2026-10-08", "2026-10-11"):
            week = told(day)
            self.assertEqual(week["completed"], ["done-end", "done-start"])
            self.assertEqual(week["added"], ["made-end", "made-start"])
            self.assertEqual(week["archived"], ["gone-end", "gone-start"])
            self.assertNotIn("forgotten", week["completed"])
            # Untouched for the fourteen days before the week's end; what comes later is not yet known.
            self.assertEqual(week["stale"], ["done-after", "forgotten", "gone-after", "touched-after"])
        self.assertEqual(told("2026-10-04")["completed"], ["done-before"])
        self.assertEqual(told("2026-10-12")["completed"], ["done-after"])
        self.assertEqual(told("2026-11-02")["stale"],
                         ["forgotten"] + [f"{what}-{when}" for what in ("made", "touched")
                                          for when in ("after", "before", "end", "start")])

    def test_the_weeks_of_the_demo(self):
        """Five weeks of past: each has what was completed in it, and what nobody has touched for two weeks is told."""
        done = self.server.command("user", "add", "ada@example.org", "--data", self.server.data, stdin="correct horse")
        self.assertEqual(done.code, 0, done)
        done = self.server.command("demo", "ada@example.org", "--data", self.server.data)
        self.assertEqual(done.code, 0, done)
        user = self.user()
        login = user.post("/api/auth/login", {"email": "ada@example.org", "password": "correct horse",
                                              "kind": "program"})
        user.token = self.expect(200, login)["accessToken"]
        tree = user.tree(includeArchived="true")
        today = datetime.date.fromisoformat(self.expect(200, user.get("/api/plans/settings"))["today"])
        told, stale = set(), set()
        for weeks_ago in range(5):
            day = today - datetime.timedelta(weeks=weeks_ago)
            review = self.expect(200, user.get(f"{VALUES}/review", weekOf=day.isoformat())).body
            for node in review["completed"]:
                self.assertTrue(review["from"] <= node["completedAt"][:10] <= review["to"], node)
                self.assertNotIn(node["nodeId"], told)
                told.add(node["nodeId"])
            for node in review["stale"]:
                self.assertNotIn("completedAt", node)
                self.assertFalse(node["archived"])
                self.assertLess(node["createdAt"][:10], review["to"])
            stale.update(node["nodeId"] for node in review["stale"])
        self.assertEqual(told, {node for node, fields in tree.nodes.items()
                                if "completedAt" in fields and "deletedAt" not in fields})
        self.assertTrue(stale, "something is always left lying")
        again = self.server.command("demo", "ada@example.org", "--data", self.server.data)
        self.assertNotEqual(again.code, 0, "demo data is for a new account")


if __name__ == "__main__":
    unittest.main()
