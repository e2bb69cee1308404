"""Models, examples and the document about the format agree with the binary."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from exported_model import ROOT
from cairn_server import binary_from_environment

FORMAT_DOCUMENT = ROOT / "docs" / "model-format.md"
MODEL_FILES = sorted([*ROOT.glob("models/*.toml"), *ROOT.glob("examples/*/*.toml")])
TOML_BLOCK = re.compile(r"^```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^[A-Z]+-\d+$")


def cairn(*arguments):
    return subprocess.run([binary_from_environment(), *map(str, arguments)], capture_output=True, text=True,
                          timeout=60, check=False)


class Check(unittest.TestCase):
    def assert_clean(self, *files):
        done = cairn("model", "check", "--warnings-as-errors", *files)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_models_and_examples_have_no_finding_that_is_not_accepted(self):
        self.assertEqual(len(MODEL_FILES), 7)
        for file in MODEL_FILES:
            with self.subTest(file=file.name):
                self.assert_clean(file)

    def test_every_accepted_finding_has_a_reason_of_its_own(self):
        for file in MODEL_FILES:
            for reason in re.findall(r'^reason\s*=\s*"(.*)"$', file.read_text(), re.MULTILINE):
                with self.subTest(file=file.name):
                    self.assertGreater(len(reason.strip()), 10)

    def test_the_canonical_twin_is_the_same_model(self):
        for file in MODEL_FILES:
            with self.subTest(file=file.name), tempfile.TemporaryDirectory() as folder:
                twin = pathlib.Path(folder, "twin.json")
                exported = cairn("model", "export", file, "--to", "json")
                twin.write_text(exported.stdout)
                self.assert_clean(twin)
                self.assertEqual(cairn("model", "export", twin, "--to", "json").stdout, exported.stdout)


class FormatDocument(unittest.TestCase):
    def setUp(self):
        self.text = FORMAT_DOCUMENT.read_text()
        # The first block is a model; the others, one behind the other, are a second one.
        first, *pieces = TOML_BLOCK.findall(self.text)
        self.models = {"smallest": first, "whole": "\n".join(pieces)}

    def test_its_models_are_clean(self):
        for name, text in self.models.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "model.toml")
                file.write_text(text)
                done = cairn("model", "check", "--warnings-as-errors", file)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_explains_every_code(self):
        codes = {line.split()[0] for line in cairn("model", "check", "--codes").stdout.splitlines() if line.split()}
        known = {code for code in codes if CODE.match(code)}
        explained = set(re.findall(r"^\| ([A-Z]+-\d+) \|", self.text, re.MULTILINE))
        self.assertTrue(known)
        self.assertEqual(explained, known)


if __name__ == "__main__":
    unittest.main()
