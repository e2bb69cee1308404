"""expr-deep: expressions and statements that are deep, long or wide. All are answered; no stack overflows."""

from typing import NamedTuple

from case import SecurityTest, TABLE, put, wire
from tables import item, values

VALIDATION = "ValidationException"
KEPT = "kept"
EXISTS = "attribute_exists(pk)"
CHARACTERS_MAX = 4096


class Asked(NamedTuple):
    name: str
    operation: str
    parameters: dict
    status: int = 400
    code: str = VALIDATION


def condition(name, text, status=400, code=VALIDATION, **more):
    """A PutItem of the intruder under this condition."""
    return Asked(name, "PutItem", {**put("intruder"), "ConditionExpression": text, **more}, status, code)


def update(name, text, **more):
    return Asked(name, "UpdateItem", {"TableName": TABLE, "Key": item(pk="intruder"), "UpdateExpression": text, **more})


def projection(name, text, status=400, code=VALIDATION, **more):
    return Asked(name, "GetItem", {"TableName": TABLE, "Key": item(pk=KEPT), "ProjectionExpression": text, **more},
                 status, code)


def statement(name, text, status=400, code=VALIDATION):
    return Asked(name, "ExecuteStatement", {"Statement": text}, status, code)


def comparisons(count):
    """That many comparisons with one OR less."""
    return " OR ".join(["a=:v"] * count)


def of_length(characters):
    return EXISTS + " " * (characters - len(EXISTS))


FAILED = "ConditionalCheckFailedException"
ONE = {"ExpressionAttributeValues": values(v=1)}
SELECT = f'SELECT * FROM "{TABLE}" WHERE pk = \'nobody\' AND '

CASES = [
    condition("10,000 parentheses", "(" * 10_000 + EXISTS + ")" * 10_000),
    condition("1,900 parentheses", "(" * 1_900 + EXISTS + ")" * 1_900),
    condition("4,096 parentheses that open", "(" * 4_096),
    condition("4,096 parentheses that close", ")" * 4_096),
    condition("1,000 times NOT", "NOT " * 1_000 + EXISTS),
    condition("functions in functions", "size(" * 600 + "pk" + ")" * 600 + " = :v", **ONE),
    condition("299 operators", comparisons(150), code=FAILED, **ONE),
    condition("301 operators", comparisons(151), **ONE),
    condition("4,096 characters", of_length(CHARACTERS_MAX), code=FAILED),
    condition("4,097 characters", of_length(CHARACTERS_MAX + 1)),
    condition("1 MB", of_length(1 << 20)),
    condition("path of 1,300 indexes", "attribute_exists(a" + "[0]" * 1_300 + ")"),
    condition("path of 2,000 names", "attribute_exists(" + ".".join(["a"] * 2_000) + ")"),
    condition("index beyond 64 bits", f"attribute_exists(a[{'9' * 30}])"),
    condition("negative index", "attribute_exists(a[-1])"),
    condition("IN with 101 values", "a IN (" + ",".join([":v"] * 101) + ")", **ONE),
    condition("zero byte", "attribute_exists(a\0)"),
    condition("empty", ""),
    condition("placeholder of 300 characters", f"attribute_exists(#{'a' * 300})", code=FAILED,
              ExpressionAttributeNames={"#" + "a" * 300: "a"}),
    condition("name that is not defined", "attribute_exists(#a)"),
    condition("100,000 names that are not used", EXISTS,
              ExpressionAttributeNames={f"#n{n}": "a" for n in range(100_000)}),
    condition("name of 65,535 characters", "attribute_exists(#a)", code=FAILED,
              ExpressionAttributeNames={"#a": "a" * 65_535}),
    condition("name of 100,000 characters", "attribute_exists(#a)",
              ExpressionAttributeNames={"#a": "a" * 100_000}),
    update("sum of 1,000 values", "SET a = " + "+".join([":v"] * 1_000), **ONE),
    update("if_not_exists in itself", "SET a = " + "if_not_exists(b," * 250 + ":v" + ")" * 250, **ONE),
    update("list_append in itself", "SET a = " + "list_append(b," * 270 + ":v" + ")" * 270, **ONE),
    update("overlapping paths", "SET a[0] = :v, a = :v", **ONE),
    update("path of 1,300 indexes", "SET a" + "[0]" * 1_300 + " = :v", **ONE),
    projection("path of 1,300 indexes", "a" + "[0]" * 1_300),
    projection("path of 32 names", ".".join(["a"] * 32), 200, ""),
    projection("path of 33 names", ".".join(["a"] * 33)),
    projection("1,000 overlapping paths", ",".join(["a"] * 1_000)),
    projection("4,097 characters", "pk" + " " * (CHARACTERS_MAX - 1)),
    statement("10,000 parentheses", SELECT + "(" * 3_000 + "a = 1" + ")" * 3_000),
    statement("1,000 times NOT", SELECT + "NOT " * 1_000 + "a = 1"),
    statement("10,000 lists", f'INSERT INTO "{TABLE}" VALUE {{\'pk\':\'intruder\',\'a\':' + "[" * 3_000 + "]" * 3_000
              + "}"),
    statement("8,193 characters", SELECT + "a = 1" + " " * 8_192),
    statement("1 MB", SELECT + "a = '" + "x" * (1 << 20) + "'"),
    statement("text without an end", SELECT + "a = 'x"),
    statement("second statement behind a semicolon",
              f"SELECT * FROM \"{TABLE}\" WHERE pk='kept'; INSERT INTO \"{TABLE}\" VALUE {{'pk':'intruder'}}"),
]


class Expressions(SecurityTest):
    def test_expressions(self):
        self.ordinary("PutItem", put(KEPT))
        for case in CASES:
            with self.subTest(case.name, operation=case.operation):
                heard = wire.talk(self.port, self.request(case.operation, case.parameters).bytes(), answers=1)
                self.check_answer(heard, case.status, case.code)
                self.check_unharmed("intruder")
        self.assertEqual(self.stored(KEPT), item(pk=KEPT))
