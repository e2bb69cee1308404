"""POST /api/values/demo: a new account gets some weeks of history, once and whole."""

import re

from case import PASSWORD, ApiTest, at_once

DEMO = "/api/values/demo"
ALL_DAYS = {"from": "2000-01-01", "to": "2099-12-31", "limit": 100}


class DemoTest(ApiTest):
    def fill(self, user):
        return self.expect(200, user.post(DEMO))

    def log(self, user):
        """All commits, newest first."""
        commits, query = [], {"limit": 100}
        while True:
            page = self.expect(200, user.get("/api/values/commits", query)).body
            commits += page["items"]
            if "nextCursor" not in page:
                return commits
            query["cursor"] = page["nextCursor"]

    def today(self, user):
        return user.get("/api/plans/settings").body["today"]

    def assert_one_history(self, commits):
        """Every revision has the one before as its parent, and an id that sorts behind it."""
        ids = [commit["revId"] for commit in commits]
        self.assertEqual(ids, sorted(ids, reverse=True))
        self.assertEqual([commit.get("parentRevId") for commit in commits], [*ids[1:], None])


class Filling(DemoTest):
    def test_there_is_something_to_see_everywhere(self):
        user = self.user("newcomer")
        answer = self.fill(user).body
        nodes = user.get("/api/values").body["nodes"]
        self.assertEqual({node["nodeType"] for node in nodes}, {"DRIVER", "MILESTONE", "ACTION"})
        commits = self.log(user)
        self.assertEqual(len(commits), answer["revisions"])
        self.assertEqual({commit["source"] for commit in commits}, {"weekly_review", "daily_update", "completion"})
        self.assert_one_history(commits)
        days = user.get("/api/plans", ALL_DAYS).body["items"]
        self.assertEqual(len(days), answer["days"])
        self.assertGreater(len(days), 15)
        self.assertTrue(any(node.get("completedAt") for node in nodes))

    def test_today_has_a_plan_whatever_day_it_is(self):
        user = self.user("today")
        self.fill(user)
        plan = self.expect(200, user.get(f"/api/plans/{self.today(user)}")).body
        self.assertTrue(plan["todos"])
        self.assertTrue(plan["blocks"])

    def test_nothing_is_of_the_future(self):
        for number, zone in enumerate(("UTC", "Pacific/Auckland", "Pacific/Honolulu")):
            with self.subTest(zone=zone):
                user = self.user(f"zone-{number}")
                self.expect(200, user.patch("/api/plans/settings", {"timezone": zone}))
                self.fill(user)
                made = self.node(user, title="now")
                newest = self.log(user)[0]
                self.assertEqual(newest["revId"], user.last.body["items"][0]["revId"])
                self.assertEqual(self.expect(200, user.get(f"/api/values/nodes/{made}")).status, 200)
                demo = self.log(user)[1]
                self.assertLessEqual(demo["revTs"], newest["revTs"])

    def test_is_what_the_command_makes(self):
        self.register("by-command@example.org")
        done = self.server.command("demo", "by-command@example.org", "--data", self.server.data)
        self.assertEqual(done.code, 0, done)
        told = tuple(map(int, re.findall(r"\d+", done.stdout)))
        command, route = self.login("by-command@example.org"), self.user("by-route")
        answer = self.fill(route).body
        self.assertEqual(told[:2], (answer["revisions"], answer["days"]))

        def story(user):
            tree = user.get("/api/values", {"includeArchived": "true"}).body
            return ([(node["nodeId"], node["title"], node.get("notes"), node["archived"]) for node in tree["nodes"]],
                    [(commit["source"], commit["message"]) for commit in self.log(user)],
                    [(day["day"], day["todoCount"], day["blockCount"])
                     for day in user.get("/api/plans", ALL_DAYS).body["items"]])
        self.assertEqual(story(route), story(command))

    def test_an_account_with_a_password_and_a_cookie(self):
        browser = self.account("cookie@example.org", kind="browser")
        self.expect(200, browser.post(DEMO, {}))
        browser.csrf = None
        self.expect(403, browser.post(DEMO, {}))


class Refusing(DemoTest):
    def test_an_account_with_a_tree_stays_as_it_is(self):
        user = self.user("has-one")
        self.node(user, title="my own")
        before = self.items_of("has-one")
        answer = self.expect(409, user.post(DEMO), "not-empty")
        self.assertIn("demo data is for a new account", answer.body["detail"])
        self.assertEqual(self.items_of("has-one"), before)

    def test_the_second_time(self):
        user = self.user("twice")
        self.fill(user)
        before = self.items_of("twice")
        self.expect(409, user.post(DEMO), "not-empty")
        self.assertEqual(self.items_of("twice"), before)

    def test_a_tree_that_was_emptied_has_a_history(self):
        user = self.user("emptied")
        self.expect(200, user.delete(f"/api/values/nodes/{self.node(user)}"))
        self.expect(409, user.post(DEMO), "not-empty")

    def test_strangers(self):
        self.expect(401, self.client().post(DEMO))
        self.expect(422, self.user("odd").post(DEMO, {"weeks": 3}), fields=["weeks"])


class Races(DemoTest):
    def test_twins_fill_once(self):
        alone = self.user("alone")
        wanted = self.fill(alone).body
        for round_number in range(3):
            user = self.user(f"twins-{round_number}")
            answers = at_once(4, lambda n: user.post(DEMO))
            self.assertEqual(sorted(answer.status for answer in answers), [200, 409, 409, 409], answers)
            self.assertEqual({answer.code for answer in answers if answer.status == 409}, {"not-empty"}, answers)
            commits = self.log(user)
            self.assertEqual(len(commits), wanted["revisions"])
            self.assert_one_history(commits)

    def test_whoever_commits_meanwhile_is_not_overtaken(self):
        """Either the demo ends there, or it was there first; the history is one either way."""
        for round_number in range(4):
            user = self.user(f"meanwhile-{round_number}")
            demo, node = at_once(2, lambda n: user.post(DEMO) if n == 0 else self.retried_node(user))
            self.assertIn(demo.status, (200, 409), demo)
            self.assertEqual(node.status, 201, node)
            self.assert_one_history(self.log(user))

    def retried_node(self, user):
        answer = user.post("/api/values/nodes", {"nodeType": "DRIVER", "title": "mine"})
        return answer if answer.status == 201 else self.retried_node(user)

    def test_a_plan_that_is_there_stays(self):
        user = self.user("planner")
        today = self.today(user)
        block = {"blockType": "BUFFER", "start": f"{today}T12:00:00.000Z", "end": f"{today}T13:00:00.000Z"}
        self.expect(201, user.post(f"/api/plans/{today}/blocks", block))
        self.fill(user)
        plan = user.get(f"/api/plans/{today}").body
        self.assertEqual([block["blockType"] for block in plan["blocks"]], ["BUFFER"])
        self.assertGreater(len(user.get("/api/plans", ALL_DAYS).body["items"]), 15)


class Keys(DemoTest):
    def test_a_lost_answer_is_told_again(self):
        self.register("again@example.org", PASSWORD)
        user = self.login("again@example.org")
        first = self.expect(200, user.post(DEMO, idempotency_key="k"))
        self.restart()
        again = self.expect(200, user.post(DEMO, idempotency_key="k"))
        self.assertTrue(again.replayed)
        self.assertEqual(again.raw, first.raw)
        self.expect(409, user.post(DEMO, idempotency_key="other"), "not-empty")
