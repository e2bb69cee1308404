"""The commands of examples/shop/README.md work as printed, in order, in one shell."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import case  # noqa: F401  (finds the fixtures)
from cairn_server import ROOT, CairnServer, binary_from_environment

BLOCK = re.compile(r"^```(?:bash|sh|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)


class ShopReadme(unittest.TestCase):
    def setUp(self):
        for program in ("curl", "jq"):
            if not shutil.which(program):
                self.skipTest(f"the README's commands need {program}")
        # A folder that looks like the repository to the commands: their data and `cairn` are the test's own.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cairn-shop-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "examples").symlink_to(ROOT / "examples")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "cairn").symlink_to(pathlib.Path(binary_from_environment()).resolve())

    def serve(self, command):
        words = shlex.split(command, comments=True)
        flags = [str(ROOT / word) if word.startswith("examples/") else word for word in words[2:]]
        if "--port" in flags:
            at = flags.index("--port")
            del flags[at:at + 2]
        server = CairnServer(self.folder / "bin" / "cairn", data=self.folder / "data", flags=flags)
        self.addCleanup(server.close)
        return server.start()

    def test_commands(self):
        blocks = BLOCK.findall((ROOT / "examples" / "shop" / "README.md").read_text())
        serving = [block for block in blocks if block.startswith("cairn serve")]
        self.assertEqual(len(serving), 1, "one block starts the server")
        server = self.serve(serving[0])
        script = "\n".join(block for block in blocks if block not in serving)
        script = re.sub(r"(127\.0\.0\.1|localhost):8000", f"127.0.0.1:{server.port}", script)
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.folder, env=environment, text=True,
                              capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main()
