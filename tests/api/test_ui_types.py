"""The web app's types are those of this server: ui/src/api/schema.d.ts is what openapi-typescript makes of
/openapi.json."""

import pathlib
import subprocess
import tempfile

from case import ApiTest
from cairn_server import ROOT

COMMITTED = ROOT / "ui" / "src" / "api" / "schema.d.ts"
GENERATOR = ROOT / "ui" / "node_modules" / ".bin" / "openapi-typescript"


class Types(ApiTest):
    def test_are_fresh(self):
        if not GENERATOR.exists():
            self.skipTest("ui/node_modules is missing: (cd ui && npm ci) brings openapi-typescript")
        with tempfile.TemporaryDirectory() as folder:
            document, types = pathlib.Path(folder, "openapi.json"), pathlib.Path(folder, "schema.d.ts")
            document.write_bytes(self.client().get("/openapi.json").raw)
            done = subprocess.run(["node", str(GENERATOR.resolve()), str(document), "--output", str(types)],
                                  capture_output=True, text=True, check=False, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertTrue(COMMITTED.exists(), "ui/src/api/schema.d.ts is missing")
            self.assertEqual(COMMITTED.read_text(), types.read_text(),
                             f"{COMMITTED.relative_to(ROOT)} is stale: start a server and run "
                             "(cd ui && npm run types -- http://127.0.0.1:8000/openapi.json)")
