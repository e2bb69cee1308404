"""Search over notes, tasks, events and series."""

from calendar_case import EVENTS, local
from case import NEXUS, NOTES, SEARCH, NexusTest, at_once


class Search(NexusTest):
    def found(self, user, q, **more):
        answer = self.expect(200, user.get(SEARCH, {"q": q, **more}))
        return [item["title"] for item in answer.body["items"]]

    def test_title_body_tags_and_tasks(self):
        ada = self.user()
        note = ada.note("Einkauf", body="Milch, Crème fraîche\nund Brot", tags=["Haushalt"])
        task = ada.task("Milch kaufen", description="im Laden")
        ada.task("Etwas anderes", description="Milch steht hier nur in der Beschreibung")
        answer = self.expect(200, ada.get(SEARCH, {"q": "milch"})).body
        self.assertEqual(answer, {"isCut": False, "items": [
            {"type": "TASK", "id": task["taskId"], "title": "Milch kaufen", "snippet": "im Laden", "updatedAt": task["updatedAt"]},
            {"type": "NOTE", "id": note["noteId"], "title": "Einkauf", "snippet": "Milch, Crème fraîche und Brot",
             "updatedAt": note["updatedAt"]}]})
        for query in ("EINK", "creme", "CRÈME Fraiche", "haush", "brot milch eink", "  und  ", "fraîche!"):
            with self.subTest(query=query):
                self.assertEqual(self.found(ada, query), ["Einkauf"])
        for query in ("kauf milch brot", "ilch", "milchx", "nichts", "rot"):
            with self.subTest(query=query):
                self.assertEqual(self.found(ada, query), [])

    def test_events_and_series(self):
        ada, eve = self.user(), self.user()
        event = ada.made(EVENTS, {"title": "Zahnarzt", "location": "Hauptstraße 5", "description": "Röntgen mitbringen",
                                  "startUtc": "2031-02-03T09:00:00Z", "endUtc": "2031-02-03T10:00:00Z",
                                  "startTzid": "Europe/Berlin", "tags": ["gesund"]})
        series = ada.made(EVENTS, {"title": "Chor", "location": "Hauptstraße 7", "startLocal": local(1), "endLocal": local(1, "10:00:00"),
                                   "startTzid": "UTC", "rrule": "FREQ=DAILY"})
        answer = self.expect(200, ada.get(SEARCH, {"q": "zahn"})).body
        self.assertEqual(answer, {"isCut": False, "items": [
            {"type": "EVENT", "id": event["id"], "title": "Zahnarzt", "snippet": "Hauptstraße 5 Röntgen mitbringen",
             "updatedAt": event["updatedAt"], "startUtc": "2031-02-03T09:00:00Z"}]})
        for query in ("rontgen", "haupt 5", "gesund zahn"):
            with self.subTest(query=query):
                self.assertEqual(self.found(ada, query), ["Zahnarzt"])
        # A series is one hit, however many occurrences it has; one that is edited changes nothing about that.
        instance = next(iter(ada.pages(f"{NEXUS}/masters/{series['id']}/instances", limit=100)))
        self.expect(200, ada.change(f"{NEXUS}/instances/{instance['id']}?scope=this", {"title": "Chor extra"}, instance["version"]))
        hit, = self.expect(200, ada.get(SEARCH, {"q": "chor"})).body["items"]
        self.assertEqual((hit["type"], hit["id"], hit["startUtc"]), ("MASTER", series["id"], series["startUtc"]))
        self.assertEqual(sorted(self.found(ada, "haupt")), ["Chor", "Zahnarzt"])
        self.assertEqual(self.found(eve, "haupt"), [])
        # The series behind a recurring task is found as the task.
        task = ada.task("Chor absagen", dueUtc="2037-01-01T09:00:00Z", rrule="FREQ=WEEKLY")
        hits = self.expect(200, ada.get(SEARCH, {"q": "absagen"})).body["items"]
        self.assertEqual([(hit["type"], hit["id"], hit["startUtc"]) for hit in hits],
                         [("TASK", task["taskId"], "2037-01-01T09:00:00Z")])
        self.expect(204, ada.delete(f"{EVENTS}/{event['id']}", if_match="*"))
        self.assertEqual(self.found(ada, "zahnarzt"), [])

    def test_only_some_kinds(self):
        ada = self.user()
        ada.note("word of a note")
        ada.task("word of a task")
        ada.made(EVENTS, {"title": "word of an event", "startUtc": "2031-02-03T09:00:00Z", "endUtc": "2031-02-03T10:00:00Z",
                          "startTzid": "UTC"})
        for types, titles in (("NOTE", ["word of a note"]), ("EVENT,TASK", ["word of a task", "word of an event"]),
                              ("MASTER", [])):
            with self.subTest(types=types):
                self.assertEqual(sorted(self.found(ada, "word", types=types)), titles)
        self.assertEqual(len(self.found(ada, "word")), 3)
        self.expect(400, ada.get(SEARCH, {"q": "word", "types": "NOTE,DREAM"}), fields=["types"])

    def test_nothing_of_others_and_nothing_that_is_gone(self):
        ada, eve = self.user(), self.user()
        note = ada.note("unicorn")
        self.assertEqual(self.found(eve, "unicorn"), [])
        self.expect(200, ada.change(f"{NOTES}/{note['noteId']}", {"title": "horse"}, 1))
        self.assertEqual((self.found(ada, "unicorn"), self.found(ada, "horse")), ([], ["horse"]))
        self.expect(200, ada.post(f"{NOTES}/{note['noteId']}/archive"))
        self.assertEqual(self.found(ada, "horse"), ["horse"])
        self.expect(204, ada.delete(f"{NOTES}/{note['noteId']}", if_match='"3"'))
        self.assertEqual(self.found(ada, "horse"), [])

    def test_how_well_then_how_recently(self):
        ada = self.user()
        ada.note("in the body", body="a fox")
        ada.note("a tag", tags=["fox"])
        ada.note("foxes")
        ada.note("A Fox")
        self.assertEqual(self.found(ada, "fox"), ["A Fox", "foxes", "a tag", "in the body"])
        for number, title in enumerate(("twin b", "twin a", "twin c")):
            note = ada.note(title)
            self.dynamodb().update_item(
                TableName="ProductivityData", Key={"PK": {"S": f"USER#{ada.id}"}, "SK": {"S": f"NOTE#{note['noteId']}"}},
                UpdateExpression="SET updatedAt = :u, GSI3SK = :k", ExpressionAttributeValues={
                    ":u": {"S": f"2026-01-0{number + 1}T00:00:00Z"}, ":k": {"S": f"NOTE#0#2026-01-0{number + 1}T00:00:00Z"}})
        self.assertEqual(self.found(ada, "twin"), ["twin c", "twin a", "twin b"])

    def test_limit_and_cut(self):
        ada = self.user()
        for number in range(7):
            ada.task(f"same {number}")
        answer = self.expect(200, ada.get(SEARCH, {"q": "same", "limit": 5})).body
        self.assertEqual((len(answer["items"]), answer["isCut"]), (5, True))
        answer = self.expect(200, ada.get(SEARCH, {"q": "same", "limit": 7})).body
        self.assertEqual((len(answer["items"]), answer["isCut"]), (7, False))

    def test_looks_at_a_thousand_of_each_and_says_so(self):
        """REQ-001-33: one task beyond is not looked at, and the answer tells."""
        ada = self.user()
        at_once(4, lambda n: [ada.task(f"filler {n}", status="TODO") for _ in range(250)])
        answer = self.expect(200, ada.get(SEARCH, {"q": "needle"})).body
        self.assertEqual(answer, {"items": [], "isCut": False})
        hidden = ada.task("needle", status="DONE")
        self.assertEqual(self.expect(200, ada.get(SEARCH, {"q": "needle"})).body, {"items": [], "isCut": True})
        self.expect(200, ada.move(hidden, status="IN_PROGRESS"))  # what is worked on is looked at first
        answer = self.expect(200, ada.get(SEARCH, {"q": "needle"})).body
        self.assertEqual(([item["id"] for item in answer["items"]], answer["isCut"]), ([hidden["taskId"]], True))

    def test_wrong_queries(self):
        ada = self.user()
        for query in ({}, {"q": ""}, {"q": "…"}, {"q": " "}, {"q": "x" * 201}, {"q": "x", "limit": 0}, {"q": "x", "limit": 101},
                      {"q": "x", "cursor": "y"}):
            with self.subTest(query=query):
                self.expect(400, ada.get(SEARCH, query))
        self.assertIn("letter", ada.get(SEARCH, {"q": "?!"}).body["errors"][0]["message"])
