"""Notes: the grid, pins, the archive, tags."""

from case import MOMENT, NO_NOTE, NOTES, NexusTest, at_once


class Notes(NexusTest):
    def stored_note(self, user, note):
        return self.stored(user, f"NOTE#{note['noteId']}")

    def titles(self, user, **query):
        return [note["title"] for note in user.pages(NOTES, **query)]

    def set_updated(self, user, note, moment):
        """Another time of change, as if time had passed: tests do not wait for seconds."""
        self.dynamodb().update_item(
            TableName="ProductivityData", Key={"PK": {"S": f"USER#{user.id}"}, "SK": {"S": f"NOTE#{note['noteId']}"}},
            UpdateExpression="SET updatedAt = :u, GSI3SK = :k",
            ExpressionAttributeValues={":u": {"S": moment},
                                       ":k": {"S": f"NOTE#{int(note['isPinned'])}#{moment}"}})

    def test_a_note_has_the_keys_of_the_design(self):
        ada = self.user()
        note = ada.note("Ideas", body="# One\n\nmore", tags=["b", "a", "b"])
        self.assertEqual(self.stored_note(ada, note), {
            "PK": f"USER#{ada.id}", "SK": f"NOTE#{note['noteId']}", "entityType": "NOTE", "noteId": note["noteId"],
            "version": 1, "createdAt": note["createdAt"], "updatedAt": note["updatedAt"], "title": "Ideas",
            "body": "# One\n\nmore", "tags": {"a", "b"}, "isPinned": False, "isArchived": False,
            "GSI3PK": f"USER#{ada.id}", "GSI3SK": f"NOTE#0#{note['updatedAt']}"})
        self.assertRegex(note["updatedAt"], MOMENT)
        self.assertEqual(self.expect(200, ada.get(f"{NOTES}/{note['noteId']}")).body, note)
        pinned = ada.note("P", isPinned=True)
        self.assertEqual(self.stored_note(ada, pinned)["GSI3SK"], f"NOTE#1#{pinned['updatedAt']}")

    def test_title_or_body_must_be_there(self):
        ada = self.user()
        for body in ({}, {"title": ""}, {"title": "", "body": ""}, {"tags": ["a"]}, {"title": None, "body": None}):
            with self.subTest(body=body):
                self.expect(422, self.unchanged(ada, lambda b=body: ada.post(NOTES, b)), fields=["body"])
        only_body = ada.made(NOTES, {"body": "text", "title": ""})
        self.assertNotIn("title", only_body)
        self.assertNotIn("title", self.stored_note(ada, only_body))
        path = f"{NOTES}/{only_body['noteId']}"
        for body in ({"body": None}, {"body": ""}):
            self.expect(422, self.unchanged(ada, lambda b=body: ada.change(path, b, 1)), fields=["body"])
        self.expect(200, ada.change(path, {"title": "now this", "body": None}, 1))
        self.assertNotIn("body", self.stored_note(ada, only_body))

    def test_bad_input_changes_nothing(self):
        ada = self.user()
        for body, fields in (({"title": "x" * 501}, ["title"]), ({"title": 1}, ["title"]), ({"body": "x" * 200_001}, ["body"]),
                             ({"title": "x", "tags": ["", "a"]}, ["tags[0]"]), ({"title": "x", "tags": {}}, ["tags"]),
                             ({"title": "x", "isPinned": "yes"}, ["isPinned"]), ({"title": "x", "isArchived": True}, ["isArchived"]),
                             ({"title": "x", "noteId": NO_NOTE}, ["noteId"]), ({"title": "x", "color": "red"}, ["color"])):
            with self.subTest(body=str(body)[:60]):
                self.expect(422, self.unchanged(ada, lambda b=body: ada.post(NOTES, b)), fields=fields)
        self.assertEqual(len(ada.made(NOTES, {"body": "ä" * 100_000})["body"]), 100_000)

    def test_versions(self):
        ada = self.user()
        path = f"{NOTES}/{ada.note()['noteId']}"
        self.expect(428, self.unchanged(ada, lambda: ada.patch(path, {"title": "x"})))
        self.expect(428, self.unchanged(ada, lambda: ada.delete(path)))
        self.expect(412, self.unchanged(ada, lambda: ada.change(path, {"title": "x"}, 2)), "version-mismatch")
        self.expect(412, self.unchanged(ada, lambda: ada.delete(path, if_match='"2"')))
        self.expect(412, self.unchanged(ada, lambda: ada.post(f"{path}/pin", if_match='"2"')))
        answers = at_once(16, lambda n: ada.change(path, {"title": f"by {n}"}, 1).status)
        self.assertEqual(sorted(answers), [200] + [412] * 15)
        self.expect(204, ada.delete(path, if_match='"2"'))
        self.assertEqual(self.everything(ada), [])
        for answer in (ada.get(path), ada.change(path, {"title": "x"}, 2), ada.delete(path, if_match='"2"'),
                       ada.post(f"{path}/pin"), ada.post(f"{path}/archive"), ada.get(f"{NOTES}/x"),
                       ada.get(f"{NOTES}/task_00000000-0000-4000-8000-000000000000")):
            self.expect(404, answer)

    def test_pinned_first_newest_first(self):
        """REQ-001-27, page by page."""
        ada = self.user()
        notes = [ada.note(f"n{day}") for day in range(1, 8)]
        for day, note in enumerate(notes, 1):
            self.set_updated(ada, note, f"2026-01-0{day}T00:00:00Z")
        self.assertEqual(self.titles(ada), [f"n{day}" for day in range(7, 0, -1)])
        for day in (2, 5):
            self.expect(200, ada.post(f"{NOTES}/{notes[day - 1]['noteId']}/pin"))
            self.set_updated(ada, ada.last.body, f"2026-01-0{day}T00:00:00Z")
        for limit in (1, 2, 3, 100):
            self.assertEqual(self.titles(ada, limit=limit), ["n5", "n2", "n7", "n6", "n4", "n3", "n1"])
        self.expect(200, ada.post(f"{NOTES}/{notes[4]['noteId']}/unpin"))
        self.assertEqual(self.titles(ada)[:2], ["n2", "n5"])  # the newest of the others: it was just changed

    def test_a_change_makes_it_the_newest(self):
        ada = self.user()
        old, new = ada.note("old"), ada.note("new")
        self.set_updated(ada, old, "2026-01-01T00:00:00Z")
        self.set_updated(ada, new, "2026-01-02T00:00:00Z")
        changed = self.expect(200, ada.change(f"{NOTES}/{old['noteId']}", {"body": "more"}, 1)).body
        self.assertEqual(self.stored_note(ada, old)["GSI3SK"], f"NOTE#0#{changed['updatedAt']}")
        self.assertEqual(self.titles(ada), ["old", "new"])

    def test_doing_it_twice_is_once(self):
        ada = self.user()
        path = f"{NOTES}/{ada.note()['noteId']}"
        for there, back, name in (("pin", "unpin", "isPinned"), ("archive", "unarchive", "isArchived")):
            first = self.expect(200, ada.post(f"{path}/{there}")).body
            self.assertTrue(first[name])
            self.assertEqual(self.expect(200, ada.post(f"{path}/{there}")).body, first)
            undone = self.expect(200, ada.post(f"{path}/{back}", idempotency_key=back)).body
            self.assertEqual((undone[name], undone["version"]), (False, first["version"] + 1))
            self.assertEqual(self.expect(200, ada.post(f"{path}/{back}", idempotency_key=back)).body, undone)
            self.assertTrue(ada.last.replayed)

    def test_the_archive(self):
        ada = self.user()
        notes = [ada.note(f"n{number}", tags=["odd"] if number % 2 else []) for number in range(6)]
        for note in notes[:3]:
            self.expect(200, ada.post(f"{NOTES}/{note['noteId']}/archive"))
            item = self.stored_note(ada, note)
            self.assertEqual([name for name in item if name.startswith("GSI")], [])
        self.assertEqual(sorted(self.titles(ada)), ["n3", "n4", "n5"])
        for limit in (1, 2, 100):
            self.assertEqual(sorted(self.titles(ada, archived="true", limit=limit)), ["n0", "n1", "n2"])
            self.assertEqual(self.titles(ada, archived="true", tag="odd", limit=limit), ["n1"])
        self.assertEqual(sorted(self.titles(ada, tag="odd")), ["n3", "n5"])
        self.expect(200, ada.change(f"{NOTES}/{notes[0]['noteId']}", {"title": "still archived"}, 2))
        self.assertNotIn("GSI3PK", self.stored_note(ada, notes[0]))
        self.expect(200, ada.post(f"{NOTES}/{notes[1]['noteId']}/unarchive"))
        self.assertIn("n1", self.titles(ada))
        self.assertEqual(sorted(self.titles(ada, archived="true")), ["n2", "still archived"])

    def test_by_tag(self):
        ada = self.user()
        for number in range(30):
            ada.note(f"{number}", tags=["ten"] if number % 10 == 0 else ["x", "tenth"])
        for limit in (1, 2, 5, 50):
            self.assertEqual(sorted(self.titles(ada, tag="ten", limit=limit)), ["0", "10", "20"])
        self.assertEqual(self.titles(ada, tag="Ten"), [])
        note = next(ada.pages(NOTES, tag="ten"))
        self.expect(200, ada.change(f"{NOTES}/{note['noteId']}", {"tags": []}, 1))
        self.assertNotIn("tags", self.stored_note(ada, note))
        self.assertEqual(len(self.titles(ada, tag="ten")), 2)

    def test_wrong_queries(self):
        ada = self.user()
        for _ in range(3):
            ada.note()
        cursor = self.expect(200, ada.get(NOTES, {"limit": 1})).body["nextCursor"]
        for query in ({"tag": ""}, {"tag": "x" * 101}, {"archived": "maybe"}, {"limit": 0}, {"limit": 101}, {"cursor": "x"},
                      {"cursor": cursor, "archived": "true"}, {"status": "TODO"}):
            with self.subTest(query=query):
                self.expect(400, ada.get(NOTES, query))
        self.expect(400, self.user().get(NOTES, {"cursor": cursor}))
        self.assertEqual(self.user().get(NOTES).body, {"items": []})
