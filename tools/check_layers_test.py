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
TABLE = "| file | what it does |\n|---|---|\n"
GOOD = {
    "src/base/README.md": TABLE + "| `text.h` | texts |\n",
    "src/base/text.h": "",
    "src/store/README.md": "The store: `store`.\n",
    "src/store/store.h": '#include "base/text.h"\n',
}
ITEM = {"src/item/README.md": "`item`", "src/item/item.h": ""}


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
        found = self.findings(ITEM, LAYERS + "item: base\n")
        self.assertIn("layer item may include base, but none of its files does", found)

    def test_a_test_may_use_a_permission(self):
        files = {"src/item/item_test.cc": '#include "base/text.h"\n'}
        self.assertEqual(self.findings(ITEM | files, LAYERS + "item: base\n"), "")

    def test_the_generated_layer_uses_what_it_likes(self):
        files = {"models/own.toml": "", "src/store/store.cc": '#include "models/own.h"\n'}
        self.assertEqual(self.findings(files, "base:\nmodels: base\nstore: base models\n"), "")

    def test_a_layer_without_readme_is_refused(self):
        self.assertIn("src/base: a layer has a README.md", self.findings({"src/base/README.md": None}))

    def test_a_readme_that_leaves_out_a_file_is_refused(self):
        self.assertIn("base/README.md: does not name number", self.findings({"src/base/number.cc": ""}))

    def test_a_file_of_a_subfolder_is_named_with_its_path(self):
        files = {"src/base/internal/part.h": "", "src/base/README.md": "`text`, `part`"}
        self.assertIn("does not name internal/part", self.findings(files))
        self.assertEqual(self.findings(files | {"src/base/README.md": "`text`, `internal/part`"}), "")

    def test_a_subfolder_may_have_a_readme_of_its_own(self):
        files = {"src/base/internal/part.h": "", "src/base/internal/README.md": "`part.h`"}
        self.assertEqual(self.findings(files), "")

    def test_patterns_name_families(self):
        files = {"src/base/lint_keys.cc": "", "src/base/lint_names.cc": "", "src/base/a_b.h": "", "src/base/a_c.h": ""}
        self.assertEqual(self.findings(files | {"src/base/README.md": "`text`, `lint_*`, `a_{b,c}.h`"}), "")

    def test_no_pattern_names_everything(self):
        for pattern in ("*", "*.h", "**"):
            self.assertIn("does not name text", self.findings({"src/base/README.md": f"`{pattern}`"}))

    def test_names_in_examples_do_not_count(self):
        self.assertIn("does not name text", self.findings({"src/base/README.md": "```\n`text`\n```\n"}))

    def test_what_only_tests_use_needs_no_name(self):
        files = dict.fromkeys(("src/base/text_test.cc", "src/base/text_for_test.h", "src/base/clients_for_tests.h",
                               "src/base/text_fixture.h"), "")
        self.assertEqual(self.findings(files), "")

    def test_a_row_about_a_file_that_is_gone_is_refused(self):
        found = self.findings({"src/base/README.md": TABLE + "| `text`, `gone` | texts, see `elsewhere` |\n"})
        self.assertIn("has a row about gone, which is not there", found)
        self.assertNotIn("elsewhere", found)


if __name__ == "__main__":
    unittest.main()
