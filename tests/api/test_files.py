"""What the server keeps is for the eyes of its owner only, and a backup is enough to go on elsewhere."""

import os
import pathlib
import stat
import tempfile
import unittest

from case import PASSWORD, ApiTest
from cairn_server import CairnServer, binary_from_environment
from client import Client

ME = "/api/auth/me"


def open_to_others(folder):
    """Paths below, and the folder itself, that anybody but the owner may do anything with."""
    paths = [pathlib.Path(folder), *pathlib.Path(folder).rglob("*")]
    return [f"{path} {stat.filemode(path.lstat().st_mode)}" for path in paths if path.lstat().st_mode & 0o077]


class Files(ApiTest):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(os.umask, os.umask(0o022))  # as most people have it
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory(prefix="cairn-files-")
        cls.addClassCleanup(cls.folder.cleanup)

    def path(self, name):
        return str(pathlib.Path(self.folder.name, name))

    def cairn(self, *arguments):
        done = self.server.command(*arguments)
        self.assertEqual(done.code, 0, done)
        return done.stdout

    def restored(self, backup, name, *flags):
        """A server on what `cairn restore` makes of the backup, and what it said."""
        data = self.path(name)
        said = self.cairn("restore", "--from", backup, "--data", data, *flags)
        server = CairnServer(binary_from_environment(), data=data, apps=True).start()
        self.addCleanup(server.close)
        return server, said

    def clients(self, server):
        """The same callers, at another server."""
        made = []
        for known in (self.program, self.browser):
            client = Client(server.url, known.token)
            client.jar, client.csrf = dict(known.jar), known.csrf
            self.addCleanup(client.hang_up)
            made.append(client)
        return made

    def test_nobody_else_can_read_them(self):
        self.account("files@example.org")
        self.assertTrue(pathlib.Path(self.server.data, "control.sock").is_socket())
        self.assertEqual(open_to_others(self.server.data), [])
        self.cairn("backup", "--data", self.server.data, "--to", self.path("modes"))
        self.assertEqual(open_to_others(self.path("modes")), [])
        os.chmod(self.path("modes"), 0o755)  # as backups of earlier versions are
        for file in pathlib.Path(self.path("modes")).iterdir():
            if file.name != "signing.key":
                os.chmod(file, 0o644)
        self.cairn("restore", "--from", self.path("modes"), "--data", self.path("modes-again"))
        self.assertEqual(open_to_others(self.path("modes-again")), [])
        self.cairn("export", "--data", self.path("modes-again"), "--table", "CairnIdentity", "--file",
                   self.path("identity.jsonl"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("identity.jsonl")).st_mode), 0o600)
        self.cairn("model", "init", self.path("model.toml"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("model.toml")).st_mode), 0o644, "a design is no secret")

    def test_a_directory_of_before_is_tightened(self):
        data = self.path("wide")
        os.mkdir(data)
        os.chmod(data, 0o755)
        with CairnServer(binary_from_environment(), data=data, apps=True) as server:
            self.assertEqual(open_to_others(data), [])
            self.assertIn("now only its owner can", server.stderr())

    def test_a_backup_is_enough_to_go_on_elsewhere(self):
        """Made while the server runs; sessions, cookies, refresh tokens and secret addresses stay good."""
        type(self).program = self.account("moved@example.org")
        type(self).browser = self.login("moved@example.org", kind="browser")
        refresh_token = self.client().login("moved@example.org", PASSWORD).body["refreshToken"]
        self.expect(201, self.program.post("/api/nexus/tasks", {"title": "pack"}))
        feed = self.expect(201, self.program.post("/api/nexus/feed")).body["url"]
        said = self.cairn("backup", "--data", self.server.data, "--to", self.path("whole"))
        self.assertIn("holds the signing key", said)

        server, said = self.restored(self.path("whole"), "whole-again")
        self.assertIn("signing key is in place", said)
        for client in self.clients(server):
            self.assertEqual(self.expect(200, client.get(ME)).body["email"], "moved@example.org")
            self.assertEqual(client.get("/api/nexus/tasks").body["items"][0]["title"], "pack")
        self.expect(201, self.clients(server)[1].post("/api/nexus/tasks", {"title": "unpack"}))  # with its CSRF token
        stranger = Client(server.url)
        self.addCleanup(stranger.hang_up)
        self.expect(200, stranger.get(feed))
        self.expect(200, stranger.post("/api/auth/refresh", {"refreshToken": refresh_token}))

        said = self.cairn("backup", "--data", self.server.data, "--to", self.path("keyless"), "--without-key")
        self.assertIn("left out", said)
        self.assertFalse(pathlib.Path(self.path("keyless"), "signing.key").exists())
        for backup, name, flags in (("keyless", "keyless-again", ()), ("whole", "whole-keyless", ("--without-key",))):
            server, said = self.restored(self.path(backup), name, *flags)
            self.assertIn("no signing key", said)
            for client in self.clients(server):
                self.expect(401, client.get(ME))
            again = Client(server.url)
            self.addCleanup(again.hang_up)
            self.expect(200, again.login("moved@example.org", PASSWORD))

    def test_without_a_server(self):
        data = self.path("stopped")
        with CairnServer(binary_from_environment(), data=data, apps=True) as server:
            client = Client(server.url)
            self.addCleanup(client.hang_up)
            self.expect(201, client.post("/api/auth/register", {"email": "x@example.org", "password": PASSWORD}))
        self.assertIn("holds the signing key", self.cairn("backup", "--data", data, "--to", self.path("cold")))
        self.assertEqual(open_to_others(self.path("cold")), [])
        self.assertEqual(pathlib.Path(self.path("cold"), "signing.key").read_bytes(),
                         pathlib.Path(data, "signing.key").read_bytes())


if __name__ == "__main__":
    unittest.main()
