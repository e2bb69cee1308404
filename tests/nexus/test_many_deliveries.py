"""Many reminders posted by several helpers, with the server stopped and started in between: each arrives once. One that is
killed repeats what was under way, and nothing else. CAIRN_DELIVERIES says how many (10,000 take some minutes)."""

import collections
import datetime
import os
import sys
import time
import unittest

from calendar_case import REMINDERS, CalendarTest
from case import NEXUS, at_once
from chance import seeded_random
from receivers import Ledger
from wait import wait_until

COUNT = int(os.environ.get("CAIRN_DELIVERIES") or 400)
RESTARTS = 20 if COUNT >= 5_000 else 4
USERS = 12
HELPERS = 8  # threads of the server that deliver (kPatientAtOnce)
PORTION_MINUTES = 60  # each start has another portion of the reminders due
PATIENT_SHARDS = range(10, 14)
FORM = "%Y-%m-%dT%H:%M:%SZ"
LIMIT_SECONDS = 120 + COUNT / 10  # of a wait: only a hang reaches it


class ManyDeliveries(CalendarTest):
    flags = ("--webhooks", "private", "--delivery-pause-ms", "200", "--user-background-seconds", "0",
             "--user-requests-per-second", "0")

    def setUp(self):
        self.ledger = Ledger()
        self.addCleanup(self.ledger.close)
        self.owners = {}  # of deliveries, by id
        self.may_repeat = collections.Counter()  # deliveries that may come so often once more
        self.must_repeat = collections.Counter()  # those among them that have to

    def make_all(self):
        """Reminders of several users in portions, an hour ahead and more: nothing is due while they are made. Returns how
        far ahead the clock of the first start must be."""
        first = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        users = [self.user() for _ in range(USERS)]
        portions = RESTARTS + 1

        def make(number):
            user, made = users[number], []
            user.strict = False  # the document is the business of others
            self.expect(201, user.post(f"{NEXUS}/webhook", {"url": self.ledger.url}))
            for i in range(number, COUNT, USERS):
                portion = i * portions // COUNT
                due = (first + datetime.timedelta(minutes=PORTION_MINUTES * portion)).strftime(FORM)
                reminder = user.made(REMINDERS, {"title": f"number {i}", "triggerUtc": due})
                made.append(f"{reminder['reminderId']}:{reminder['triggerUtc']}")
            return made
        made = at_once(USERS, make)
        self.owners = {delivery: number for number, ids in enumerate(made) for delivery in ids}
        self.assertEqual(len(self.owners), COUNT)
        return int((first - datetime.datetime.now(datetime.timezone.utc)).total_seconds()) + 60

    def start(self, seconds_ahead, round_number):
        self.server.start(clock_ahead_seconds=seconds_ahead + 60 * PORTION_MINUTES * round_number)
        for user in self._users.values():
            user.hang_up()

    # ---- the end of a server, at a condition

    def hold_all(self):
        """Returns once every helper that has something to do waits for the answer to a post: then nothing is sent or
        noted any more. What these posts are."""
        self.ledger.hold()

        def all_wait(ledger):
            busy = {self.owners[one] for one in (self.due - ledger.distinct) | ledger.under_way}
            return len(ledger.held) == min(HELPERS, len(busy))
        self.ledger.wait_for(all_wait, LIMIT_SECONDS, "all helpers to be busy")
        return set(self.ledger.held)

    def stop(self, held):
        """A clean end. Where posts are `held` they get their answers once the server has begun to stop."""
        if held:
            self.stop_and(self.ledger.let_go)
        else:
            self.assertEqual(self.server.terminate(60), 0, self.server.stderr())

    def kill(self, held):
        """kill -9. What is under way then comes again, and it can be nothing else."""
        self.server.kill()
        last = {}  # of each user: one thread has them one after another, and notes each before the next
        for delivery in self.ledger.arrived:
            last[self.owners[delivery]] = delivery
        self.assertLessEqual(held, set(last.values()))
        self.must_repeat.update(held)
        # A helper that was not held may have been about to note its last one.
        self.may_repeat.update(held if len(held) == HELPERS else last.values())
        self.ledger.let_go()
        self.ledger.wait_for(lambda ledger: not ledger.under_way, 60, "answers that nobody takes")

    # ---- the judge

    def finish(self):
        """Waits until there is nothing left to deliver."""
        self.ledger.wait_for(lambda ledger: len(ledger.distinct) == COUNT, LIMIT_SECONDS, f"{COUNT} posts")
        # A job is removed after its post: once there is none, no post can follow.
        wait_until(lambda: not self.left(), LIMIT_SECONDS, "the queue to be empty")

    def left(self):
        pages = [self.dynamodb().query(TableName="CairnJobs", KeyConditionExpression="PK = :p", ConsistentRead=True,
                                       ExpressionAttributeValues={":p": {"S": f"JOB#{shard}"}})
                 for shard in PATIENT_SHARDS]
        return [item for page in pages for item in page["Items"] if item["kind"]["S"] == "nexus-deliver"]

    def judge(self):
        posts = collections.Counter(self.ledger.arrived)
        self.assertEqual(set(posts), set(self.owners))
        repeated = {delivery: count - 1 for delivery, count in posts.items() if count > 1}
        # A receiver that takes its time is asked again, with or without a restart.
        allowed = {delivery: self.may_repeat[delivery] + (COUNT if delivery in self.ledger.kept_waiting else 0)
                   for delivery in repeated}
        wrong = {delivery: count for delivery, count in repeated.items() if count > allowed[delivery]}
        self.assertEqual(wrong, {}, "posted more than once")
        missing = {delivery: count for delivery, count in self.must_repeat.items() if posts[delivery] <= count}
        self.assertEqual(missing, {}, "under way at the kill, never answered, and not posted again")
        return len(self.ledger.arrived), sum(repeated.values())

    def run_all(self, kill_at=()):
        chance, began = seeded_random(), time.monotonic()
        ahead = self.make_all()
        self.assertEqual(self.server.terminate(), 0)
        in_order = sorted(self.owners, key=lambda delivery: delivery.split(":", 1)[1])
        held_in_all = 0
        for number in range(RESTARTS + 1):
            end_of_portion = -(-COUNT * (number + 1) // (RESTARTS + 1))
            self.due = set(in_order[:end_of_portion])
            self.start(ahead, number)
            if number == RESTARTS:
                break
            wanted = COUNT * number // (RESTARTS + 1) + chance.randrange(1, COUNT // (RESTARTS + 1))
            self.ledger.wait_for(lambda ledger: len(ledger.distinct) >= wanted, LIMIT_SECONDS, f"{wanted} posts")
            held = self.hold_all() if chance.random() < 0.5 or number in kill_at else set()
            held_in_all += len(held)
            (self.kill if number in kill_at else self.stop)(held)
        self.finish()
        posts, repeated = self.judge()
        print(f"{COUNT} reminders, {RESTARTS - len(kill_at)} stops, {len(kill_at)} kills, {held_in_all} posts held at them: "
              f"{posts} posts, {repeated} repeated, {len(self.ledger.kept_waiting)} kept waiting, "
              f"{time.monotonic() - began:.0f} s", file=sys.stderr)


class Stopped(ManyDeliveries):
    def test_each_is_posted_once(self):
        self.run_all()


class Killed(ManyDeliveries):
    def test_what_was_under_way_is_posted_again_and_nothing_else(self):
        self.run_all(kill_at={RESTARTS // 2})


if __name__ == "__main__":
    unittest.main()
