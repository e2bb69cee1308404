"""The README's examples work as printed."""

import os
import pathlib
import re
import subprocess

from cairn_server import ROOT
from case import ProtocolTest

EXAMPLE = re.compile(r"^```(python|js|javascript|mjs)\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Readme(ProtocolTest):
    def examples(self, *languages):
        found = [code for language, code in EXAMPLE.findall((ROOT / "README.md").read_text())
                 if language in languages and "127.0.0.1:8000" in code]
        self.assertTrue(found, f"the README has no example in {languages[0]}")
        return [code.replace("http://127.0.0.1:8000", self.url) for code in found]

    def run_example(self, command, code, folder):
        clean = {name: text for name, text in os.environ.items() if not name.startswith("AWS_")}
        done = subprocess.run(command, input=code, cwd=folder, env=clean, text=True, capture_output=True, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 0, f"{code}\n{done.stdout}\n{done.stderr}")

    def test_boto3_example(self):
        for code in self.examples("python"):
            self.run_example(["/usr/bin/python3", "-"], code, ROOT)

    def test_javascript_example(self):
        folder = pathlib.Path(ROOT, "tests", "protocol_js")
        if not (folder / "node_modules").exists():
            self.skipTest("tools/install test has not installed the JavaScript clients")
        for code in self.examples("js", "javascript", "mjs"):
            self.run_example(["node", "--input-type=module", "-"], code, folder)
