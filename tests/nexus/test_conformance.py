"""The checklist of the design over what is stored: a database filled through the API has no finding, a row put in by
hand that breaks a rule has one."""

import uuid

from case import NEXUS, NOTES, TABLE, TASKS, NexusTest

CONFORMANCE = "/api/admin/conformance"
RULES = ["keys", "agenda-year", "state-key", "camel-case", "entity-type", "prefixed-ids", "mandatory", "instants",
         "time-zones", "sets", "agenda-dated", "series-only", "index-keys", "values"]


class ConformanceTest(NexusTest):
    scans = None  # as many as the table has pages, each time

    @classmethod
    def inspect(cls, **query):
        """All of the table, page by page: (checked, findings, violations by rule)."""
        operator = cls.user("operator", role="operator")
        checked, findings, violations = 0, [], dict.fromkeys(RULES, 0)
        while True:
            answer = operator.get(CONFORMANCE, query)
            assert answer.status == 200, answer
            limit = query.get("limit", 500)
            assert answer.body["checked"] <= limit, answer
            checked += answer.body["checked"]
            findings += answer.body["findings"]
            for rule in answer.body["rules"]:
                violations[rule["id"]] += rule["violations"]
            if "nextCursor" not in answer.body:
                return checked, findings, violations
            query["cursor"] = answer.body["nextCursor"]


class ThroughTheApi(ConformanceTest):
    def test_nothing_is_wrong(self):
        for name in ("ada", "eve"):
            user = self.user(name)
            self.expect(200, user.patch(f"{NEXUS}/settings", {"timezone": "Europe/Berlin", "columns": [
                {"status": "TODO", "title": "To do", "limit": 3}]}))
            for status in ("BACKLOG", "TODO", "IN_PROGRESS", "BLOCKED", "DONE", "ARCHIVED"):
                for due in ({}, {"dueUtc": "2026-12-31T23:00:00Z"}):
                    user.task("t", status=status, tags=["x"], description="d", **due)
            for zone in ("Europe/Berlin", None):
                series = user.task("r", rrule="FREQ=DAILY;UNTIL=20990101T000000Z" if zone else "FREQ=DAILY",
                                   dueUtc="2026-01-01T00:00:00Z", startTzid=zone)
                self.expect(200, user.post(f"{TASKS}/{series['taskId']}/complete"))
                following = next(task for task in user.pages(TASKS, status="TODO")
                                 if task.get("masterId") == series["masterId"])
                self.expect(204, user.delete(f"{TASKS}/{following['taskId']}", if_match='"1"'))
            notes = [user.note("n", body="b", tags=["a"]), user.note("p", isPinned=True), user.note("gone")]
            self.expect(200, user.post(f"{NOTES}/{notes[2]['noteId']}/archive"))
            self.expect(200, user.move(user.task("m"), status="DONE", first=True))
        checked, findings, violations = self.inspect()
        self.assertEqual((findings, violations), ([], dict.fromkeys(RULES, 0)))
        self.assertEqual(checked, sum(len(self.everything(self.user(name))) for name in ("ada", "eve")))
        self.assertGreater(checked, 40)
        for limit in (1, 7, 1000):
            self.assertEqual(self.inspect(limit=limit), (checked, [], violations))

    def test_for_operators_only(self):
        self.expect(403, self.user("ada").get(CONFORMANCE), "forbidden")
        self.expect(403, self.user("admin", role="admin").get(CONFORMANCE), "forbidden")
        operator = self.user("operator", role="operator")
        for query in ({"limit": 0}, {"limit": 1001}, {"cursor": "x"}, {"cursor": ""}, {"other": 1}):
            with self.subTest(query=query):
                self.expect(400, operator.get(CONFORMANCE, query))


class ByHandTest(ConformanceTest):
    is_clean = False

    def row(self, kind="TASK", **changes):
        """A right item in DynamoDB's types, with some attributes changed, or None to leave them out."""
        name, prefix = {"TASK": ("taskId", "task_"), "NOTE": ("noteId", "note_"), "EVENT": ("eventId", "evt_"),
                        "REMINDER": ("reminderId", "rem_"), "MASTER": ("masterId", "mst_"),
                        "INSTANCE": ("instanceId", "inst_"), "TAXI": ("taxiId", "taxi_")}[kind]
        own = prefix + str(uuid.uuid4())
        user = "USER#hand"
        item = {"PK": user, "SK": f"{kind}#{own}", "entityType": kind, name: own, "version": 1,
                "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z", "title": "t"}
        if kind == "TASK":
            item |= {"status": "TODO", "priority": 1, "rank": "n", "dueUtc": "2026-05-05T05:05:05Z", "GSI1PK": f"{user}#2026",
                     "GSI1SK": "2026-05-05T05:05:05Z", "GSI3PK": user, "GSI3SK": "TASK#TODO#1#n"}
        if kind == "NOTE":
            item |= {"isPinned": False, "isArchived": False, "GSI3PK": user, "GSI3SK": "NOTE#0#2026-01-01T00:00:00Z"}
        if kind == "EVENT":
            item |= {"startUtc": "2026-05-05T05:05:05Z", "endUtc": "2026-05-05T06:05:05Z", "startTzid": None, "allDay": False,
                     "GSI1PK": f"{user}#2026", "GSI1SK": "2026-05-05T05:05:05Z"}
        if kind == "MASTER":
            item |= {"startUtc": "2026-05-05T05:05:05Z", "endUtc": "2026-05-05T06:05:05Z", "rrule": "FREQ=DAILY", "allDay": False,
                     "targetType": "EVENT", "GSI2PK": f"MASTER#{own}", "GSI2SK": f"MASTER#{own}"}
        item |= changes
        item = {name: value for name, value in item.items() if value is not ...}
        return {name: self.typed(value) for name, value in item.items()}

    @staticmethod
    def typed(value):
        if isinstance(value, dict):
            return value  # with its type already
        if value is None:
            return {"NULL": True}
        if isinstance(value, bool):
            return {"BOOL": value}
        return {"N": str(value)} if isinstance(value, int) else {"S": value}


class ByHand(ByHandTest):
    def rules_for(self, item):
        """Which rules find something, with this as the only item."""
        key = {"PK": item["PK"], "SK": item["SK"]}
        self.dynamodb().put_item(TableName=TABLE, Item=item)
        try:
            checked, findings, violations = self.inspect()
        finally:
            self.dynamodb().delete_item(TableName=TABLE, Key=key)
        self.assertEqual(checked, 1)
        for finding in findings:
            self.assertEqual((finding["PK"], finding["SK"]), (item["PK"]["S"], item["SK"]["S"]))
            self.assertTrue(finding["message"])
        told = {finding["rule"] for finding in findings}
        self.assertEqual({rule: count for rule, count in violations.items() if count},
                         {rule: sum(f["rule"] == rule for f in findings) for rule in told})
        return told

    def test_right_rows_have_no_finding(self):
        for kind in ("TASK", "NOTE", "EVENT", "MASTER"):
            self.assertEqual(self.rules_for(self.row(kind)), set(), kind)

    def test_every_rule_finds_what_breaks_it(self):
        none = ...
        master = "mst_" + str(uuid.uuid4())
        rows = [
            ("keys", self.row(PK="hand")), ("keys", self.row(PK="USER#a#b")), ("keys", self.row(SK="TODO#1")),
            ("keys", self.row(SK="TASK#task_" + str(uuid.uuid4()))), ("keys", self.row(GSI3SK=none)), ("keys", self.row(GSI1PK=none)),
            ("agenda-year", self.row(GSI1PK="USER#hand#2026-05")), ("agenda-year", self.row(GSI1PK="USER#hand#2025")),
            ("agenda-year", self.row(GSI1PK="USER#other#2026")), ("agenda-year", self.row(GSI1SK="2026-05-05")),
            ("state-key", self.row(GSI3SK="TASK#TODO")), ("state-key", self.row(GSI3SK="task#TODO#1")),
            ("state-key", self.row(GSI3SK="TASK##1")), ("state-key", self.row(GSI3PK="USER#other")),
            ("camel-case", self.row(Due_Date="x")), ("camel-case", self.row(Title="x")), ("camel-case", self.row(GSI4PK="x")),
            ("camel-case", self.row(more={"M": {"inner_name": {"S": "x"}}})),
            ("camel-case", self.row(more={"L": [{"M": {"Inner": {"S": "x"}}}]})),
            ("entity-type", self.row("TAXI")), ("entity-type", self.row(entityType="task")), ("entity-type", self.row(entityType="Task")),
            ("prefixed-ids", self.row(taskId="7")), ("prefixed-ids", self.row(masterId=str(uuid.uuid4()))),
            ("prefixed-ids", self.row("NOTE", noteId="note_7")),
            ("mandatory", self.row(version=none)), ("mandatory", self.row(version="1")), ("mandatory", self.row(createdAt=none)),
            ("mandatory", self.row(updatedAt=none)), ("mandatory", self.row(taskId=none)), ("mandatory", self.row(entityType=none)),
            ("mandatory", self.row("EVENT", endUtc=none)), ("mandatory", self.row("EVENT", startUtc=none)),
            ("instants", self.row(createdAt="2026-01-01T00:00:00.000Z")), ("instants", self.row(dueUtc="2026-05-05T05:05:05+00:00")),
            ("instants", self.row(updatedAt=1767225600)), ("instants", self.row(otherUtc="today")),
            ("instants", self.row(dueUtc="2026-02-30T00:00:00Z")),
            ("time-zones", self.row("EVENT", startTzid="EST")), ("time-zones", self.row("EVENT", startTzid="+01:00")),
            ("sets", self.row(tags={"L": [{"S": "a"}]})), ("sets", self.row(tags="a")),
            ("agenda-dated", self.row(dueUtc=none)), ("agenda-dated", self.row(status="BACKLOG", GSI3SK="TASK#BACKLOG#1#n")),
            ("agenda-dated", self.row(status="ARCHIVED", GSI3SK="TASK#ARCHIVED#1#n")),
            ("agenda-dated", self.row("NOTE", isArchived=True, GSI1PK="USER#hand#2026", GSI1SK="2026-01-01T00:00:00Z")),
            ("agenda-dated", self.row("MASTER", GSI1PK="USER#hand#2026", GSI1SK="2026-05-05T05:05:05Z")),
            ("agenda-dated", self.row("REMINDER", GSI1PK="USER#hand#2026", GSI1SK="2026-05-05T05:05:05Z")),
            ("series-only", self.row(GSI2PK=f"MASTER#{master}", GSI2SK="INSTANCE#2026-05-05")),
            ("series-only", self.row("MASTER", GSI2PK="MASTER#other")), ("series-only", self.row("MASTER", GSI2SK="INSTANCE#x")),
            ("index-keys", self.row(GSI3SK="TASK#DONE#1#n")), ("index-keys", self.row(GSI1PK=none, GSI1SK=none)),
            ("index-keys", self.row("NOTE", isArchived=True)), ("index-keys", self.row(masterId=master, date="2026-05-05")),
            ("values", self.row(priority=9)), ("values", self.row(status="DOING", GSI3SK="TASK#DOING#1#n")),
            ("values", self.row(colour="red")), ("values", self.row(title="")), ("values", self.row(title=none)),
        ]
        found = set()
        for number, (rule, item) in enumerate(rows):
            with self.subTest(rule=rule, row=number):
                told = self.rules_for(item)
                self.assertIn(rule, told)
                found.add(rule)
        self.assertEqual(found, set(RULES))


class OneAmongMany(ByHandTest):
    def test_a_bad_row_among_many_is_found(self):
        ada = self.user()
        for number in range(30):
            ada.note(str(number))
        bad = self.row(colour="red")
        self.dynamodb().put_item(TableName=TABLE, Item=bad)
        for limit in (1, 10, 500):
            checked, findings, violations = self.inspect(limit=limit)
            self.assertEqual(checked, 31)
            self.assertEqual([(f["rule"], f["SK"]) for f in findings], [("values", bad["SK"]["S"])])
            self.assertEqual(violations["values"], 1)
