"""Scan: every item exactly once, alone or in parallel segments, with filters, limits and pages."""

import concurrent.futures

from case import ProtocolTest
from tables import gsi, item, plain, values


class Coverage(ProtocolTest):
    def setUp(self):
        self.name = self.table("pk:S sk:N", gsi("by-color", "color:S"))
        self.items = [item(pk=f"p{n % 40}", sk=n, color="red" if n % 3 else "blue") for n in range(200)]
        self.put_many(self.name, self.items)

    def numbers(self, items):
        return sorted(int(plain(one)["sk"]) for one in items)

    def test_pages_cover_every_item_once(self):
        for limit in (1, 7, 200, 201):
            with self.subTest(limit=limit):
                found = self.all_items(self.db.scan, TableName=self.name, Limit=limit)
                self.assertEqual(self.numbers(found), list(range(200)))

    def test_parallel_segments_cover_every_item_once(self):
        for total in (1, 2, 3, 8, 100):
            def segment(number, total=total):
                return self.all_items(self.db.scan, TableName=self.name, Segment=number, TotalSegments=total, Limit=9)
            with self.subTest(total=total), concurrent.futures.ThreadPoolExecutor(8) as pool:
                found = [one for part in pool.map(segment, range(total)) for one in part]
                self.assertEqual(self.numbers(found), list(range(200)))

    def test_several_segments_have_a_share(self):
        shares = [len(self.all_items(self.db.scan, TableName=self.name, Segment=n, TotalSegments=4)) for n in range(4)]
        self.assertGreater(sum(share > 0 for share in shares), 1, shares)

    def test_index_scan_covers_every_row_once(self):
        found = self.all_items(self.db.scan, TableName=self.name, IndexName="by-color", Limit=13)
        self.assertEqual(self.numbers(found), list(range(200)))
        parts = [one for n in range(4) for one in self.all_items(
            self.db.scan, TableName=self.name, IndexName="by-color", Segment=n, TotalSegments=4, Limit=5)]
        self.assertEqual(self.numbers(parts), list(range(200)))

    def test_filter_and_count(self):
        pages = list(self.pages(self.db.scan, TableName=self.name, FilterExpression="color = :c AND sk < :n",
                                ExpressionAttributeValues=values(c="blue", n=100), Limit=30))
        self.assertEqual(sum(page["ScannedCount"] for page in pages), 200)
        self.assertEqual(sum(page["Count"] for page in pages), 34)
        answer = self.db.scan(TableName=self.name, Select="COUNT")
        self.assertEqual(answer["Count"], 200)
        self.assertNotIn("Items", answer)

    def test_items_of_a_partition_stay_together_and_in_order(self):
        found = [plain(one) for one in self.all_items(self.db.scan, TableName=self.name)]
        partitions = [one["pk"] for one in found]
        changes = sum(a != b for a, b in zip(partitions, partitions[1:]))
        self.assertEqual(changes, 39)
        for a, b in zip(found, found[1:]):
            if a["pk"] == b["pk"]:
                self.assertLess(a["sk"], b["sk"])

    def test_cursor_survives_deletion_of_its_item(self):
        first = self.db.scan(TableName=self.name, Limit=50)
        self.db.delete_item(TableName=self.name, Key=first["LastEvaluatedKey"])
        rest = self.all_items(self.db.scan, TableName=self.name, ExclusiveStartKey=first["LastEvaluatedKey"])
        self.assertEqual(self.numbers(first["Items"] + rest), list(range(200)))


class Pages(ProtocolTest):
    def test_a_page_ends_at_one_megabyte(self):
        name = self.table()
        for n in range(7):
            self.put(name, item(pk=str(n), filler="x" * 300_000))
        pages = list(self.pages(self.db.scan, TableName=name))
        self.assertEqual(sorted(one["pk"]["S"] for page in pages for one in page["Items"]), [str(n) for n in range(7)])
        self.assertGreater(len(pages), 1)
        for page in pages[:-1]:
            self.assertEqual(page["Count"], 4)  # the item that crosses it belongs to the page


class Refused(ProtocolTest):
    def test_segments_that_make_no_sense(self):
        name = self.table()
        rows = [({"Segment": 0}, "The TotalSegments parameter is required but was not present"),
                ({"TotalSegments": 2}, "The Segment parameter is required but was not present"),
                ({"Segment": 2, "TotalSegments": 2}, "Segment: 2 is not less than TotalSegments: 2"),
                ({"Segment": -1, "TotalSegments": 2}, "Member must have value greater than or equal to 0"),
                ({"Segment": 0, "TotalSegments": 0}, "Member must have value greater than or equal to 1"),
                ({"Segment": 0, "TotalSegments": 1_000_001}, "Member must have value less than or equal to 1000000")]
        for parameters, text in rows:
            with self.subTest(**parameters), self.fails("ValidationException", text):
                self.db.scan(TableName=name, **parameters)

    def test_limit_and_index(self):
        name = self.table()
        with self.fails("ValidationException", "Member must have value greater than or equal to 1"):
            self.db.scan(TableName=name, Limit=0)
        with self.fails("ValidationException", "The table does not have the specified index"):
            self.db.scan(TableName=name, IndexName="nowhere")

    def test_consistent_read_of_a_global_index(self):
        name = self.table("pk:S", gsi("global", "a:S"))
        with self.fails("ValidationException", "Consistent reads are not supported on global secondary indexes"):
            self.db.scan(TableName=name, IndexName="global", ConsistentRead=True)

    def test_cursor_of_another_shape(self):
        name = self.table("pk:S sk:N")
        for start in (item(pk="a"), item(pk="a", sk="x"), item(other="a", sk=1)):
            with self.subTest(start=start), self.fails("ValidationException"):
                self.db.scan(TableName=name, ExclusiveStartKey=start)
