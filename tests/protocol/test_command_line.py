"""The program from the shell: help, mistakes, and the commands that work on a data directory."""

import json
import os
import pathlib
import subprocess

import boto3
from botocore.config import Config

import endpoint
from cairn_server import CairnServer
from case import ProtocolTest
from tables import gsi, item

COMMANDS = ("serve", "tables", "backup", "restore", "export", "import", "verify", "version")


class CommandLineTest(ProtocolTest):
    def setUp(self):
        self.own = CairnServer(self.own_server().binary)
        self.addCleanup(self.own.close)
        self.scratch = pathlib.Path(self.own.data).parent

    def run_cairn(self, *arguments, **more):
        return self.own.command(*map(str, arguments), **more)

    def filled(self, count=40):
        """A data directory with a table of some items, its server stopped; returns the table's name."""
        self.own.start()
        self.url, self.db = self.own.url, endpoint.client(self.own.url)
        name = self.table("pk:S sk:N", gsi("by-a", "a:S"))
        self.put_many(name, [item(pk="p", sk=n, a="x", b=b"\x00\xff", l=[1, None, {"m": "ä\n"}]) for n in range(count)])
        return name

    def stop(self):
        self.assertEqual(self.own.terminate(), 0)

    def scan(self, name):
        return self.all_items(self.db.scan, TableName=name)


class Help(CommandLineTest):
    def test_help_names_every_command(self):
        done = self.run_cairn("--help")
        self.assertEqual(done.code, 0)
        for command in COMMANDS:
            self.assertIn(command, done.stdout)

    def test_every_command_has_help(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                done = self.run_cairn(command, "--help")
                self.assertEqual((done.code, done.stderr), (0, ""))
                self.assertIn(command, done.stdout)

    def test_serve_help_names_its_flags(self):
        done = self.run_cairn("serve", "--help")
        for flag in ("--host", "--port", "--data", "--memory", "--durability", "--config", "--credentials"):
            self.assertIn(flag, done.stdout)

    def test_version(self):
        done = self.run_cairn("version")
        self.assertEqual(done.code, 0)
        self.assertRegex(done.stdout, r"^cairn \d+\.\d+\.\d+\n$")


class Mistakes(CommandLineTest):
    def test_wrong_usage_gets_one_line_and_exit_2(self):
        for arguments in ((), ("frobnicate",), ("serve", "--no-such-flag"), ("serve", "--port", "abc"),
                          ("serve", "--port", "70000"), ("serve", "--durability", "maybe"),
                          ("serve", "--memory", "--data", "x"), ("export",), ("tables", "extra")):
            with self.subTest(arguments=arguments):
                done = self.run_cairn(*arguments, timeout=20)
                self.assertEqual(done.code, 2, done)
                self.assertEqual(done.stdout, "")
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done)

    def test_directory_that_is_none_gets_one_line_and_exit_1(self):
        for command in (("tables",), ("verify",), ("export", "--table", "t"), ("import", "--table", "t")):
            with self.subTest(command=command):
                done = self.run_cairn(*command, "--data", self.scratch / "nothing-here", stdin="")
                self.assertEqual(done.code, 1, done)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done)
                self.assertFalse((self.scratch / "nothing-here").exists(), "it was created")

    def test_port_in_use_is_said_in_one_line(self):
        self.own.start()
        with open(os.devnull, "w") as nowhere:
            done = subprocess.run([self.own.binary, "serve", "--port", str(self.own.port), "--memory"], text=True,
                                  stdout=nowhere, stderr=subprocess.PIPE, timeout=30, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(str(self.own.port), done.stderr)

    def test_missing_files_are_named(self):
        for flag in ("--config", "--credentials"):
            with self.subTest(flag=flag):
                done = self.run_cairn("serve", "--memory", "--port", "0", flag, self.scratch / "absent", timeout=20)
                self.assertNotEqual(done.code, 0)
                self.assertIn("absent", done.stderr)


class DataDirectory(CommandLineTest):
    def test_tables_lists_names_and_counts(self):
        name = self.filled()
        self.stop()
        done = self.run_cairn("tables", "--data", self.own.data)
        self.assertEqual(done.code, 0, done)
        self.assertRegex(done.stdout, rf"{name}\s+40 items")
        self.assertIn("by-a", done.stdout)

    def test_export_and_import_carry_every_item(self):
        name = self.filled()
        before = self.scan(name)
        self.stop()
        lines = self.scratch / "items.jsonl"
        done = self.run_cairn("export", "--data", self.own.data, "--table", name, "--file", lines)
        self.assertEqual(done.code, 0, done)
        exported = [json.loads(line)["Item"] for line in lines.read_text().splitlines()]
        self.assertEqual(len(exported), 40)
        self.assertEqual(exported[0]["b"], {"B": "AP8="})
        to_stdout = self.run_cairn("export", "--data", self.own.data, "--table", name)
        self.assertEqual(to_stdout.stdout, lines.read_text())

        target = CairnServer(self.own.binary)
        self.addCleanup(target.close)
        target.start()
        self.url, self.db = target.url, endpoint.client(target.url)
        self.table("pk:S sk:N", gsi("by-a", "a:S"), name=name)
        target.terminate()
        done = self.run_cairn("import", "--data", target.data, "--table", name, "--file", lines)
        self.assertEqual(done.code, 0, done)
        target.start()
        self.url, self.db = target.url, endpoint.client(target.url)
        self.assertCountEqual(self.scan(name), before)
        self.assertCountEqual(self.all_items(self.db.scan, TableName=name, IndexName="by-a"), before)

    def test_import_names_the_bad_line(self):
        name = self.filled(1)
        self.stop()
        done = self.run_cairn("import", "--data", self.own.data, "--table", name,
                              stdin='{"Item":{"pk":{"S":"p"},"sk":{"N":"100"}}}\n{"Item":{"pk":{"S":"p"}}}\n')
        self.assertEqual(done.code, 1, done)
        self.assertIn(":2:", done.stderr)

    def test_unknown_table_is_said(self):
        self.filled(1)
        self.stop()
        done = self.run_cairn("export", "--data", self.own.data, "--table", "nowhere")
        self.assertEqual(done.code, 1)
        self.assertIn("nowhere", done.stderr)

    def test_backup_of_a_running_server_restores(self):
        name = self.filled()
        before = self.scan(name)
        backup = self.scratch / "backup"
        done = self.run_cairn("backup", "--data", self.own.data, "--to", backup)
        self.assertEqual(done.code, 0, done)
        self.put(name, item(pk="later", sk=1))
        self.assert_restores(backup, name, before)

    def test_backup_of_a_stopped_server_restores(self):
        name = self.filled()
        before = self.scan(name)
        self.stop()
        backup = self.scratch / "backup"
        done = self.run_cairn("backup", "--data", self.own.data, "--to", backup)
        self.assertEqual(done.code, 0, done)
        self.assert_restores(backup, name, before)

    def assert_restores(self, backup, name, before):
        target = self.scratch / "restored"
        done = self.run_cairn("restore", "--from", backup, "--data", target)
        self.assertEqual(done.code, 0, done)
        again = self.run_cairn("restore", "--from", backup, "--data", target)
        self.assertEqual(again.code, 1, "an existing directory was overwritten")
        with CairnServer(self.own.binary, data=target) as server:
            self.db = endpoint.client(server.url)
            self.assertCountEqual(self.scan(name), before)

    def test_verify_counts_what_is_there(self):
        self.filled()
        self.stop()
        done = self.own.verify()
        self.assertEqual(done.code, 0, done)
        self.assertIn("40 items", done.stdout)
        self.assertIn("40 index rows", done.stdout)


class Regions(CommandLineTest):
    def client_of(self, region):
        return boto3.client("dynamodb", endpoint_url=self.own.url, region_name=region, aws_access_key_id="any",
                            aws_secret_access_key="any", config=Config(retries={"max_attempts": 0}))

    def test_all_see_the_same_tables_unless_one_is_chosen(self):
        name = self.filled(1)
        elsewhere = self.client_of("eu-west-1").describe_table(TableName=name)["Table"]
        self.assertIn(":eu-west-1:", elsewhere["TableArn"])
        self.stop()
        self.own.flags += ["--region", "us-east-1"]
        self.own.start()
        self.assertIn(name, self.client_of("us-east-1").list_tables()["TableNames"])
        with self.fails("InvalidSignatureException", "Credential should be scoped to a valid region, not 'eu-west-1'",
                        status=400):
            self.client_of("eu-west-1").list_tables()


class Credentials(CommandLineTest):
    def start_with(self, secret):
        path = self.scratch / "credentials.json"
        path.write_text(json.dumps({"credentials": [{"accessKeyId": endpoint.ACCESS_KEY,
                                                     "secretAccessKey": secret}]}))
        self.own.flags += ["--credentials", str(path)]
        self.own.start()
        self.db = endpoint.client(self.own.url)

    def test_right_secret_is_let_in(self):
        self.start_with(endpoint.SECRET_KEY)
        self.assertEqual(self.db.list_tables()["TableNames"], [])

    def test_wrong_secret_and_unknown_key_are_refused(self):
        self.start_with("another secret")
        with self.fails("InvalidSignatureException", status=400):
            self.db.list_tables()
        stranger = endpoint.client(self.own.url)
        stranger._request_signer._credentials.access_key = "AKIAUNKNOWN000000001"
        with self.fails("UnrecognizedClientException", status=400):
            stranger.list_tables()
        self.assertNotIn("another secret", self.own.stderr())
