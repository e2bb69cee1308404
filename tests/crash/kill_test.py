"""kill -9 under load, again and again: nothing acknowledged is lost, nothing is half done.

kill_test.py [--binary PATH] [--rounds N] [--seed S] [--writers W] [--restart-seconds T]
Each round: writers run, the server dies 50 to 500 ms later, restarts, and is compared with the writers' journals:
every item, both indexes, the whole stream, the counter, client tokens sent again; then `cairn verify`. A restart that
takes longer than T seconds is a problem, too. The proof that these checks can fail is kit_test.py.
"""

import argparse
import copy
import itertools
import pathlib
import random
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture"), str(HERE.parent / "protocol")]

from botocore.exceptions import ClientError  # noqa: E402

import endpoint  # noqa: E402
from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from journal import GONE  # noqa: E402
from stream_reader import read_stream  # noqa: E402
from wait import wait_until  # noqa: E402
from writers import (COUNTER, GLOBAL_INDEX, LOCAL_INDEX, TABLE, Writer, create_table, key_of,  # noqa: E402
                     new_journals)


class KillTest:
    def __init__(self, server, seed, writers, restart_seconds=2.0):
        self.server, self.random, self.restart_seconds = server, random.Random(seed), restart_seconds
        self.journals = new_journals(writers)
        self.numbers = itertools.count(1)
        self.restarts = []  # seconds each

    def setup(self):
        db = endpoint.client(self.server.url)
        create_table(db)
        wait_until(lambda: db.describe_table(TableName=TABLE)["Table"]["TableStatus"] == "ACTIVE", 30, TABLE)

    def round(self):
        """One load and one death; returns what went wrong."""
        problems = self.load() + self.restart() + self.check()
        self.server.kill()
        verified = self.server.verify()
        if verified.code != 0:
            problems.append(f"cairn verify: {verified}")
        return problems

    def load(self):
        """Writers run until the server is killed under them."""
        if not self.server.running():
            self.server.start()
        writers = [Writer(f"w{n}", journal, self.numbers, self.random.random())
                   for n, journal in enumerate(self.journals)]
        for writer in writers:
            writer.connect(self.server.url)
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.started_writing.wait(30)
        threading.Event().wait(self.random.uniform(0.05, 0.5))
        self.server.kill()
        for writer in writers:
            writer.join(60)
        return [f"{w.writer_name}: {w.failure!r}" for w in writers if w.failure]

    def restart(self):
        begun = time.monotonic()
        self.server.start()
        self.restarts.append(time.monotonic() - begun)
        if self.restarts[-1] > self.restart_seconds:
            return [f"the restart took {self.restarts[-1]:.1f} s"]
        return []

    def check(self):
        db = endpoint.client(self.server.url)
        rows = self.scan(db)
        found = {pk: int(row["n"]["N"]) for pk, row in rows.items() if pk != COUNTER}
        problems = []
        for journal in self.journals:
            problems += journal.resolve(found)
        known = {key for journal in self.journals for key in journal.states}
        problems += [f"{key}: found, but never written" for key in found.keys() - known]
        for index in (GLOBAL_INDEX, LOCAL_INDEX):
            indexed = self.scan(db, IndexName=index)
            if indexed != {pk: row for pk, row in rows.items() if pk != COUNTER}:
                problems.append(f"index {index} and table differ: {sorted(indexed)} {sorted(rows)}")
        return problems + self.check_counter(rows) + self.check_tokens(db, rows) + self.check_stream(db, rows)

    def check_counter(self, rows):
        applied = sum(journal.applied_tokens for journal in self.journals)
        unsure = sum(journal.open_request is not None for journal in self.journals)
        total = int(rows[COUNTER]["total"]["N"]) if COUNTER in rows else 0
        # The unsure ones are sent again in the next round, so counting one twice shows there.
        if not applied <= total <= applied + unsure:
            return [f"counter {total}, but {applied} acknowledged and {unsure} unsure"]
        return []

    def check_tokens(self, db, rows):
        """What was answered is answered the same again, counts no second time, and fits no other request."""
        problems = []
        for request in (journal.answered_request for journal in self.journals if journal.answered_request):
            other = copy.deepcopy(request)
            other["TransactItems"][0]["Update"]["ExpressionAttributeValues"][":one"]["N"] = "2"
            for sent, expected in ((request, None), (other, "IdempotentParameterMismatchException")):
                answer = None
                try:
                    db.transact_write_items(**sent)
                except ClientError as error:
                    answer = error.response["Error"]["Code"]
                if answer != expected:
                    problems.append(f"token sent again: {answer} instead of {expected}")
        counted = db.get_item(TableName=TABLE, Key=key_of(COUNTER), ConsistentRead=True).get("Item")
        if counted != rows.get(COUNTER):
            problems.append(f"tokens sent again were counted: {rows.get(COUNTER)} became {counted}")
        return problems

    def check_stream(self, db, rows):
        """Per item the stream holds exactly the journal's states, in order, and ends with the table."""
        arn = db.describe_table(TableName=TABLE)["Table"]["LatestStreamArn"]
        replayed, state, problems = {}, {}, []
        for record in read_stream(endpoint.client(self.server.url, "dynamodbstreams"), arn):
            data = record["dynamodb"]
            pk = data["Keys"]["pk"]["S"]
            if data.get("OldImage") != state.get(pk):
                problems.append(f"stream: old image of {pk} at {data['SequenceNumber']} is not the state before it")
            state[pk] = data.get("NewImage")
            if pk != COUNTER:
                replayed.setdefault(pk, []).append(int(data["NewImage"]["n"]["N"]) if "NewImage" in data else GONE)
        if {pk: image for pk, image in state.items() if image} != rows:
            problems.append("the replayed stream is not the table")
        for journal in self.journals:
            for key, states in journal.states.items():
                if replayed.get(key) != states:
                    problems.append(f"stream of {key}: {replayed.get(key)}, journal {states}")
        return problems

    @staticmethod
    def scan(db, **where):
        rows, start = {}, {}
        while True:
            page = db.scan(TableName=TABLE, **where, **start)
            rows.update((row["pk"]["S"], row) for row in page["Items"])
            if "LastEvaluatedKey" not in page:
                return rows
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def settle(self):
        """After the last round: every unsure transaction is sent again; the counter is then exact."""
        self.server.start()
        for number, journal in enumerate(self.journals):
            writer = Writer(f"w{number}", journal, self.numbers, 0)
            writer.connect(self.server.url)
            writer.settle_open_request()
        db = endpoint.client(self.server.url)
        found = db.get_item(TableName=TABLE, Key=key_of(COUNTER), ConsistentRead=True).get("Item")
        total = int(found["total"]["N"]) if found else 0
        applied = sum(journal.applied_tokens for journal in self.journals)
        return [] if total == applied else [f"counter {total} after {applied} different tokens"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=binary_from_environment())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--restart-seconds", type=float, default=2.0)
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.rounds} rounds", flush=True)
    with CairnServer(options.binary) as server:
        test = KillTest(server, options.seed, options.writers, options.restart_seconds)
        test.setup()
        for number in range(1, options.rounds + 1):
            problems = test.round()
            written = sum(len(states) for journal in test.journals for states in journal.states.values())
            print(f"round {number}: {written} writes acknowledged so far, {len(problems)} problems", flush=True)
            if problems:
                break
        problems = problems or test.settle()
        print(f"restarts: {min(test.restarts):.2f} to {max(test.restarts):.2f} s")
        for problem in problems[:20]:
            print(problem)
        if problems:
            print(f"FAILED, seed {options.seed}\n{server.stderr()}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
