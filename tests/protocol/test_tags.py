"""Tags on tables."""

from case import ProtocolTest
from tables import table_definition


class Tags(ProtocolTest):
    def setUp(self):
        self.arn = self.describe(self.table(Tags=[{"Key": "made", "Value": "here"}]))["TableArn"]

    def tags(self):
        found, token = {}, {}
        while True:
            page = self.db.list_tags_of_resource(ResourceArn=self.arn, **token)
            found.update((tag["Key"], tag["Value"]) for tag in page["Tags"])
            if "NextToken" not in page:
                return found
            token = {"NextToken": page["NextToken"]}

    def test_tags_are_added_replaced_and_removed(self):
        self.assertEqual(self.tags(), {"made": "here"})
        self.db.tag_resource(ResourceArn=self.arn, Tags=[{"Key": "made", "Value": "there"}, {"Key": "x", "Value": ""}])
        self.assertEqual(self.tags(), {"made": "there", "x": ""})
        self.db.untag_resource(ResourceArn=self.arn, TagKeys=["made", "never-there"])
        self.assertEqual(self.tags(), {"x": ""})

    def test_many_tags_are_all_listed(self):
        self.db.tag_resource(ResourceArn=self.arn, Tags=[{"Key": f"k{n}", "Value": str(n)} for n in range(40)])
        self.assertEqual(len(self.tags()), 41)

    def test_more_than_fifty_are_refused(self):
        with self.fails("ValidationException"):
            self.db.tag_resource(ResourceArn=self.arn,
                                 Tags=[{"Key": f"k{n}", "Value": str(n)} for n in range(51)])
        self.assertEqual(self.tags(), {"made": "here"})

    def test_a_table_is_not_made_with_more_than_fifty(self):
        name = self.new_name()
        definition = table_definition(name, "pk:S", Tags=[{"Key": f"k{n}", "Value": ""} for n in range(51)])
        with self.fails("ValidationException"):
            self.call("CreateTable", **definition)
        with self.fails("ResourceNotFoundException"):
            self.describe(name)

    def test_characters(self):
        for text in ("hi!", "d%g", '"hello"', "a\\b", "<>", "#", "\u2603", "smile\U0001f600", "a,b", "tab\u0007"):
            for tag in ({"Key": text, "Value": "v"}, {"Key": "k", "Value": text}):
                with self.subTest(tag=tag), self.fails("ValidationException"):
                    self.db.tag_resource(ResourceArn=self.arn, Tags=[tag])
            with self.subTest(text=text), self.fails("ValidationException"):
                self.call("CreateTable", **table_definition(self.new_name(), "pk:S", Tags=[{"Key": text, "Value": ""}]))
        self.assertEqual(self.tags(), {"made": "here"})
        allowed = {"a b": "_.:/=+-@", "законные буквы": "ѮѮ", "鍵": "値 9", "é": "٣", "x" * 128: "א" * 256}
        self.db.tag_resource(ResourceArn=self.arn, Tags=[{"Key": k, "Value": v} for k, v in allowed.items()])
        self.assertEqual(self.tags(), {"made": "here", **allowed})

    def test_bad_arns_are_refused(self):
        with self.fails("ValidationException"):
            self.db.tag_resource(ResourceArn="not-an-arn", Tags=[{"Key": "a", "Value": "b"}])
        missing = self.arn.rpartition("/")[0] + "/no-such-table"
        with self.fails("ResourceNotFoundException"):
            self.db.tag_resource(ResourceArn=missing, Tags=[{"Key": "a", "Value": "b"}])
