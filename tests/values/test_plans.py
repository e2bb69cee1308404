"""A day's plan as a person works with it: settings, todos, blocks, completing, rolling over, scheduling, history."""

import datetime
import unittest

from case import ACTION, PLANS, VALUES, ValuesTest, add, edit, op

DAY = "2030-05-06"  # a Monday to come: nothing of it has passed


def at(time, day=DAY):
    return f"{day}T{time}:00.000Z"


class PlansTest(ValuesTest):
    def todo(self, user, action, day=DAY, **more):
        return self.expect(201, user.post(f"{PLANS}/{day}/todos", {"actionId": action, **more}))

    def block(self, user, kind, start, end, day=DAY, **more):
        reply = self.expect(201, user.post(f"{PLANS}/{day}/blocks", {
            "blockType": kind, "start": at(start, day), "end": at(end, day), **more}))
        return reply["addedBlocks"][0]

    def plan(self, user, day=DAY, **query):
        return self.expect(200, user.get(f"{PLANS}/{day}", **query)).body

    def todos(self, user, day=DAY):
        return [todo["actionId"] for todo in self.plan(user, day)["todos"]]

    def log(self, user, day=DAY):
        return user.log(f"{PLANS}/{day}/commits")

    def same_plan(self, user, do, day=DAY):
        before, log, tree = self.plan(user, day), self.log(user, day), user.tree().rev
        answer = do()
        self.assertEqual((before, log, tree), (self.plan(user, day), self.log(user, day), user.tree().rev))
        return answer


class Settings(PlansTest):
    def test_defaults_changes_and_what_is_no_setting(self):
        user = self.user()
        path = f"{PLANS}/settings"
        settings = self.expect(200, user.get(path)).body
        self.assertEqual((settings["timezone"], settings["dayStartHour"], settings["autoRollover"]), ("UTC", 0, False))
        self.assertNotIn("nextRolloverAt", settings)
        changed = self.expect(200, user.patch(path, {"timezone": "Europe/Berlin"})).body
        self.assertEqual((changed["timezone"], changed["dayStartHour"]), ("Europe/Berlin", 0))
        changed = self.expect(200, user.patch(path, {"dayStartHour": 5, "autoRollover": True})).body
        self.assertEqual((changed["timezone"], changed["dayStartHour"], changed["autoRollover"]),
                         ("Europe/Berlin", 5, True))
        due = datetime.datetime.fromisoformat(changed["nextRolloverAt"].replace("Z", "+00:00"))
        now = datetime.datetime.now(datetime.timezone.utc)
        self.assertTrue(now < due < now + datetime.timedelta(hours=26), changed)
        self.assertIn(due.hour, (3, 4), "five o'clock in Berlin")
        for body, field in (({"timezone": "Mars/Olympus"}, "timezone"), ({"timezone": "../etc/passwd"}, "timezone"),
                            ({"timezone": "localtime"}, "timezone"), ({"timezone": ""}, "timezone"),
                            ({"timezone": "Europe/../UTC"}, "timezone"), ({"timezone": "europe/berlin"}, "timezone"),
                            ({"dayStartHour": 24}, "dayStartHour"), ({"dayStartHour": -1}, "dayStartHour"),
                            ({"dayStartHour": 1.5}, "dayStartHour"), ({"autoRollover": "on"}, "autoRollover"),
                            ({"today": "2030-01-01"}, "today")):
            self.expect(422, user.patch(path, body), fields=[field])
        self.assertEqual(user.get(path).body, changed)
        self.expect(200, user.patch(path, {"autoRollover": True}))  # twice is once
        self.assertNotIn("nextRolloverAt", self.expect(200, user.patch(path, {"autoRollover": False})).body)
        self.assertEqual(self.user().get(path)["timezone"], "UTC")

    def test_the_day_is_the_users(self):
        user = self.user()
        self.expect(200, user.patch(f"{PLANS}/settings", {"timezone": "Pacific/Kiritimati"}))
        ahead = user.get(f"{PLANS}/settings")["today"]
        self.expect(200, user.patch(f"{PLANS}/settings", {"timezone": "Pacific/Pago_Pago"}))
        behind = user.get(f"{PLANS}/settings")["today"]
        self.assertLess(behind, ahead, "fourteen hours before and eleven behind UTC are never the same day")


class Todos(PlansTest):
    def test_a_day_without_a_plan(self):
        user = self.with_tree()
        plan = self.plan(user)
        self.assertEqual((plan["todos"], plan["blocks"], "revId" in plan), ([], [], False))
        self.assertEqual((plan["dayStart"], plan["dayEnd"]), (at("00:00"), "2030-05-07T00:00:00.000Z"))
        self.assertEqual(self.log(user), [])
        self.assertEqual(user.get(PLANS, **{"from": "2030-01-01", "to": "2030-12-31"}).body, {"items": []})
        self.expect(404, user.post(f"{PLANS}/{DAY}/undo"))
        self.expect(404, user.post(f"{PLANS}/{DAY}/rollover"), "not-found")
        self.expect(404, user.post(f"{PLANS}/{DAY}/todos/five/complete"))
        for day in ("2026-02-30", "today", "2026-1-1", "0000-01-01", "10000-01-01", "2026-01-01T00:00"):
            self.expect(404, user.get(f"{PLANS}/{day}"))
        for day in ("0001-01-01", "9999-12-31"):
            self.assertLess(user.get(f"{PLANS}/{day}").status, 500)
        self.assertEqual(self.plan(user, "9999-12-30")["dayEnd"], "9999-12-31T00:00:00.000Z")

    def test_todos_come_and_go_in_order(self):
        """REQ-000-31, 32; every change is a revision."""
        user = self.with_tree()
        first = self.todo(user, "five", classification="urgent", estimatedPomodoros=3, notes="Slowly")
        self.assertEqual((first["commit"]["reason"], first["day"]), ("morning_plan", DAY))
        self.assertEqual(first["commit"]["valuesRevId"], user.rev())
        second = self.todo(user, "shoes", first=True)
        self.assertEqual(second["commit"]["reason"], "midday_replan")
        self.todo(user, "book", afterActionId="shoes")
        plan = self.plan(user)
        self.assertEqual([(t["actionId"], t["order"], t["classification"]) for t in plan["todos"]],
                         [("shoes", 1, "other"), ("book", 2, "other"), ("five", 3, "urgent")])
        self.assertEqual(plan["todos"][2], {
            "actionId": "five", "order": 3, "classification": "urgent", "estimatedPomodoros": 3, "notes": "Slowly",
            "title": "Five", "archived": False})
        self.expect(200, user.patch(f"{PLANS}/{DAY}/todos/five", {"classification": "important", "notes": None}))
        five = self.plan(user)["todos"][2]
        self.assertEqual((five["classification"], five["estimatedPomodoros"], "notes" in five), ("important", 3, False))
        self.expect(200, user.post(f"{PLANS}/{DAY}/todos/reorder", {"actionIds": ["five", "shoes", "book"]}))
        self.assertEqual(self.todos(user), ["five", "shoes", "book"])
        self.expect(200, user.delete(f"{PLANS}/{DAY}/todos/shoes"))
        self.assertEqual([(t["actionId"], t["order"]) for t in self.plan(user)["todos"]], [("five", 1), ("book", 2)])
        self.assertEqual(len(self.log(user)), 6)
        [day] = user.get(PLANS, **{"from": DAY, "to": DAY})["items"]
        self.assertEqual((day["day"], day["todoCount"], day["blockCount"], day["headRevId"]),
                         (DAY, 2, 0, self.log(user)[0]["revId"]))

    def test_what_is_no_todo(self):
        user = self.with_tree()
        self.todo(user, "five")
        self.expect(200, user.post(f"{VALUES}/nodes/shoes/complete"))
        self.expect(200, user.post(f"{VALUES}/nodes/blinds/archive"))
        post = lambda **body: (lambda: user.post(f"{PLANS}/{DAY}/todos", body))
        for code, do in (
                ("duplicate-todo", post(actionId="five")),
                ("unknown-action", post(actionId="nobody")),
                ("unknown-action", post(actionId="run")),
                ("unknown-action", post(actionId="shoes")),
                ("unknown-action", post(actionId="blinds")),
                ("two-places", post(actionId="book", first=True, afterActionId="five")),
                (None, post(actionId="book", classification="later")),
                (None, post(actionId="book", estimatedPomodoros=101)),
                (None, post(actionId="book", estimatedPomodoros=-1)),
                (None, post(actionId="x#A#y")),
                (None, post(actionId="book", notes="n" * 10_001)),
                (None, post(actionId="book", rolledFrom="2030-05-05")),
                (None, post()),
                ("not-a-permutation", lambda: user.post(f"{PLANS}/{DAY}/todos/reorder", {"actionIds": []})),
                ("not-a-permutation", lambda: user.post(f"{PLANS}/{DAY}/todos/reorder",
                                                        {"actionIds": ["five", "five"]}))):
            self.expect(422, self.same_plan(user, do), code)
        self.assertIn(self.same_plan(user, post(actionId="book", afterActionId="shoes")).status, (404, 422))
        self.expect(404, user.patch(f"{PLANS}/{DAY}/todos/book", {"notes": "x"}))
        self.expect(404, user.delete(f"{PLANS}/{DAY}/todos/book"))
        # No change, no revision.
        for do in (lambda: user.patch(f"{PLANS}/{DAY}/todos/five", {"classification": "other"}),
                   lambda: user.patch(f"{PLANS}/{DAY}/todos/five", {}),
                   lambda: user.post(f"{PLANS}/{DAY}/todos/reorder", {"actionIds": ["five"]})):
            self.assertFalse(self.expect(200, self.same_plan(user, do))["changed"])

    def test_days_do_not_concern_each_other(self):
        """REQ-000-35."""
        user = self.with_tree()
        days = ["2030-05-06", "2030-05-07", "2030-06-01"]
        revs = {}
        for day in days:
            revs[day] = self.todo(user, "five", day)["commit"]["revId"]
        base = revs[days[0]]
        self.todo(user, "book", days[1])
        self.expect(200, user.post(f"{PLANS}/{days[0]}/commits", {
            "baseRevId": base, "operations": [op("addTodo", actionId="shoes")]}))
        found = lambda first, last, **more: [d["day"] for d in user.pages(PLANS, **{"from": first, "to": last}, **more)]
        self.assertEqual(found(days[0], days[2]), days)
        self.assertEqual(found(days[0], days[2], limit=1), days)
        self.assertEqual(found(days[0], days[1]), days[:2], "both ends count")
        self.assertEqual(found("2030-05-08", "2030-05-31"), [])
        self.expect(400, user.get(PLANS, **{"from": days[2], "to": days[0]}))
        self.expect(400, user.get(PLANS, **{"from": "x", "to": days[0]}), fields=["from"])
        self.expect(400, user.get(PLANS), fields=["from", "to"])
        self.expect(404, user.get(f"{PLANS}/{days[1]}", rev=base))


class Blocks(PlansTest):
    def setUp(self):
        self.me = self.with_tree()
        self.todo(self.me, "five")

    def test_blocks_are_shown_in_order_of_time(self):
        """REQ-000-33, 34; OPEN-000-l: pomodoros are numbered by their start."""
        meeting = self.block(self.me, "MEETING", "10:00", "11:00")
        late = self.block(self.me, "POMODORO", "11:00", "11:25", actionId="five")
        early = self.block(self.me, "POMODORO", "09:00", "09:25", actionId="five")
        rest = self.block(self.me, "BREAK", "09:25", "09:30")
        buffer = self.block(self.me, "BUFFER", "09:00", "12:00", blockId="spare")
        self.assertEqual(buffer, "spare")
        blocks = self.plan(self.me)["blocks"]
        self.assertEqual([b["blockId"] for b in blocks if b["blockId"] != "spare"], [early, rest, meeting, late])
        self.assertEqual({b["blockId"]: b.get("pomodoroIndex") for b in blocks},
                         {early: 1, late: 2, rest: None, meeting: None, "spare": None})
        self.expect(200, self.me.patch(f"{PLANS}/{DAY}/blocks/{late}", {"start": at("08:00"), "end": at("08:25")}))
        self.assertEqual({b["blockId"]: b.get("pomodoroIndex") for b in self.plan(self.me)["blocks"]
                          if b["blockType"] == "POMODORO"}, {late: 1, early: 2})
        self.expect(200, self.me.patch(f"{PLANS}/{DAY}/blocks/{early}", {"blockType": "BREAK"}))
        changed = next(b for b in self.plan(self.me)["blocks"] if b["blockId"] == early)
        self.assertEqual(("actionId" in changed, "pomodoroIndex" in changed), (False, False))
        self.expect(200, self.me.delete(f"{PLANS}/{DAY}/blocks/{meeting}"))
        self.expect(404, self.me.delete(f"{PLANS}/{DAY}/blocks/{meeting}"))
        self.expect(404, self.me.patch(f"{PLANS}/{DAY}/blocks/nobody", {"end": at("12:00")}))
        # Without its todo a pomodoro has nothing to be about.
        self.expect(200, self.me.delete(f"{PLANS}/{DAY}/todos/five"))
        self.assertEqual([b["blockType"] for b in self.plan(self.me)["blocks"]], ["BREAK", "BUFFER", "BREAK"],
                         "of two that begin together the lesser id comes first")

    def test_what_is_no_block(self):
        """OPEN-000-l."""
        self.block(self.me, "MEETING", "10:00", "11:00", blockId="standup")
        post = lambda kind, start, end, **more: (lambda: self.me.post(f"{PLANS}/{DAY}/blocks", {
            "blockType": kind, "start": start, "end": end, **more}))
        for code, do in (
                ("overlap", post("BREAK", at("10:59"), at("11:30"))),
                ("overlap", post("MEETING", at("09:00"), at("10:01"))),
                ("overlap", post("MEETING", at("10:15"), at("10:20"))),
                ("overlap", post("MEETING", at("09:00"), at("12:00"))),
                ("end-before-start", post("BREAK", at("12:00"), at("12:00"))),
                ("end-before-start", post("BREAK", at("12:00"), at("11:00"))),
                ("outside-day", post("BREAK", "2030-05-05T23:59:00Z", at("00:30"))),
                ("outside-day", post("BREAK", "2030-05-07T00:00:00Z", "2030-05-07T00:30:00Z")),
                ("outside-day", post("BREAK", at("23:00"), "2030-05-07T06:00:00.001Z")),
                ("missing-action", post("POMODORO", at("12:00"), at("12:25"))),
                ("not-in-todos", post("POMODORO", at("12:00"), at("12:25"), actionId="shoes")),
                ("unexpected-action", post("MEETING", at("12:00"), at("12:25"), actionId="five")),
                ("duplicate-block", post("BREAK", at("12:00"), at("12:25"), blockId="standup")),
                (None, post("MEETING", at("12:00"), at("12:25"), pomodoroIndex=1)),
                (None, post("NAP", at("12:00"), at("12:25"))),
                (None, post("BREAK", "noon", at("12:25"))),
                (None, post("BREAK", at("12:00"), at("12:25"), blockId="x#y"))):
            self.expect(422, self.same_plan(self.me, do), code)
        # Neighbours and buffers are fine, and six hours into the next day.
        self.block(self.me, "BREAK", "11:00", "11:05")
        self.block(self.me, "BUFFER", "10:30", "11:30")
        self.expect(201, post("MEETING", at("23:00"), "2030-05-07T06:00:00.000Z")())
        # Two blocks change places in one commit.
        first, second = self.block(self.me, "BREAK", "14:00", "14:10"), self.block(self.me, "BREAK", "14:10", "14:30")
        self.expect(200, self.me.post(f"{PLANS}/{DAY}/commits", {"operations": [
            op("editBlock", blockId=first, start=at("14:20"), end=at("14:30")),
            op("editBlock", blockId=second, start=at("14:00"), end=at("14:20"))]}))

    def test_an_overlap_is_told_by_times(self):
        """The block that is refused has no id that anybody could have seen."""
        user = self.with_tree()
        self.block(user, "MEETING", "09:00", "10:00")
        refused = self.expect(422, user.post(f"{PLANS}/{DAY}/blocks", {
            "blockType": "BREAK", "start": at("09:30"), "end": at("10:30")}), "overlap", ["start"])
        self.assertEqual(refused["detail"], f"The BREAK from {at('09:30')} to {at('10:30')} starts before the MEETING from "
                                            f"{at('09:00')} to {at('10:00')} ends. Only buffers may overlap others.")

    def test_days_on_which_the_clocks_change(self):
        user = self.me
        user.strict = False
        self.expect(200, user.patch(f"{PLANS}/settings", {"timezone": "Europe/Berlin", "dayStartHour": 2}))
        short = self.plan(user, "2030-03-31")  # two o'clock does not exist
        self.assertEqual((short["dayStart"], short["dayEnd"]), ("2030-03-31T01:00:00.000Z", "2030-04-01T00:00:00.000Z"))
        long = self.plan(user, "2030-10-27")  # two o'clock comes twice
        self.assertEqual((long["dayStart"], long["dayEnd"]), ("2030-10-27T00:00:00.000Z", "2030-10-28T01:00:00.000Z"))
        before = self.plan(user, "2030-10-26")
        self.assertEqual(before["dayEnd"], long["dayStart"], "days follow each other without a gap")
        add_block = lambda day, start, end: user.post(f"{PLANS}/{day}/blocks", {
            "blockType": "MEETING", "start": start, "end": end})
        self.expect(201, add_block("2030-03-31", "2030-03-31T01:00:00Z", "2030-03-31T01:30:00Z"))
        self.expect(422, add_block("2030-03-31", "2030-03-31T00:30:00Z", "2030-03-31T01:00:00Z"), "outside-day")
        # The hour that comes twice is two hours.
        self.expect(201, add_block("2030-10-27", "2030-10-27T02:10:00+02:00", "2030-10-27T02:50:00+02:00"))
        self.expect(201, add_block("2030-10-27", "2030-10-27T02:10:00+01:00", "2030-10-27T02:50:00+01:00"))
        self.assertEqual([block["start"] for block in self.plan(user, "2030-10-27")["blocks"]],
                         ["2030-10-27T00:10:00.000Z", "2030-10-27T01:10:00.000Z"])

    def test_a_day_whose_zone_changed_can_still_be_changed(self):
        self.block(self.me, "MEETING", "00:30", "01:00", blockId="early")
        self.expect(200, self.me.patch(f"{PLANS}/settings", {"timezone": "America/New_York"}))
        self.todo(self.me, "book")
        self.expect(200, self.me.patch(f"{PLANS}/{DAY}/todos/book", {"notes": "x"}))
        self.expect(422, self.me.patch(f"{PLANS}/{DAY}/blocks/early", {"end": at("01:30")}), "outside-day")
        self.expect(200, self.me.delete(f"{PLANS}/{DAY}/blocks/early"))


class Completing(PlansTest):
    def test_both_heads_move_together(self):
        """OPEN-000-i, REQ-000-29."""
        user = self.with_tree()
        self.todo(user, "book")
        self.todo(user, "five")
        tree, plan = user.tree().rev, self.plan(user)
        done = self.expect(200, user.post(f"{PLANS}/{DAY}/todos/book/complete"))
        values, of_day = done["values"]["commit"], done["plan"]["commit"]
        self.assertEqual((values["parentRevId"], values["source"]), (tree, "completion"))
        self.assertEqual((of_day["parentRevId"], of_day["reason"], of_day["valuesRevId"]),
                         (plan["revId"], "completion", values["revId"]))
        self.assertEqual(done["offers"], ["race"])
        todos = {todo["actionId"]: todo for todo in self.plan(user)["todos"]}
        self.assertEqual(todos["book"]["completedAt"], user.tree().nodes["book"]["completedAt"])
        self.assertNotIn("completedAt", todos["five"])
        # The old revision shows what was known then.
        self.assertFalse(any("completedAt" in todo for todo in self.plan(user, rev=plan["revId"])["todos"]))
        again = self.same_plan(user, lambda: user.post(f"{PLANS}/{DAY}/todos/book/complete"))
        self.assertFalse(self.expect(200, again)["values"]["changed"])
        self.expect(404, self.same_plan(user, lambda: user.post(f"{PLANS}/{DAY}/todos/shoes/complete")))
        self.expect(404, self.same_plan(user, lambda: user.post(f"{PLANS}/2030-05-07/todos/book/complete")))
        opened = self.expect(200, user.post(f"{PLANS}/{DAY}/todos/book/uncomplete"))
        self.assertEqual((opened["plan"]["commit"]["reason"], opened["values"]["commit"]["source"]),
                         ("completion", "completion"))
        self.assertFalse(any("completedAt" in todo for todo in self.plan(user)["todos"]))
        self.assertEqual([c["reason"] for c in self.log(user)],
                         ["completion", "completion", "midday_replan", "morning_plan"])

    def test_completing_in_the_tree_moves_todays_plan(self):
        user = self.with_tree()
        today = user.get(f"{PLANS}/settings")["today"]
        self.todo(user, "five", today)
        self.todo(user, "book", DAY)
        done = self.expect(200, user.post(f"{VALUES}/nodes/five/complete"))
        self.assertEqual((done["plan"]["day"], done["plan"]["commit"]["valuesRevId"]),
                         (today, done["values"]["commit"]["revId"]))
        other = self.expect(200, user.post(f"{VALUES}/nodes/book/complete"))
        self.assertNotIn("plan", other.body, "that is another day's")

    def test_a_completion_is_in_the_plan_of_its_date(self):
        user = self.with_tree()
        day, other, moment = "2026-03-05", "2026-03-06", "2026-03-05T10:00:00.000Z"
        today = user.get(f"{PLANS}/settings")["today"]
        for when in (day, other, today):
            self.todo(user, "five", when)
        done = self.expect(200, user.post(f"{VALUES}/nodes/five/complete", {"completedAt": moment}))
        self.assertEqual((done["plan"]["day"], done["plan"]["commit"]["reason"]), (day, "completion"))
        opened = self.expect(200, user.post(f"{VALUES}/nodes/five/uncomplete"))
        self.assertEqual(opened["plan"]["day"], day, "the day of what is taken back")
        self.assertEqual([len(self.log(user, when)) for when in (day, other, today)], [3, 1, 1])
        # A day begins when the user says so.
        self.expect(200, user.patch(f"{PLANS}/settings", {"timezone": "Asia/Kathmandu", "dayStartHour": 3}))
        late = self.expect(200, user.post(f"{VALUES}/nodes/five/complete", {"completedAt": "2026-03-06T21:14:59Z"}))
        self.assertEqual(late["plan"]["day"], other)

    def test_completing_in_a_commit_is_completing(self):
        user = self.with_tree()
        days = ["2026-03-04", "2026-03-05"]
        for day, action in zip(days, ("five", "book")):
            self.todo(user, action, day)
        before = [self.plan(user, day) for day in days]
        done = self.expect(200, user.commit(
            op("complete", nodeId="five", completedAt="2026-03-04T10:00:00Z"), edit("sketch", title="Draw"),
            op("complete", nodeId="book", completedAt="2026-03-05T10:00:00Z"),
            op("complete", nodeId="shoes", completedAt="2026-03-05T10:00:00Z")))
        self.assertEqual(done["commit"]["source"], "completion")
        self.assertEqual([plan["day"] for plan in done["plans"]], days)
        for day, old, told in zip(days, before, done["plans"]):
            newest = self.log(user, day)[0]
            self.assertEqual((newest["reason"], newest["parentRevId"], newest["valuesRevId"], newest["revId"]),
                             ("completion", old["revId"], done["commit"]["revId"], told["revId"]))
            self.assertEqual([t["actionId"] for t in self.plan(user, day)["todos"]],
                             [t["actionId"] for t in old["todos"]])
        # What is no completion is none, and a source that is given stands.
        again = self.expect(200, user.commit(op("complete", nodeId="five"), edit("sketch", title="Paint")))
        self.assertEqual((again["commit"]["source"], again["plans"]), ("daily_update", []))
        opened = self.expect(200, user.commit(op("uncomplete", nodeId="five"), source="weekly_review"))
        self.assertEqual((opened["commit"]["source"], [plan["day"] for plan in opened["plans"]]),
                         ("weekly_review", days[:1]))

    def test_more_plans_than_a_transaction_holds(self):
        user = self.with_tree()
        names = [f"act{i:02}" for i in range(21)]
        self.expect(200, user.commit(*[add(name, ACTION, "run") for name in names]))
        days = [f"2026-03-{i + 1:02}" for i in range(21)]
        for name, day in zip(names, days):
            self.todo(user, name, day)
        complete = lambda count: user.commit(*[op("complete", nodeId=name, completedAt=f"{day}T12:00:00Z")
                                               for name, day in list(zip(names, days))[:count]])
        self.expect(422, complete(21), "too-many-days")
        self.assertEqual([plan["day"] for plan in self.expect(200, complete(20))["plans"]], days[:20])

    def test_undoing_goes_past_a_completion(self):
        """Completing changes nothing in the plan itself; undoing must not get stuck there."""
        user = self.with_tree()
        self.todo(user, "five")
        self.todo(user, "book")
        self.expect(200, user.post(f"{PLANS}/{DAY}/todos/book/complete"))
        self.assertEqual(self.todos(user), ["five", "book"])
        self.assertTrue(self.expect(200, user.post(f"{PLANS}/{DAY}/undo"))["changed"])
        self.assertEqual(self.todos(user), ["five"])
        self.assertTrue(self.expect(200, user.post(f"{PLANS}/{DAY}/redo"))["changed"])
        self.assertEqual(self.todos(user), ["five", "book"])
        self.expect(409, user.post(f"{PLANS}/{DAY}/redo"), "nothing-to-redo")
        self.assertIn("completedAt", user.tree().nodes["book"], "the tree has its own history")


class Rollover(PlansTest):
    SOURCE = "2030-05-03"

    def source(self, user):
        self.todo(user, "book", self.SOURCE, classification="urgent", estimatedPomodoros=4, notes="Early")
        self.todo(user, "five", self.SOURCE)
        self.todo(user, "shoes", self.SOURCE, estimatedPomodoros=2)
        self.todo(user, "blinds", self.SOURCE)
        self.todo(user, "sketch", self.SOURCE)
        self.block(user, "POMODORO", "09:00", "09:25", self.SOURCE, actionId="book")

    def test_unfinished_todos_come_over_once(self):
        """OPEN-000-k."""
        user = self.with_tree()
        self.source(user)
        self.todo(user, "sketch", "2030-05-01")  # an earlier day: not the default source
        self.expect(200, user.post(f"{PLANS}/{self.SOURCE}/todos/shoes/complete"))
        self.expect(200, user.post(f"{VALUES}/nodes/blinds/archive"))
        self.todo(user, "sketch", classification="important")
        source = self.plan(user, self.SOURCE)
        reply = self.expect(200, user.post(f"{PLANS}/{DAY}/rollover"))
        self.assertEqual((reply["rolled"], reply["commit"]["reason"], reply["changed"]),
                         (["book", "five"], "rollover", True))
        plan = self.plan(user)
        self.assertEqual([(t["actionId"], t["classification"], t.get("rolledFrom")) for t in plan["todos"]],
                         [("sketch", "important", None), ("book", "urgent", self.SOURCE),
                          ("five", "other", self.SOURCE)])
        self.assertEqual(plan["todos"][1]["notes"], "Early")
        self.assertEqual(plan["blocks"], [], "blocks never roll over")
        self.assertEqual(self.plan(user, self.SOURCE), source, "the source day stays as it is")
        again = self.expect(200, self.same_plan(user, lambda: user.post(f"{PLANS}/{DAY}/rollover")))
        self.assertEqual((again["changed"], again["rolled"]), (False, []))
        # A todo that was removed on purpose comes back only when asked for again: from the day that is named.
        self.expect(200, user.delete(f"{PLANS}/{DAY}/todos/five"))
        self.assertEqual(self.expect(200, user.post(f"{PLANS}/{DAY}/rollover", {"fromDay": self.SOURCE}))["rolled"],
                         ["five"])
        self.expect(404, user.post(f"{PLANS}/{DAY}/rollover", {"fromDay": "2029-01-01"}))
        self.expect(422, user.post(f"{PLANS}/{DAY}/rollover", {"fromDay": DAY}), "same-day")
        self.expect(422, user.post(f"{PLANS}/{DAY}/rollover", {"fromDay": "x"}), fields=["fromDay"])

    def test_finished_pomodoros_shorten_the_estimate(self):
        user = self.with_tree()
        past = "2026-01-05"  # its pomodoros have passed
        self.todo(user, "book", past, estimatedPomodoros=4)
        self.todo(user, "five", past, estimatedPomodoros=1)
        self.todo(user, "shoes", past)
        for start, end, action in (("09:00", "09:25", "book"), ("10:00", "10:25", "book"), ("11:00", "11:25", "five"),
                                   ("12:00", "12:25", "five"), ("13:00", "13:25", "shoes")):
            self.block(user, "POMODORO", start, end, past, actionId=action)
        self.expect(200, user.post(f"{PLANS}/{DAY}/rollover"))
        self.assertEqual({t["actionId"]: t.get("estimatedPomodoros") for t in self.plan(user)["todos"]},
                         {"book": 2, "five": 1, "shoes": None}, "never less than one")

    def test_days_in_a_row(self):
        """Todos do not pile up: each stands once on every day, and knows the last day it came from."""
        user = self.with_tree()
        self.source(user)
        last = self.SOURCE
        for day in ("2030-05-04", "2030-05-05", "2030-05-06"):
            self.expect(200, user.post(f"{PLANS}/{day}/rollover"))
            todos = self.plan(user, day)["todos"]
            self.assertEqual([t["actionId"] for t in todos], ["book", "five", "shoes", "blinds", "sketch"])
            self.assertEqual({t["rolledFrom"] for t in todos}, {last})
            last = day


class Autoschedule(PlansTest):
    def test_around_meetings_by_urgency(self):
        """OPEN-000-m."""
        user = self.with_tree()
        for action, kind, count in (("five", "other", 1), ("book", "urgent", 2), ("shoes", "important", 3)):
            self.todo(user, action, classification=kind, estimatedPomodoros=count)
        meeting = self.block(user, "MEETING", "09:40", "10:30")
        request = {"from": at("09:00"), "until": at("12:00")}
        told = self.same_plan(user, lambda: user.post(f"{PLANS}/{DAY}/autoschedule", request | {"preview": True}))
        reply = self.expect(200, user.post(f"{PLANS}/{DAY}/autoschedule", request))
        blocks = self.plan(user)["blocks"]
        times = lambda some: [(b["blockType"], b["start"], b["end"], b.get("actionId")) for b in some]
        self.assertEqual(times(told["preview"]), times(blocks))
        self.assertEqual(told["unscheduled"], reply["unscheduled"])
        self.assertNotIn("preview", reply.body)
        shown = [(b["blockType"], b["start"][11:16], b["end"][11:16], b.get("actionId")) for b in blocks]
        self.assertEqual(shown, [("POMODORO", "09:00", "09:25", "book"), ("MEETING", "09:40", "10:30", None),
                                 ("POMODORO", "10:30", "10:55", "book"), ("BREAK", "10:55", "11:00", None),
                                 ("POMODORO", "11:00", "11:25", "shoes"), ("BREAK", "11:25", "11:30", None),
                                 ("POMODORO", "11:30", "11:55", "shoes")])
        self.assertEqual(reply["unscheduled"], [{"actionId": "shoes", "pomodorosLeft": 1},
                                                {"actionId": "five", "pomodorosLeft": 1}])
        self.assertIn(meeting, [b["blockId"] for b in blocks])
        again = self.same_plan(user, lambda: user.post(f"{PLANS}/{DAY}/autoschedule", request))
        self.assertFalse(self.expect(200, again)["changed"])
        self.assertEqual(again["unscheduled"], reply["unscheduled"], "told again")
        # What has begun stays; the rest of the day has room for all, after a long break: four are behind.
        all_day = self.expect(200, user.post(f"{PLANS}/{DAY}/autoschedule", {"from": at("11:55")}))
        self.assertEqual(all_day["unscheduled"], [])
        rest = [(b["blockType"], b["start"][11:16], b["end"][11:16]) for b in self.plan(user)["blocks"]][7:]
        self.assertEqual(rest, [("BREAK", "11:55", "12:10"), ("POMODORO", "12:10", "12:35"),
                                ("BREAK", "12:35", "12:40"), ("POMODORO", "12:40", "13:05")])

    def test_lengths_and_limits(self):
        user = self.with_tree()
        self.todo(user, "five", estimatedPomodoros=2)
        path = f"{PLANS}/{DAY}/autoschedule"
        self.expect(200, user.post(path, {"from": at("09:00"), "pomodoroMinutes": 50, "breakMinutes": 0}))
        self.assertEqual([(b["start"][11:16], b["end"][11:16]) for b in self.plan(user)["blocks"]],
                         [("09:00", "09:50"), ("09:50", "10:40")])
        for wrong in ({"pomodoroMinutes": 0}, {"pomodoroMinutes": 241}, {"breakMinutes": -1}, {"from": "x"},
                      {"until": "2030-05-07T06:00:00.001Z"}, {"lunch": 1}):
            self.expect(422, self.same_plan(user, lambda: user.post(path, wrong)))
        self.expect(200, user.post(path))
        nothing = self.expect(200, user.post(f"{PLANS}/2030-05-07/autoschedule"))
        self.assertEqual((nothing["changed"], "commit" in nothing.body), (False, False))

    def test_from_is_before_until(self):
        user = self.with_tree()
        self.todo(user, "five")
        for until in ("09:00", "08:59"):
            request = {"from": at("09:00"), "until": at(until)}
            self.expect(422, self.same_plan(user, lambda: user.post(f"{PLANS}/{DAY}/autoschedule", request)),
                        "bad-time", ["until"])

    def test_actions_that_are_done_get_no_time(self):
        user = self.with_tree()
        self.todo(user, "five")
        self.todo(user, "book")
        self.expect(200, user.post(f"{PLANS}/{DAY}/todos/five/complete"))
        reply = self.expect(200, user.post(f"{PLANS}/{DAY}/autoschedule"))
        self.assertEqual(reply["unscheduled"], [])
        self.assertEqual([b["actionId"] for b in self.plan(user)["blocks"]], ["book"])


class History(PlansTest):
    def test_commits_bases_and_merging(self):
        user = self.with_tree()
        first = self.expect(200, user.post(f"{PLANS}/{DAY}/commits", {
            "operations": [op("addTodo", actionId="five"), op("addTodo", actionId="book", first=True),
                           op("addBlock", blockType="MEETING", start=at("09:00"), end=at("10:00"))],
            "reason": "morning_plan", "message": "Start"}))
        self.assertEqual((first["commit"]["message"], len(first["addedBlocks"])), ("Start", 1))
        base = first["commit"]["revId"]
        self.todo(user, "shoes")
        commit = lambda *operations, **more: user.post(f"{PLANS}/{DAY}/commits", {
            "operations": list(operations), "baseRevId": base, **more})
        self.expect(409, self.same_plan(user, lambda: commit(op("removeTodo", actionId="five"))), "stale-base")
        merged = self.expect(200, commit(op("editTodo", actionId="five", classification="urgent"), onConflict="merge"))
        self.assertTrue(merged["merged"])
        self.assertEqual(self.todos(user), ["book", "five", "shoes"])
        reply = self.same_plan(user, lambda: commit(op("editTodo", actionId="five", classification="important"),
                                                    onConflict="merge"))
        self.expect(409, reply, "merge-conflict")
        self.assertEqual(reply["conflicts"], [{"nodeId": "five", "field": "classification", "base": "other",
                                               "theirs": "urgent", "mine": "important"}])
        self.expect(200, commit(op("editTodo", actionId="five", classification="important"), onConflict="merge",
                                resolutions=[{"id": "five", "field": "classification", "take": "mine"}]))
        self.assertEqual(self.plan(user)["todos"][1]["classification"], "important")
        for reason in ("evening", ""):
            reply = user.post(f"{PLANS}/{DAY}/commits", {"operations": [op("removeTodo", actionId="five")],
                                                         "reason": reason})
            self.expect(422, reply, fields=["reason"])

    def test_an_old_plan_shows_the_titles_of_then(self):
        """REQ-000-26: time travel shows what was known."""
        user = self.with_tree()
        old = self.todo(user, "five")["commit"]
        self.expect(200, user.commit(edit("five", title="Five km")))
        self.expect(200, user.patch(f"{PLANS}/{DAY}/todos/five", {"notes": "x"}))
        self.expect(200, user.commit(edit("five", title="Ten km")))
        self.assertEqual(self.plan(user)["todos"][0]["title"], "Ten km")
        self.assertEqual(self.plan(user)["valuesRevId"], user.rev())
        then = self.plan(user, rev=old["revId"])
        self.assertEqual((then["todos"][0]["title"], then["valuesRevId"], then["revId"]),
                         ("Five", old["valuesRevId"], old["revId"]))
        middle = self.log(user)[0]["revId"]
        self.assertEqual(self.plan(user, rev=middle)["todos"][0]["title"], "Five km")
        self.expect(404, user.get(f"{PLANS}/{DAY}", rev="01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        self.expect(404, self.with_tree().get(f"{PLANS}/{DAY}", rev=old["revId"]))

    def test_diff_rollback_undo_redo(self):
        user = self.with_tree()
        revs = [self.todo(user, "five")["commit"]["revId"]]
        revs.append(self.todo(user, "book")["commit"]["revId"])
        meeting = self.block(user, "MEETING", "09:00", "10:00")
        self.expect(200, user.post(f"{PLANS}/{DAY}/todos/reorder", {"actionIds": ["book", "five"]}))
        self.expect(200, user.patch(f"{PLANS}/{DAY}/todos/five", {"estimatedPomodoros": 2}))
        revs += [c["revId"] for c in self.log(user)[:3]][::-1]
        diff = lambda a, b: self.expect(200, user.get(f"{PLANS}/{DAY}/diff", **{"from": a, "to": b})).body
        whole = diff(revs[0], revs[-1])
        self.assertEqual([t["actionId"] for t in whole["todosAdded"]], ["book"])
        self.assertEqual([b["blockId"] for b in whole["blocksAdded"]], [meeting])
        self.assertEqual(whole["todosChanged"], [{"id": "five", "fields": [{"field": "estimatedPomodoros", "to": 2}]}])
        self.assertEqual(whole["todosMoved"], [])
        self.assertEqual(len(diff(revs[2], revs[3])["todosMoved"]), 1)
        self.assertFalse(any(diff(revs[2], revs[2]).values()))

        seen = {rev: self.plan(user, rev=rev) for rev in revs}
        content = lambda plan: (plan["todos"], plan["blocks"])
        back = self.expect(200, user.post(f"{PLANS}/{DAY}/rollback", {"toRevId": revs[0]}))["commit"]
        self.assertEqual((back["restoredFrom"], back["restoredBy"], back["parentRevId"]),
                         (revs[0], "rollback", revs[-1]))
        self.assertEqual(content(self.plan(user)), content(seen[revs[0]]))
        for verb, expected in (("undo", 4), ("undo", 3), ("undo", 2), ("redo", 3), ("undo", 2), ("undo", 1),
                               ("redo", 2)):
            commit = self.expect(200, user.post(f"{PLANS}/{DAY}/{verb}"))["commit"]
            self.assertEqual(commit["restoredBy"], verb)
            self.assertEqual(content(self.plan(user)), content(seen[revs[expected]]))
        self.todo(user, "shoes")
        self.expect(409, user.post(f"{PLANS}/{DAY}/redo"), "nothing-to-redo")
        self.expect(409, user.post(f"{PLANS}/{DAY}/rollback", {"toRevId": revs[0], "baseRevId": revs[0]}), "stale-base")
        self.expect(404, user.post(f"{PLANS}/{DAY}/rollback", {"toRevId": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}))
        for old in revs:
            self.assertEqual(self.plan(user, rev=old), seen[old], "old revisions stay as they were")
        log = self.log(user)
        self.assertEqual([c["parentRevId"] for c in log[:-1]], [c["revId"] for c in log[1:]], "one line of history")
        self.assertEqual([c["revId"] for c in user.log(f"{PLANS}/{DAY}/commits", limit=2)], [c["revId"] for c in log])

    def test_if_match_names_the_plan(self):
        user = self.with_tree()
        self.todo(user, "five")
        old = user.get(f"{PLANS}/{DAY}").tag
        self.expect(200, user.commit(edit("five", title="x")))
        self.assertNotEqual(user.get(f"{PLANS}/{DAY}").tag, old, "the titles are others")
        self.expect(200, user.patch(f"{PLANS}/{DAY}/todos/five", {"notes": "x"}, {"If-Match": old}))
        self.expect(412, self.same_plan(user, lambda: user.patch(f"{PLANS}/{DAY}/todos/five", {"notes": "y"},
                                                                 {"If-Match": old})), "version-mismatch")
        self.expect(412, self.same_plan(user, lambda: user.post(f"{PLANS}/{DAY}/todos/five/complete", None,
                                                                {"If-Match": old})), "version-mismatch")
        for path in ("autoschedule", "rollover", "undo"):
            self.expect(412, self.same_plan(user, lambda: user.post(f"{PLANS}/{DAY}/{path}", None, {"If-Match": old})),
                        "version-mismatch")
        done = self.expect(200, user.post(f"{PLANS}/{DAY}/todos/five/complete", None,
                                          {"If-Match": user.get(f"{PLANS}/{DAY}").tag}))
        read = user.get(f"{PLANS}/{DAY}").tag  # which also says the day's bounds
        self.assertTrue(read.startswith(done.tag[:-1]), (read, done.tag))
        self.expect(200, user.post(f"{PLANS}/{DAY}/todos/five/uncomplete", None, {"If-Match": done.tag}))

    def test_five_hundred_todos_and_not_one_more(self):
        user = self.with_tree()
        self.expect(200, user.commit(*[add(f"t{i:03}", ACTION, "side") for i in range(501)]))
        todos = [op("addTodo", actionId=f"t{i:03}") for i in range(501)]
        path = f"{PLANS}/{DAY}/commits"
        self.expect(200, user.post(path, {"operations": todos[:500]}))
        self.expect(422, self.same_plan(user, lambda: user.post(path, {"operations": todos[500:]})), "too-many-todos")
        reverse = [todo["actionId"] for todo in todos[:500]][::-1]
        self.expect(200, user.post(f"{PLANS}/{DAY}/todos/reorder", {"actionIds": reverse}))
        self.assertEqual(self.todos(user), reverse)


if __name__ == "__main__":
    unittest.main()
