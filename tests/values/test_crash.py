"""kill -9 in the middle of commits: HEAD is the old or the new revision, whole; what is unfinished has its sweeper."""

import http.client
import os
import signal
import threading
import time
import unittest

from case import ACTION, DRIVER, ValuesTest, add, edit, partition, whole_table
from chance import seeded_random
from wait import wait_until

NODES = 400
ROUNDS = int(os.environ.get("CAIRN_CRASH_ROUNDS", 30))


class CrashTest(ValuesTest):
    def whole(self, user):
        """The tree, of which every item is there."""
        tree = user.tree()
        self.assertEqual((len(tree.nodes), len(tree.edges)), (NODES, NODES - 1))
        store = self.dynamodb()
        rev = partition(store, f"U#{user.id}", f"REV#VALUES#{tree.ts}#{tree.rev}")
        self.assertEqual(len(partition(store, f"U#{user.id}#VALUES#{tree.rev}")), rev[0]["itemCount"])
        return tree

    def sweepers(self, user):
        """Each snapshot that nobody published has a job that names it; published ones have none."""
        store = self.dynamodb()
        published = {commit["revId"] for commit in user.log(limit=100)}
        snapshots = {item["PK"].rpartition("#")[2] for item in whole_table(store, "App")
                     if item["PK"].startswith(f"U#{user.id}#VALUES#")}
        jobs = [job for job in whole_table(store, "CairnJobs") if job.get("kind") == "values-sweep"
                and job["userId"] == user.id]
        swept = {job["argument"].partition(" ")[2] for job in jobs}
        self.assertLessEqual(published, snapshots)
        self.assertLessEqual(snapshots - published, swept)
        self.assertFalse(published & swept)
        self.assertTrue(all(job["argument"].startswith("tree ") for job in jobs))


class Points(CrashTest):
    def test_killed_between_snapshot_and_publication_and_between_publication_and_answer(self):
        user = self.user("eve")
        self.expect(200, user.commit(add("d", DRIVER), *[add(f"n{i:03}", ACTION, "d") for i in range(NODES - 1)]))
        for point, made in (("values.snapshot-written", False), ("values.committed", True)):
            head = user.rev()
            self.server.restart(f"{point}=1:kill")
            self.hang_up()
            with self.assertRaises((OSError, http.client.HTTPException)):
                user.commit(edit("n007", title=point))
            self.assertEqual(self.server.await_death(), -signal.SIGKILL)
            self.server.start()
            self.hang_up()
            tree = self.whole(user)
            self.assertEqual((tree.nodes["n007"]["title"] == point, tree.rev != head), (made, made))
            self.sweepers(user)

    def test_killed_in_the_middle_of_a_sweep(self):
        """What was claimed is claimed again, and goes."""
        user = self.user("kim")
        self.expect(200, user.commit(add("d", DRIVER), *[add(f"n{i:03}", ACTION, "d") for i in range(NODES - 1)]))
        self.server.restart("values.snapshot-written=1:kill")
        self.hang_up()
        with self.assertRaises((OSError, http.client.HTTPException)):
            user.commit(edit("n007", title="never"))
        self.server.await_death()
        self.server.start(test_points="values.sweep-claimed=1:kill", clock_ahead_seconds=2 * 3600)
        self.assertEqual(self.server.await_death(), -signal.SIGKILL)
        self.server.start(clock_ahead_seconds=4 * 3600)
        self.hang_up()
        wait_until(lambda: not self.unpublished(user), 60, "the snapshot that nobody published to go")
        self.whole(user)
        self.server.restart()
        self.hang_up()

    def unpublished(self, user):
        published = {commit["revId"] for commit in user.log(limit=100)}
        return [item for item in whole_table(self.dynamodb(), "App") if f"U#{user.id}#VALUES#" in item["PK"]
                and item["PK"].rpartition("#")[2] not in published]


class Crash(CrashTest):
    def test_a_commit_that_is_killed_was_made_or_not(self):
        """OPEN-000-a, REQ-000-23."""
        chance = seeded_random()
        user = self.user("ada")
        self.expect(200, user.commit(add("d", DRIVER), *[add(f"n{i:03}", ACTION, "d") for i in range(NODES - 1)]))
        span = self.usual_seconds(user)
        fates = {"old": 0, "new": 0}
        for round_number in range(ROUNDS):
            head, title = user.rev(), f"round {round_number}"
            acknowledged = self.commit_and_kill(user, title, chance.uniform(0, 1.5 * span))
            self.server.start()
            self.hang_up()
            tree = self.whole(user)
            new = tree.nodes["n007"]["title"] == title
            self.assertEqual(new, tree.rev != head)
            self.assertTrue(new or not acknowledged, "an answered commit is there")
            fates["new" if new else "old"] += 1
            log = user.log(limit=100)
            self.assertEqual(log[0]["revId"], tree.rev, "the log ends at HEAD")
            self.assertEqual([c["parentRevId"] for c in log[:-1]], [c["revId"] for c in log[1:]])
        print(f"commits that were made: {fates['new']}, that were not: {fates['old']}")
        self.sweepers(user)
        self.server.terminate()
        verified = self.server.verify()
        self.assertEqual(verified.code, 0, verified)

    def usual_seconds(self, user):
        started = time.monotonic()
        for i in range(3):
            self.expect(200, user.commit(edit("n000", title=f"warm {i}")))
        return (time.monotonic() - started) / 3

    def commit_and_kill(self, user, title, seconds):
        """Whether the commit was answered before the server died."""
        answers = []

        def commit():
            try:
                answers.append(user.commit(edit("n007", title=title)).status)
            except (OSError, http.client.HTTPException):
                pass

        thread = threading.Thread(target=commit)
        thread.start()
        thread.join(seconds)  # the moment of the kill, or the end of the commit
        self.server.kill()
        thread.join()
        return answers == [200]


if __name__ == "__main__":
    unittest.main()
