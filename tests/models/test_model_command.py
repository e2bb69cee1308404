"""`cairn model` from the shell: check, docs, cost, export, init. Run: test_model_command.py (CAIRN_BINARY names the program)."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "fixture")]

from cairn_server import CairnServer, Finished, binary_from_environment  # noqa: E402

BAD_MODELS = ROOT / "src" / "design" / "testdata" / "lint"
MARK = re.compile(r"# <- (\S+) (.*)$")
FINDING = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<severity>\w+)(?: (?P<code>[A-Z]+-\d+))?: "
                     r"(?P<message>.*?)(?:  \[(?P<subject>[^\]]+)\])?$")
SUBCOMMANDS = ("check", "docs", "cost", "export", "init", "verify")


def cairn(*arguments, **more):
    done = subprocess.run([binary_from_environment(), *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          check=False, **more)
    return Finished(done.returncode, done.stdout, done.stderr)


def marks(path):
    """The findings a bad model is marked with: {(code, line, subject)}."""
    found = set()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = MARK.search(line)
        if match:
            found.add((match[1], number, match[2]))
    return found


class ModelTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="cairn-model-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def starter(self):
        path = self.scratch / "tasks.toml"
        if not path.exists():
            done = cairn("model", "init", path)
            self.assertEqual(done.code, 0, done)
        return path

    def assert_one_line(self, done, code=2):
        self.assertEqual(done.code, code, done)
        self.assertEqual(done.stdout, "", done)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done)


class Serve(ModelTest):
    def test_a_design_with_an_open_error_is_not_served(self):
        bad = BAD_MODELS / "ISO-1.toml"
        done = cairn("serve", "--memory", "--port", "0", "--model", bad)
        self.assertEqual((done.code, done.stdout), (2, ""), done)
        self.assertIn("error ISO-1", done.stderr)
        self.assertIn("is not served", done.stderr)

    def test_an_acknowledged_error_is_served(self):
        code, _, subject = next(mark for mark in marks(BAD_MODELS / "ISO-1.toml") if mark[0] == "ISO-1")
        accepted = self.scratch / "accepted.toml"
        accepted.write_text((BAD_MODELS / "ISO-1.toml").read_text() +
                            f'\n[[accept]]\ncode = "{code}"\nat = "*"\nreason = "{subject} is being moved"\n')
        with CairnServer(binary_from_environment(), flags=["--memory", "--model", str(accepted)]) as server:
            self.assertTrue(server.running())


class Help(ModelTest):
    def test_every_subcommand_has_help(self):
        overview = cairn("model", "--help")
        self.assertEqual(overview.code, 0)
        for name in SUBCOMMANDS:
            with self.subTest(name=name):
                self.assertIn(name, overview.stdout)
                done = cairn("model", name, "--help")
                self.assertEqual((done.code, done.stderr), (0, ""))

    def test_wrong_usage_gets_one_line_and_exit_2(self):
        for arguments in ((), ("frobnicate",), ("check",), ("check", "--format", "xml", "x.toml"), ("docs",), ("cost",),
                          ("export",), ("export", "x.toml"), ("export", "x.toml", "--to", "yaml"),
                          ("export", "--to", "json"), ("check", "--explain", "ISO-99"), ("init", "a", "b"),
                          ("init", "model.yaml")):
            with self.subTest(arguments=arguments):
                self.assert_one_line(cairn("model", *arguments, cwd=self.scratch))

    def test_file_that_is_missing_gets_one_line_and_exit_2(self):
        for arguments in (("docs",), ("cost",), ("export", "--to", "json")):
            with self.subTest(arguments=arguments):
                done = cairn("model", arguments[0], self.scratch / "absent.toml", *arguments[1:])
                self.assert_one_line(done)
                self.assertIn("absent.toml", done.stderr)
        done = cairn("model", "check", self.scratch / "absent.toml")
        self.assertEqual(done.code, 2)
        self.assertIn("absent.toml", done.stdout)


class BadModels(ModelTest):
    def test_every_bad_model_is_found_at_its_line(self):
        files = sorted(BAD_MODELS.glob("*.toml"))
        self.assertGreater(len(files), 20)
        for path in files:
            with self.subTest(model=path.stem):
                expected = marks(path)
                done = cairn("model", "check", "--all", path)
                found = [FINDING.match(line) for line in done.stdout.splitlines()[:-1]]
                self.assertTrue(all(found), done)
                opened = {(f["code"] or "refused", int(f["line"]), f["subject"]) for f in found
                          if f["severity"] != "accepted"}
                self.assertEqual(opened, expected, done)
                severities = {f["severity"] for f in found}
                self.assertEqual(done.code, 2 if "error" in severities else 0, done)
                strict = cairn("model", "check", "--warnings-as-errors", path)
                wanted = 2 if "error" in severities else 1 if "warning" in severities else 0
                self.assertEqual(strict.code, wanted, strict)

    def test_json_says_the_same(self):
        path = BAD_MODELS / "ISO-1.toml"
        done = cairn("model", "check", "--format", "json", path)
        self.assertEqual(done.code, 2)
        report = json.loads(done.stdout)
        self.assertEqual({(f["code"], f["line"], f["subject"]) for f in report["findings"]}, marks(path))
        self.assertEqual((report["errors"], report["warnings"]), (2, 0))
        self.assertTrue(all(f["file"] == str(path) and f["severity"] == "error" for f in report["findings"]))

    def test_accepted_and_assumed_are_shown_with_all_only(self):
        path = BAD_MODELS / "ASM-1.toml"
        quiet = cairn("model", "check", path)
        self.assertEqual((quiet.code, len(quiet.stdout.splitlines())), (0, 1), quiet)
        self.assertIn("assumption", quiet.stdout)
        self.assertIn("enum Status", cairn("model", "check", "--all", path).stdout)

    def test_several_files_are_checked_in_one_go(self):
        done = cairn("model", "check", BAD_MODELS / "clean.toml", BAD_MODELS / "KEY-2.toml")
        self.assertEqual(done.code, 2)
        self.assertIn("2 files: 1 error,", done.stdout)

    def test_syntax_error_has_its_line(self):
        path = self.scratch / "broken.toml"
        path.write_text('format = "cairn-model/1"\nname = \n')
        done = cairn("model", "check", path)
        self.assertEqual(done.code, 2)
        self.assertIn("broken.toml:2:", done.stdout)

    def test_codes_and_explanations(self):
        listed = cairn("model", "check", "--codes")
        self.assertEqual(listed.code, 0)
        codes = [line.split()[0] for line in listed.stdout.splitlines()[1:]]
        self.assertIn("ISO-1", codes)
        for code in codes:
            with self.subTest(code=code):
                self.assertTrue((BAD_MODELS / f"{code}.toml").exists())
                done = cairn("model", "check", "--explain", code)
                self.assertEqual(done.code, 0)
                self.assertIn("Repair:", done.stdout)


class Init(ModelTest):
    def test_starter_is_a_clean_model(self):
        done = cairn("model", "check", "--warnings-as-errors", self.starter())
        self.assertEqual(done.code, 0, done)
        self.assertIn("0 errors, 0 warnings", done.stdout)

    def test_existing_file_is_left_alone(self):
        path = self.scratch / "mine.toml"
        path.write_text("mine")
        self.assert_one_line(cairn("model", "init", path))
        self.assertEqual(path.read_text(), "mine")

    def test_dash_is_standard_output(self):
        done = cairn("model", "init", "-")
        self.assertEqual(tomllib.loads(done.stdout)["format"], "cairn-model/1")

    def test_default_name(self):
        self.assertEqual(cairn("model", "init", cwd=self.scratch).code, 0)
        self.assertTrue((self.scratch / "model.toml").exists())


class Docs(ModelTest):
    def test_markdown_to_standard_output(self):
        done = cairn("model", "docs", self.starter())
        self.assertEqual(done.code, 0, done)
        self.assertIn("## Table main", done.stdout)
        self.assertIn("tasksOfList", done.stdout)

    def test_html_to_a_file_stands_alone(self):
        page = self.scratch / "page.html"
        done = cairn("model", "docs", self.starter(), "--format", "html", "-o", page)
        self.assertEqual((done.code, done.stdout), (0, ""), done)
        html = page.read_text()
        self.assertTrue(html.startswith("<!doctype html>"))
        self.assertNotRegex(html, r"https?://|<script|<link|src=")

    def test_page_that_cannot_be_written_is_said(self):
        self.assert_one_line(cairn("model", "docs", self.starter(), "-o", self.scratch / "no" / "page.md"), code=1)


class Cost(ModelTest):
    def test_text_names_patterns_and_entities(self):
        done = cairn("model", "cost", self.starter())
        self.assertEqual(done.code, 0, done)
        for name in ("tasksOfList", "List", "Task", "estimated"):
            self.assertIn(name, done.stdout)

    def test_sizes_from_a_file(self):
        sizes = self.scratch / "sizes.json"
        sizes.write_text('{"Task": 5000}')
        done = cairn("model", "cost", self.starter(), "--sizes", sizes)
        self.assertRegex(done.stdout, r"Task +5,000 +measured")

    def test_bad_sizes_get_one_line(self):
        model = self.starter()
        sizes = self.scratch / "sizes.json"
        for text in ("", "[]", '{"Nobody": 3}', '{"Task": -1}'):
            with self.subTest(text=text):
                sizes.write_text(text)
                self.assert_one_line(cairn("model", "cost", model, "--sizes", sizes))
        self.assert_one_line(cairn("model", "cost", model, "--sizes", self.scratch / "absent.json"))

    def test_sizes_measured_in_a_data_directory(self):
        import endpoint  # needs boto3, which the other tests do not

        with CairnServer(binary_from_environment()) as server:
            db = endpoint.client(server.url)
            self.addCleanup(db.close)
            db.create_table(TableName="tasks-dev", BillingMode="PAY_PER_REQUEST",
                            AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("PK", "SK")],
                            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"},
                                       {"AttributeName": "SK", "KeyType": "RANGE"}])
            ulid = "01JCRN0000000000000000000"
            for n in range(3):
                db.put_item(TableName="tasks-dev", Item={
                    "PK": {"S": "USER#u"}, "SK": {"S": f"LIST#{ulid}{n}"}, "entityType": {"S": "LIST"},
                    "name": {"S": "x" * 3000}})
            db.put_item(TableName="tasks-dev", Item={"PK": {"S": "odd"}, "SK": {"S": "odd"}})
            server.terminate()
            model = self.starter()
            done = cairn("model", "cost", model, "--data", server.data)
            self.assertEqual(done.code, 0, done)
            self.assertRegex(done.stdout, r"List +3,0\d\d +measured +3 ")
            self.assertRegex(done.stdout, r"Task +\d+ +estimated")
            self.assert_one_line(cairn("model", "cost", model, "--data", self.scratch / "nowhere"))


class Export(ModelTest):
    def export(self, form, *more):
        done = cairn("model", "export", self.starter(), "--to", form, *more)
        self.assertEqual(done.code, 0, done)
        return json.loads(done.stdout)

    def test_cloudformation(self):
        template = self.export("cloudformation", "--stage", "prod")
        table = template["Resources"]["MainTable"]
        self.assertEqual(table["Type"], "AWS::DynamoDB::Table")
        self.assertEqual(table["Properties"]["TableName"], {"Fn::Sub": "tasks-${Stage}"})
        self.assertEqual(template["Parameters"]["Stage"]["Default"], "prod")
        defined = {a["AttributeName"] for a in table["Properties"]["AttributeDefinitions"]}
        keys = {k["AttributeName"] for k in table["Properties"]["KeySchema"]}
        for index in table["Properties"]["GlobalSecondaryIndexes"]:
            keys |= {k["AttributeName"] for k in index["KeySchema"]}
        self.assertEqual(defined, keys)

    def test_cloudformation_makes_tables_the_server_accepts(self):
        import endpoint

        properties = self.export("cloudformation")["Resources"]["MainTable"]["Properties"]
        with CairnServer(binary_from_environment(), flags=["--memory"]) as server:
            db = endpoint.client(server.url)
            self.addCleanup(db.close)
            db.create_table(TableName="tasks-dev", **{k: properties[k] for k in (
                "AttributeDefinitions", "KeySchema", "BillingMode", "GlobalSecondaryIndexes")})
            data = self.export("workbench")["DataModel"][0]
            for item in data["TableData"]:
                db.put_item(TableName=data["TableName"], Item=item)
            self.assertEqual(db.scan(TableName="tasks-dev")["Count"], len(data["TableData"]))

    def test_workbench(self):
        model = self.export("workbench")
        table = model["DataModel"][0]
        self.assertEqual([f["FacetName"] for f in table["TableFacets"]], ["List", "Task"])
        self.assertEqual(table["TableFacets"][0]["KeyAttributeAlias"],
                         {"PartitionKeyAlias": "USER#{userId}", "SortKeyAlias": "LIST#{listId}"})
        self.assertTrue(table["TableData"][0]["SK"]["S"].startswith("LIST#"))

    def test_iam(self):
        policy = self.export("iam", "--claim-variable", "cognito-identity.amazonaws.com:sub")
        read = policy["Statement"][0]
        own = "USER#${cognito-identity.amazonaws.com:sub}"
        self.assertEqual(read["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"], [own, own + "#*"])
        self.assertEqual(read["Condition"]["Null"], {"dynamodb:LeadingKeys": "false"})
        actions = [action for statement in policy["Statement"] for action in statement["Action"]]
        self.assertFalse([a for a in actions if "Scan" in a or "PartiQL" in a])

    def test_canonical_json_is_a_model_again(self):
        text = cairn("model", "export", self.starter(), "--to", "json").stdout
        twin = self.scratch / "twin.json"
        twin.write_text(text)
        self.assertEqual(cairn("model", "check", twin).code, 0)
        self.assertEqual(cairn("model", "export", twin, "--to", "json").stdout, text)

    def test_schema_needs_no_model(self):
        done = cairn("model", "export", "--to", "schema")
        self.assertEqual(done.code, 0, done)
        self.assertIn("properties", json.loads(done.stdout))

    def test_output_file(self):
        path = self.scratch / "out.json"
        done = cairn("model", "export", self.starter(), "--to", "json", "-o", path)
        self.assertEqual((done.code, done.stdout), (0, ""))
        self.assertTrue(json.loads(path.read_text()))


class OurModels(ModelTest):
    """The models this project ships: they load, and whatever the linter says about them is acknowledged."""

    def files(self):
        return sorted((ROOT / "models").glob("*.toml"))

    def test_they_have_no_open_errors(self):
        for path in self.files():
            with self.subTest(model=path.stem):
                done = cairn("model", "check", path)
                self.assertEqual(done.code, 0, done)

    def test_documents_and_exports_are_made(self):
        for path in self.files():
            with self.subTest(model=path.stem):
                self.assertEqual(cairn("model", "docs", path, "--format", "html", "-o", self.scratch / "page").code, 0)
                self.assertEqual(cairn("model", "cost", path).code, 0)
                for form in ("cloudformation", "workbench", "iam", "json"):
                    json.loads(cairn("model", "export", path, "--to", form).stdout)


if __name__ == "__main__":
    unittest.main()
