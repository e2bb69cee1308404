"""/openapi.json: a valid OpenAPI 3.1 document that tells of every route, and nothing that is not so."""

import json
import pathlib
import re
import subprocess
import tempfile

from jsonschema import Draft202012Validator

from case import HERE, ApiTest
from cairn_server import ROOT
from contract import parse_json

VALIDATOR = HERE.parent / "protocol_js" / "node_modules" / ".bin" / "validate-api"
ROUTE = re.compile(r'"(/api/[^"]*)",(?:\s*\.id =)? "(\w+)"')

# Programs are written against these: one that goes away, or is called otherwise, breaks them.
OPERATIONS = {
    "POST /api/auth/register": "register", "POST /api/auth/login": "login", "POST /api/auth/refresh": "refresh",
    "POST /api/auth/logout": "logout", "POST /api/auth/password": "changePassword", "GET /api/auth/me": "readMe",
    "GET /api/account/usage": "readUsage",
    "DELETE /api/auth/me": "deleteMe", "GET /api/auth/sessions": "listSessions",
    "DELETE /api/auth/sessions/{sessionId}": "endSession",
    "GET /api/auth/options": "readSignInOptions", "POST /api/auth/password/forgot": "forgotPassword",
    "POST /api/auth/password/reset": "resetPassword", "POST /api/auth/email/verify": "verifyEmail",
    "POST /api/auth/email/verification": "sendVerification", "POST /api/auth/email": "changeEmail",
    "DELETE /api/auth/email/pending": "cancelEmailChange",
    "GET /api/values": "readTree", "GET /api/values/head": "readHead", "POST /api/values/commits": "commitTree",
    "GET /api/values/commits": "listCommits", "GET /api/values/commits/{revId}": "readCommit",
    "GET /api/values/diff": "diffTrees", "POST /api/values/rollback": "rollbackTree",
    "POST /api/values/undo": "undoTree",
    "POST /api/values/redo": "redoTree", "GET /api/values/nodes/{nodeId}": "readNode",
    "GET /api/values/nodes/{nodeId}/children": "readChildren",
    "GET /api/values/nodes/{nodeId}/history": "readNodeHistory", "POST /api/values/nodes": "createNode",
    "PATCH /api/values/nodes/{nodeId}": "editNode", "POST /api/values/nodes/{nodeId}/move": "moveNode",
    "POST /api/values/nodes/{nodeId}/reorder": "reorderChildren",
    "POST /api/values/nodes/{nodeId}/complete": "completeNode",
    "POST /api/values/nodes/{nodeId}/uncomplete": "uncompleteNode",
    "POST /api/values/nodes/{nodeId}/archive": "archiveNode", "DELETE /api/values/nodes/{nodeId}": "deleteNode",
    "POST /api/values/nodes/{nodeId}/restore": "restoreNode", "GET /api/values/review": "reviewWeek",
    "POST /api/values/pack": "packTree", "GET /api/values/packs": "listPacks",
    "GET /api/values/packs/{packRevId}": "readPack", "POST /api/values/packs/{packRevId}/unpack": "unpack",
    "PUT /api/values/tags/{name}": "putTag", "DELETE /api/values/tags/{name}": "deleteTag", "GET /api/values/tags": "listTags",
    "GET /api/values/export": "exportValues",
    "POST /api/values/import": "importValues", "POST /api/values/demo": "fillDemo",
    "GET /api/data/partitions": "listDataPartitions", "GET /api/data/items": "readDataItems",
    "GET /api/plans": "listPlans", "GET /api/plans/settings": "readPlanSettings",
    "PATCH /api/plans/settings": "changePlanSettings", "GET /api/plans/{day}": "readPlan",
    "POST /api/plans/{day}/commits": "commitPlan", "GET /api/plans/{day}/commits": "listPlanCommits",
    "GET /api/plans/{day}/diff": "diffPlans", "POST /api/plans/{day}/rollback": "rollbackPlan",
    "POST /api/plans/{day}/undo": "undoPlan", "POST /api/plans/{day}/redo": "redoPlan",
    "POST /api/plans/{day}/rollover": "rolloverPlan", "POST /api/plans/{day}/todos": "addTodo",
    "PATCH /api/plans/{day}/todos/{actionId}": "editTodo", "DELETE /api/plans/{day}/todos/{actionId}": "removeTodo",
    "POST /api/plans/{day}/todos/reorder": "reorderTodos",
    "POST /api/plans/{day}/todos/{actionId}/complete": "completeTodo",
    "POST /api/plans/{day}/todos/{actionId}/uncomplete": "uncompleteTodo", "POST /api/plans/{day}/blocks": "addBlock",
    "PATCH /api/plans/{day}/blocks/{blockId}": "editBlock", "DELETE /api/plans/{day}/blocks/{blockId}": "removeBlock",
    "POST /api/plans/{day}/autoschedule": "autoschedulePlan",
    "GET /api/nexus/settings": "readNexusSettings", "PATCH /api/nexus/settings": "changeNexusSettings",
    "POST /api/nexus/tasks": "createTask", "GET /api/nexus/tasks": "listTasks", "GET /api/nexus/tasks/{taskId}": "readTask",
    "PATCH /api/nexus/tasks/{taskId}": "changeTask", "DELETE /api/nexus/tasks/{taskId}": "deleteTask",
    "POST /api/nexus/tasks/{taskId}/move": "moveTask", "POST /api/nexus/tasks/{taskId}/complete": "completeTask",
    "POST /api/nexus/tasks/{taskId}/reopen": "reopenTask", "GET /api/nexus/board": "readBoard",
    "POST /api/nexus/notes": "createNote", "GET /api/nexus/notes": "listNotes", "GET /api/nexus/notes/{noteId}": "readNote",
    "PATCH /api/nexus/notes/{noteId}": "changeNote", "DELETE /api/nexus/notes/{noteId}": "deleteNote",
    "POST /api/nexus/notes/{noteId}/pin": "pinNote", "POST /api/nexus/notes/{noteId}/unpin": "unpinNote",
    "POST /api/nexus/notes/{noteId}/archive": "archiveNote", "POST /api/nexus/notes/{noteId}/unarchive": "unarchiveNote",
    "POST /api/nexus/events": "createEvent", "GET /api/nexus/events/{eventId}": "readEvent",
    "PATCH /api/nexus/events/{eventId}": "editEvent", "DELETE /api/nexus/events/{eventId}": "deleteEvent",
    "GET /api/nexus/masters/{masterId}": "readSeries", "PATCH /api/nexus/masters/{masterId}": "editSeries",
    "DELETE /api/nexus/masters/{masterId}": "deleteSeries", "GET /api/nexus/masters/{masterId}/instances": "listInstances",
    "POST /api/nexus/masters/{masterId}/exdates": "addExdate",
    "DELETE /api/nexus/masters/{masterId}/exdates/{local}": "removeExdate",
    "GET /api/nexus/instances/{instanceId}": "readInstance", "PATCH /api/nexus/instances/{instanceId}": "editInstance",
    "DELETE /api/nexus/instances/{instanceId}": "deleteInstance", "POST /api/nexus/rrule/preview": "previewRule",
    "GET /api/nexus/agenda": "readAgenda", "GET /api/nexus/agenda/day/{date}": "readAgendaDay",
    "GET /api/nexus/agenda/week/{date}": "readAgendaWeek", "GET /api/nexus/agenda/month/{month}": "readAgendaMonth",
    "POST /api/nexus/reminders": "createReminder", "GET /api/nexus/reminders": "listReminders",
    "GET /api/nexus/reminders/due": "listDueReminders", "GET /api/nexus/reminders/{reminderId}": "readReminder",
    "PATCH /api/nexus/reminders/{reminderId}": "editReminder", "DELETE /api/nexus/reminders/{reminderId}": "deleteReminder",
    "POST /api/nexus/reminders/{reminderId}/snooze": "snoozeReminder",
    "POST /api/nexus/reminders/{reminderId}/dismiss": "dismissReminder",
    "GET /api/nexus/tags": "listNexusTags", "DELETE /api/nexus/tags": "removeNexusTag",
    "GET /api/nexus/search": "searchNexus", "GET /api/admin/conformance": "checkConformance",
    "GET /api/nexus/calendar.ics": "exportCalendar", "POST /api/nexus/import": "importCalendar",
    "POST /api/nexus/demo": "fillNexusDemo",
    "POST /api/nexus/webhook": "nameWebhook", "DELETE /api/nexus/webhook": "removeWebhook",
    "POST /api/nexus/feed": "renewFeed", "DELETE /api/nexus/feed": "revokeFeed",
    "GET /api/nexus/feed/{token}/calendar.ics": "readFeed", "GET /api/nexus/changes": "readChanges",
}
# Nobody has to be logged in for these.
OPEN = {"register", "login", "refresh", "readFeed", "readSignInOptions", "forgotPassword", "resetPassword", "verifyEmail"}
KEEPS_NO_RECEIPT = {"register", "login", "refresh", "logout", "changePassword", "deleteMe", "endSession",
                    "forgotPassword", "resetPassword", "verifyEmail", "sendVerification", "changeEmail", "cancelEmailChange",
                    "previewRule", "renewFeed", "nameWebhook", "removeNexusTag"}


def schemas_in(value):
    """Every object with a `type`, `$ref`, `anyOf` or `oneOf`, however deep."""
    if isinstance(value, dict):
        if value.keys() & {"type", "$ref", "anyOf", "oneOf", "enum"} and not isinstance(value.get("type"), dict):
            yield value
        for inner in value.values():
            yield from schemas_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from schemas_in(inner)


class Document(ApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.answer = cls.client().get("/openapi.json")
        cls.document = parse_json(cls.answer.raw)
        cls.operations = cls.client().contract().operations

    def test_is_openapi_3_1(self):
        """The official schema of OpenAPI 3.1 says so, through a validator that is not ours."""
        self.assertEqual(self.document["openapi"], "3.1.0")
        self.assertTrue(VALIDATOR.exists(), "tools/install test brings the validator")
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(self.answer.raw)
            file.flush()
            done = subprocess.run(["node", str(VALIDATOR.resolve()), file.name], capture_output=True, text=True,
                                  check=False)
            self.assertEqual((done.returncode, json.loads(done.stdout)), (0, {"valid": True}), done.stderr)

    def test_has_every_operation(self):
        told = {f"{method.upper()} {path}": item["operationId"]
                for path, methods in self.document["paths"].items() for method, item in methods.items()}
        self.assertEqual(told, OPERATIONS)

    def test_has_every_route_of_the_tables(self):
        """The tables in the sources, read as text: a route cannot be served and left out here."""
        in_sources = {route for file in (ROOT / "src").rglob("*.cc") if not file.name.endswith("_test.cc")
                      for route in ROUTE.findall(file.read_text())}
        told = {(operation.path, operation.id) for operation in self.operations.values()}
        self.assertEqual(told, in_sources)

    def test_ids_are_unique(self):
        ids = [item["operationId"] for methods in self.document["paths"].values() for item in methods.values()]
        self.assertEqual(len(ids), len(set(ids)))

    def test_path_parameters_are_described(self):
        for operation in self.operations.values():
            with self.subTest(operation=operation.id):
                described = [p for p in operation.item["parameters"] if p["in"] == "path"]
                self.assertEqual([p["name"] for p in described], operation.path_names())
                self.assertTrue(all(p["required"] is True and "schema" in p for p in described), described)
                names = [(p["in"], p["name"].lower()) for p in operation.item["parameters"]]
                self.assertEqual(len(names), len(set(names)))

    def test_schemas_are_json_schema(self):
        components = self.document["components"]["schemas"]
        self.assertGreater(len(components), 20)
        for name, schema in components.items():
            with self.subTest(schema=name):
                Draft202012Validator.check_schema(schema)
        for schema in schemas_in(self.document["paths"]):
            Draft202012Validator.check_schema(schema)

    def test_references_lead_somewhere_and_nothing_is_left_over(self):
        components = self.document["components"]["schemas"]
        used = {s["$ref"].rpartition("/")[2] for s in schemas_in(self.document) if "$ref" in s}
        self.assertEqual(used, set(components))

    def test_objects_are_closed(self):
        """An answer with a member that nobody knows of would be a leak; only a problem may say more."""
        problem = self.document["components"]["schemas"]["Problem"]
        for schema in schemas_in(self.document):
            if schema.get("type") == "object" and schema is not problem:
                self.assertIs(schema.get("additionalProperties"), False, schema)
                self.assertLessEqual(set(schema.get("required", ())), set(schema["properties"]), schema)

    def test_texts_have_a_form_or_an_end(self):
        for schema in schemas_in(self.document):
            if "pattern" in schema:
                self.assertRegex(schema["pattern"], r"^\^.*\$$")
                re.compile(schema["pattern"])

    def test_who_may_call(self):
        self.assertEqual(self.document["security"], [{"bearer": []}, {"cookie": []}])
        for operation in self.operations.values():
            with self.subTest(operation=operation.id):
                self.assertEqual(operation.item.get("security"), [] if operation.id in OPEN else None)

    def test_fields_of_requests_are_told(self):
        for operation in self.operations.values():
            with self.subTest(operation=operation.id):
                has = {name for place, name in operation.parameters if place == "header"}
                self.assertEqual("Idempotency-Key" in has,
                                 operation.is_change() and operation.id not in KEEPS_NO_RECEIPT)
                self.assertEqual("304" in operation.item["responses"], "If-None-Match" in has)
                if operation.is_change():
                    self.assertNotIn("If-None-Match", has)
                else:
                    self.assertNotIn("If-Match", has)
                    self.assertNotIn("requestBody", operation.item)

    def test_answers_are_told(self):
        for operation in self.operations.values():
            with self.subTest(operation=operation.id):
                responses = operation.item["responses"]
                self.assertTrue(any(status[0] == "2" for status in responses))
                self.assertEqual(responses["default"]["content"],
                                 {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}})
                self.assertTrue(all(answer["description"] for answer in responses.values()))
                self.assertTrue(operation.item["summary"] and operation.item["tags"])

    def test_is_the_same_for_everybody_and_always(self):
        again = self.user("alice").get("/openapi.json")
        self.assertEqual(again.raw, self.answer.raw)
        head = self.client().head("/openapi.json")
        self.assertEqual((head.status, head.raw, head.headers["Content-Length"]), (200, b"", str(len(again.raw))))
        self.assertEqual(self.client().get("/openapi.json", accept_encoding="gzip").raw, again.raw)
        self.restart()
        self.assertEqual(self.client().get("/openapi.json").raw, self.answer.raw)

    def test_tells_no_secrets(self):
        text = self.answer.raw.decode()
        for word in ("passwordHash", str(pathlib.Path(self.server.data)), "signing"):
            self.assertNotIn(word, text)


class WithHttps(ApiTest):
    flags = ("--public-url", "https://cairn.example", "--metrics-listen", "127.0.0.1:0")

    def test_names_the_cookie_that_is_used(self):
        schemes = parse_json(self.client().get("/openapi.json").raw)["components"]["securitySchemes"]
        self.assertEqual(schemes["cookie"]["name"], "__Host-cairn_session")
