#!/usr/bin/env python3
"""Runs the attacks one after another against a release server on this machine, and says what held.

tests/attack/run.py [--binary PATH] [NAME...]      e.g. unread_pages searches; all of them: about five minutes
"""

import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ATTACKS = ("exposed", "unread_pages", "unread_feeds", "anonymous_bodies", "contains", "searches", "amplification",
           "delete_during_import", "race", "floods")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", help="default: build/release/cairn")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    options = parser.parse_args()
    unknown = set(options.names) - set(ATTACKS)
    if unknown:
        parser.error(f"there is no attack {', '.join(sorted(unknown))}")
    environment = {**os.environ, **({"CAIRN_BINARY": options.binary} if options.binary else {})}
    failed = [name for name in options.names or ATTACKS
              if subprocess.run([sys.executable, str(HERE / f"{name}.py")], env=environment, check=False).returncode != 0]
    print(f"did not hold: {', '.join(failed)}" if failed else "all held")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
