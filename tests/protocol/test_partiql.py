"""PartiQL: statements, parameters, pages, batches and transactions."""

from case import ProtocolTest
from tables import gsi, item, value


class PartiqlTest(ProtocolTest):
    def run_statement(self, statement, *parameters, **more):
        if parameters:
            more["Parameters"] = [value(p) for p in parameters]
        return self.db.execute_statement(Statement=statement, **more)


class Select(PartiqlTest):
    def setUp(self):
        self.name = self.table("pk:S sk:N", gsi("by-color", "color:S"))
        self.put_many(self.name, [item(pk=f"p{n % 2}", sk=n, color="red" if n % 3 else "blue", deep={"n": [n]})
                                  for n in range(20)])

    def numbers(self, statement, *parameters):
        return sorted(int(one["sk"]["N"]) for one in self.run_statement(statement, *parameters)["Items"])

    def test_by_key(self):
        self.assertEqual(self.numbers(f'SELECT * FROM "{self.name}" WHERE pk = ? AND sk = ?', "p1", 3), [3])
        self.assertEqual(self.numbers(f"SELECT * FROM \"{self.name}\" WHERE pk = 'p0' AND sk BETWEEN 4 AND 8"),
                         [4, 6, 8])
        self.assertEqual(self.numbers(f"SELECT * FROM \"{self.name}\" WHERE pk = 'nobody'"), [])

    def test_filters_and_logic(self):
        name = self.name
        self.assertEqual(self.numbers(f"SELECT * FROM \"{name}\" WHERE sk < 4"), [0, 1, 2, 3])
        self.assertEqual(self.numbers(f"SELECT * FROM \"{name}\" WHERE pk IN ['p0', 'p1'] AND sk < 3"), [0, 1, 2])
        self.assertEqual(self.numbers(f"SELECT * FROM \"{name}\" WHERE color = 'blue' OR sk = 1"),
                         [0, 1, 3, 6, 9, 12, 15, 18])
        self.assertEqual(self.numbers(f"SELECT * FROM \"{name}\" WHERE begins_with(color, 'b') AND NOT sk > 3"), [0, 3])
        self.assertEqual(self.numbers(f"SELECT * FROM \"{name}\" WHERE attribute_type(color, 'N')"), [])
        self.assertEqual(self.numbers(f"SELECT * FROM \"{name}\" WHERE deep.n[0] = 7"), [7])

    def test_projection_of_paths(self):
        answer = self.run_statement(f"SELECT color, deep.n[0] FROM \"{self.name}\" WHERE pk = 'p1' AND sk = 3")
        self.assertEqual(answer["Items"][0]["color"], value("blue"))
        self.assertEqual(len(answer["Items"][0]), 2)

    def test_index_and_order(self):
        answer = self.run_statement(f"SELECT sk FROM \"{self.name}\".\"by-color\" WHERE color = 'blue'")
        self.assertEqual(len(answer["Items"]), 7)
        answer = self.run_statement(f"SELECT sk FROM \"{self.name}\" WHERE pk = 'p0' ORDER BY sk DESC")
        self.assertEqual([int(one["sk"]["N"]) for one in answer["Items"]], list(range(18, -1, -2)))

    def test_pages_follow_the_token(self):
        seen, token = [], {}
        while True:
            page = self.db.execute_statement(Statement=f"SELECT * FROM \"{self.name}\" WHERE pk = 'p0'", Limit=3,
                                             **token)
            seen += [int(one["sk"]["N"]) for one in page["Items"]]
            if "NextToken" not in page:
                break
            token = {"NextToken": page["NextToken"]}
        self.assertEqual(seen, list(range(0, 20, 2)))


class IndexesOfSeveralAttributes(PartiqlTest):
    REFUSED = ("PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE "
               "keys.")

    def setUp(self):
        self.name = self.table("id:S", gsi("wide", "h1:S h2:S / r1:S"), gsi("long", "h1:S / r1:S r2:S"), gsi("plain", "h1:S"))
        self.put(self.name, item(id="i", h1="a", h2="x", r1="m", r2="n"))

    def test_are_not_read(self):
        for index in ("wide", "long"):
            for rest in (" WHERE h1 = 'a'", " WHERE h1 = 5", " WHERE id = 'i'", ""):
                with self.subTest(index=index, rest=rest), self.fails("ValidationException", self.REFUSED):
                    self.run_statement(f'SELECT * FROM "{self.name}"."{index}"{rest}')
        answer = self.db.batch_execute_statement(Statements=[
            {"Statement": f'SELECT * FROM "{self.name}"."wide" WHERE h1 = \'a\''},
            {"Statement": f'SELECT * FROM "{self.name}" WHERE id = \'i\''}])["Responses"]
        self.assertEqual(answer[0]["Error"], {"Code": "ValidationError", "Message": self.REFUSED})
        self.assertEqual(answer[1]["Item"]["id"], value("i"))

    def test_leave_the_rest_of_the_table_alone(self):
        for source in (f'"{self.name}" WHERE id = \'i\'', f'"{self.name}"."plain" WHERE h1 = \'a\''):
            self.assertEqual(len(self.run_statement(f"SELECT * FROM {source}")["Items"]), 1)
        self.run_statement(f"UPDATE \"{self.name}\" SET n = 1 WHERE id = 'i'")
        self.assertEqual(self.get(self.name, item(id="i"))["n"], value(1))


class Change(PartiqlTest):
    def setUp(self):
        self.name = self.table()

    def test_insert_only_new_items(self):
        self.run_statement(f"INSERT INTO \"{self.name}\" VALUE {{'pk': 'a', 'n': ?, 'l': [1, 'x'], 'm': {{'y': true}}}}",
                           5)
        self.assertEqual(self.get(self.name, item(pk="a")), item(pk="a", n=5, l=[1, "x"], m={"y": True}))
        with self.fails("DuplicateItemException"):
            self.run_statement(f"INSERT INTO \"{self.name}\" VALUE {{'pk': 'a'}}")
        self.assertEqual(self.get(self.name, item(pk="a"))["n"], value(5))

    def test_quotes_inside_text(self):
        self.run_statement(f"INSERT INTO \"{self.name}\" VALUE {{'pk': 'it''s'}}")
        self.assertIsNotNone(self.get(self.name, item(pk="it's")))

    def test_update_sets_removes_and_returns(self):
        self.put(self.name, item(pk="a", n=1, gone=1))
        answer = self.run_statement(f"UPDATE \"{self.name}\" SET n = n + 1 SET x = ? REMOVE gone WHERE pk = 'a' "
                                    "RETURNING ALL NEW *", "new")
        self.assertEqual(answer["Items"], [item(pk="a", n=2, x="new")])

    def test_update_needs_an_existing_item_and_holding_conditions(self):
        with self.fails("ConditionalCheckFailedException"):
            self.run_statement(f"UPDATE \"{self.name}\" SET n = 1 WHERE pk = 'nobody'")
        self.assert_absent(self.name, item(pk="nobody"))
        self.put(self.name, item(pk="a", n=1))
        with self.fails("ConditionalCheckFailedException"):
            self.run_statement(f"UPDATE \"{self.name}\" SET n = 2 WHERE pk = 'a' AND n = 9")
        self.assertEqual(self.get(self.name, item(pk="a"))["n"], value(1))

    def test_delete_and_return(self):
        self.put(self.name, item(pk="a", n=1))
        answer = self.run_statement(f"DELETE FROM \"{self.name}\" WHERE pk = 'a' RETURNING ALL OLD *")
        self.assertEqual(answer["Items"], [item(pk="a", n=1)])
        self.assert_absent(self.name, item(pk="a"))

    def test_bad_statements_are_refused(self):
        for statement in ("", "SELECT", f"SELECT * FROM \"{self.name}\" WHERE", "DROP TABLE x", "SELECT * FROM x;;",
                          f"INSERT INTO \"{self.name}\" VALUE {{'n': 1}}", f"DELETE FROM \"{self.name}\"",
                          f"UPDATE \"{self.name}\" SET n = 1", f"SELECT * FROM \"{self.name}\" WHERE pk = ?"):
            with self.subTest(statement=statement), self.fails("ValidationException"):
                self.run_statement(statement)
        with self.fails("ResourceNotFoundException"):
            self.run_statement("SELECT * FROM \"no-such-table\" WHERE pk = 'a'")


class Many(PartiqlTest):
    def setUp(self):
        self.name = self.table()

    def test_batch_answers_each_statement_on_its_own(self):
        self.put(self.name, item(pk="a", n=1))
        answer = self.db.batch_execute_statement(Statements=[
            {"Statement": f"SELECT * FROM \"{self.name}\" WHERE pk = 'a'"},
            {"Statement": f"SELECT * FROM \"{self.name}\" WHERE pk = ?", "Parameters": [value("nobody")]},
            {"Statement": "SELECT * FROM \"no-such-table\" WHERE pk = 'a'"}])
        first, second, third = answer["Responses"]
        self.assertEqual(first["Item"], item(pk="a", n=1))
        self.assertNotIn("Item", second)
        self.assertEqual(third["Error"]["Code"], "ResourceNotFound")

    def test_transaction_is_all_or_nothing(self):
        self.put(self.name, item(pk="a", n=1))
        insert = {"Statement": f"INSERT INTO \"{self.name}\" VALUE {{'pk': 'b'}}"}
        with self.fails("TransactionCanceledException") as failure:
            self.db.execute_transaction(TransactStatements=[
                insert, {"Statement": f"UPDATE \"{self.name}\" SET n = 2 WHERE pk = 'a' AND n = 9"}])
        self.assertEqual([r["Code"] for r in failure.body["CancellationReasons"]],
                         ["None", "ConditionalCheckFailed"])
        self.assert_absent(self.name, item(pk="b"))
        self.db.execute_transaction(TransactStatements=[
            insert, {"Statement": f"UPDATE \"{self.name}\" SET n = 2 WHERE pk = 'a' AND n = 1"}])
        self.assertEqual(self.get(self.name, item(pk="a"))["n"], value(2))
        self.assertIsNotNone(self.get(self.name, item(pk="b")))

    def test_transaction_of_reads(self):
        self.put(self.name, item(pk="a", n=1))
        answer = self.db.execute_transaction(TransactStatements=[
            {"Statement": f"SELECT * FROM \"{self.name}\" WHERE pk = 'a'"},
            {"Statement": f"SELECT * FROM \"{self.name}\" WHERE pk = 'nobody'"}])
        self.assertEqual(answer["Responses"], [{"Item": item(pk="a", n=1)}, {}])

    def test_reads_and_writes_do_not_mix(self):
        with self.fails("ValidationException"):
            self.db.execute_transaction(TransactStatements=[
                {"Statement": f"SELECT * FROM \"{self.name}\" WHERE pk = 'a'"},
                {"Statement": f"INSERT INTO \"{self.name}\" VALUE {{'pk': 'b'}}"}])
        self.assert_absent(self.name, item(pk="b"))

    def test_empty_lists_are_refused(self):
        with self.fails("ValidationException"):
            self.db.batch_execute_statement(Statements=[])
        with self.fails("ValidationException"):
            self.db.execute_transaction(TransactStatements=[])
