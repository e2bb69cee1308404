"""Limits of one user, set small: what is refused, what is said, what still works, what is left after a restart."""

from case import PASSWORD, ApiTest
from wait import wait_until

NOTES, USAGE = "/api/nexus/notes", "/api/account/usage"
NODES = "/api/values/nodes"
KB = 1024


class QuotaTest(ApiTest):
    def note(self, user, kilobytes=100, title="a note"):
        return user.post(NOTES, {"title": title, "body": "x" * (kilobytes * KB)})

    def usage(self, user):
        answer = self.expect(200, user.get(USAGE))
        self.assertEqual(answer["bytes"], sum(product["bytes"] for product in answer["products"]))
        self.assertEqual(answer["items"], sum(product["items"] for product in answer["products"]))
        return answer.body

    def refused(self, do, tries):
        """What `do` answers when it is refused at last, and how often it was not."""
        for done in range(tries):
            answer = do()
            if answer.status >= 400:
                return answer, done
        self.fail(f"was not refused {tries} times: {answer}")

    def remove_notes(self, user):
        while True:
            notes = user.get(NOTES, {"limit": 100})["items"]
            if not notes:
                return
            for note in notes:
                self.expect(204, user.delete(f"{NOTES}/{note['noteId']}", if_match=f'"{note["version"]}"'))


class Numbers(QuotaTest):
    def test_what_users_keep_is_in_the_metrics(self):
        ada, bob = self.user("ada"), self.user("bob")
        self.expect(201, self.note(ada, 100))
        self.expect(201, self.note(bob, 30))
        wait_until(lambda: self.usage(ada)["bytes"] > 100 * KB and self.usage(bob)["bytes"] > 30 * KB, 60, "them to be counted")
        metrics, both = self.metrics(), self.usage(ada)["bytes"] + self.usage(bob)["bytes"]
        self.assertEqual(metrics['cairn_usage_bytes{application="nexus"}'], both)
        self.assertEqual(metrics['cairn_usage_items{application="nexus"}'], 2)
        self.assertEqual(metrics['cairn_usage_items{application="values"}'], 0)
        self.assertEqual(metrics["cairn_usage_users"], 2)
        self.assertEqual(metrics["cairn_usage_user_bytes_max"], self.usage(ada)["bytes"])
        self.assertEqual(metrics["cairn_usage_user_items_max"], 1)


class Requests(QuotaTest):
    flags = ("--user-requests-per-second", "1")

    def test_twenty_at_once_and_then_one_in_a_second(self):
        ada, bob = self.user("ada"), self.user("bob")
        answer, done = self.refused(lambda: ada.get(USAGE), 100)
        self.expect(429, answer, "too-many-requests")
        self.assertGreaterEqual(done, 20)
        self.assertGreaterEqual(int(answer.headers["Retry-After"]), 1)
        self.assertIn("1 requests in a second", answer["detail"])
        self.expect(200, bob.get(USAGE))
        self.expect(429, ada.get(USAGE))
        wait_until(lambda: ada.get(USAGE).status == 200, 60, "a request to be let in again")
        metrics = self.metrics()
        self.assertGreaterEqual(metrics['cairn_quota_refusals_total{kind="requests"}'], 2)

    def test_costly_ones_count_for_more(self):
        cy = self.user("cy")
        answer, done = self.refused(lambda: cy.get("/api/nexus/search", {"q": "word"}), 50)
        self.expect(429, answer, "too-many-requests")
        self.assertLess(done, 20)

    def test_a_large_body_counts_once(self):
        fay = self.user("fay")
        answer, small = self.refused(lambda: self.note(fay, 1), 50)
        self.expect(429, answer, "too-many-requests")
        wait_until(lambda: fay.get(USAGE).status == 200, 60, "a request to be let in again")
        gil = self.user("gil")
        answer, large = self.refused(lambda: self.note(gil, 100), 50)
        self.expect(429, answer, "too-many-requests")
        self.assertGreaterEqual(int(answer.headers["Retry-After"]), 1)
        self.assertGreaterEqual(small, 10)
        self.assertGreaterEqual(large, 10, "as many as small ones")

    def test_changes_are_refused_before_they_are_made(self):
        dan = self.user("dan")
        answer, made = self.refused(lambda: self.note(dan, 1), 50)
        self.expect(429, answer, "too-many-requests")
        notes = wait_until(lambda: (dan.get(NOTES, {"limit": 100}).body or {}).get("items"), 60, "the notes")
        self.assertEqual(len(notes), made)


class Addresses(QuotaTest):
    flags = ("--address-requests-per-second", "1")

    def test_requests_without_an_account_are_counted_by_address(self):
        anyone, ada = self.client(), self.user("ada")
        answer, _ = self.refused(lambda: self._try_to_renew(anyone), 100)
        self.expect(429, answer, "too-many-requests")
        self.assertIn("address", answer["detail"])
        self.expect(200, ada.get(USAGE))

    @staticmethod
    def _try_to_renew(anyone):
        answer = anyone.post("/api/auth/refresh", {"refreshToken": "none"})
        return answer if answer.status == 429 else _Let()


class _Let:
    status = 200


class Storage(QuotaTest):
    flags = ("--user-storage-mb", "1")

    def test_full_until_something_is_deleted(self):
        ada = self.user("ada")
        answer, made = self.refused(lambda: self.note(ada), 60)
        self.expect(413, answer, "quota-exceeded")
        self.assertGreaterEqual(made, 10)
        self.assertRegex(answer["detail"], r"You keep \d+\.\d MB of 1\.0 MB\. Delete what you no longer need")
        wait_until(lambda: self.usage(ada)["items"] == made, 30, "the count")
        usage = self.usage(ada)
        self.assertGreaterEqual(usage["bytes"], KB * KB)
        self.assertEqual(usage["bytesMax"], KB * KB)
        # All that does not add to it goes on.
        self.expect(200, ada.get(NOTES))
        self.expect(200, ada.get("/api/nexus/calendar.ics"))
        self.expect(413, ada.post(NODES, {"nodeType": "DRIVER", "title": "of another application"}))
        self.expect(201, self.note(self.user("bob")))
        self.remove_notes(ada)
        wait_until(lambda: self.usage(ada)["bytes"] == 0, 30, "the count")
        self.expect(201, self.note(ada))

    def test_signing_in_and_out_goes_on(self):
        full = self.account("full@example.org")
        self.refused(lambda: self.note(full), 60)
        self.expect(200, self.login("full@example.org").get("/api/auth/me"))
        self.expect(204, full.delete("/api/auth/me", {"password": PASSWORD}))

    def test_a_crash_forgets_nothing(self):
        cy = self.user("cy")
        _, made = self.refused(lambda: self.note(cy), 60)
        wait_until(lambda: self.usage(cy)["items"] == made, 30, "the count")
        before = self.usage(cy)
        self.restart()
        self.assertEqual(wait_until(lambda: self._settled(cy, before), 30, "the count"), before)
        self.expect(413, self.note(cy), "quota-exceeded")
        self.server.terminate()
        self.server.start()
        self.hang_up()
        self.assertEqual(self.usage(cy), before)
        self.expect(413, self.note(cy), "quota-exceeded")

    def _settled(self, user, expected):
        usage = self.usage(user)
        return usage if usage == expected else None

    def test_nothing_is_left_of_an_account(self):
        eve = self.account("eve@example.org")
        user_id = eve.get("/api/auth/me")["userId"]
        for _ in range(3):
            self.expect(201, self.note(eve))
        self.server.terminate()  # which keeps the count
        self.server.start()
        self.hang_up()
        mine = [item["SK"] for item in self.items("CairnIdentity") if item["PK"] == f"USER#{user_id}"]
        self.assertIn("USAGE#nexus", mine)
        self.expect(204, self.login("eve@example.org").delete("/api/auth/me", {"password": PASSWORD}))
        wait_until(lambda: not [item for item in self.items("CairnIdentity") if user_id in item["PK"]], 30,
                   "the account to be erased")


class Items(QuotaTest):
    flags = ("--user-items", "20")

    def test_so_many_and_not_many_more(self):
        ada = self.user("ada")
        answer, made = self.refused(lambda: self.note(ada, 1), 500)
        self.expect(413, answer, "quota-exceeded")
        self.assertGreaterEqual(made, 20)
        self.assertRegex(answer["detail"], r"You keep \d+ items of 20")
        wait_until(lambda: self.usage(ada)["items"] == made, 30, "the count")
        self.remove_notes(ada)
        wait_until(lambda: self.note(ada, 1).status == 201, 30, "room")


class Writes(QuotaTest):
    flags = ("--user-writes-mb-per-hour", "2")

    def test_what_is_written_counts_although_it_is_not_kept(self):
        ada = self.user("ada")
        note = self.expect(201, self.note(ada)).body
        version = [note["version"]]

        def edit():
            answer = ada.patch(f"{NOTES}/{note['noteId']}", {"body": str(version[0]) + "y" * 100 * KB},
                               if_match=f'"{version[0]}"')
            version[0] += 1
            return answer

        answer, done = self.refused(edit, 200)
        self.expect(429, answer, "too-much-written")
        self.assertGreaterEqual(done, 18)
        self.assertGreaterEqual(int(answer.headers["Retry-After"]), 1)
        self.assertIn("2.0 MB within an hour", answer["detail"])
        self.expect(200, ada.get(f"{NOTES}/{note['noteId']}"))
        wait_until(lambda: self.usage(ada)["bytes"] < 200 * KB, 30, "the count")
        self.expect(201, self.note(self.user("bob")))

    def test_a_large_tree_and_many_small_commits(self):
        cy = self.user("cy")
        operations = [{"op": "add", "nodeType": "DRIVER", "title": f"d{i}", "notes": "n" * 40_000} for i in range(10)]
        made = cy.post("/api/values/commits", {"operations": operations, "message": "large"})
        self.expect(200, made)
        count = [0]

        def small():
            count[0] += 1
            return cy.post(NODES, {"nodeType": "DRIVER", "title": f"small {count[0]}"})

        answer, done = self.refused(small, 200)
        self.expect(429, answer, "too-much-written")
        self.assertLess(done, 60, "each of them writes the whole tree")
        stored = len(self.items_of("cy"))
        wait_until(lambda: self.usage(cy)["items"] == stored, 30, "the count")
        self.assertEqual(self.usage(cy)["products"][0]["product"], "values")
        self.expect(200, cy.get("/api/values"))


class Unlimited(QuotaTest):
    flags = ("--user-requests-per-second", "0", "--address-requests-per-second", "0", "--user-storage-mb", "0",
             "--user-items", "0", "--user-writes-mb-per-hour", "0", "--user-background-seconds", "0")

    def test_zero_is_no_limit(self):
        ada = self.user("ada")
        for _ in range(30):
            self.expect(201, self.note(ada))
        wait_until(lambda: self.usage(ada)["items"] == 30, 30, "the count")
        usage = self.usage(ada)
        self.assertGreater(usage["bytes"], 30 * 100 * KB)
        for limit in ("bytesMax", "itemsMax", "writtenBytesPerHour", "requestsPerSecond"):
            self.assertNotIn(limit, usage)
