"""`cairn verify --apps`: says nothing of what was made through the API, and finds what was broken behind its back."""

import unittest

from calendar_case import REMINDERS, CalendarTest
from case import JOB_SHARDS, TABLE, CairnServer, binary_from_environment


class VerifyReminders(CalendarTest):
    is_clean = False

    def check(self):
        """The server is down for it."""
        self.assertEqual(self.server.terminate(), 0)
        done = self.server.command("verify", "--apps", "--data", self.server.data)
        self.server.start()
        for user in self._users.values():
            user.hang_up()
        return done.code, [line for line in done.stdout.splitlines() if line.startswith("finding: ")], done.stdout

    def remove(self, table, partition, sort):
        self.dynamodb().delete_item(TableName=table, Key={"PK": {"S": partition}, "SK": {"S": sort}})

    def remove_job(self, reminder):
        for shard in JOB_SHARDS:
            page = self.dynamodb().query(TableName="CairnJobs", KeyConditionExpression="PK = :p", ConsistentRead=True,
                                         ExpressionAttributeValues={":p": {"S": f"JOB#{shard:02}"}})
            for item in page["Items"]:
                if item["SK"]["S"].endswith(f"#nexus-fire:{reminder['reminderId']}"):
                    self.remove("CairnJobs", item["PK"]["S"], item["SK"]["S"])
                    return
        self.fail("the reminder has no job")

    def test_finds_what_was_broken(self):
        ada, eve = self.user("ada"), self.user("eve")
        gone = self.timed(ada, "gone", 3, reminderMinutes=[10])
        self.timed(ada, "stays", 3, reminderMinutes=[10])
        task = ada.task("due", dueUtc=f"{gone['startUtc'][:10]}T12:00:00Z")
        ada.made(REMINDERS, {"taskId": task["taskId"], "minutesBefore": 5})
        silent = eve.made(REMINDERS, {"title": "silent", "triggerUtc": gone["startUtc"]})
        broken = self.series(eve, "FREQ=DAILY;COUNT=9", 2, "broken", reminderMinutes=[30])
        next_one, = [one for one in eve.pages(REMINDERS) if one.get("masterId") == broken["id"]]
        code, findings, told = self.check()
        self.assertEqual((code, findings), (0, []), told)
        self.assertIn("2 users with reminders or series, 5 reminders wait: no findings", told)

        self.remove(TABLE, "USER#ada", f"EVENT#{gone['id']}")
        self.remove_job(silent)
        self.remove(TABLE, "USER#eve", f"REMINDER#{next_one['reminderId']}")
        code, findings, told = self.check()
        self.assertEqual((code, len(findings)), (1, 3), told)
        for part in ("user ada: reminder ", "waits for what is gone", f"user eve: reminder {silent['reminderId']}",
                     "has no job at its moment", f"user eve: series {broken['id']} (broken) has no reminder of"):
            self.assertEqual(len([line for line in findings if part in line]), 1, (part, told))

    def test_directories_without_applications(self):
        with CairnServer(binary_from_environment()) as bare:
            self.assertEqual(bare.terminate(), 0)
            self.assertEqual(bare.command("verify", "--data", bare.data).code, 0)
            done = bare.command("verify", "--apps", "--data", bare.data)
            self.assertEqual(done.code, 2, done)
            self.assertIn("no applications were served from here", done.stderr)
        self.assertIn("--apps", self.server.command("verify", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
