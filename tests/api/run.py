#!/usr/bin/python3
"""Runs one test module of this folder, or all: run.py [test_frame]. The binary is CAIRN_BINARY."""

import pathlib
import sys
import unittest

if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    names = sys.argv[1:] or sorted(path.stem for path in here.glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    sys.exit(not unittest.TextTestRunner(verbosity=2 if len(names) == 1 else 1).run(suite).wasSuccessful())
