"""UpdateTable adds and removes global indexes while the table is being written."""

import threading

from case import ProtocolTest
from tables import definitions, gsi, item, key_schema, plain, values
from wait import wait_until


class Backfill(ProtocolTest):
    def add_index(self, name, index, keys, projection="ALL"):
        create = {"IndexName": index, "KeySchema": key_schema(keys), "Projection": {"ProjectionType": projection}}
        return self.db.update_table(TableName=name, AttributeDefinitions=definitions("pk:S", keys),
                                    GlobalSecondaryIndexUpdates=[{"Create": create}])

    def rows(self, name, index):
        return {plain(row)["pk"]: plain(row)
                for row in self.all_items(self.db.scan, TableName=name, IndexName=index)}

    def test_existing_items_appear_in_the_new_index(self):
        name = self.table()
        self.put_many(name, [item(pk=str(n), a=f"g{n % 3}") if n % 2 else item(pk=str(n)) for n in range(300)])
        answer = self.add_index(name, "late", "a:S")
        status = answer["TableDescription"]["GlobalSecondaryIndexes"][0]["IndexStatus"]
        self.assertIn(status, ("CREATING", "ACTIVE"))
        self.wait_active(name)
        self.assertEqual(set(self.rows(name, "late")), {str(n) for n in range(300) if n % 2})
        found = self.db.query(TableName=name, IndexName="late", KeyConditionExpression="a = :a",
                              ExpressionAttributeValues=values(a="g1"))
        self.assertEqual(found["Count"], 50)

    def test_items_of_the_wrong_type_are_left_out(self):
        name = self.table()
        self.put(name, item(pk="text", a="x"), item(pk="number", a=1), item(pk="list", a=[1]))
        self.add_index(name, "late", "a:S")
        self.wait_active(name)
        self.assertEqual(set(self.rows(name, "late")), {"text"})

    def test_writes_during_the_backfill_are_neither_lost_nor_doubled(self):
        name = self.table()
        self.put_many(name, [item(pk=f"{n:04}", a="old", n=n) for n in range(2000)])
        stop = threading.Event()
        written, failures = {}, []

        def write(part):
            number = part
            try:
                while not stop.is_set():
                    pk = f"{number % 2000:04}"
                    if number % 7 == 0:
                        self.db.delete_item(TableName=name, Key=item(pk=pk))
                        written[pk] = None
                    else:
                        self.put(name, item(pk=pk, a=f"new{number % 5}", n=number))
                        written[pk] = number
                    number += 4
            except Exception as error:  # pylint: disable=broad-except
                failures.append(error)

        writers = [threading.Thread(target=write, args=(part,)) for part in range(4)]
        for writer in writers:
            writer.start()
        try:
            wait_until(lambda: len(written) > 50 or failures, 30, "writers to start")
            self.add_index(name, "late", "a:S")
            self.wait_active(name)
            here = len(written)
            wait_until(lambda: len(written) > here + 50 or len(written) >= 1990 or failures, 30, "writers to go on")
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        self.assertEqual(failures, [])
        table = {plain(one)["pk"]: plain(one) for one in self.all_items(self.db.scan, TableName=name)}
        self.assertEqual(self.rows(name, "late"), table)
        for pk, number in written.items():
            self.assertEqual(table[pk]["n"] if pk in table else None, number)

    def test_removed_index_is_gone_and_can_be_made_anew_with_other_keys(self):
        name = self.table("pk:S", gsi("late", "a:S"))
        self.put(name, item(pk="p", a="x", b=1))
        self.db.update_table(TableName=name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "late"}}])
        wait_until(lambda: "GlobalSecondaryIndexes" not in self.describe(name), 30, "the index to go")
        with self.fails("ValidationException", "The table does not have the specified index: late"):
            self.db.scan(TableName=name, IndexName="late")
        self.put(name, item(pk="q", a=7, b=2))
        self.add_index(name, "late", "b:N")
        self.wait_active(name)
        self.assertEqual(set(self.rows(name, "late")), {"p", "q"})

    def test_index_of_a_taken_name_is_refused(self):
        name = self.table("pk:S", gsi("taken", "a:S"))
        with self.fails("ValidationException"):
            self.add_index(name, "taken", "b:S")

    def test_undefined_key_attribute_is_refused(self):
        name = self.table()
        with self.fails("ValidationException"):
            self.db.update_table(TableName=name, GlobalSecondaryIndexUpdates=[
                {"Create": {"IndexName": "late", "KeySchema": key_schema("a:S"),
                            "Projection": {"ProjectionType": "ALL"}}}])
