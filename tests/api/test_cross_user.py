"""No user reaches another: every operation of /openapi.json has a row here that says how Eve tries Ada's ids
(REQ-000-3, REQ-000-4). A row is tried twice, with Ada's ids and with ids that nothing has: status and body must be the
same to the byte (an answer may repeat the id it was asked for), and nothing of Ada's may have changed. An operation
without a row fails the test.
"""

import base64
import urllib.parse
from types import SimpleNamespace

from case import NO_ULID, PASSWORD, ApiTest

DAY, OTHER_DAY = "2026-03-02", "2026-03-03"
NO_TASK = "task_00000000-0000-4000-8000-000000000000"  # well-formed ids that nothing has
NO_NOTE = "note_00000000-0000-4000-8000-000000000000"
NO_EVENT = "evt_00000000-0000-4000-8000-000000000000"
NO_MASTER = "mst_00000000-0000-4000-8000-000000000000"
NO_INSTANCE = "inst_00000000-0000-4000-8000-000000000000"
NO_REMINDER = "rem_00000000-0000-4000-8000-000000000000"


class Try:
    """One request of Eve: the parts of the address and the body, from things that are Ada's or nobody's. What an
    address or an operation is about does not exist (404); what a body only refers to breaks a rule (422)."""

    def __init__(self, make, status=404):
        self.make, self.status = make, status


def path(**names):
    return lambda t: {"path": {name: getattr(t, thing) for name, thing in names.items()}}


def query(**names):
    return lambda t: {"query": {name: getattr(t, thing) for name, thing in names.items()}}


def operations(status, *make):
    """Each as the only operation of a commit."""
    return [Try(lambda t, one=one: {"body": {"operations": [one(t)]}}, status) for one in make]


def plan_operations(status, *make):
    return [Try(lambda t, one=one: {"path": {"day": DAY}, "body": {"operations": [one(t)]}}, status) for one in make]


def cursors_of(operation, **more):
    """A cursor that Ada got is refused; which one nobody got does not matter."""
    return Try(lambda t: {"query": {"cursor": t.cursors[operation], **more.get("query", {})},
                          "path": more.get("path", {})}, 400)


def base64url(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


OWN_NODE = {"path": {"nodeId": "eves-driver"}}

# Text: why there is nothing to try. Otherwise what is tried.
ROWS = {
    "register": "takes no id; a taken address is answered alike, see test_identity.py",
    "login": "takes no id; see test_identity.py",
    "refresh": [Try(lambda t: {"body": {"refreshToken": t.refresh_token}}, 401)],
    "logout": "ends the caller's own session, whatever it is sent",
    "changePassword": "changes the caller's own password",
    "readMe": "reads the caller",
    "deleteMe": "deletes the caller's own account",
    "readSignInOptions": "tells everybody the same",
    "forgotPassword": "takes no id; every address is answered alike, see test_account_mail.py",
    "resetPassword": "takes what only a mail tells, see test_account_mail.py",
    "verifyEmail": "takes what only a mail tells, see test_account_mail.py",
    "sendVerification": "to the caller's own address",
    "changeEmail": "changes the caller's own address; one that is taken is answered alike, see test_account_mail.py",
    "cancelEmailChange": "keeps the caller's own address",
    "listSessions": "lists the caller's own sessions",
    "readUsage": "reads the caller's own usage",
    "endSession": [Try(path(sessionId="session"))],

    "readTree": [Try(query(rev="revision")), Try(query(tag="tag")), Try(query(rev="plan_revision"))],
    "readHead": "reads the caller's own HEAD",
    "commitTree": [
        Try(lambda t: {"body": {"baseRevId": t.revision, "operations": [
            {"op": "add", "nodeType": "DRIVER", "title": "x"}]}}, 409),
        Try(lambda t: {"body": {"baseRevId": t.revision, "onConflict": "merge", "operations": [
            {"op": "add", "nodeType": "DRIVER", "title": "x"}]}}, 404),
        *operations(404, lambda t: {"op": "edit", "nodeId": t.driver, "title": "taken"},
                    lambda t: {"op": "move", "nodeId": t.action, "parentId": "eves-driver"},
                    lambda t: {"op": "complete", "nodeId": t.action},
                    lambda t: {"op": "uncomplete", "nodeId": t.action},
                    lambda t: {"op": "archive", "nodeId": t.driver},
                    lambda t: {"op": "delete", "nodeId": t.driver},
                    lambda t: {"op": "restore", "nodeId": t.driver},
                    lambda t: {"op": "link", "parentId": "eves-driver", "childId": t.action},
                    lambda t: {"op": "unlink", "parentId": t.milestone, "childId": t.action},
                    lambda t: {"op": "unlink", "parentId": "eves-driver", "childId": t.action},
                    lambda t: {"op": "reorder", "parentId": t.driver, "childIds": [t.milestone]}),
        *operations(422, lambda t: {"op": "link", "parentId": t.milestone, "childId": "eves-action"},
                    lambda t: {"op": "reorder", "parentId": "eves-driver", "childIds": [t.milestone]},
                    lambda t: {"op": "add", "nodeType": "ACTION", "title": "x", "parentId": t.driver},
                    lambda t: {"op": "add", "nodeType": "ACTION", "title": "x", "parentId": "eves-driver",
                               "afterId": t.milestone}),
    ],
    "listCommits": [cursors_of("listCommits")],
    "readCommit": [Try(path(revId="revision")), Try(path(revId="plan_revision"))],
    "diffTrees": [Try(lambda t: {"query": {"from": t.revision, "to": t.eves_revision}}),
                  Try(lambda t: {"query": {"from": t.eves_revision, "to": t.revision}}),
                  Try(query(**{"from": "revision", "to": "revision"}))],
    "rollbackTree": [Try(lambda t: {"body": {"toRevId": t.revision}}),
                     Try(lambda t: {"body": {"toRevId": t.eves_revision, "baseRevId": t.revision}}, 409)],
    "undoTree": "steps back in the caller's own history",
    "redoTree": "steps forward in the caller's own history",
    "readNode": [Try(path(nodeId="driver")), Try(path(nodeId="action")),
                 Try(lambda t: {"path": {"nodeId": t.driver}, "query": {"rev": t.revision}}),
                 Try(lambda t: {**OWN_NODE, "query": {"rev": t.revision}})],
    "readChildren": [Try(path(nodeId="driver")), Try(lambda t: {**OWN_NODE, "query": {"rev": t.revision}})],
    "readNodeHistory": [Try(path(nodeId="driver")), cursors_of("readNodeHistory", path={"nodeId": "eves-driver"}),
                        Try(lambda t: {"path": {"nodeId": t.driver},
                                       "query": {"cursor": t.cursors["readNodeHistory"]}}, 400)],
    "createNode": [
        Try(lambda t: {"body": {"nodeType": "ACTION", "title": "x", "parentId": t.driver}}, 422),
        Try(lambda t: {"body": {"nodeType": "ACTION", "title": "x", "parentId": "eves-driver",
                                "afterId": t.milestone}}, 422),
    ],
    "editNode": [Try(lambda t: {"path": {"nodeId": t.driver}, "body": {"title": "taken"}})],
    "moveNode": [Try(lambda t: {"path": {"nodeId": t.action}, "body": {"parentId": "eves-driver"}}),
                 Try(lambda t: {"path": {"nodeId": "eves-action"}, "body": {"parentId": t.driver}}, 422),
                 Try(lambda t: {"path": {"nodeId": "eves-action"},
                                "body": {"parentId": "eves-driver", "fromParentId": t.milestone}}, 422),
                 Try(lambda t: {"path": {"nodeId": "eves-action"},
                                "body": {"parentId": "eves-driver", "afterId": t.milestone}}, 422)],
    "reorderChildren": [Try(lambda t: {"path": {"nodeId": t.driver}, "body": {"childIds": [t.milestone]}}),
                        Try(lambda t: {**OWN_NODE, "body": {"childIds": [t.milestone]}}, 422)],
    "completeNode": [Try(path(nodeId="action"))],
    "uncompleteNode": [Try(path(nodeId="action"))],
    "archiveNode": [Try(path(nodeId="driver"))],
    "deleteNode": [Try(path(nodeId="driver"))],
    "restoreNode": [Try(path(nodeId="driver"))],
    "packTree": "packs away what is the caller's own",
    "listPacks": "lists the caller's own",
    "readPack": [Try(path(packRevId="revision"))],
    "unpack": [Try(lambda t: {"path": {"packRevId": t.revision}, "body": {}})],
    "reviewWeek": "reviews the caller's own week",
    "putTag": [Try(lambda t: {"path": {"name": "mine"}, "body": {"revId": t.revision}}),
               Try(lambda t: {"path": {"name": t.tag}, "body": {"revId": t.revision}})],
    "deleteTag": [Try(path(name="tag"))],
    "listTags": [cursors_of("listTags")],
    "exportValues": [Try(query(after="revision"))],
    "importValues": "brings whole revisions; their ids are the caller's own, see test_an_import_stays_where_it_is",

    "fillDemo": "fills the caller's own account",
    "fillNexusDemo": "fills the caller's own account",

    "listDataPartitions": "lists the caller's own partitions",
    "readDataItems": [
        Try(lambda t: {"query": {"table": "App", "partition": f"U#{t.user_id}"}}),
        Try(lambda t: {"query": {"table": "App", "partition": f"U#{t.user_id}#VALUES#{t.revision}"}}),
        Try(lambda t: {"query": {"table": "App", "partition": f"U#{t.user_id}#PLAN#{DAY}#{t.plan_revision}"}}),
        Try(lambda t: {"query": {"table": "CairnIdentity", "partition": f"USER#{t.user_id}"}}),
        Try(lambda t: {"query": {"table": "CairnReceipts", "partition": f"USER#{t.user_id}"}}),
        Try(lambda t: {"query": {"table": "App", "partition": f"U#{t.eves_id}",
                                 "cursor": t.cursors["readDataItems"]}}, 400),
    ],

    "listPlans": [cursors_of("listPlans", query={"from": DAY, "to": OTHER_DAY})],
    "readPlanSettings": "reads the caller's own settings",
    "changePlanSettings": "changes the caller's own settings",
    "readPlan": [Try(lambda t: {"path": {"day": DAY}, "query": {"rev": t.plan_revision}}),
                 Try(lambda t: {"path": {"day": DAY}, "query": {"rev": t.revision}})],
    "commitPlan": [
        Try(lambda t: {"path": {"day": DAY}, "body": {"baseRevId": t.plan_revision, "operations": [
            {"op": "addBlock", "blockType": "BUFFER", "start": f"{DAY}T18:00:00.000Z", "end": f"{DAY}T19:00:00.000Z"},
        ]}}, 409),
        *plan_operations(422, lambda t: {"op": "addTodo", "actionId": t.action},
                         lambda t: {"op": "reorderTodos", "actionIds": [t.action]}),
        *plan_operations(404, lambda t: {"op": "editTodo", "actionId": t.action, "notes": "taken"},
                         lambda t: {"op": "removeTodo", "actionId": t.action},
                         lambda t: {"op": "editBlock", "blockId": t.block, "end": f"{DAY}T12:00:00.000Z"},
                         lambda t: {"op": "removeBlock", "blockId": t.block}),
    ],
    "listPlanCommits": [cursors_of("listPlanCommits", path={"day": DAY})],
    "diffPlans": [Try(lambda t: {"path": {"day": DAY}, "query": {"from": t.plan_revision, "to": t.eves_plan_revision}}),
                  Try(lambda t: {"path": {"day": DAY}, "query": {"from": t.eves_plan_revision,
                                                                 "to": t.plan_revision}})],
    "rollbackPlan": [Try(lambda t: {"path": {"day": DAY}, "body": {"toRevId": t.plan_revision}})],
    "undoPlan": "steps back in the caller's own day",
    "redoPlan": "steps forward in the caller's own day",
    "rolloverPlan": "takes todos of the caller's own days; see test_lists_have_nothing_of_others",
    "addTodo": [Try(lambda t: {"path": {"day": DAY}, "body": {"actionId": t.action}}, 422),
                Try(lambda t: {"path": {"day": DAY}, "body": {"actionId": "eves-other", "afterActionId": t.action}})],
    "editTodo": [Try(lambda t: {"path": {"day": DAY, "actionId": t.action}, "body": {"notes": "taken"}})],
    "removeTodo": [Try(lambda t: {"path": {"day": DAY, "actionId": t.action}})],
    "reorderTodos": [Try(lambda t: {"path": {"day": DAY}, "body": {"actionIds": [t.action]}}, 422),
                     Try(lambda t: {"path": {"day": DAY}, "body": {"actionIds": ["eves-action", t.action]}}, 422)],
    "completeTodo": [Try(lambda t: {"path": {"day": DAY, "actionId": t.action}})],
    "uncompleteTodo": [Try(lambda t: {"path": {"day": DAY, "actionId": t.action}})],
    "addBlock": [Try(lambda t: {"path": {"day": DAY}, "body": {
        "blockType": "POMODORO", "actionId": t.action, "pomodoroIndex": 1, "start": f"{DAY}T18:00:00.000Z",
        "end": f"{DAY}T18:25:00.000Z"}}, 422)],
    "editBlock": [Try(lambda t: {"path": {"day": DAY, "blockId": t.block}, "body": {"blockType": "BUFFER"}})],
    "removeBlock": [Try(lambda t: {"path": {"day": DAY, "blockId": t.block}})],
    "autoschedulePlan": "fills the caller's own day",

    "readNexusSettings": "reads the caller's own settings",
    "changeNexusSettings": "changes the caller's own settings",
    "createTask": "takes no id; see test_lists_have_nothing_of_others",
    "listTasks": [cursors_of("listTasks"), cursors_of("listTasksOfPriority", query={"priority": 3})],
    "readTask": [Try(path(taskId="task")), Try(path(taskId="note"))],
    "changeTask": [Try(lambda t: {"path": {"taskId": t.task}, "body": {"title": "taken"}, "version": 1})],
    "deleteTask": [Try(lambda t: {"path": {"taskId": t.task}, "version": 1}),
                   Try(lambda t: {"path": {"taskId": t.task}, "query": {"scope": "all"}, "version": 1})],
    "moveTask": [Try(lambda t: {"path": {"taskId": t.task}, "body": {"status": "DONE"}}),
                 Try(lambda t: {"path": {"taskId": t.eves_task}, "body": {"status": "TODO", "afterId": t.task}}, 422),
                 Try(lambda t: {"path": {"taskId": t.eves_task}, "body": {"status": "TODO", "beforeId": t.task}}, 422)],
    "completeTask": [Try(path(taskId="task"))],
    "reopenTask": [Try(path(taskId="task"))],
    "readBoard": [cursors_of("readBoard", query={"column": "TODO"})],
    "createNote": "takes no id",
    "listNotes": [cursors_of("listNotes"), cursors_of("listNotes", query={"tag": "adas-tag"})],
    "readNote": [Try(path(noteId="note"))],
    "changeNote": [Try(lambda t: {"path": {"noteId": t.note}, "body": {"title": "taken"}, "version": 1})],
    "deleteNote": [Try(lambda t: {"path": {"noteId": t.note}, "version": 1})],
    "pinNote": [Try(path(noteId="note"))],
    "unpinNote": [Try(path(noteId="note"))],
    "archiveNote": [Try(path(noteId="note"))],
    "unarchiveNote": [Try(path(noteId="note"))],
    "listNexusTags": "looks at the caller's own; see test_lists_have_nothing_of_others",
    "removeNexusTag": [Try(lambda t: {"query": {"tag": "adas-tag"}}, 200)],
    "searchNexus": "looks at the caller's own; see test_lists_have_nothing_of_others",
    "createEvent": "takes no id",
    "readEvent": [Try(path(eventId="event")), Try(path(eventId="task"))],
    "editEvent": [Try(lambda t: {"path": {"eventId": t.event}, "body": {"title": "taken"}, "version": 1})],
    "deleteEvent": [Try(lambda t: {"path": {"eventId": t.event}, "version": 1})],
    "readSeries": [Try(path(masterId="master"))],
    "editSeries": [Try(lambda t: {"path": {"masterId": t.master}, "body": {"title": "taken"}, "version": 1})],
    "deleteSeries": [Try(lambda t: {"path": {"masterId": t.master}, "version": 1})],
    "listInstances": [Try(path(masterId="master"))],
    "addExdate": [Try(lambda t: {"path": {"masterId": t.master}, "body": {"local": "2026-03-02T09:00:00"}})],
    "removeExdate": [Try(lambda t: {"path": {"masterId": t.master, "local": "2026-03-02T09:00:00"}})],
    "readInstance": [Try(path(instanceId="instance"))],
    "editInstance": [Try(lambda t, scope=scope: {"path": {"instanceId": t.instance}, "query": {"scope": scope},
                                                 "body": {"title": "taken"}, "version": 1})
                     for scope in ("this", "following", "all")],
    "deleteInstance": [Try(lambda t, scope=scope: {"path": {"instanceId": t.instance}, "query": {"scope": scope},
                                                   "version": 1}) for scope in ("this", "following", "all")],
    "previewRule": "works on what it is sent",
    "readAgenda": [cursors_of("readAgenda", query={"from": "2026-03-01", "to": "2026-03-20"})],
    "readAgendaDay": "reads the caller's own; see test_lists_have_nothing_of_others",
    "readAgendaWeek": "reads the caller's own; see test_lists_have_nothing_of_others",
    "readAgendaMonth": "reads the caller's own; see test_lists_have_nothing_of_others",
    "createReminder": [Try(lambda t: {"body": {"eventId": t.event, "minutesBefore": 5}}),
                       Try(lambda t: {"body": {"instanceId": t.instance, "minutesBefore": 5}}),
                       Try(lambda t: {"body": {"taskId": t.task, "minutesBefore": 5}})],
    "listReminders": "reads the caller's own; see test_lists_have_nothing_of_others",
    "listDueReminders": "reads the caller's own; see test_lists_have_nothing_of_others",
    "readReminder": [Try(path(reminderId="reminder"))],
    "editReminder": [Try(lambda t: {"path": {"reminderId": t.reminder}, "body": {"title": "taken"}, "version": 1})],
    "deleteReminder": [Try(lambda t: {"path": {"reminderId": t.reminder}, "version": 1})],
    "snoozeReminder": [Try(lambda t: {"path": {"reminderId": t.reminder}, "body": {"minutes": 5}})],
    "dismissReminder": [Try(path(reminderId="reminder"))],
    "checkConformance": "for operators, who see every key; see tests/nexus/test_conformance.py",

    "exportCalendar": "writes the caller's own calendar; see test_lists_have_nothing_of_others",
    "importCalendar": "ids are made of the caller and the UID; see tests/nexus/test_ics.py",
    "renewFeed": "makes an address of the caller's own calendar",
    "revokeFeed": "ends the address of the caller's own calendar",
    "nameWebhook": "names where the caller's own reminders go",
    "removeWebhook": "ends the caller's own webhook",
    "readFeed": [Try(lambda t: {"path": {"token": f"{base64url(t.user_id)}.{'A' * 43}"}}),
                 Try(lambda t: {"path": {"token": t.user_id}})],
    "readChanges": [Try(lambda t: {"query": {"since": t.cursors["readChanges"]}}, 400)],
}


class TwoUsers(ApiTest):
    """Ada, with one of everything; and Eve, who has a tree and a plan of her own for the same day."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        test = cls()
        cls.ada, cls.eve = cls.account("ada@example.org"), cls.account("eve@example.org")
        cls.ada_id = cls.ada.get("/api/auth/me").body["userId"]
        cls.adas = test.everything_of(cls.ada)
        test.own_things_of_eve()
        cls.nobodys = SimpleNamespace(
            driver="no-driver", milestone="no-milestone", action="no-action", revision=NO_ULID, plan_revision=NO_ULID,
            tag="no-tag", block="no-block", task=NO_TASK, note=NO_NOTE, event=NO_EVENT, master=NO_MASTER,
            instance=NO_INSTANCE, reminder=NO_REMINDER, session=NO_ULID, refresh_token="x.y.1.z", cursors=cls.adas.cursors,
            user_id=NO_ULID)
        for things in (cls.adas, cls.nobodys):
            things.eves_id = cls.eve.get("/api/auth/me").body["userId"]
            things.eves_revision = cls.eve.get("/api/values/head").body["headRevId"]
            things.eves_plan_revision = cls.eve.get(f"/api/plans/{DAY}").body["revId"]
            things.eves_task = cls.eves_task

    def everything_of(self, user):
        """A tree, a tag, a plan with todos and blocks, and a cursor of every list."""
        things = SimpleNamespace(cursors={})
        things.driver, things.milestone, things.action = self.tree(user)
        for title in ("first", "second"):
            self.expect(200, user.patch(f"/api/values/nodes/{things.driver}", {"title": title}))
        things.revision = user.last.body["commit"]["revId"]
        for tag in ("adas-tag", "another-tag"):
            self.expect(200, user.put(f"/api/values/tags/{tag}", {"revId": things.revision}))
        things.tag = "adas-tag"
        for day in (DAY, OTHER_DAY):
            self.expect(201, user.post(f"/api/plans/{day}/todos", {"actionId": things.action, "notes": "secret plan"}))
        for start, end in (("09:00", "10:00"), ("10:00", "11:00")):
            answer = self.expect(201, user.post(f"/api/plans/{DAY}/blocks", {
                "blockType": "MEETING", "start": f"{DAY}T{start}:00.000Z", "end": f"{DAY}T{end}:00.000Z"}))
        things.block = answer.body["addedBlocks"][0]
        things.plan_revision = answer.body["commit"]["revId"]
        things.session = user.get("/api/auth/me").body["sessionId"]
        things.refresh_token = "x.y.1.z"  # a real one of Ada's works for whoever has it: that is its purpose
        lists = {"listCommits": "/api/values/commits", "listTags": "/api/values/tags",
                 "readNodeHistory": f"/api/values/nodes/{things.driver}/history", "listPlans": "/api/plans",
                 "listPlanCommits": f"/api/plans/{DAY}/commits"}
        for operation, address in lists.items():
            page = user.get(address,
                            {"limit": 1, **({"from": DAY, "to": OTHER_DAY} if operation == "listPlans" else {})})
            things.cursors[operation] = self.expect(200, page).body["nextCursor"]
        self.tasks_and_notes_of(user, things)
        self.calendar_of(user, things)
        things.user_id = user.get("/api/auth/me").body["userId"]
        page = user.get("/api/data/items", {"table": "App", "partition": f"U#{things.user_id}", "limit": 1})
        things.cursors["readDataItems"] = self.expect(200, page).body["nextCursor"]
        return things

    def tasks_and_notes_of(self, user, things):
        for title in ("secret task", "another secret"):
            things.task = self.expect(201, user.post("/api/nexus/tasks", {
                "title": title, "status": "TODO", "dueUtc": "2026-03-02T09:00:00Z", "rrule": "FREQ=DAILY"})).body["taskId"]
            things.note = self.expect(201, user.post("/api/nexus/notes", {
                "title": "secret note", "tags": ["adas-tag"]})).body["noteId"]
        lists = {"listTasks": {}, "listTasksOfPriority": {"priority": 3}, "readBoard": {"column": "TODO"}, "listNotes": {}}
        for name, query in lists.items():
            address = {"readBoard": "board", "listNotes": "notes"}.get(name, "tasks")
            page = self.expect(200, user.get(f"/api/nexus/{address}", {**query, "limit": 1})).body
            things.cursors[name] = (page["columns"][0] if name == "readBoard" else page)["nextCursor"]

    def calendar_of(self, user, things):
        times = {"title": "secret meeting", "startUtc": "2026-03-02T09:00:00Z", "endUtc": "2026-03-02T10:00:00Z"}
        things.event = self.expect(201, user.post("/api/nexus/events", times)).body["id"]
        things.master = self.expect(201, user.post("/api/nexus/events", {**times, "rrule": "FREQ=DAILY"})).body["id"]
        page = self.expect(200, user.get(f"/api/nexus/masters/{things.master}/instances")).body
        things.instance = page["items"][0]["id"]
        things.reminder = self.expect(201, user.post("/api/nexus/reminders", {
            "title": "secret reminder", "triggerUtc": "2999-03-02T08:00:00Z"})).body["reminderId"]
        things.cursors["readChanges"] = self.expect(200, user.get("/api/nexus/changes")).body["nextToken"]
        self.expect(201, user.post("/api/nexus/feed"))
        page = user.get("/api/nexus/agenda", {"from": "2026-03-01", "to": "2026-03-20", "limit": 1})
        things.cursors["readAgenda"] = self.expect(200, page).body["nextCursor"]

    def own_things_of_eve(self):
        type(self).eves_task = self.expect(201, self.eve.post("/api/nexus/tasks", {"title": "eve", "status": "TODO"}
                                                              )).body["taskId"]
        self.node(self.eve, "DRIVER", "eve", nodeId="eves-driver")
        self.node(self.eve, "ACTION", "eve", nodeId="eves-action", parentId="eves-driver")
        self.node(self.eve, "ACTION", "eve", nodeId="eves-other", parentId="eves-driver")
        self.expect(201, self.eve.post(f"/api/plans/{DAY}/todos", {"actionId": "eves-action"}))

    def ask(self, operation, parts):
        address = operation.path
        for name, value in parts.get("path", {}).items():
            address = address.replace("{%s}" % name, urllib.parse.quote(value, safe=""))
        seen = {"If-Match": '"%d"' % parts["version"]} if "version" in parts else {}
        return self.eve.send(operation.method.upper(), address, parts.get("body"), parts.get("query"), seen)

    def told(self, answer, things):
        """The body, with the ids of the request in one spelling."""
        text = answer.raw.decode()
        for name in ("driver", "milestone", "action", "revision", "plan_revision", "block", "session", "tag",
                     "task", "note", "event", "master", "instance", "reminder"):
            text = text.replace(getattr(things, name), name.rpartition("_")[2])
        return answer.status, text

    def of_ada(self):
        """All that is stored for Ada, but for the count of it: that follows some time later."""
        return (self.items_of(self.ada_id), [item for item in self.items("CairnIdentity")
                                             if self.ada_id in str(item.values())
                                             and not item["SK"].startswith("USAGE#")],
                self.of_nexus(self.ada_id))

    def of_nexus(self, user_id):
        return [item for item in self.items("ProductivityData") if item["PK"] == f"USER#{user_id}"]

    def test_every_operation_has_a_row(self):
        self.assertEqual(set(self.eve.contract().operations), set(ROWS))

    def test_rows_try_every_parameter_of_the_address(self):
        """A row that says why nothing is tried may not stand for an operation with an id in its address."""
        for name, operation in self.eve.contract().operations.items():
            if isinstance(ROWS.get(name), str):
                self.assertLessEqual(set(operation.path_names()), {"day", "date", "month"}, name)

    def test_ids_of_others_do_not_exist(self):
        eves_id = self.eve.get("/api/auth/me").body["userId"]
        before, eves_before = self.of_ada(), (self.items_of(eves_id), self.of_nexus(eves_id))
        for name, row in ROWS.items():
            operation = self.eve.contract().operations[name]
            for number, attempt in enumerate(row if isinstance(row, list) else ()):
                with self.subTest(operation=name, attempt=number):
                    theirs = self.ask(operation, attempt.make(self.adas))
                    nobodys = self.ask(operation, attempt.make(self.nobodys))
                    self.assertEqual(theirs.status, attempt.status, theirs)
                    self.assertEqual(self.told(theirs, self.adas), self.told(nobodys, self.nobodys))
                    self.assertEqual({n for n in theirs.headers}, {n for n in nobodys.headers})
                    self.assertNotIn(b"secret", theirs.raw)
                    self.assertEqual(self.of_ada(), before)
        self.assertEqual((self.items_of(eves_id), self.of_nexus(eves_id)), eves_before)

    def test_the_rows_can_fail(self):
        """The same requests of Ada herself do something: the table would notice a hole."""
        fine = 0
        for name in ("readTree", "readCommit", "readNode", "readChildren", "readNodeHistory", "readPlan",
                     "exportValues", "readDataItems", "readTask", "readNote"):
            operation = self.eve.contract().operations[name]
            parts = ROWS[name][0].make(self.adas)
            address = operation.path
            for key, value in parts.get("path", {}).items():
                address = address.replace("{%s}" % key, value)
            fine += self.ada.get(address, parts.get("query")).status == 200
        self.assertEqual(fine, 10)

    def test_cursors_are_sealed(self):
        """A cursor is good for one user and one query; any other byte and it is none."""
        cursor = self.adas.cursors["listCommits"]
        self.expect(200, self.ada.get("/api/values/commits", {"cursor": cursor, "limit": 1}))
        before = self.of_ada()
        wrong = {"cut": cursor[:-1], "longer": cursor + "A", "empty": "", "plain": "{}", "nothing": "AAAA",
                 "long": "A" * 4000, "too long": "A" * 4001, "percent": cursor + "%00", "other letters": "é",
                 "other list": self.adas.cursors["listTags"], "other plan": self.adas.cursors["listPlanCommits"]}
        for place in range(0, len(cursor), max(1, len(cursor) // 40)):
            flipped = "A" if cursor[place] != "A" else "B"
            wrong[f"byte {place}"] = cursor[:place] + flipped + cursor[place + 1:]
        told = {what: self.ada.get("/api/values/commits", {"cursor": text}) for what, text in wrong.items()}
        self.assertEqual({what: answer for what, answer in told.items() if answer.status != 400}, {})
        for address, more in (("/api/values/commits", {"source": "completion"}), ("/api/values/tags", {}),
                              (f"/api/plans/{DAY}/commits", {}),
                              (f"/api/values/nodes/{self.adas.driver}/history", {})):
            with self.subTest(address=address):
                self.expect(400, self.ada.get(address, {"cursor": cursor, **more}))
        other_day = self.adas.cursors["listPlanCommits"]
        self.expect(400, self.ada.get(f"/api/plans/{OTHER_DAY}/commits", {"cursor": other_day}))
        other_node = self.adas.cursors["readNodeHistory"]
        self.expect(400, self.ada.get(f"/api/values/nodes/{self.adas.action}/history", {"cursor": other_node}))
        days = {"cursor": self.adas.cursors["listPlans"], "from": DAY, "to": "2026-03-09"}
        self.expect(400, self.ada.get("/api/plans", days))
        for operation, address in (("listCommits", "/api/values/commits"), ("listTags", "/api/values/tags")):
            answer = self.expect(400, self.eve.get(address, {"cursor": self.adas.cursors[operation]}))
            self.assertNotIn(self.ada_id.encode(), answer.raw)
        self.assertEqual(self.of_ada(), before)

    def test_lists_have_nothing_of_others(self):
        """Whatever Eve lists, no id and no text of Ada's is in it."""
        addresses = ["/api/values?includeArchived=true", "/api/values/commits", "/api/values/tags",
                     "/api/values/export",
                     "/api/values/review?weekOf=" + DAY, f"/api/plans?from={DAY}&to={OTHER_DAY}", f"/api/plans/{DAY}",
                     f"/api/plans/{DAY}/commits", "/api/auth/sessions", "/api/auth/me", "/api/plans/settings",
                     "/api/data/partitions", "/api/nexus/tasks", "/api/nexus/tasks?priority=3", "/api/nexus/board",
                     "/api/nexus/board?column=TODO", "/api/nexus/notes", "/api/nexus/notes?archived=true",
                     "/api/nexus/notes?tag=adas-tag", "/api/nexus/search?q=secret", "/api/nexus/tags", "/api/nexus/settings",
                     "/api/nexus/agenda?from=2026-03-01&to=2026-03-20&overdue=true", "/api/nexus/agenda/week/2026-03-02",
                     "/api/nexus/reminders", "/api/nexus/reminders/due", "/api/nexus/calendar.ics", "/api/nexus/changes"]
        secrets = [self.ada_id, self.adas.driver, self.adas.action, self.adas.revision, self.adas.plan_revision,
                   self.adas.block, self.adas.session, self.adas.task, self.adas.note, "secret task", "secret note",
                   self.adas.event, self.adas.master, self.adas.reminder, "secret meeting", "secret reminder",
                   "secret plan", "adas-tag", "ada@example.org"]
        for address in addresses:
            with self.subTest(address=address):
                text = self.expect(200, self.eve.get(address)).raw.decode()
                self.assertEqual([secret for secret in secrets if secret in text], [])
        rolled = self.eve.post(f"/api/plans/{OTHER_DAY}/rollover", {"fromDay": DAY})
        self.assertEqual(self.expect(200, rolled).body["rolled"], ["eves-action"])

    def test_an_import_stays_where_it_is(self):
        """Ada's whole history, ids and all, imported by someone else: two histories that share nothing."""
        history = self.expect(200, self.ada.get("/api/values/export")).raw
        before = self.of_ada()
        copy = self.user("importer")
        self.expect(200, copy.send("POST", "/api/values/import", history, None,
                                   {"Content-Type": "application/x-ndjson"}))
        self.expect(200, copy.patch(f"/api/values/nodes/{self.adas.driver}", {"title": "the copy's"}))
        self.assertEqual(self.of_ada(), before)
        self.assertNotEqual(self.ada.get(f"/api/values/nodes/{self.adas.driver}").body["node"]["title"], "the copy's")
        tags = copy.get("/api/values/tags").body["items"]
        self.assertEqual([tag["name"] for tag in tags], [tag["name"] for tag in self.ada.get("/api/values/tags").body["items"]])
        self.expect(204, copy.delete(f"/api/values/tags/{tags[0]['name']}"))
        self.assertEqual(self.of_ada(), before)

    def test_a_node_id_may_be_the_same(self):
        """Ids are a user's own: Eve can use one that Ada has, and both have their node."""
        title = self.ada.get(f"/api/values/nodes/{self.adas.driver}").body["node"]["title"]
        namesake = self.user("namesake")
        self.node(namesake, "DRIVER", "mine", nodeId=self.adas.driver)
        self.assertEqual(self.ada.get(f"/api/values/nodes/{self.adas.driver}").body["node"]["title"], title)
        self.assertEqual(namesake.get(f"/api/values/nodes/{self.adas.driver}").body["node"]["title"], "mine")

    def test_a_receipt_is_a_users_own(self):
        """The same Idempotency-Key and the same request of two users are two requests."""
        body = {"nodeType": "DRIVER", "title": "same"}
        first = self.expect(201, self.user("r1").post("/api/values/nodes", body, idempotency_key="shared"))
        second = self.expect(201, self.user("r2").post("/api/values/nodes", body, idempotency_key="shared"))
        self.assertFalse(second.replayed)
        self.assertNotEqual(first.body["commit"]["revId"], second.body["commit"]["revId"])


class Prefixes(ApiTest):
    """User ids that begin with one another share no item (REQ-X-12 through REST)."""

    NAMES = ("1", "12", "123", "ab", "abc", "a", "ab.c", "ab-c", "U", "-", "~", "A" * 100)

    def test_no_partition_is_shared(self):
        users = {name: self.user(name) for name in self.NAMES}
        for name, user in users.items():
            driver, _, action = (self.node(user, "DRIVER", f"driver of {name}", nodeId="d"),
                                 self.node(user, "MILESTONE", "m", nodeId="m", parentId="d"),
                                 self.node(user, "ACTION", f"action of {name}", nodeId="a", parentId="m"))
            self.expect(200, user.put("/api/values/tags/start", {"revId": user.last.body["commit"]["revId"]}))
            self.expect(201, user.post(f"/api/plans/{DAY}/todos", {"actionId": action, "notes": f"note of {name}"}))
            self.assertEqual((driver, action), ("d", "a"))
        for name, user in users.items():
            with self.subTest(user=name):
                told = user.get("/api/values").body
                self.assertEqual(sorted(node["title"] for node in told["nodes"]),
                                 sorted([f"driver of {name}", f"action of {name}", "m"]))
                self.assertEqual(len(user.get("/api/values/commits").body["items"]), 3)
                self.assertEqual(len(user.get("/api/values/tags").body["items"]), 1)
                self.assertEqual([todo["notes"] for todo in user.get(f"/api/plans/{DAY}").body["todos"]],
                                 [f"note of {name}"])
                self.assertEqual(len(user.get("/api/plans", {"from": DAY, "to": DAY}).body["items"]), 1)
                self.assertEqual(len(user.get("/api/values/export").raw.splitlines()), 5, "revisions, a tag, a plan")
                for other_name, other in users.items():
                    if other_name != name:
                        revision = other.get("/api/values/head").body["headRevId"]
                        self.expect(404, user.get("/api/values", {"rev": revision}))
        owners = {item["PK"].split("#")[1] for item in self.items()}
        self.assertEqual(owners - {"victim"}, set(self.NAMES))

    def test_ids_that_would_be_another_key_are_refused(self):
        """A subject that is no id can neither read nor write: keys would mean something else."""
        victim = self.user("victim")
        self.node(victim)
        before = self.items()
        revision = victim.get("/api/values/head").body["headRevId"]
        for name in ("victim#", "#", "victim#VALUES", f"victim#VALUES#{revision}", "victim#PLAN#" + DAY, "victim\0",
                     "victim ", " victim", "ä", "victim\n", "a" * 300):
            with self.subTest(name=name):
                strange = self.user(name)
                for answer in (strange.get("/api/values"), strange.get("/api/auth/me"),
                               strange.get("/api/auth/sessions"),
                               strange.post("/api/values/nodes", {"nodeType": "DRIVER", "title": "x"}),
                               strange.get("/api/plans", {"from": DAY, "to": DAY}), strange.get(f"/api/plans/{DAY}")):
                    self.expect(401, answer)
        self.assertEqual(self.items(), before)


class Accounts(ApiTest):
    """Sessions and accounts of others, with real accounts."""

    def test_a_token_speaks_for_its_own_account_only(self):
        first, second = self.account("first@example.org"), self.account("second@example.org")
        mine, theirs = (client.get("/api/auth/me").body for client in (first, second))
        self.expect(404, first.delete("/api/auth/sessions/" + theirs["sessionId"]))
        self.expect(200, second.get("/api/auth/me"))
        # The subject of a token with a session of someone else.
        for subject, session in ((mine["userId"], theirs["sessionId"]), (theirs["userId"], mine["sessionId"])):
            self.expect(401, self.user(subject, sid=session).get("/api/auth/me"))
        self.expect(422, first.delete("/api/auth/me", {"password": PASSWORD, "userId": theirs["userId"]}),
                    fields=["userId"])
        self.expect(422, first.post("/api/auth/logout", {"everywhere": True, "userId": theirs["userId"]}),
                    fields=["userId"])
        self.expect(204, first.post("/api/auth/logout", {"everywhere": True}))
        self.expect(200, second.get("/api/auth/me"))
