"""The comparison of two endpoints itself: silent about equals, loud about a peer that forgets writes."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture"), str(HERE.parent / "protocol"), str(HERE.parent / "isolation")]

from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from compare import compare  # noqa: E402
from proxy import Proxy  # noqa: E402

SEED, OPERATIONS = 20, 600


class Compare(unittest.TestCase):
    def setUp(self):
        self.ours, self.peer = (self.started() for _ in range(2))

    def started(self):
        server = CairnServer(binary_from_environment(), flags=["--memory"])
        self.addCleanup(server.close)
        return server.start()

    def test_two_of_the_same_do_not_differ(self):
        pair, mismatch = compare(self.ours.url, self.peer.url, SEED, OPERATIONS, messages=True)
        self.assertIsNone(mismatch)
        self.assertEqual([str(difference) for difference in pair.found], [])
        self.assertGreater(pair.calls, OPERATIONS)

    def test_forgotten_writes_are_noticed_and_set_right(self):
        with Proxy(self.peer.port, "lost-writes", SEED) as proxy:
            pair, mismatch = compare(self.ours.url, f"http://127.0.0.1:{proxy.port}", SEED, OPERATIONS, messages=False)
        self.assertIsNone(mismatch)
        self.assertTrue([d for d in pair.found if d.aspect == "stored item"])
        reads = [d for d in pair.found if d.operation in ("get_item", "query", "scan") and not d.spoiler]
        self.assertLess(len(reads), 3 + len(pair.found) // 4, "one difference has caused others")


if __name__ == "__main__":
    unittest.main()
