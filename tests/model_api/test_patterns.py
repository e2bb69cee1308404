"""Patterns over REST: parameters, pages, cursors that cannot be misused, sparse indexes."""

import unittest

from case import ModelApiTest


class Pages(ModelApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ids = [cls.alice.post("Job", {"title": f"job {n}", "rank": n, "state": "OPEN" if n % 2 else "BUSY"})
                   .body["jobId"] for n in range(8)]
        for n in range(8):
            cls.bob.post("Job", {"title": f"bob's {n}"})

    def everything(self, user, pattern, **parameters):
        pages, cursor = [], None
        while True:
            reply = self.expect(200, user.page(pattern, **parameters, **({"cursor": cursor} if cursor else {})))
            pages.append(reply.body["items"])
            cursor = reply.body.get("nextCursor")
            if cursor is None:
                return pages

    def test_every_item_once_in_order(self):
        for limit, sizes in ((3, [3, 3, 2]), (1, [1] * 8), (4, [4, 4]), (8, [8]), (20, [8])):
            pages = self.everything(self.alice, "jobs", limit=limit)
            self.assertEqual([len(page) for page in pages], sizes)
            self.assertEqual([item["jobId"] for page in pages for item in page], sorted(self.ids))
        self.assertEqual(len(self.expect(200, self.alice.page("jobs")).body["items"]), 3, "the pattern's default")

    def test_items_say_what_they_are(self):
        item = self.alice.page("jobs").body["items"][0]
        self.assertEqual(item["entity"], "Job")
        self.assertEqual(item["userId"], "alice")
        entity = self.alice.get(f"Job/{item['jobId']}").body
        self.assertEqual({**entity, "entity": "Job"}, item)

    def test_wrong_parameters(self):
        table = [("jobsByState", {}, ["state"]), ("jobsByState", {"stat": "OPEN"}, ["stat", "state"]),
                 ("jobsByState", {"state": "LOST"}, ["state"]), ("jobsByState", {"state": ""}, ["state"]),
                 ("jobsByState", {"state": "OPEN", "userId": "bob"}, ["userId"]), ("jobs", {"limit": 0}, ["limit"]),
                 ("jobs", {"limit": 21}, ["limit"]), ("jobs", {"limit": "x"}, ["limit"]),
                 ("partsBetween", {"jobId": "x", "from": "2026-01-01", "to": "2026-01-02"}, ["jobId"]),
                 ("partsBetween", {"jobId": self.ids[0], "from": "monday"}, ["from", "to"])]
        for pattern, parameters, fields in table:
            with self.subTest(pattern=pattern, parameters=parameters):
                self.expect(400, self.alice.page(pattern, **parameters), "malformed", fields)
        self.assertIn("'state'", self.alice.page("jobsByState", stat="OPEN").raw.decode())
        for query in ("state=OPEN&state=BUSY", "state=%", "state=%ff", "=x"):
            with self.subTest(query=query):
                self.expect(400, self.alice.get(f"patterns/jobsByState?{query}"), "malformed")

    def test_cursors_are_bound_to_their_question(self):
        cursor = self.alice.page("jobsByState", state="OPEN", limit=1).body["nextCursor"]
        self.expect(200, self.alice.page("jobsByState", state="OPEN", limit=2, cursor=cursor))
        refused = {
            "another user": self.bob.page("jobsByState", state="OPEN", cursor=cursor),
            "another parameter": self.alice.page("jobsByState", state="BUSY", cursor=cursor),
            "another pattern": self.alice.page("jobs", cursor=cursor),
            "cut": self.alice.page("jobsByState", state="OPEN", cursor=cursor[:-1]),
            "longer": self.alice.page("jobsByState", state="OPEN", cursor=cursor + "A"),
            "not a cursor": self.alice.page("jobsByState", state="OPEN", cursor="e30"),
            "no base64": self.alice.page("jobsByState", state="OPEN", cursor="###"),
        }
        for n in range(0, len(cursor), 5):
            changed = cursor[:n] + ("A" if cursor[n] != "A" else "B") + cursor[n + 1:]
            refused[f"changed at {n}"] = self.alice.page("jobsByState", state="OPEN", cursor=changed)
        for what, reply in refused.items():
            with self.subTest(what=what):
                self.expect(400, reply, "malformed")

    def test_cursor_tells_nothing(self):
        cursor = self.alice.page("jobs", limit=1).body["nextCursor"]
        self.assertNotIn("alice", cursor)
        self.assertNotEqual(cursor, self.alice.page("jobs", limit=1).body["nextCursor"], "sealed anew each time")

    def test_cursor_survives_a_restart(self):
        cursor = self.alice.page("jobs", limit=5).body["nextCursor"]
        self.stop(kill=True)
        self.server.start()
        rest = self.expect(200, self.alice.page("jobs", limit=5, cursor=cursor)).body
        self.assertEqual([item["jobId"] for item in rest["items"]], sorted(self.ids)[5:])


class SparseIndex(ModelApiTest):
    def ranks(self, state):
        return [item["rank"] for item in self.expect(200, self.alice.page("jobsByState", state=state)).body["items"]]

    def test_items_enter_move_and_leave(self):
        jobs = {rank: self.job(rank=rank) for rank in (30, 4, 200)}
        self.assertEqual(self.ranks("OPEN"), [4, 30, 200], "in order of the number, not of its text")
        self.alice.patch(jobs[30].headers["Location"], {"state": "BUSY"}, if_match="*")
        self.assertEqual((self.ranks("OPEN"), self.ranks("BUSY")), ([4, 200], [30]))
        self.alice.patch(jobs[30].headers["Location"], {"rank": 7}, if_match="*")
        self.alice.patch(jobs[4].headers["Location"], {"state": "DONE"}, if_match="*")
        self.assertEqual((self.ranks("OPEN"), self.ranks("BUSY"), self.ranks("DONE")), ([200], [7], []))
        self.alice.put(jobs[4].headers["Location"], {"title": "again", "state": "OPEN", "rank": 1}, if_match="*")
        self.assertEqual(self.ranks("OPEN"), [1, 200])
        self.alice.delete(jobs[200].headers["Location"], if_match="*")
        self.assertEqual(self.ranks("OPEN"), [1])


class Shapes(ModelApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.job_id = cls.alice.post("Job", {"title": "with parts"}).body["jobId"]
        for day, number in (("2026-01-01", 1), ("2026-01-02", 2), ("2026-01-02", 10), ("2026-01-03", 1)):
            cls.alice.post("Part", {"jobId": cls.job_id, "day": day, "number": number})

    def test_range_includes_its_last_day(self):
        reply = self.expect(200, self.alice.page("partsBetween", jobId=self.job_id, **{"from": "2026-01-01",
                                                                                       "to": "2026-01-02"}))
        self.assertEqual([(item["day"], item["number"]) for item in reply.body["items"]],
                         [("2026-01-02", 10), ("2026-01-02", 2), ("2026-01-01", 1)])

    def test_steps_come_along(self):
        reply = self.expect(200, self.alice.page("jobWithParts", jobId=self.job_id))
        self.assertEqual(len(reply.body["items"]), 4)
        self.assertEqual(reply.body["steps"]["job"]["title"], "with parts")
        self.assertEqual(reply.body["steps"]["job"]["entity"], "Job")
        nothing = self.expect(200, self.bob.page("jobWithParts", jobId=self.job_id)).body
        self.assertEqual((nothing["items"], nothing.get("steps", {})), ([], {}))

    def test_several_entities_in_one_page(self):
        self.alice.post("Wish", {"name": "w"})
        self.alice.post("Receipt", {"number": "r"})
        kinds = {item["entity"] for item in self.expect(200, self.alice.page("everything")).body["items"]}
        self.assertEqual(kinds, {"Job", "Wish", "Receipt"})


if __name__ == "__main__":
    unittest.main()
