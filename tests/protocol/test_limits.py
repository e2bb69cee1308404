"""Every limit as a pair: the largest passes, one more fails and nothing is written."""

import uuid

import endpoint
from case import ProtocolTest
from tables import gsi, item, lsi, table_definition, value, values

KB = 1024
ITEM_BYTES_MAX = 400 * KB


class ItemSize(ProtocolTest):
    # An item's size is the bytes of its names and values: "pk" + "k" + "f" + the filler.
    FILLER_MAX = ITEM_BYTES_MAX - 4

    def test_put_at_400_kb(self):
        name = self.table()
        self.put(name, item(pk="k", f="x" * self.FILLER_MAX))
        self.assertEqual(len(self.get(name, item(pk="k"))["f"]["S"]), self.FILLER_MAX)
        with self.fails("ValidationException", "Item size has exceeded the maximum allowed size"):
            self.put(name, item(pk="l", f="x" * (self.FILLER_MAX + 1)))
        self.assert_absent(name, item(pk="l"))

    def test_update_at_400_kb(self):
        name = self.table()
        self.put(name, item(pk="k", f="small"))
        update = {"TableName": name, "Key": item(pk="k"), "UpdateExpression": "SET f = :f"}
        with self.fails("ValidationException", "Item size to update has exceeded the maximum allowed size"):
            self.db.update_item(ExpressionAttributeValues=values(f="x" * (self.FILLER_MAX + 1)), **update)
        self.assertEqual(self.get(name, item(pk="k")), item(pk="k", f="small"))
        self.db.update_item(ExpressionAttributeValues=values(f="x" * self.FILLER_MAX), **update)

    def test_transaction_and_batch_put_at_400_kb(self):
        name = self.table()
        big = item(pk="k", f="x" * (self.FILLER_MAX + 1))
        with self.fails("ValidationException"):
            self.db.batch_write_item(RequestItems={name: [{"PutRequest": {"Item": big}}]})
        with self.fails("ValidationException"):
            self.db.transact_write_items(TransactItems=[{"Put": {"TableName": name, "Item": big}}])
        self.assert_absent(name, item(pk="k"))
        fits = item(pk="k", f="x" * self.FILLER_MAX)
        self.db.transact_write_items(TransactItems=[{"Put": {"TableName": name, "Item": fits}}])
        self.db.batch_write_item(RequestItems={name: [{"PutRequest": {"Item": fits}}]})

    def test_names_and_utf8_bytes_count(self):
        name = self.table()
        half = (ITEM_BYTES_MAX - 4) // 2
        self.put(name, item(pk="k", f="\u00e4" * half))
        with self.fails("ValidationException"):
            self.put(name, {**item(pk="l", f="\u00e4" * half), "n": {"NULL": True}})
        self.assert_absent(name, item(pk="l"))


class Keys(ProtocolTest):
    def test_partition_key_of_2048_bytes(self):
        name = self.table()
        self.put(name, item(pk="k" * 2048))
        self.assertIsNotNone(self.get(name, item(pk="k" * 2048)))
        with self.fails("ValidationException", "hashkey has exceeded the maximum size limit"):
            self.put(name, item(pk="k" * 2049))
        with self.fails("ValidationException"):
            self.get(name, item(pk="k" * 2049))
        self.assertEqual(self.db.scan(TableName=name, Select="COUNT")["Count"], 1)

    def test_sort_key_of_1024_bytes(self):
        name = self.table("pk:S sk:B")
        self.put(name, item(pk="p", sk=b"k" * 1024))
        self.assertIsNotNone(self.get(name, item(pk="p", sk=b"k" * 1024)))
        with self.fails("ValidationException", "has exceeded the size limit of 1024 bytes"):
            self.put(name, item(pk="p", sk=b"k" * 1025))
        self.assertEqual(self.db.scan(TableName=name, Select="COUNT")["Count"], 1)

    def test_index_keys_have_the_same_limits(self):
        name = self.table("pk:S", gsi("global", "a:S b:S"))
        self.put(name, item(pk="ok", a="k" * 2048, b="k" * 1024))
        for bad in (item(pk="bad", a="k" * 2049, b="x"), item(pk="bad", a="x", b="k" * 1025)):
            with self.fails("ValidationException"):
                self.put(name, bad)
        self.assert_absent(name, item(pk="bad"))


class Values(ProtocolTest):
    def nested(self, levels):
        inner = {"S": "leaf"}
        for level in range(levels):
            inner = {"L": [inner]} if level % 2 else {"M": {"m": inner}}
        return inner

    def test_nesting_of_32_levels(self):
        # The text at the bottom is a level too: 31 lists and maps around it make 32.
        name = self.table()
        self.put(name, {"pk": value("k"), "deep": self.nested(31)})
        self.assertEqual(self.get(name, item(pk="k"))["deep"], self.nested(31))
        for levels in (32, 33, 60):
            with self.subTest(levels=levels), self.fails("ValidationException"):
                self.put_deep(name, levels)
        self.assert_absent(name, item(pk="l"))

    def test_nesting_of_32_levels_by_update(self):
        name = self.table()
        self.put(name, {"pk": value("k"), "deep": self.nested(30), "wide": {"M": {}}})
        update = {"TableName": name, "Key": item(pk="k"), "UpdateExpression": "SET wide.below = deep"}
        self.db.update_item(**update)
        before = self.get(name, item(pk="k"))
        self.assertEqual(before["wide"]["M"]["below"], self.nested(30))
        update["UpdateExpression"] = "SET wide.below = wide"
        with self.fails("ValidationException"):
            self.db.update_item(**update)
        self.assertEqual(self.get(name, item(pk="k")), before)

    def test_nesting_of_32_levels_by_statement(self):
        name = self.table()
        for pk, levels in (("k", 31), ("l", 32)):
            text = "[" * levels + "'leaf'" + "]" * levels
            insert = f"INSERT INTO \"{name}\" VALUE {{'pk': '{pk}', 'deep': {text}}}"
            if levels == 31:
                self.db.execute_statement(Statement=insert)
            else:
                with self.fails("ValidationException"):
                    self.db.execute_statement(Statement=insert)
        self.assertIsNotNone(self.get(name, item(pk="k")))
        self.assert_absent(name, item(pk="l"))

    def put_deep(self, name, levels):
        """Written as text: Python's own JSON writer gives up at some depth."""
        text = '{"L":[' * levels + '{"S":"x"}' + "]}" * levels
        body = f'{{"TableName":"{name}","Item":{{"pk":{{"S":"l"}},"deep":{text}}}}}'.encode()
        reply = endpoint.send(self.url, body, endpoint.signed_headers(self.url, "PutItem", body))
        if reply.status != 200:
            raise endpoint.WireError(reply)

    def test_numbers_of_38_digits(self):
        name = self.table()
        for digits in ("9" * 38, "0." + "1" * 38, "1" * 37 + ".5", "-" + "9" * 38):
            with self.subTest(digits=digits):
                self.put(name, {"pk": value("k"), "n": {"N": digits}})
        for digits in ("9" * 39, "1" * 38 + ".5"):
            with self.subTest(digits=digits), self.fails("ValidationException",
                                                         "more than 38 significant digits"):
                self.put(name, {"pk": value("l"), "n": {"N": digits}})
        self.assert_absent(name, item(pk="l"))

    def test_magnitudes(self):
        name = self.table()
        for number in ("9.9999999999999999999999999999999999999E+125", "1E-130", "-1E-130"):
            self.put(name, {"pk": value("k"), "n": {"N": number}})
        for number, text in (("1E+126", "Number overflow"), ("1E-131", "Number underflow"),
                             ("-1E+126", "Number overflow")):
            with self.subTest(number=number), self.fails("ValidationException", text):
                self.put(name, {"pk": value("l"), "n": {"N": number}})
        self.assert_absent(name, item(pk="l"))


    def test_zero_is_held_to_the_range_by_its_exponent(self):
        name = self.table()
        for number in ("0e125", "0.0e126", "0e-130", "0", "0.000", "-0e5"):
            self.put(name, {"pk": value("k"), "n": {"N": number}})
            self.assertEqual(self.get(name, item(pk="k")), item(pk="k", n=0))
        for number, text in (("0e126", "Number overflow"), ("-0e126", "Number overflow"), ("0e-131", "Number underflow"),
                             ("1e99999999999", "Number overflow"), ("1e-99999999999", "Number underflow"),
                             ("1e9223372036854775808", "cannot be converted to a numeric value")):
            with self.subTest(number=number), self.fails("ValidationException", text):
                self.put(name, {"pk": value("l"), "n": {"N": number}})
        self.assert_absent(name, item(pk="l"))


class Names(ProtocolTest):
    LONGEST = "n" * 65_535

    def uses(self, name):
        """Every way to name an attribute."""
        table, key = self.name, item(pk="k")
        yield "put", lambda: self.put(table, {**key, name: value(1)})
        yield "batch", lambda: self.db.batch_write_item(
            RequestItems={table: [{"PutRequest": {"Item": {**key, name: value(1)}}}]})
        yield "projection", lambda: self.get(table, key, ProjectionExpression="#n", ExpressionAttributeNames={"#n": name})
        yield "attributes to get", lambda: self.get(table, key, AttributesToGet=[name])
        yield "attribute updates", lambda: self.db.update_item(
            TableName=table, Key=key, AttributeUpdates={name: {"Value": value(2), "Action": "PUT"}})
        yield "update", lambda: self.db.update_item(
            TableName=table, Key=key, UpdateExpression="SET #n = :v", ExpressionAttributeNames={"#n": name},
            ExpressionAttributeValues=values(v=3))
        yield "condition", lambda: self.db.put_item(
            TableName=table, Item=key, ConditionExpression="attribute_not_exists(#n) OR #n = :v",
            ExpressionAttributeNames={"#n": name}, ExpressionAttributeValues=values(v=3))
        yield "expected", lambda: self.db.put_item(TableName=table, Item=key, Expected={
            name: {"ComparisonOperator": "NE", "AttributeValueList": [value(9)]}})
        yield "scan filter", lambda: self.db.scan(TableName=table, ScanFilter={name: {"ComparisonOperator": "NULL"}})

    def setUp(self):
        self.name = self.table()

    def test_of_65535_bytes(self):
        for what, use in self.uses(self.LONGEST):
            with self.subTest(what=what):
                use()
        for what, use in self.uses(self.LONGEST + "n"):
            with self.subTest(too_long=what), self.fails("ValidationException", "65536"):
                use()

    def test_empty(self):
        for what, use in self.uses(""):
            with self.subTest(what=what), self.fails("ValidationException", "Empty attribute name"):
                use()
        with self.fails("ValidationException", "Empty attribute name"):
            self.db.execute_statement(Statement=f"INSERT INTO \"{self.name}\" VALUE {{'pk': 'k', '': 1}}")
        self.put(self.name, item(pk="k", m={"": 1}))  # inside a map it may be


class Expressions(ProtocolTest):
    def test_paths_of_32_levels(self):
        name = self.table()
        self.put(name, item(pk="k"))
        for path in ("a" + ".b" * 31, "a" + "[0]" * 31):
            self.assertEqual(self.get(name, item(pk="k"), ProjectionExpression=path), {})
            with self.subTest(path=path), self.fails("ValidationException", "nesting levels: 33"):
                self.get(name, item(pk="k"), ProjectionExpression=path + "[0]")

    def test_length_of_4096_bytes(self):
        name = self.table()
        self.put(name, item(pk="k"))
        padded = "attribute_exists(pk)"
        padded += " " * (4096 - len(padded))
        self.db.put_item(TableName=name, Item=item(pk="k", n=1), ConditionExpression=padded)
        with self.fails("ValidationException", "Expression size has exceeded the maximum allowed size"):
            self.db.put_item(TableName=name, Item=item(pk="k", n=2), ConditionExpression=padded + " ")
        self.assertEqual(self.get(name, item(pk="k")), item(pk="k", n=1))

    def test_300_operators(self):
        name = self.table()
        for comparisons, passes in ((150, True), (151, False)):
            # n comparisons and n - 1 ORs
            condition = " OR ".join(["a = :v"] * comparisons)
            with self.subTest(comparisons=comparisons):
                put = {"TableName": name, "Item": item(pk="k", n=comparisons),
                       "ConditionExpression": condition,
                       "ExpressionAttributeValues": values(v=1)}
                if passes:
                    with self.fails("ConditionalCheckFailedException"):
                        self.db.put_item(**put)
                else:
                    with self.fails("ValidationException", "too many operators"):
                        self.db.put_item(**put)
        self.assert_absent(name, item(pk="k"))

    def test_deep_parentheses_do_not_hurt(self):
        name = self.table()
        for depth in (500, 1900):
            with self.subTest(depth=depth), self.fails("ValidationException"):
                self.db.put_item(TableName=name, Item=item(pk="k"),
                                 ConditionExpression="(" * depth + "attribute_exists(pk)" + ")" * depth)
        self.assert_absent(name, item(pk="k"))


class Batches(ProtocolTest):
    def test_25_writes(self):
        name = self.table()
        puts = [{"PutRequest": {"Item": item(pk=str(n))}} for n in range(26)]
        with self.fails("ValidationException", "less than or equal to 25"):
            self.db.batch_write_item(RequestItems={name: puts})
        self.assertEqual(self.db.scan(TableName=name)["Count"], 0)
        self.db.batch_write_item(RequestItems={name: puts[:25]})
        self.assertEqual(self.db.scan(TableName=name)["Count"], 25)

    def test_25_writes_over_two_tables(self):
        one, two = self.table(), self.table()
        puts = [{"PutRequest": {"Item": item(pk=str(n))}} for n in range(13)]
        with self.fails("ValidationException"):
            self.db.batch_write_item(RequestItems={one: puts, two: puts})
        self.assertEqual(self.db.scan(TableName=one)["Count"] + self.db.scan(TableName=two)["Count"], 0)

    def test_100_reads(self):
        name = self.table()
        keys = [item(pk=str(n)) for n in range(101)]
        self.db.batch_get_item(RequestItems={name: {"Keys": keys[:100]}})
        with self.fails("ValidationException"):
            self.db.batch_get_item(RequestItems={name: {"Keys": keys}})


class Transactions(ProtocolTest):
    def puts(self, name, count, filler=""):
        return [{"Put": {"TableName": name, "Item": item(pk=f"{n:03}", f=filler)}} for n in range(count)]

    def test_100_actions(self):
        name = self.table()
        with self.fails("ValidationException", "less than or equal to 100"):
            self.db.transact_write_items(TransactItems=self.puts(name, 101))
        self.assertEqual(self.db.scan(TableName=name)["Count"], 0)
        self.db.transact_write_items(TransactItems=self.puts(name, 100))
        self.assertEqual(self.db.scan(TableName=name)["Count"], 100)
        gets = [{"Get": {"TableName": name, "Key": item(pk=f"{n:03}")}} for n in range(101)]
        self.assertEqual(len(self.db.transact_get_items(TransactItems=gets[:100])["Responses"]), 100)
        with self.fails("ValidationException", "less than or equal to 100"):
            self.db.transact_get_items(TransactItems=gets)

    def test_4_mb(self):
        name = self.table()
        # Eleven items of 372 KB are just below 4 MB, eleven of 373 KB above it.
        self.db.transact_write_items(TransactItems=self.puts(name, 11, "x" * (372 * KB)))
        with self.fails("ValidationException"):
            self.db.transact_write_items(TransactItems=self.puts(name, 11, "y" * (373 * KB)))
        self.assertTrue(all(one["f"]["S"][0] == "x" for one in self.all_items(self.db.scan, TableName=name)))

    def test_token_of_36_characters(self):
        name = self.table()
        token = str(uuid.uuid4())
        self.assertEqual(len(token), 36)
        self.db.transact_write_items(TransactItems=self.puts(name, 1), ClientRequestToken=token)
        with self.fails("ValidationException", "clientRequestToken"):
            self.db.transact_write_items(TransactItems=self.puts(name, 2), ClientRequestToken=token + "x")
        self.assertEqual(self.db.scan(TableName=name)["Count"], 1)


class Tables(ProtocolTest):
    def test_names_of_3_to_255_characters(self):
        for length in (3, 255):
            name = self.table(name=("n" * 255)[:length])
            self.assertEqual(self.describe(name)["TableName"], name)
        for bad in ("nn", "n" * 256, "", "with space", "slash/ed", "\u00fcmlaut"):
            with self.subTest(name=bad), self.fails("ValidationException"):
                self.db.create_table(**table_definition(bad, "pk:S"))

    def test_20_global_indexes(self):
        indexes = [gsi(f"index-{n}", f"a{n}:S") for n in range(21)]
        with self.fails("ValidationException"):
            self.db.create_table(**table_definition(self.new_name(), "pk:S", *indexes))
        name = self.table("pk:S", *indexes[:20])
        self.put(name, item(pk="k", **{f"a{n}": "x" for n in range(20)}))
        for n in range(20):
            self.assertEqual(self.db.scan(TableName=name, IndexName=f"index-{n}")["Count"], 1)

    def test_5_local_indexes(self):
        indexes = [lsi(f"index-{n}", f"pk:S a{n}:S") for n in range(6)]
        with self.fails("ValidationException"):
            self.db.create_table(**table_definition(self.new_name(), "pk:S sk:S", *indexes))
        self.table("pk:S sk:S", *indexes[:5])
