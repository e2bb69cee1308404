"""The board: order of cards, moving them, columns and their limits, many clients at once."""

import threading

from case import BOARD, MODEL, NEXUS, NO_TASK, TABLE, TASKS, NexusTest, at_once
from chance import seeded_random


class Moving(NexusTest):
    def three(self, user, **more):
        return [user.task(title, **{"status": "TODO", **more}) for title in "abc"]

    def test_new_cards_go_to_the_end_of_their_group(self):
        ada = self.user()
        for title, priority in (("a3", 3), ("b1", 1), ("c3", 3), ("d1", 1), ("e4", 4)):
            ada.task(title, status="TODO", priority=priority)
        self.assertEqual(ada.column("TODO"), ["b1", "d1", "a3", "c3", "e4"])
        self.assertEqual(ada.column("DONE"), [])

    def test_after_before_first_and_last(self):
        ada = self.user()
        a, b, c = self.three(ada)
        for body, wanted in (({"afterId": a["taskId"]}, "acb"), ({"beforeId": a["taskId"]}, "cab"), ({"first": True}, "cab"),
                             ({}, "abc"), ({"afterId": b["taskId"]}, "abc"), ({"beforeId": b["taskId"]}, "acb"),
                             ({"first": False}, "abc")):
            with self.subTest(body=body):
                self.expect(200, ada.move(c, status="TODO", **body))
                self.assertEqual("".join(ada.column("TODO")), wanted)
        self.expect(200, ada.move(a, status="TODO", afterId=c["taskId"]))
        self.assertEqual("".join(ada.column("TODO")), "bca")

    def test_a_move_is_one_write(self):
        """Status, priority, rank and version of one item; the neighbours stay as they are."""
        ada = self.user()
        a, b, _ = self.three(ada, priority=1)
        card = ada.task("x", dueUtc="2026-11-20T17:00:00Z")
        others = [self.stored_task(ada, task) for task in (a, b)]
        moved = self.expect(200, ada.move(card, 1, status="TODO", priority=1, afterId=a["taskId"])).body
        self.assertEqual((moved["status"], moved["priority"], moved["version"]), ("TODO", 1, 2))
        self.assertTrue(a["rank"] < moved["rank"] < b["rank"])
        item = self.stored_task(ada, card)
        self.assertEqual((item["GSI3SK"], item["GSI1PK"]), (f"TASK#TODO#1#{moved['rank']}", f"USER#{ada.id}#2026"))
        self.assertEqual([self.stored_task(ada, task) for task in (a, b)], others)
        self.assertEqual(ada.last.tag, '"2"')
        self.assertEqual(ada.column("TODO"), ["a", "x", "b", "c"])

    def test_bad_moves_change_nothing(self):
        ada, eve = self.user(), self.user()
        a, b, c = self.three(ada)
        done, urgent, foreign = ada.task("d", status="DONE"), ada.task("u", status="TODO", priority=1), eve.task("e", status="TODO")
        rows = [({}, ["status"]), ({"status": "GONE"}, ["status"]), ({"status": "TODO", "priority": 5}, ["priority"]),
                ({"status": "TODO", "afterId": c["taskId"]}, ["afterId"]), ({"status": "TODO", "afterId": done["taskId"]}, ["afterId"]),
                ({"status": "TODO", "beforeId": urgent["taskId"]}, ["beforeId"]), ({"status": "TODO", "afterId": NO_TASK}, ["afterId"]),
                ({"status": "TODO", "afterId": foreign["taskId"]}, ["afterId"]), ({"status": "TODO", "beforeId": "nothing"}, ["beforeId"]),
                ({"status": "TODO", "afterId": "#"}, ["afterId"]), ({"status": "TODO", "rank": "a"}, ["rank"])]
        for body, fields in rows:
            with self.subTest(body=body):
                self.expect(422, self.unchanged(ada, lambda w=body: ada.move(c, **w)), fields=fields)
        both = self.unchanged(ada, lambda: ada.move(c, status="TODO", afterId=a["taskId"], first=True))
        self.expect(422, both, "two-places")
        self.expect(412, self.unchanged(ada, lambda: ada.move(c, 7, status="TODO")), "version-mismatch")
        wrong_group = ada.move(c, status="TODO", afterId=urgent["taskId"])
        self.assertIn("priority 1", wrong_group.body["errors"][0]["message"])

    def test_two_clients_one_version(self):
        ada = self.user()
        for _ in range(10):
            card = ada.task("x", status="TODO")
            answers = at_once(2, lambda n, c=card: ada.move(c, 1, status=("DONE", "BLOCKED")[n]))
            self.assertEqual(sorted(answer.status for answer in answers), [200, 412])
            won = next(answer.body for answer in answers if answer.status == 200)
            self.assertEqual(ada.get(f"{TASKS}/{card['taskId']}").body, won)

    def test_without_a_version_the_last_one_counts(self):
        ada = self.user()
        card = ada.task("x", status="TODO")
        answers = at_once(8, lambda n: ada.move(card, status=("DONE", "BLOCKED")[n % 2]).status)
        self.assertEqual(answers, [200] * 8)
        self.assertEqual(ada.get(f"{TASKS}/{card['taskId']}").body["version"], 9)

    def test_a_repeated_request_moves_once(self):
        ada = self.user()
        a, b, c = self.three(ada)
        path = f"{TASKS}/{c['taskId']}/move"
        first = self.expect(200, ada.post(path, {"status": "TODO", "first": True}, idempotency_key="m"))
        self.expect(200, ada.move(a, status="TODO", first=True))
        again = self.expect(200, ada.post(path, {"status": "TODO", "first": True}, idempotency_key="m"))
        self.assertTrue(again.replayed)
        self.assertEqual(again.body, first.body)
        self.assertEqual(ada.column("TODO"), ["a", "c", "b"])

    def test_no_room_spaces_the_cards_anew(self):
        """Cards dropped behind the same one again and again: hundreds, and the order is always that of a list."""
        ada = self.user()
        anchor, *cards = [ada.task(str(n), status="TODO") for n in range(6)]
        wanted = [card["title"] for card in cards]
        versions = {}
        for number in range(400):
            card = cards[number % len(cards)]
            moved = self.expect(200, ada.move(card, status="TODO", afterId=anchor["taskId"])).body
            wanted.remove(card["title"])
            wanted.insert(0, card["title"])
            versions[card["title"]] = moved["version"]
            self.assertLessEqual(len(moved["rank"]), 64)
            if number % 50 == 49:
                self.assertEqual(ada.column("TODO"), [anchor["title"], *wanted])
        self.assertGreater(sum(versions.values()), 400 + len(cards), "nothing was ever spaced anew")

    def tied(self, user, count):
        """Cards of the same rank, as a plain default would have it; in the order that the board shows."""
        cards = {str(n): user.task(str(n), status="TODO") for n in range(count)}
        for card in cards.values():
            self.dynamodb().update_item(
                TableName=TABLE, Key={"PK": {"S": f"USER#{user.id}"}, "SK": {"S": f"TASK#{card['taskId']}"}},
                UpdateExpression="SET #r = :r, GSI3SK = :k", ExpressionAttributeNames={"#r": "rank"},
                ExpressionAttributeValues={":r": {"S": "n"}, ":k": {"S": "TASK#TODO#3#n"}})
        return [cards[title] for title in user.column("TODO")]

    def test_the_same_ranks_stored_by_others(self):
        for count, card, neighbour in ((10, 9, 3), (40, 5, 30), (40, 39, 0), (2, 0, 1), (12, 0, 11)):
            for side in ("afterId", "beforeId"):
                with self.subTest(count=count, card=card, side=side):
                    user = self.user()
                    cards = self.tied(user, count)
                    wanted = [one["title"] for one in cards]
                    wanted.remove(cards[card]["title"])
                    at = wanted.index(cards[neighbour]["title"]) + (side == "afterId")
                    wanted.insert(at, cards[card]["title"])
                    self.expect(200, user.move(cards[card], status="TODO", **{side: cards[neighbour]["taskId"]}))
                    self.assertEqual(user.column("TODO"), wanted)

    def test_too_many_to_space_anew_is_refused(self):
        ada = self.user()
        cards = self.tied(ada, 130)
        for neighbour in (3, 120):
            answer = self.unchanged(ada, lambda n=neighbour: ada.move(cards[60], status="TODO", afterId=cards[n]["taskId"]))
            self.expect(409, answer, "no-room")
            self.assertIn("beginning or the end", answer.body["detail"])
        order = [card["title"] for card in cards]
        self.expect(200, ada.move(cards[60], status="TODO", first=True))  # as the answer says
        self.expect(200, ada.move(cards[61], status="TODO"))
        self.assertEqual(ada.column("TODO"), [order[60], *order[:60], *order[62:], order[61]])


class Columns(NexusTest):
    def test_columns_of_the_settings(self):
        ada = self.user()
        board = self.expect(200, ada.get(BOARD)).body["columns"]
        self.assertEqual([(column["status"], column["cards"], column["count"], column["isOverLimit"]) for column in board],
                         [(status, [], 0, False) for status in ("BACKLOG", "TODO", "IN_PROGRESS", "BLOCKED", "DONE")])
        self.expect(200, ada.patch(f"{NEXUS}/settings", {"columns": [
            {"status": "DONE", "title": "Fertig"}, {"status": "IN_PROGRESS", "title": "Doing", "limit": 2}]}))
        for number in range(3):
            ada.task(str(number), status="IN_PROGRESS")
        ada.task("hidden", status="TODO")
        board = self.expect(200, ada.get(BOARD)).body["columns"]
        self.assertEqual([(c["status"], c["title"], c.get("limit"), c["count"], c["isOverLimit"]) for c in board],
                         [("DONE", "Fertig", None, 0, False), ("IN_PROGRESS", "Doing", 2, 3, True)])
        self.assertEqual([card["title"] for card in board[1]["cards"]], ["0", "1", "2"])
        self.expect(200, ada.move(board[1]["cards"][0]["taskId"], status="DONE"))
        self.assertFalse(ada.get(BOARD).body["columns"][1]["isOverLimit"])
        hidden, = self.expect(200, ada.get(BOARD, {"column": "TODO"})).body["columns"]
        self.assertEqual((hidden["title"], [card["title"] for card in hidden["cards"]]), ("TODO", ["hidden"]))

    def test_long_columns_are_paged(self):
        ada = self.user()
        titles = [str(n) for n in range(130)]
        for title in titles:
            ada.task(title, status="TODO")
        self.expect(200, ada.patch(f"{NEXUS}/settings", {"columns": [{"status": "TODO", "title": "Much", "limit": 129}]}))
        column, = self.expect(200, ada.get(BOARD)).body["columns"]
        self.assertEqual([card["title"] for card in column["cards"]], titles[:100])
        self.assertEqual((column["count"], column["isOverLimit"]), (130, True))
        rest, = self.expect(200, ada.get(BOARD, {"column": "TODO", "cursor": column["nextCursor"]})).body["columns"]
        self.assertEqual([card["title"] for card in rest["cards"]], titles[100:])
        self.assertNotIn("nextCursor", rest)
        self.assertEqual(ada.column("TODO"), titles)
        small, = self.expect(200, ada.get(BOARD, {"column": "TODO", "limit": 7})).body["columns"]
        self.assertEqual(len(small["cards"]), 7)
        for query in ({"cursor": column["nextCursor"]}, {"limit": 5}, {"column": "DONE", "cursor": column["nextCursor"]},
                      {"column": "DOING"}, {"column": "TODO", "limit": 101}, {"column": "TODO", "cursor": "x"}):
            with self.subTest(query=query):
                self.expect(400, ada.get(BOARD, query))

    def test_a_column_has_nothing_of_a_longer_name(self):
        """B4: a status that only begins like another is not in its column."""
        ada = self.user()
        ada.task("in", status="IN_PROGRESS")
        self.dynamodb().put_item(TableName=TABLE, Item={
            "PK": {"S": f"USER#{ada.id}"}, "SK": {"S": "TASK#other"}, "entityType": {"S": "TASK"},
            "GSI3PK": {"S": f"USER#{ada.id}"}, "GSI3SK": {"S": "TASK#IN_PROGRESS_REVIEW#1#n"}})
        self.addCleanup(self.dynamodb().delete_item, TableName=TABLE,
                        Key={"PK": {"S": f"USER#{ada.id}"}, "SK": {"S": "TASK#other"}})
        self.assertEqual(ada.column("IN_PROGRESS"), ["in"])


class Crowd(NexusTest):
    def test_sixteen_clients_move_cards(self):
        """No card is lost or doubled, everybody's own view of two cards holds, and a kill changes nothing."""
        ada = self.user()
        chance = seeded_random()
        cards = [ada.task(f"card {n}", status="TODO")["taskId"] for n in range(40)]
        plans = [[(chance.choice(cards), chance.choice(("TODO", "IN_PROGRESS", "DONE")), chance.choice(("first", "last", "after")),
                   chance.choice(cards)) for _ in range(25)] for _ in range(16)]
        refused = []
        lock = threading.Lock()

        def client(number):
            for card, status, where, other in plans[number]:
                body = {"first": {"first": True}, "last": {}, "after": {"afterId": other}}[where]
                answer = ada.move(card, status=status, **body)
                if answer.status != 200:
                    with lock:
                        refused.append(answer)

        at_once(16, client)
        # The neighbour may lie in another column, or be the card itself; nothing else is refused.
        self.assertEqual([answer for answer in refused if answer.status != 422 or answer.fields() != ["afterId"]], [])
        columns = {status: ada.cards(status) for status in ("TODO", "IN_PROGRESS", "DONE")}
        seen = [card["taskId"] for column in columns.values() for card in column]
        self.assertEqual(sorted(seen), sorted(cards))
        for status, column in columns.items():
            self.assertEqual([card["rank"] for card in column], sorted(card["rank"] for card in column))
            self.assertEqual(len({card["rank"] for card in column}), len(column))
            self.assertTrue(all(("completedAt" in card) == (status == "DONE") for card in column))
        self.restart()
        self.assertEqual({status: ada.cards(status) for status in columns}, columns)
        self.server.kill()
        done = self.server.command("model", "verify", MODEL, "--data", self.server.data)
        self.assertEqual(done.code, 0, done)
        self.server.start()
        ada.hang_up()
        self.assertEqual({status: ada.cards(status) for status in columns}, columns)

    def test_sixteen_clients_add_to_one_column(self):
        ada = self.user()
        at_once(16, lambda n: [ada.task(f"{n} {k}", status="TODO") for k in range(10)])
        cards = ada.cards("TODO")
        self.assertEqual(len({card["taskId"] for card in cards}), 160)
        self.assertEqual(len({card["rank"] for card in cards}), 160)
        for number in range(16):  # everybody's own came in order
            own = [card["title"] for card in cards if card["title"].startswith(f"{number} ")]
            self.assertEqual(own, [f"{number} {k}" for k in range(10)])
