"""What all routes have in common: versions, pages, bodies, refusals, headers. Idempotency-Key is in
test_idempotency.py, pages of other sites are in test_cors.py.
"""

import gzip
import json

from case import NO_ULID, ApiTest, at_once

NODES, COMMITS, DAY = "/api/values/nodes", "/api/values/commits", "2026-03-02"
DRIVER = {"nodeType": "DRIVER", "title": "a driver"}
METHODS = ("GET", "PUT", "POST", "PATCH", "DELETE")
MEGABYTE = 1 << 20
NO_UUID = "00000000-0000-4000-8000-000000000000"


def filled(operation):
    """The address of an operation with ids that may exist."""
    places = {"day": DAY, "nodeId": "n", "actionId": "a", "blockId": "b", "name": "t", "sessionId": NO_ULID,
              "revId": NO_ULID, "packRevId": NO_ULID, "taskId": "task_" + NO_UUID, "noteId": "note_" + NO_UUID,
              "eventId": "evt_" + NO_UUID, "masterId": "mst_" + NO_UUID, "instanceId": "inst_" + NO_UUID,
              "reminderId": "rem_" + NO_UUID, "date": "2026-03-02", "month": "2026-03", "local": "2026-03-02T09:00:00",
              "token": "x.y"}
    address = operation.path
    for name in operation.path_names():
        address = address.replace("{%s}" % name, places[name])
    return address


def sent(test, operation, user, query="", headers=()):
    """The answer to a bare request, of an operator where only those are let in."""
    caller = test.user("operator", role="operator") if "admin" in operation.item["tags"] else user
    return caller.send(operation.method.upper(), filled(operation) + query, None, None, headers)


class Versions(ApiTest):
    """ETag, If-None-Match, If-Match."""

    def setUp(self):
        self.ada = self.user(f"ada-{self.id().rpartition('.')[2]}")
        self.driver, self.milestone, self.action = self.tree(self.ada)
        self.expect(201, self.ada.post(f"/api/plans/{DAY}/todos", {"actionId": self.action}))
        self.reads = ["/api/values", "/api/values?includeArchived=true", "/api/values/head", f"{NODES}/{self.driver}",
                      f"{NODES}/{self.driver}/children", f"/api/plans/{DAY}"]

    def test_what_has_not_changed_is_not_sent(self):
        for address in self.reads:
            with self.subTest(address=address):
                first = self.expect(200, self.ada.get(address))
                self.assertRegex(first.tag, r'^"[\x21\x23-\x7e]+"$')
                for condition in (first.tag, f"W/{first.tag}", "*", f'"x", {first.tag}', f'{first.tag},"y"',
                                  f'"x" , W/{first.tag} '):
                    for method in ("GET", "HEAD"):
                        answer = self.ada.send(method, address, None, None, {"If-None-Match": condition})
                        self.expect(304, answer)
                        self.assertEqual((answer.tag, answer.wire), (first.tag, b""))
                for condition in ('"x"', first.tag.strip('"'), first.tag[:-1], first.tag.lower(), "", "W/"):
                    self.assertEqual(self.expect(200, self.ada.get(address, if_none_match=condition)).raw, first.raw)

    def test_a_change_makes_a_new_tag(self):
        before = {address: self.ada.get(address) for address in self.reads}
        self.expect(200, self.ada.patch(f"{NODES}/{self.driver}", {"title": "changed"}))
        for address, old in before.items():
            with self.subTest(address=address):
                new = self.expect(200, self.ada.get(address, if_none_match=old.tag))
                self.assertNotEqual(new.tag, old.tag)

    def test_a_tag_stands_for_all_of_the_answer(self):
        """The bounds of a day follow from the settings: with other settings it is another answer, so another tag."""
        address = f"/api/plans/{DAY}"
        before = self.ada.get(address)
        self.expect(200, self.ada.patch("/api/plans/settings", {"timezone": "Asia/Tokyo"}))
        after = self.expect(200, self.ada.get(address, if_none_match=before.tag))
        self.assertNotEqual(after.body["dayStart"], before.body["dayStart"])
        self.assertNotEqual(after.tag, before.tag)
        self.expect(200, self.ada.patch(f"{address}/todos/{self.action}", {"notes": "x"}, if_match=after.tag))

    def test_the_same_answer_has_the_same_tag(self):
        self.restart_tags = {address: self.ada.get(address).tag for address in self.reads}
        self.restart()
        self.assertEqual({address: self.ada.get(address).tag for address in self.reads}, self.restart_tags)

    def test_a_change_goes_where_the_version_fits(self):
        tag = self.ada.get("/api/values").tag
        answer = self.expect(200, self.ada.patch(f"{NODES}/{self.driver}", {"title": "one"}, if_match=tag))
        self.assertEqual(answer.tag, self.ada.get("/api/values").tag)
        before = self.items()
        for stale in (tag, f'"{NO_ULID}"', '"x"', '""'):
            with self.subTest(tag=stale):
                for method, address, body in (("PATCH", f"{NODES}/{self.driver}", {"title": "two"}),
                                              ("POST", NODES, DRIVER),
                                              ("DELETE", f"{NODES}/{self.driver}", None),
                                              ("POST", "/api/values/undo", {}),
                                              ("POST", f"{NODES}/{self.action}/complete", {})):
                    self.expect(412, self.ada.send(method, address, body, None, {"If-Match": stale}),
                                "version-mismatch")
        self.assertEqual(self.items(), before)
        self.expect(200, self.ada.patch(f"{NODES}/{self.driver}", {"title": "two"}, if_match=answer.tag))
        self.expect(200, self.ada.patch(f"{NODES}/{self.driver}", {"title": "three"}, if_match="*"))
        everything = self.ada.get("/api/values?includeArchived=true").tag
        self.expect(200, self.ada.patch(f"{NODES}/{self.driver}", {"title": "four"}, if_match=everything))

    def test_a_plan_goes_where_its_version_fits(self):
        address = f"/api/plans/{DAY}"
        tag = self.ada.get(address).tag
        self.expect(200, self.ada.patch(f"{address}/todos/{self.action}", {"notes": "one"}, if_match=tag))
        stale = self.ada.patch(f"{address}/todos/{self.action}", {"notes": "two"}, if_match=tag)
        self.expect(412, stale, "version-mismatch")
        self.assertEqual(self.ada.get(address).body["todos"][0]["notes"], "one")

    def test_both_conditions_must_hold(self):
        """If-Match and baseRevId say the same thing; when they differ, one of them is wrong."""
        old = self.ada.get("/api/values").tag
        self.expect(200, self.ada.patch(f"{NODES}/{self.driver}", {"title": "moved on"}))
        now = self.ada.get("/api/values").body["revId"]
        add = {"operations": [{"op": "add", **DRIVER}], "baseRevId": now}
        self.expect(412, self.ada.post("/api/values/commits", add, if_match=old), "version-mismatch")
        plan = self.ada.get(f"/api/plans/{DAY}")
        self.expect(200, self.ada.patch(f"/api/plans/{DAY}/todos/{self.action}", {"notes": "moved on"}))
        edit = {"operations": [{"op": "editTodo", "actionId": self.action, "notes": "x"}],
                "baseRevId": self.ada.get(f"/api/plans/{DAY}").body["revId"]}
        self.expect(412, self.ada.post(f"/api/plans/{DAY}/commits", edit, if_match=plan.tag), "version-mismatch")

    def test_conditions_that_are_none(self):
        tag = self.ada.get("/api/values").tag
        for condition in ("", tag.strip('"'), f"{tag} {tag}", '"', 'x"y"', "* , *", f"{tag}, *", ",",
                          ", ".join(['"x"'] * 21), [tag, tag]):
            with self.subTest(condition=condition):
                self.expect(400, self.ada.patch(f"{NODES}/{self.driver}", {"title": "x"}, if_match=condition))
                self.expect(400, self.ada.get("/api/values", if_match=condition))
        self.assertEqual(self.ada.get("/api/values").tag, tag)

    def test_a_list_holds_when_one_of_its_tags_does(self):
        """RFC 9110, 13.1.1. Weak tags never match. A field that is there twice is refused, whatever it is."""
        for number, make in enumerate((lambda tag: f'"x", {tag}', lambda tag: f'{tag}, "x"',
                                       lambda tag: f'W/"x",, {tag} ,"a,b"')):
            tag = self.ada.get("/api/values").tag
            self.expect(200, self.ada.patch(f"{NODES}/{self.driver}", {"title": f"list {number}"}, if_match=make(tag)))
            for condition in ('"x", "y"', make(tag), f"W/{self.ada.get('/api/values').tag}"):
                self.expect(412, self.ada.patch(f"{NODES}/{self.driver}", {"title": "no"}, if_match=condition),
                            "version-mismatch")
        task = self.expect(201, self.ada.post("/api/nexus/tasks", {"title": "one"}))
        address = f"/api/nexus/tasks/{task.body['taskId']}"
        self.expect(200, self.ada.patch(address, {"title": "two"}, if_match='"7", "1"'))
        self.expect(412, self.ada.patch(address, {"title": "three"}, if_match='"7", "1"'), "version-mismatch")
        self.expect(200, self.ada.patch(address, {"title": "three"}, if_match='"x", "2"', idempotency_key="list"))
        again = self.expect(200, self.ada.patch(address, {"title": "three"}, if_match='"x", "2"', idempotency_key="list"))
        self.assertEqual((again.body["title"], self.ada.get(address).tag), ("three", '"3"'))

    def test_reading_on_a_condition(self):
        for address in ("/api/values", f"{NODES}/{self.driver}", f"/api/plans/{DAY}"):
            with self.subTest(address=address):
                tag = self.ada.get(address).tag
                for condition in (tag, "*", f'"x", {tag}'):
                    self.expect(200, self.ada.get(address, if_match=condition))
                for condition in ('"x"', '"x", "y"', f"W/{tag}"):
                    self.expect(412, self.ada.get(address, if_match=condition), "version-mismatch")
                self.expect(412, self.ada.get(address, if_match='"x"', if_none_match=tag), "version-mismatch")
                self.assertEqual(self.ada.get(address, if_match=tag, if_none_match=tag).status, 304)
        self.expect(200, self.ada.get("/api/values/commits", if_match="*"))
        self.expect(412, self.ada.get("/api/values/commits", if_match='"x"'), "version-mismatch")
        self.expect(404, self.ada.get(f"{NODES}/nothing", if_match='"x"'))

    def test_titles_show_something_everywhere(self):
        times = {"startUtc": "2026-03-02T09:00:00Z", "endUtc": "2026-03-02T10:00:00Z"}
        rows = [("/api/values/nodes", {"nodeType": "DRIVER"}, "title"), ("/api/nexus/tasks", {}, "title"),
                ("/api/nexus/events", times, "title"), ("/api/nexus/notes", {"body": "x"}, "title"),
                ("/api/nexus/reminders", {"remindAt": "2030-03-02T09:00:00Z"}, "title")]
        for path, body, field in rows:
            for title in (" ", "\u3000\u200b", "a\u0000b", "a\nb"):
                with self.subTest(path=path, title=title):
                    self.assertIn(field, self.expect(422, self.ada.post(path, {**body, field: title})).fields())
        for tags in ([" "], ["a", "b\u0000"]):
            self.assertEqual(self.expect(422, self.ada.post("/api/nexus/tasks", {"title": "x", "tags": tags})).fields(),
                             [f"tags[{len(tags) - 1}]"])

    def test_conditions_where_they_mean_nothing(self):
        """Every change that does not list If-Match refuses it: else someone would think it was honoured."""
        for operation in self.ada.contract().operations.values():
            if ("header", "If-Match") in operation.parameters or operation.method.upper() == "GET":
                continue
            with self.subTest(operation=operation.id):
                answer = sent(self, operation, self.ada, headers={"If-Match": '"x"'})
                self.expect(400, answer, "malformed")

    def test_one_of_many_with_the_same_version_wins(self):
        tag = self.ada.get("/api/values").tag
        answers = at_once(8, lambda n: self.ada.patch(f"{NODES}/{self.driver}", {"title": str(n)}, if_match=tag))
        self.assertEqual(sorted(answer.status for answer in answers), [200] + [412] * 7)


class Pages(ApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ada = cls.user("ada")
        test = cls()
        cls.nodes = [test.node(cls.ada, title=f"n{number}") for number in range(7)]
        for number in range(5):
            revision = cls.ada.get("/api/values/head").body["headRevId"]
            test.expect(200, cls.ada.put(f"/api/values/tags/t{number}", {"revId": revision}))
        cls.lists = {"/api/values/commits": 7, "/api/values/tags": 5}

    def test_bounds(self):
        lists = [*self.lists, f"{NODES}/{self.nodes[0]}/history", f"/api/plans/{DAY}/commits"]
        for address in lists:
            for limit in ("0", "101", "-1", "x", "1.5", "", "1000000000000000000000", " 1", "+1", "0x1", "1,2"):
                with self.subTest(address=address, limit=limit):
                    self.expect(400, self.ada.get(f"{address}?limit={limit.replace(' ', '%20')}"), "malformed",
                                ["limit"])
            for limit in (1, 100):
                self.expect(200, self.ada.get(address, {"limit": limit}))

    def test_pages_add_up(self):
        for address, count in self.lists.items():
            whole = self.ada.get(address).body
            self.assertEqual((len(whole["items"]), "nextCursor" in whole), (count, False))
            for limit in (1, 2, 3, count - 1, count):
                seen, cursor = [], None
                while True:
                    page = self.ada.get(address, {"limit": limit, **({"cursor": cursor} if cursor else {})}).body
                    seen += page["items"]
                    self.assertLessEqual(len(page["items"]), limit)
                    cursor = page.get("nextCursor")
                    if cursor is None:
                        break
                    self.assertLess(len(seen), 100)
                self.assertEqual(seen, whole["items"], (address, limit))

    def test_a_cursor_survives_a_kill(self):
        page = self.ada.get("/api/values/commits", {"limit": 2}).body
        self.restart()
        rest = self.expect(200, self.ada.get("/api/values/commits", {"cursor": page["nextCursor"]})).body
        self.assertEqual(page["items"] + rest["items"], self.ada.get("/api/values/commits").body["items"])


class Requests(ApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ada = cls.user("ada")

    def setUp(self):
        self.before = self.items()

    def unchanged(self):
        self.assertEqual(self.items(), self.before)

    def test_unknown_parameters(self):
        """A misspelt parameter is not ignored: it would change the meaning."""
        days = "/api/plans?from=2026-01-01&to=2026-01-02"
        for address, name, meant in (("/api/values", "includearchived", "includeArchived"),
                                     ("/api/values", "revs", "rev"),
                                     ("/api/values/commits", "limti", "limit"), (days, "cursr", "cursor")):
            with self.subTest(name=name):
                answer = self.ada.get(address + ("&" if "?" in address else "?") + name + "=1")
                self.expect(400, answer, "malformed", [name])
                self.assertIn(meant, answer.body["errors"][0]["message"])
        for operation in self.ada.contract().operations.values():
            with self.subTest(operation=operation.id):
                any_version = {"If-Match": "*"} if ("header", "If-Match") in operation.parameters else {}
                answer = sent(self, operation, self.ada, "?zzz=1", any_version)
                self.assertIn(answer.status, (400, 404, 415, 422), answer)
                if answer.status == 400:
                    self.assertIn("zzz", answer.fields())
        self.unchanged()

    def test_broken_addresses(self):
        for query in ("limit=1&limit=2", "%zz=1", "limit=%", "limit=%f", "rev=%ff"):
            with self.subTest(query=query):
                self.expect(400, self.ada.get("/api/values/commits?" + query))
        for path in ("/api/values/", "/api//values", "/API/values", "/api/values/nodes/", "/api/valuesx", "/api/",
                     "/api/values/nodes/%2e%2e", "/api/values/./head", "/api/values/../auth/me"):
            with self.subTest(path=path):
                self.assertIn(self.ada.get(path).status, (400, 404))
        for node in ("%2f", "a%2fb", "%00", "%23", "a%23b", "x" * 257, "%c3%a9", "%20", "%ff", "%"):
            with self.subTest(node=node):
                self.assertIn(self.ada.get(f"{NODES}/{node}").status, (400, 404))
        for day in ("2026-02-30", "2026-13-01", "26-01-01", "2026-1-1", "today", "0000-00-00", "99999-01-01",
                    "2026-01-01T00:00:00Z"):
            with self.subTest(day=day):
                self.expect(404, self.ada.get(f"/api/plans/{day}"))
        self.unchanged()

    def test_required_parameters(self):
        self.expect(400, self.ada.get("/api/values/diff"), "malformed", ["from", "to"])
        self.expect(400, self.ada.get("/api/plans"), "malformed", ["from", "to"])
        self.expect(400, self.ada.get("/api/values/diff", {"from": "x", "to": NO_ULID.lower()}), fields=["from", "to"])

    def test_unknown_fields_are_named(self):
        rows = [("POST", NODES, {**DRIVER, "titel": "x", "userId": "bob"}, ["titel", "userId"]),
                ("POST", NODES, {**DRIVER, "archived": True}, ["archived"]),
                ("POST", NODES, {**DRIVER, "createdAt": "2020-01-01T00:00:00.000Z"}, ["createdAt"]),
                ("POST", NODES, {**DRIVER, "op": "add"}, ["op"]),
                ("POST", COMMITS, {"operations": [{"op": "add", **DRIVER}, {"op": "add", **DRIVER, "titel": 1}]},
                 ["operations[1].titel"]),
                ("POST", COMMITS, {"operations": [{"op": "add", **DRIVER}], "revId": NO_ULID}, ["revId"]),
                ("POST", "/api/values/undo", {"toRevId": NO_ULID}, ["toRevId"]),
                ("PATCH", "/api/plans/settings", {"timeZone": "UTC", "nextRolloverAt": None},
                 ["timeZone", "nextRolloverAt"]),
                ("POST", f"/api/plans/{DAY}/todos", {"actionId": "a", "rolledFrom": DAY, "order": 1},
                 ["rolledFrom", "order"]),
                ("PUT", "/api/values/tags/x", {"revId": NO_ULID, "revTs": "x"}, ["revTs"]),
                ("POST", NODES, {**DRIVER, "x" * 5000: 1}, ["x" * 100 + "..."])]
        for method, address, body, fields in rows:
            with self.subTest(address=address, fields=fields):
                self.expect(422, self.ada.send(method, address, body), "invalid", fields)
        answer = self.ada.post(NODES, {**DRIVER, "titel": "x"})
        self.assertIn("title", answer.body["errors"][0]["message"])
        self.unchanged()

    def test_not_all_of_many_wrong_fields_are_named(self):
        """A refusal is not longer than its request."""
        for body in ({f"k{number}": 1 for number in range(50_000)},
                     {"operations": [{"op": "reorder", "parentId": "a", "childIds": [7] * 300}] * 500}):
            answer = self.expect(422, self.ada.post(COMMITS if "operations" in body else NODES, body), "invalid")
            self.assertLessEqual(len(answer.fields()), 100)
            self.assertLess(len(answer.raw), 50_000)

    def test_wrong_fields_are_named(self):
        self.expect(422, self.ada.post(NODES, {}), "invalid", ["nodeType", "title"])
        self.expect(422, self.ada.post(NODES, {"nodeType": "DRIVER"}), "invalid", ["title"])
        wrong = {"title": (None, "", 1, ["x"], "x" * 1001, "é" * 501), "nodeType": ("driver", ["DRIVER"], "", None, 0),
                 "nodeId": ("a#b", "", "a\0", "a b", "ä", "x" * 257, 7), "first": ("yes", 1),
                 "notes": ({}, "x" * 50_001)}
        for name, values in wrong.items():
            for value in values:
                with self.subTest(name=name, value=str(value)[:20]):
                    self.expect(422, self.ada.post(NODES, {**DRIVER, name: value}), "invalid", [name])
        self.expect(422, self.ada.post(COMMITS, {"operations": []}), fields=["operations"])
        self.expect(422, self.ada.post(COMMITS, {"operations": {}}), fields=["operations"])
        self.expect(422, self.ada.post(COMMITS, {"operations": [{"op": "drop"}]}), fields=["operations[0].op"])
        self.expect(422, self.ada.post(COMMITS, {"operations": [{"op": "add", **DRIVER}] * 1001}),
                    fields=["operations"])
        # As the client spelt them: a route for one operation has no list of operations.
        self.expect(422, self.ada.post(NODES, {**DRIVER, "nodeType": "ACTION", "parentId": "n"}), fields=["parentId"])
        self.expect(422, self.ada.post(f"/api/plans/{DAY}/todos", {"actionId": "a"}), fields=["actionId"])
        nested = {"operations": [{"op": "add", "nodeType": "ACTION", "title": "x", "parentId": "n"}]}
        self.expect(422, self.ada.post(COMMITS, nested), fields=["operations[0].parentId"])
        self.unchanged()

    def test_bodies_that_are_no_json(self):
        good = json.dumps(DRIVER).encode()
        texts = [b"\x01", b"\\x", b"\\ud800", b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\n"]
        bodies = [b"{", b"}", b"[]", b"null", b'"x"', b"7", b"x", b"{}x", b"\0", b" ", b"{'a':1}", b'{"title":tru}',
                  b'{"title" "x"}', b'{"nodeType":"DRIVER",}', b"{" + b'"a":{' * 33 + b"}" * 34,
                  b'{"a":' + b"[" * 100_000, b"[" * 1000 + b"]" * 1000, b"//x\n" + good, b"\xef\xbb\xbf" + good,
                  good + b"}", good * 2, good + b"\0", good.replace(b'"DRIVER"', b"NaN"),
                  good.replace(b'"DRIVER"', b"01"),
                  good.decode().encode("utf-16"), *(b'{"title":"' + text + b'"}' for text in texts)]
        for body in bodies:
            with self.subTest(body=body[:40]):
                self.expect(400, self.ada.send("POST", NODES, body), "malformed")
        self.unchanged()

    def test_members_that_are_there_twice(self):
        for body in (b'{"nodeType":"DRIVER","title":"a","title":"b"}',
                     b'{"nodeType":"DRIVER","title":"a","\\u0074itle":"b"}',
                     b'{"operations":[{"op":"add","nodeType":"DRIVER","title":"a","title":"a"}]}'):
            answer = self.ada.send("POST", "/api/values/commits" if b"operations" in body else NODES, body)
            self.assertIn("title", self.expect(400, answer, "malformed").body["detail"])
        self.unchanged()

    def test_sizes(self):
        """One megabyte of JSON is taken, one byte more is not; compressed or in pieces it is the same."""
        def sized(size):
            start = b'{"nodeType":"DRIVER","title":"x","notes":"'
            return start + b"x" * (size - len(start) - 2) + b'"}'
        self.expect(422, self.ada.send("POST", NODES, sized(MEGABYTE)), fields=["notes"])
        self.expect(413, self.ada.send("POST", NODES, sized(MEGABYTE + 1)), "too-large")
        packed = gzip.compress(sized(5 * MEGABYTE))
        self.expect(413, self.ada.send("POST", NODES, packed, None, {"Content-Encoding": "gzip"}), "too-large")
        small = gzip.compress(json.dumps({**DRIVER, "titel": 1}).encode())
        self.expect(422, self.ada.send("POST", NODES, small, None, {"Content-Encoding": "gzip"}), fields=["titel"])
        self.expect(413, self.ada.send("DELETE", f"{NODES}/n", sized(MEGABYTE + 1)), "too-large")
        self.expect(413, self.client().send("POST", "/api/auth/login", sized(MEGABYTE + 1)), "too-large")
        lines = {"Content-Type": "application/x-ndjson"}
        self.expect(400, self.ada.send("POST", "/api/values/import", b"x" * (2 * MEGABYTE), None, lines))
        self.unchanged()

    def test_content_types(self):
        body = json.dumps({**DRIVER, "titel": 1}).encode()
        for kind in ("application/json", "application/json; charset=utf-8", "APPLICATION/JSON",
                     "application/json ;x=y"):
            self.expect(422, self.ada.send("POST", NODES, body, None, {"Content-Type": kind}), fields=["titel"])
        for kind in ("text/plain", "text/json", "application/xml", "", None, "application/merge-patch+json", "json",
                     "application/x-www-form-urlencoded", "multipart/form-data", "*/*",
                     ["application/json", "application/json"]):
            with self.subTest(kind=kind):
                answer = self.ada.send("POST", NODES, body, None, {"Content-Type": kind})
                self.expect(400 if isinstance(kind, list) else 415, answer)
        merge = self.ada.send("PATCH", f"{NODES}/n", b'{"titel":1}', None,
                              {"Content-Type": "application/merge-patch+json"})
        self.expect(422, merge, fields=["titel"])
        for kind in ("application/json", "text/plain", None, "application/x-www-form-urlencoded"):
            with self.subTest(imported=kind):
                self.expect(415, self.ada.send("POST", "/api/values/import", b"{}", None, {"Content-Type": kind}))
        self.unchanged()

    def test_a_body_where_none_is_needed(self):
        self.expect(404, self.ada.post(f"{NODES}/n/archive"))
        self.expect(404, self.ada.post(f"{NODES}/n/archive", {}))
        self.expect(404, self.ada.delete(f"{NODES}/n", {}))
        self.expect(422, self.ada.delete(f"{NODES}/n", {"force": True}), fields=["force"])

    def test_methods(self):
        """Every path of the document takes its methods, and says so for all others."""
        paths = {}
        for operation in self.ada.contract().operations.values():
            paths.setdefault(operation.path, []).append(operation)
        for path, operations in paths.items():
            allowed = {operation.method.upper() for operation in operations}
            allowed |= {"HEAD"} if "GET" in allowed else set()
            address = filled(operations[0])
            for method in {*METHODS, "OPTIONS", "TRACE", "LINK"} - allowed:
                with self.subTest(method=method, path=path):
                    answer = self.ada.send(method, address)
                    # Another pattern may fit the same address: /api/plans/settings is no day.
                    self.expect(405, answer, "method-not-allowed")
                    self.assertEqual(set(answer.headers["Allow"].split(", ")), allowed)
        self.unchanged()

    def test_head_is_get_without_the_body(self):
        self.expect(201, self.ada.post(NODES, {**DRIVER, "nodeId": "head"}))
        for address in ("/api/values", "/api/values/head", f"{NODES}/head", "/api/auth/me", "/api/values/export",
                        f"/api/plans/{DAY}"):
            with self.subTest(address=address):
                read, head = self.ada.get(address), self.ada.head(address)
                self.assertEqual(head.wire, b"")
                self.assertEqual({n: v for n, v in head.headers.items() if n != "Date"},
                                 {n: v for n, v in read.headers.items() if n != "Date"})
        self.expect(404, self.ada.head(f"{NODES}/nothing"))


class Answers(ApiTest):
    """Their form on the wire. Fields that every answer has are checked by client.py for each one."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ada = cls.user("ada")
        cls().expect(200, cls.ada.post("/api/values/commits", {"operations": [
            {"op": "add", "nodeType": "DRIVER", "title": f"driver {number}"} for number in range(40)]}))

    def test_large_answers_are_packed_for_those_who_ask(self):
        plain = self.ada.get("/api/values")
        self.assertNotIn("Content-Encoding", plain.headers)
        for accepted in ("gzip", "gzip, deflate, br", "deflate, gzip;q=0.5", "*"):
            packed = self.ada.get("/api/values", accept_encoding=accepted)
            if accepted != "*":
                self.assertEqual(packed.headers["Content-Encoding"], "gzip", accepted)
                self.assertIn("Accept-Encoding", packed.headers["Vary"])
                self.assertLess(len(packed.wire), len(plain.wire) // 2)
            self.assertEqual((packed.raw, packed.tag), (plain.raw, plain.tag))
        for refused in ("gzip;q=0", "identity", "br", "", "gzipped"):
            self.assertNotIn("Content-Encoding", self.ada.get("/api/values", accept_encoding=refused).headers)

    def test_what_caches_may_keep(self):
        self.assertEqual(self.ada.get("/api/values").headers["Cache-Control"], "private, no-cache")
        for answer in (self.ada.get(f"{NODES}/nothing"), self.ada.post(NODES, {}), self.ada.post(NODES, DRIVER),
                       self.client().get("/api/values")):
            self.assertEqual(answer.headers["Cache-Control"], "no-store", answer)

    def test_refusals_tell_nothing_of_the_inside(self):
        answers = [self.ada.get("/api/nothing"), self.ada.post(NODES, {}), self.ada.send("POST", NODES, b"{"),
                   self.client("x").get("/api/values"), self.ada.get("/api/values/commits", {"cursor": "x"}),
                   self.ada.get("/api/values", {"rev": NO_ULID}), self.ada.put("/api/values", {})]
        for answer in answers:
            text = answer.raw.decode().lower()
            for word in ("rocksdb", "/src/", ".cc", "0x", "exception", "std::", self.server.data.lower(), "u#ada",
                         "stack"):
                self.assertNotIn(word, text)

    def test_headers_cannot_be_split(self):
        """What a client sends never becomes a field of the answer."""
        for name in ("a%0d%0aX-Evil:%201", "a%0aX-Evil:%201"):
            for address in (f"/api/values/tags/{name}", f"{NODES}/{name}", f"/api/values/export?after={name}"):
                answer = self.ada.get(address)
                self.assertNotIn("X-Evil", answer.headers)
        answer = self.ada.put("/api/values/tags/a%0d%0aX-Evil:%201",
                              {"revId": self.ada.get("/api/values/head").body["headRevId"]})
        self.assertNotIn("X-Evil", answer.headers)
