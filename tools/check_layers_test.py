#!/usr/bin/env python3
"""What tools/check_layers.py refuses, each on a made-up tree. Run by the test `check_layers`."""
import contextlib
import io
import pathlib
import tempfile
import unittest
from unittest import mock

import check_layers

LAYERS = "base:\nstore: base\n"
GOOD = {
    "src/base/text.h": "",
    "src/store/store.h": '#include "base/text.h"\n',
}


class CheckLayers(unittest.TestCase):
    def findings(self, files, layers=LAYERS):
        """What is printed about GOOD with other or further files (None: without it); empty when nothing is refused."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in ({"layers.txt": layers} | GOOD | files).items():
                if text is not None:
                    (root / name).parent.mkdir(parents=True, exist_ok=True)
                    (root / name).write_text(text)
            printed = io.StringIO()
            arguments = ["check_layers.py", folder, str(root / "layers.txt")]
            with mock.patch("sys.argv", arguments), contextlib.redirect_stdout(printed):
                failed = check_layers.main()
            return printed.getvalue() if failed else ""

    def test_a_good_tree_passes(self):
        self.assertEqual(self.findings({}), "")

    def test_an_include_that_points_up_is_refused(self):
        found = self.findings({"src/base/text.h": '#include "store/store.h"\n'})
        self.assertIn("layer base may not include store/store.h", found)

    def test_an_include_of_nothing_is_refused(self):
        self.assertIn("names no file", self.findings({"src/store/store.h": '#include "base/txt.h"\n'}))

    def test_an_include_of_anothers_internal_is_refused(self):
        found = self.findings({"src/base/internal/part.h": "", "src/store/page.h": '#include "base/internal/part.h"\n'})
        self.assertIn("base/internal/part.h is private to base", found)

    def test_a_folder_that_is_not_a_layer_is_refused(self):
        self.assertIn("folder src/drawer is not declared", self.findings({"src/drawer/thing.h": ""}))

    def test_a_permission_that_nobody_uses_is_refused(self):
        found = self.findings({"src/item/item.h": ""}, LAYERS + "item: base\n")
        self.assertIn("layer item may include base, but none of its files does", found)

    def test_a_test_may_use_a_permission(self):
        files = {"src/item/item.h": "", "src/item/item_test.cc": '#include "base/text.h"\n'}
        self.assertEqual(self.findings(files, LAYERS + "item: base\n"), "")

    def test_the_generated_layer_uses_what_it_likes(self):
        files = {"models/own.toml": "", "src/store/own.cc": '#include "models/own.h"\n'}
        self.assertEqual(self.findings(files, "base:\nmodels: base\nstore: base models\n"), "")


if __name__ == "__main__":
    unittest.main()
