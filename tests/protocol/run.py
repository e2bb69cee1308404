"""Runs the protocol tests against a server of their own, or against any endpoint.

run.py [--binary PATH | --url URL] [-v] [NAME...]    NAME: test_query, test_query.KeyRanges, ... (default: all)
"""

import argparse
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture")]

from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from case import ProtocolTest  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=binary_from_environment(), help="the cairn binary to test")
    parser.add_argument("--url", help="an endpoint that is already running")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-k", action="append", default=None, metavar="PATTERN", help="only tests matching PATTERN")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()

    loader = unittest.TestLoader()
    loader.testNamePatterns = [p if "*" in p else f"*{p}*" for p in options.k] if options.k else None
    names = options.names or sorted(path.stem for path in HERE.glob("test_*.py"))
    suite = loader.loadTestsFromNames(names)
    server = None
    if options.url:
        ProtocolTest.url = options.url.rstrip("/")
    else:
        server = CairnServer(options.binary, flags=["--ttl-sweep-seconds", "1"]).start()
        ProtocolTest.server, ProtocolTest.url = server, server.url
    try:
        result = unittest.TextTestRunner(verbosity=2 if options.verbose else 1).run(suite)
        if server and not server.running():
            print("the server died:\n" + server.stderr(), file=sys.stderr)
            return 1
    finally:
        if server:
            server.close()
    # A name that matches nothing must not look like success.
    return 0 if result.wasSuccessful() and result.testsRun + len(result.skipped) > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
