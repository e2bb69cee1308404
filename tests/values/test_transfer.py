"""A whole history out of one account and into another: equal at every revision. And histories that are no histories."""

import copy
import json
import unittest

from case import ACTION, DRIVER, MILESTONE, PLANS, VALUES, ValuesTest, add, edit, op

NDJSON = {"Content-Type": "application/x-ndjson"}


def lines_of(user):
    """Every revision of an export, following its pages."""
    lines, path = [], f"{VALUES}/export"
    while path:
        reply = user.get(path)
        assert reply.status == 200, reply
        assert reply.headers["Content-Type"].startswith("application/x-ndjson")
        lines += [json.loads(line) for line in reply.raw.splitlines()]
        link = reply.headers.get("Link")
        path = link[1:link.index(">")] if link else None
    return lines


def send_lines(user, lines, headers=()):
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    return user.post(f"{VALUES}/import", body, {**NDJSON, **dict(headers)})


def moved_in_time(rev_id, first):
    """The same id with other first characters, the ones that tell the time."""
    return first + rev_id[len(first):]


class Transfer(ValuesTest):
    def live(self, user):
        """A history with everything in it."""
        for do in (lambda: user.commit(edit("run", title='Run "far"', notes="é 🏔️\n")),
                   lambda: user.commit(op("link", parentId="sleep", childId="book")),
                   lambda: user.post(f"{VALUES}/nodes/shoes/complete"),
                   lambda: user.delete(f"{VALUES}/nodes/race"),
                   lambda: user.post(f"{VALUES}/undo"),
                   lambda: user.post(f"{VALUES}/redo"),
                   lambda: user.commit(add("walk", MILESTONE, "health", first=True), add("dog", ACTION, "walk"),
                                       source="weekly_review", message="Review"),
                   lambda: user.post(f"{VALUES}/nodes/run/reorder", {"childIds": ["five", "shoes"]}),
                   lambda: user.post(f"{VALUES}/nodes/walk/move", {"parentId": "craft"}),
                   lambda: user.post(f"{VALUES}/nodes/dog/archive"),
                   lambda: user.post(f"{VALUES}/rollback", {"toRevId": user.log()[-1]["revId"]}),
                   lambda: user.post(f"{VALUES}/undo")):
            self.expect(200, do())

    def test_into_another_account_and_equal_at_every_revision(self):
        user, other = self.with_tree(), self.user()
        self.live(user)
        lines = lines_of(user)
        log = user.log()
        reply = self.expect(200, send_lines(other, lines))
        self.assertEqual(reply.body, {"revisions": len(log), "headRevId": log[0]["revId"], "tags": 0, "planRevisions": 0})
        self.assertEqual(other.log(), log, "ids, times, sources, messages and what was restored from what")
        for commit in log:
            ours, theirs = (who.tree(rev=commit["revId"], includeArchived="true") for who in (user, other))
            self.assertEqual(ours.content(), theirs.content())
            self.assertEqual(user.get(f"{VALUES}/commits/{commit['revId']}").body,
                             other.get(f"{VALUES}/commits/{commit['revId']}").body)
        self.assertEqual(lines_of(other), lines)
        self.assertEqual([c["revId"] for c in user.log(f"{VALUES}/nodes/book/history")],
                         [c["revId"] for c in other.log(f"{VALUES}/nodes/book/history")])
        # Life goes on in both, and steps back lead the same way.
        for who in (user, other):
            self.expect(200, who.post(f"{VALUES}/redo"))
        self.assertEqual(user.tree().content(), other.tree().content())

    def test_tags_and_plans_go_along(self):
        user, other = self.with_tree(), self.user()
        today = user.get(f"{PLANS}/settings")["today"]
        days = ["2026-03-05", today, "2030-05-06"]
        for day in days:
            self.expect(201, user.post(f"{PLANS}/{day}/todos", {"actionId": "five", "notes": "é", "estimatedPomodoros": 2}))
            self.expect(201, user.post(f"{PLANS}/{day}/todos", {"actionId": "book", "classification": "urgent"}))
            self.expect(201, user.post(f"{PLANS}/{day}/blocks", {
                "blockType": "POMODORO", "actionId": "book", "start": f"{day}T09:00:00Z", "end": f"{day}T09:25:00Z"}))
        self.expect(200, user.post(f"{PLANS}/{days[0]}/undo"))
        self.expect(200, user.post(f"{PLANS}/{days[0]}/redo"))
        self.expect(200, user.post(f"{VALUES}/nodes/book/complete", {"completedAt": f"{days[0]}T10:00:00Z"}))
        self.expect(200, user.post(f"{PLANS}/{days[2]}/rollover", {"fromDay": days[0]}))
        self.expect(200, user.put(f"{VALUES}/tags/spring", {"revId": user.log()[-1]["revId"]}))
        lines = lines_of(user)
        logs = lambda who: {day: who.log(f"{PLANS}/{day}/commits") for day in days}
        count = sum(len(log) for log in logs(user).values())
        imported = self.expect(200, send_lines(other, lines)).body
        self.assertEqual((imported["revisions"], imported["tags"], imported["planRevisions"]), (2, 1, count))
        self.assertEqual(lines_of(other), lines)
        self.assertEqual(logs(other), logs(user))
        for day, log in logs(user).items():
            for query in ({}, *({"rev": commit["revId"]} for commit in log)):
                self.assertEqual(other.get(f"{PLANS}/{day}", **query).body, user.get(f"{PLANS}/{day}", **query).body)
        every = {"from": "2000-01-01", "to": "2100-01-01"}
        counts = lambda who: [(d["day"], d["headRevId"], d["todoCount"], d["blockCount"])
                              for d in who.get(PLANS, **every)["items"]]
        self.assertEqual(counts(other), counts(user))
        self.assertEqual(other.get(f"{VALUES}/tags")["items"][0]["revId"], user.get(f"{VALUES}/tags")["items"][0]["revId"])
        # Again it changes nothing, in parts it is the same, and life goes on.
        self.assertEqual(self.expect(200, send_lines(other, lines))["planRevisions"], 0)
        third = self.user()
        of_plans = [line for line in lines if line["format"] == "cairn-values-plan/1"]
        self.expect(200, send_lines(third, [line for line in lines if line not in of_plans]))
        self.assertNotIn("headRevId", self.expect(200, send_lines(third, of_plans)).body)
        self.assertEqual(lines_of(third), lines)
        self.expect(200, third.post(f"{PLANS}/{days[0]}/undo"))

    def test_plans_that_fit_nothing(self):
        user = self.with_tree()
        self.expect(201, user.post(f"{PLANS}/2026-03-05/todos", {"actionId": "five"}))
        self.expect(201, user.post(f"{PLANS}/2026-03-05/todos", {"actionId": "book"}))
        lines = lines_of(user)
        for what, change in (("parent", lambda l: l[-1].pop("parentRevId")), ("order", lambda l: l.append(l.pop(-2))),
                             ("tree", lambda l: l[-1].update(valuesRevId="01ARZ3NDEKTSV4RRFFQ69G5FAV")),
                             ("restored", lambda l: l[-1].update(restoredFrom=l[-1]["revId"], restoredBy="undo")),
                             ("todo twice", lambda l: l[-1]["todos"].append(l[-1]["todos"][0])),
                             ("day", lambda l: l[-1].update(day="2026-03-06"))):
            with self.subTest(what):
                other, changed = self.user(), copy.deepcopy(lines)
                change(changed)
                self.assertEqual(send_lines(other, changed).status, 422)
                self.assertEqual(other.get(PLANS, **{"from": "2000-01-01", "to": "2100-01-01"})["items"], [])
        other = self.user()
        self.expect(200, send_lines(other, lines[:1]))
        self.expect(201, other.post(f"{PLANS}/2026-03-05/todos", {"actionId": "five"}))
        self.expect(409, send_lines(other, lines[1:]), "not-empty")

    def test_an_import_that_was_interrupted_goes_on(self):
        user, other = self.with_tree(), self.user()
        self.live(user)
        lines = lines_of(user)
        self.assertEqual(self.expect(200, send_lines(other, lines[:5]))["revisions"], 5)
        self.assertEqual(self.expect(200, send_lines(other, lines))["revisions"], len(lines) - 5)
        self.assertEqual(self.expect(200, send_lines(other, lines))["revisions"], 0)
        self.assertEqual(other.log(), user.log())

    def test_not_into_a_tree_of_its_own(self):
        user, other = self.with_tree(), self.with_tree()
        self.expect(409, self.same_tree(other, lambda: send_lines(other, lines_of(user))), "not-empty")
        ahead = self.user()
        self.expect(200, send_lines(ahead, lines_of(user)))
        self.expect(200, ahead.commit(edit("run", title="Ahead")))
        reply = self.same_tree(ahead, lambda: send_lines(ahead, lines_of(user)))
        self.assertIn(reply.status, (200, 409), reply)

    def test_a_long_history_comes_in_pages(self):
        user = self.with_tree()
        for number in range(520):
            self.expect(200, user.commit(edit("run", title=f"Run {number}")))
        lines = lines_of(user)
        self.assertEqual([line["revId"] for line in lines], [c["revId"] for c in user.log(limit=100)][::-1])
        self.assertGreater(len(lines), 500)
        self.expect(404, user.get(f"{VALUES}/export", after="01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        self.expect(400, user.get(f"{VALUES}/export", after="x"))

    def test_each_line_says_only_what_differs(self):
        user = self.with_tree()
        self.expect(200, user.commit(edit("run", title="x")))
        last = lines_of(user)[-1]
        self.assertEqual([node["nodeId"] for node in last["nodes"]], ["run"])
        self.assertEqual((last.get("removed", []), last.get("children", [])), ([], []))


class NoHistory(ValuesTest):
    """Whatever is wrong, nothing is written."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        user = cls.user("source")
        assert user.commit(add("d", DRIVER), add("m", MILESTONE, "d"), add("a", ACTION, "m")).status == 200
        assert user.commit(edit("m", title="M2")).status == 200
        assert user.commit(add("m2", MILESTONE, "d")).status == 200
        cls.lines = lines_of(user)

    def refuse(self, change, status=422, code=None):
        lines = copy.deepcopy(self.lines)
        changed = change(lines)
        lines = lines if changed is None else changed
        user = self.user()
        reply = self.expect(status, send_lines(user, lines), code)
        self.assertEqual((user.log(), user.tree().nodes), ([], {}))
        return reply

    def test_what_the_rules_of_a_tree_refuse(self):
        node = lambda lines, name: next(n for n in lines[0]["nodes"] if n["nodeId"] == name)
        for code, change in (
                ("no-driver", lambda l: node(l, "a").update(driverId="m")),
                ("no-driver", lambda l: node(l, "a").update(rootDriverId="a")),
                ("no-driver", lambda l: node(l, "a").pop("driverId") and None),
                ("primary-parent", lambda l: node(l, "a").pop("parentMilestoneId") and None),
                ("wrong-parent", lambda l: l[0]["children"].append({"parentNodeId": "a", "childIds": ["m"]})),
                ("duplicate-edge", lambda l: l[0]["children"][0]["childIds"].append("m")),
                ("unknown-node", lambda l: l[0]["children"][0]["childIds"].append("nobody")),
                ("unknown-node", lambda l: l[0]["children"].append({"parentNodeId": "no", "childIds": ["m"]})),
                ("no-parent", lambda l: l[0].update(children=l[0]["children"][:1])),
                ("parent-deleted", lambda l: node(l, "m").update(archived=True)),
                ("bad-time", lambda l: node(l, "a").update(deletedAt="2026-01-01T00:00:00.000Z")),
                ("bad-history", lambda l: l[1].update(removed=["nobody"])),
                ("no-parent", lambda l: l[2].update(children=[{"parentNodeId": "d", "childIds": ["m2"]}])),
                ("cycle", lambda l: l[2].update(children=[{"parentNodeId": "m", "childIds": ["a", "m2"]},
                                                          {"parentNodeId": "m2", "childIds": ["m"]},
                                                          {"parentNodeId": "d", "childIds": []}]))):
            with self.subTest(code):
                self.refuse(lambda l: change(l) and None, code=code)

    def test_what_is_no_chain(self):
        unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        for change in (lambda l: l[1:],
                       lambda l: [l[0], l[2]],
                       lambda l: [l[1], l[0], l[2]],
                       lambda l: [l[0], l[0]],
                       lambda l: l[0].update(parentRevId=unknown),
                       lambda l: l[1].update(parentRevId=unknown),
                       lambda l: l[1].pop("parentRevId") and None,
                       lambda l: l[1].update(revId=unknown),
                       lambda l: []):
            self.refuse(change, code="bad-history")

    def test_lines_that_are_none(self):
        for field, change in (("format", lambda l: l[1].update(format="cairn-values/2")),
                              ("format", lambda l: l[1].pop("format") and None),
                              ("source", lambda l: l[1].update(source="import")),
                              ("revId", lambda l: l[1].update(revId="x")),
                              ("more", lambda l: l[1].update(more=1)),
                              ("nodes[0].title", lambda l: l[1]["nodes"][0].update(title="t" * 1001)),
                              ("nodes[0].nodeId", lambda l: l[1]["nodes"][0].update(nodeId="x#1#y")),
                              ("nodes[0].nodeType", lambda l: l[1]["nodes"][0].update(nodeType="HABIT")),
                              ("message", lambda l: l[1].update(message="m" * 2001))):
            with self.subTest(field):
                reply = self.refuse(lambda l: change(l) and None)
                self.assertEqual(reply.fields(), [f"line 2.{field}"])
        user = self.user()
        body = json.dumps(self.lines[0]).encode() + b"\n{broken\n"
        self.assertIn("line 2", self.expect(400, user.post(f"{VALUES}/import", body, NDJSON))["detail"])
        self.expect(422, user.post(f"{VALUES}/import", b"", NDJSON), "bad-history")
        self.assertEqual(user.log(), [])

    def test_a_step_that_does_not_say_where_it_went_is_refused(self):
        """Undoing follows restoredFrom: it must be there, and lead back."""
        unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        for change in (lambda l: l[2].update(restoredBy="undo"),
                       lambda l: l[2].update(restoredBy="redo"),
                       lambda l: l[2].update(restoredBy="rollback"),
                       lambda l: l[2].update(restoredBy="undo", restoredFrom=unknown),
                       lambda l: l[2].update(restoredBy="undo", restoredFrom=l[2]["revId"]),
                       lambda l: l[1].update(restoredBy="undo", restoredFrom=l[2]["revId"]),
                       lambda l: l[1].update(restoredFrom=l[0]["revId"])):
            self.refuse(lambda l: change(l) and None, code="bad-history")
            # And the server is still there for everyone.
            self.expect(200, self.user("source").get(VALUES))

    def test_a_history_of_the_future_is_refused(self):
        """Ids tell the time; one of the year 9999 would make everything after it younger."""
        for first in ("7ZZZZZZZZZ", "76EZ91ZPZZ", "02"):
            self.refuse(lambda l: [dict(l[0], revId=moved_in_time(l[0]["revId"], first))], code="bad-history")
        self.expect(200, self.user("source").get(VALUES))

    def test_a_far_history_of_one_user_does_not_move_the_clock_of_another(self):
        """Whatever is imported, revisions of others have the time they were made."""
        stranger, source = self.user(), self.user("source")
        send_lines(stranger, [dict(self.lines[0], revId=moved_in_time(self.lines[0]["revId"], "02"))])
        stranger.commit(edit("m", title="x") if stranger.log() else add("x", DRIVER))
        before = source.log()[0]["revTs"]
        commit = self.expect(200, source.commit(edit("m", notes="after")))["commit"]
        self.assertEqual(commit["revTs"][:4], before[:4])


if __name__ == "__main__":
    unittest.main()
