"""scan-cost: a Scan that finds nothing reads a page at a time and keeps nobody waiting."""

import threading

from case import SecurityTest, TABLE, put
from tables import item, values

ITEM_BYTES = 200_000
PAGE_BYTES_MAX = 1 << 20


class ScanCost(SecurityTest):
    rss_mb_max = 400  # the memtables and the cache of blocks hold what was written

    def fill(self, megabytes):
        for n in range(megabytes // 4):
            puts = [{"PutRequest": {"Item": item(pk=f"{n}-{i}", f="x" * ITEM_BYTES)}} for i in range(20)]
            self.ordinary("BatchWriteItem", {"RequestItems": {TABLE: puts}}, seconds=30)
        return megabytes // 4 * 20

    def pages(self):
        """A whole Scan whose filter matches nothing: how many items each page has read."""
        request = {"TableName": TABLE, "FilterExpression": "absent = :v", "ExpressionAttributeValues": values(v=1)}
        while True:
            page = self.ordinary("Scan", request)
            self.assertEqual((page["Count"], page["Items"]), (0, []))
            yield page["ScannedCount"]
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def test_pages_are_small_and_writers_go_on(self):
        total = self.fill(self.fewer_when_sanitized(100, 24))
        scanned = list(self.pages())
        self.assertEqual(sum(scanned), total)
        self.assertLessEqual(max(scanned), PAGE_BYTES_MAX // ITEM_BYTES + 1)

        failures = []
        scanners = [threading.Thread(target=self.scan_to_the_end, args=(failures,)) for _ in range(4)]
        for scanner in scanners:
            scanner.start()
        written = 0
        while any(scanner.is_alive() for scanner in scanners):
            self.ordinary("PutItem", put("written", n=written))  # each within the usual 2 seconds
            written += 1
        for scanner in scanners:
            scanner.join()
        self.assertEqual(failures, [])
        self.assertGreater(written, 0)
        self.check_unharmed()

    def scan_to_the_end(self, failures):
        try:
            list(self.pages())
        except AssertionError as failure:
            failures.append(failure)
