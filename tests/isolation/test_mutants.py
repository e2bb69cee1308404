"""Every workload notices the servers with broken promises that it names.

The mutants stand in a proxy before a real server, so this tries the clients, the histories and the checkers at once.
"""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from run import WORKLOADS, CairnServer, Run, binary_from_environment  # noqa: E402

SECONDS, CLIENTS, TRANSACTIONS = 1.0, 16, 2000

# What list-append has to call it, at least: one of these.
NAMES = {"stale-reads": ("G-single-realtime",), "lost-updates": ("lost", "incompatible-order"),
         "torn-transactions": ("G-single", "G0", "G1c"), "write-skew": ("G2-item",),
         "duplicated-appends": ("duplicate",), "dirty-aborts": ("G1a",)}


class Mutants(unittest.TestCase):
    def run_mutant(self, workload, **mutation):
        seed = random.SystemRandom().randrange(10**9)
        with CairnServer(binary_from_environment()) as server:
            run = Run(workload(seed), server, seed, CLIENTS, SECONDS, transactions=TRANSACTIONS, **mutation)
            problems = run.execute()
        self.assertTrue(problems, f"not noticed: {workload.name}, {mutation}, seed {seed}, {run.summary()}")
        failed = [problem for problem in problems if problem.startswith(("client", "the server"))]
        self.assertFalse(failed, "something failed before the history could be judged")
        return problems

    def assert_named(self, way, problems):
        found = {problem.partition(":")[0] for problem in problems}
        self.assertTrue(found.intersection(NAMES[way]), f"{way} was noticed as {found}")


def add_tests():
    for workload in WORKLOADS.values():
        for way in workload.mutants:
            def test_way(self, workload=workload, way=way):
                problems = self.run_mutant(workload, way=way)
                if workload.name == "list-append":
                    self.assert_named(way, problems)
            setattr(Mutants, f"test_{workload.name}_{way}".replace("-", "_"), test_way)
        if workload.notices_loss:
            def test_loss(self, workload=workload):
                self.run_mutant(workload, kills=1, forgetful=True)
            setattr(Mutants, f"test_{workload.name}_forgetful_disk".replace("-", "_"), test_loss)


add_tests()

if __name__ == "__main__":
    unittest.main()
