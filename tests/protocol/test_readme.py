"""The README's examples work as printed, and every command in a document is one that the program has."""

import os
import pathlib
import re
import subprocess

from cairn_server import ROOT
from case import ProtocolTest

COMMAND = re.compile(r"(?:^|`|\$ |\()(?:build/release/)?cairn +([^`\n#]+)", re.MULTILINE)
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


class Commands(ProtocolTest):
    def documents(self):
        listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False)
        names = listed.stdout.split() or [str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md")]
        return [(name, (ROOT / name).read_text()) for name in names]

    def help_of(self, *words):
        """What the program says of a command; nothing when there is none."""
        done = self.own_server().command(*words, "--help")
        return done.stdout if f"Usage: cairn {' '.join(words)} " in done.stdout else ""

    def mistakes(self, text):
        """What is wrong with a command line as a document prints it: "verify DIR", "user add|list"."""
        words = re.split(r"  +", text.strip())[0] if not re.match(r"\w+  +(-|\[|[a-z]+\|)", text) else text
        words = [word.strip("[](),.;") for word in words.split()]
        commands, told, flags = [words[0]], self.help_of(words[0]), []
        if not told:
            return [f"there is no command {words[0]}"]
        for position, word in enumerate(words[1:], 1):
            if word.startswith("-"):
                flags.append(word.split("=")[0])
            elif "|" in word and position == 1:
                return [f"there is no command {words[0]} {name}" for name in word.split("|")
                        if not self.help_of(words[0], name)]
            elif not flags and "SUBCOMMAND" in told.splitlines()[1]:
                commands.append(word)
                told = self.help_of(*commands)
                if not told:
                    return [f"there is no command {' '.join(commands)}"]
            elif not flags and "Positionals:" not in told and word.isupper():
                return [f"{' '.join(commands)} takes no {word} without the name of a flag"]
        return [f"{' '.join(commands)} has no flag {flag}" for flag in flags
                if not re.search(re.escape(flag) + r"\b", told)]

    def test_commands_in_documents_are_real(self):
        seen = 0
        for name, text in self.documents():
            for command in COMMAND.findall(text):
                if not re.match(r"[a-z]+( |$)", command.strip()) or command.strip().split()[0] in ("listening",):
                    continue
                seen += 1
                with self.subTest(document=name, command=command.strip()):
                    self.assertEqual(self.mistakes(command), [])
        self.assertGreater(seen, 25)

    def test_mistakes_are_noticed(self):
        for wrong in ("verify DIR", "verify --dir X", "frobnicate", "user add|remove", "model chekc x.toml"):
            self.assertTrue(self.mistakes(wrong), wrong)
        for right in ("verify --data DIR", "user add|list", "model check FILE", "serve --port 8001", "demo EMAIL"):
            self.assertEqual(self.mistakes(right), [])
