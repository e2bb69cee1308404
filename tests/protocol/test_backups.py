"""On-demand backups: a restored table is the table as it was."""

from case import ProtocolTest
from tables import gsi, item, lsi
from wait import wait_until


class Backups(ProtocolTest):
    def backup(self, name, label="nightly"):
        arn = self.db.create_backup(TableName=name, BackupName=label)["BackupDetails"]["BackupArn"]
        self.addCleanup(self.forget, arn)
        wait_until(lambda: self.details(arn)["BackupStatus"] == "AVAILABLE", 30, "the backup")
        return arn

    def forget(self, arn):
        try:
            self.db.delete_backup(BackupArn=arn)
        except self.db.exceptions.BackupNotFoundException:
            pass

    def details(self, arn):
        return self.db.describe_backup(BackupArn=arn)["BackupDescription"]["BackupDetails"]

    def restore(self, arn, **more):
        target = self.new_name("restored")
        self.addCleanup(self.drop, target)
        self.db.restore_table_from_backup(BackupArn=arn, TargetTableName=target, **more)
        self.wait_active(target)
        return target

    def test_restored_table_has_the_items_and_indexes_of_that_moment(self):
        name = self.table("pk:S sk:N", gsi("by-a", "a:S"), lsi("by-b", "pk:S b:N"))
        items = [item(pk="p", sk=n, a=f"g{n % 4}", b=-n) for n in range(120)]
        self.put_many(name, items)
        arn = self.backup(name)
        self.put(name, item(pk="late", sk=1))
        self.db.delete_item(TableName=name, Key=item(pk="p", sk=0))
        target = self.restore(arn)
        self.assertCountEqual(self.all_items(self.db.scan, TableName=target), items)
        self.assertCountEqual(self.all_items(self.db.scan, TableName=target, IndexName="by-a"), items)
        self.assertCountEqual(self.all_items(self.db.scan, TableName=target, IndexName="by-b"), items)
        self.assertEqual(self.describe(target)["RestoreSummary"]["SourceBackupArn"], arn)

    def test_backup_outlives_its_table(self):
        name = self.table()
        self.put(name, item(pk="a"))
        arn = self.backup(name)
        self.db.delete_table(TableName=name)
        wait_until(lambda: name not in self.db.list_tables()["TableNames"], 30, "the table to go")
        target = self.restore(arn)
        self.assertEqual(self.db.scan(TableName=target)["Items"], [item(pk="a")])

    def test_restored_table_is_independent(self):
        name = self.table()
        self.put(name, item(pk="a", v=1))
        target = self.restore(self.backup(name))
        self.put(target, item(pk="a", v=2))
        self.assertEqual(self.get(name, item(pk="a")), item(pk="a", v=1))

    def test_backup_is_described_and_listed(self):
        name = self.table("pk:S", gsi("by-a", "a:S"))
        first, second = self.backup(name, "first"), self.backup(name, "second")
        description = self.db.describe_backup(BackupArn=first)["BackupDescription"]
        self.assertEqual(description["BackupDetails"]["BackupName"], "first")
        self.assertEqual(description["BackupDetails"]["BackupType"], "USER")
        self.assertEqual(description["SourceTableDetails"]["TableName"], name)
        self.assertEqual(description["SourceTableFeatureDetails"]["GlobalSecondaryIndexes"][0]["IndexName"], "by-a")
        listed = self.db.list_backups(TableName=name)["BackupSummaries"]
        self.assertCountEqual([b["BackupArn"] for b in listed], [first, second])
        page = self.db.list_backups(TableName=name, Limit=1)
        rest = self.db.list_backups(TableName=name, ExclusiveStartBackupArn=page["LastEvaluatedBackupArn"])
        self.assertCountEqual([b["BackupArn"] for b in page["BackupSummaries"] + rest["BackupSummaries"]],
                              [first, second])

    def test_deleted_backup_is_gone(self):
        name = self.table()
        arn = self.backup(name)
        answer = self.db.delete_backup(BackupArn=arn)
        self.assertEqual(answer["BackupDescription"]["BackupDetails"]["BackupStatus"], "DELETED")
        with self.fails("BackupNotFoundException"):
            self.db.describe_backup(BackupArn=arn)
        with self.fails("BackupNotFoundException"):
            self.db.restore_table_from_backup(BackupArn=arn, TargetTableName=self.new_name())
        self.assertEqual(self.db.list_backups(TableName=name)["BackupSummaries"], [])

    def test_refused_requests(self):
        name = self.table()
        arn = self.backup(name)
        with self.fails("TableAlreadyExistsException"):
            self.db.restore_table_from_backup(BackupArn=arn, TargetTableName=name)
        with self.fails("TableNotFoundException"):
            self.db.create_backup(TableName="no-such-table", BackupName="backup")
        with self.fails("ValidationException"):
            self.db.create_backup(TableName=name, BackupName="x")
