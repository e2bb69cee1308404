"""Many at once: one commit wins on a base and the others leave nothing; without a base all get their turn."""

import concurrent.futures
import threading
import unittest

from case import ACTION, DRIVER, PLANS, VALUES, ValuesTest, add, edit, op, whole_table

DAY = "2030-05-06"


def at_once(count, do):
    """`do(0)` to `do(count - 1)`, started together, each on a thread of its own: the answers in order."""
    ready = threading.Barrier(count)

    def run(number):
        ready.wait()
        return do(number)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


class Races(ValuesTest):
    def clean(self, user):
        """Every snapshot has its entry in the log, every log is one line up to HEAD, and no job is left."""
        store = self.dynamodb()
        items = [item for item in whole_table(store, "App") if item["PK"].split("#")[1] == user.id]
        snapshots = {item["PK"] for item in items if "#VALUES#" in item["PK"] or item["PK"].count("#") == 4}
        published = set()
        for item in items:
            if item["SK"].startswith("REV#VALUES#"):
                published.add(f"{item['PK']}#VALUES#{item['revId']}")
            elif item["SK"].startswith("REV#"):
                published.add(f"{item['PK']}#{item['revId']}")
        self.assertEqual(snapshots - published, set(), "snapshots that nobody published")
        jobs = [job for job in whole_table(store, "CairnJobs") if job.get("userId") == user.id]
        self.assertEqual(jobs, [])
        self.linear(user.log(limit=100))

    def linear(self, log):
        self.assertEqual([commit["parentRevId"] for commit in log[:-1]], [commit["revId"] for commit in log[1:]])
        self.assertNotIn("parentRevId", log[-1])
        self.assertEqual(sorted((c["revId"] for c in log), reverse=True), [c["revId"] for c in log])

    def test_fifty_commits_on_one_base(self):
        """REQ-000-24."""
        user = self.with_tree()
        base = user.rev()
        replies = at_once(50, lambda i: user.commit(edit("run", title=f"Run {i}"), baseRevId=base))
        self.assertEqual(sorted(reply.status for reply in replies), [200] + [409] * 49)
        [winner] = [i for i, reply in enumerate(replies) if reply.status == 200]
        self.assertEqual(user.tree().nodes["run"]["title"], f"Run {winner}")
        self.assertEqual(user.rev(), replies[winner]["commit"]["revId"])
        self.assertEqual(len(user.log()), 2)
        self.clean(user)

    def test_fifty_first_commits(self):
        """REQ-000-9: HEAD is created once."""
        user = self.user()
        replies = at_once(50, lambda i: user.commit(add(f"d{i}", DRIVER)))
        self.assertEqual({reply.status for reply in replies} - {200, 409}, set())
        done = {f"d{i}" for i, reply in enumerate(replies) if reply.status == 200}
        self.assertEqual(set(user.tree().nodes), done)
        self.assertEqual(len(user.log(limit=100)), len(done))
        self.clean(user)

    def test_sixteen_without_a_base_all_succeed(self):
        user = self.with_tree()
        replies = at_once(16, lambda i: user.commit(add(f"n{i}", ACTION, "run")))
        self.assertEqual([reply.status for reply in replies], [200] * 16)
        tree = user.tree()
        self.assertEqual(set(tree.children("run")[3:]), {f"n{i}" for i in range(16)})
        self.assertEqual(len(user.log()), 17)
        self.clean(user)

    def test_sixteen_merging_on_one_base_all_succeed(self):
        user = self.with_tree()
        base = user.rev()
        replies = at_once(16, lambda i: user.commit(add(f"n{i}", ACTION, "run"), baseRevId=base, onConflict="merge"))
        self.assertEqual([reply.status for reply in replies], [200] * 16)
        self.assertEqual(set(user.tree().children("run")[3:]), {f"n{i}" for i in range(16)})
        self.clean(user)

    def test_todos_and_completions_of_one_day(self):
        """Both HEADs move together, whoever else moves one of them."""
        user = self.with_tree()
        names = [f"n{i}" for i in range(12)]
        self.expect(200, user.commit(*[add(name, ACTION, "run") for name in names]))
        self.expect(200, user.post(f"{PLANS}/{DAY}/commits", {
            "operations": [op("addTodo", actionId=name) for name in names[:6]]}))

        def work(i):
            if i < 6:
                return user.post(f"{PLANS}/{DAY}/todos/{names[i]}/complete")
            return user.post(f"{PLANS}/{DAY}/todos", {"actionId": names[i]})

        replies = at_once(12, work)
        self.assertEqual([reply.status for reply in replies], [200] * 6 + [201] * 6)
        plan = user.get(f"{PLANS}/{DAY}")
        self.assertEqual({todo["actionId"] for todo in plan["todos"]}, set(names))
        self.assertEqual({todo["actionId"] for todo in plan["todos"] if "completedAt" in todo}, set(names[:6]))
        days = user.log(f"{PLANS}/{DAY}/commits")
        self.linear(days)
        self.assertEqual(sum(commit["reason"] == "completion" for commit in days), 6)
        trees = {commit["revId"] for commit in user.log()}
        self.assertTrue(all(commit["valuesRevId"] in trees for commit in days))
        self.clean(user)

    def test_rollovers_at_once_are_one(self):
        """OPEN-000-k."""
        user = self.with_tree()
        for action in ("five", "book"):
            self.expect(201, user.post(f"{PLANS}/2030-05-05/todos", {"actionId": action}))
        replies = at_once(12, lambda _: user.post(f"{PLANS}/{DAY}/rollover"))
        self.assertEqual([reply.status for reply in replies], [200] * 12)
        self.assertEqual(sum(reply["changed"] for reply in replies), 1)
        self.assertEqual(len(user.log(f"{PLANS}/{DAY}/commits")), 1)
        self.assertEqual([t["actionId"] for t in user.get(f"{PLANS}/{DAY}")["todos"]], ["five", "book"])
        self.clean(user)

    def test_undos_at_once_are_as_many_steps(self):
        user = self.with_tree()
        for number in range(12):
            self.expect(200, user.commit(edit("run", title=f"Run {number}")))
        replies = at_once(8, lambda _: user.post(f"{VALUES}/undo"))
        self.assertEqual([reply.status for reply in replies], [200] * 8)
        self.assertEqual(user.tree().nodes["run"]["title"], "Run 3")
        replies = at_once(10, lambda _: user.post(f"{VALUES}/redo"))
        self.assertEqual(sorted(reply.status for reply in replies), [200] * 8 + [409] * 2)
        self.assertEqual(user.tree().nodes["run"]["title"], "Run 11")
        self.clean(user)

    def test_one_idempotency_key_is_one_commit(self):
        """REQ-X-16."""
        user = self.with_tree()
        body = {"operations": [op("add", nodeType=ACTION, title="Once", parentId="run")]}
        replies = at_once(16, lambda _: user.post(f"{VALUES}/commits", body, {"Idempotency-Key": "one"}))
        self.assertEqual({reply.status for reply in replies} - {200, 409}, set())
        answers = {reply.raw for reply in replies if reply.status == 200}
        self.assertEqual(len(answers), 1)
        self.assertEqual(len(user.log()), 2)
        self.assertEqual(self.expect(200, user.post(f"{VALUES}/commits", body, {"Idempotency-Key": "one"})).raw,
                         answers.pop())
        self.clean(user)

    def test_readers_never_see_half_a_tree(self):
        """REQ-000-10, 11: whatever is read is a whole revision."""
        user = self.user()
        size = 150
        self.expect(200, user.commit(add("d", DRIVER), *[add(f"n{i:03}", ACTION, "d") for i in range(size)]))
        stop = threading.Event()

        def read(_):
            seen = 0
            while not stop.is_set():
                tree = user.tree()
                titles = {node["title"] for name, node in tree.nodes.items() if name != "d"}
                assert len(tree.nodes) == size + 1 and len(tree.edges) == size and len(titles) == 1, tree.rev
                seen += 1
            return seen

        def write(_):
            try:
                for round_number in range(12):
                    reply = user.commit(*[edit(f"n{i:03}", title=f"round {round_number}") for i in range(size)])
                    assert reply.status == 200, reply
            finally:
                stop.set()
            return 1

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            self.expect(200, user.commit(*[edit(f"n{i:03}", title="round") for i in range(size)]))
            done = list(pool.map(lambda number: write(0) if number == 0 else read(number), range(3)))
        self.assertTrue(all(done))

    def test_settings_changed_at_once_are_all_kept(self):
        user = self.user()
        for _ in range(5):
            self.expect(200, user.patch(f"{PLANS}/settings", {"timezone": "UTC", "dayStartHour": 0,
                                                              "autoRollover": False}))
            changes = [{"timezone": "Asia/Tokyo"}, {"dayStartHour": 4}, {"autoRollover": True}]
            replies = at_once(3, lambda i: user.patch(f"{PLANS}/settings", changes[i]))
            self.assertEqual([reply.status for reply in replies], [200] * 3)
            settings = user.get(f"{PLANS}/settings").body
            self.assertEqual((settings["timezone"], settings["dayStartHour"], settings["autoRollover"]),
                             ("Asia/Tokyo", 4, True))


if __name__ == "__main__":
    unittest.main()
