"""Ways to make a good request one that DynamoDB refuses. Each changes a copy and says what it did."""

LONG_NUMBER = "1234567890123456789012345678901234567890"  # 40 digits
SPOILERS = {}  # operation -> [(name, function)]

SINGLE_WRITES = ("put_item", "update_item", "delete_item")
KEYED = ("get_item", "update_item", "delete_item")
PAGED = ("query", "scan")
EXPRESSIONS = ("ConditionExpression", "UpdateExpression", "FilterExpression", "KeyConditionExpression",
               "ProjectionExpression")


def spoils(*operations):
    def register(function):
        for operation in operations:
            SPOILERS.setdefault(operation, []).append((function.__doc__, function))
        return function
    return register


def spoil(operation, request, tables, random):
    """Spoils `request`; the name of what was done, or None if the drawn way does not fit it."""
    name, function = random.choice(SPOILERS[operation])
    return name if function(request, tables, random) is not False else None


def expressions(request):
    return [name for name in EXPRESSIONS if name in request]


# Tables and keys

@spoils(*SINGLE_WRITES, *PAGED, "get_item")
def unknown_table(request, tables, random):
    """a table that does not exist"""
    request["TableName"] = "no-such-table"


@spoils(*SINGLE_WRITES, *PAGED, "get_item")
def short_table_name(request, tables, random):
    """a table name of no allowed form"""
    request["TableName"] = random.choice(["", "a b!"])


@spoils(*KEYED)
def key_lacks_attribute(request, tables, random):
    """a key that lacks an attribute"""
    request["Key"].pop(random.choice(list(request["Key"])))


@spoils(*KEYED)
def key_has_more(request, tables, random):
    """a key with an attribute too many"""
    request["Key"]["surplus"] = {"S": "x"}


@spoils(*KEYED)
def key_of_wrong_type(request, tables, random):
    """a key of the wrong type"""
    request["Key"][random.choice(list(request["Key"]))] = {"BOOL": True}


@spoils("put_item")
def item_lacks_key(request, tables, random):
    """an item without its key"""
    request["Item"].pop(random.choice(tables[request["TableName"]].key_names()))


@spoils("put_item")
def item_key_of_wrong_type(request, tables, random):
    """an item whose key has the wrong type"""
    request["Item"][random.choice(tables[request["TableName"]].key_names())] = {"L": []}


@spoils(*KEYED)
def empty_key(request, tables, random):
    """an empty key value"""
    table = tables[request["TableName"]]
    name, kind = random.choice(table.keys())
    if kind == "N":
        return False
    request["Key"][name] = {kind: "" if kind == "S" else b""}


@spoils(*KEYED)
def long_key(request, tables, random):
    """a key value that is too long"""
    table = tables[request["TableName"]]
    if not table.sort or table.sort[1] != "S":
        return False
    request["Key"][table.sort[0]] = {"S": "x" * 1025}


# Values

BAD_VALUES = {
    "a number of 40 digits": {"N": LONG_NUMBER}, "a number that is none": {"N": "one"}, "an empty number": {"N": ""},
    "a number that is too large": {"N": "1e126"}, "a number that is too small": {"N": "1e-131"},
    "an empty set": {"SS": []}, "a set with an element twice": {"NS": ["1", "1.0"]},
    "a set of text with an element twice": {"SS": ["a", "a"]}, "a set with a bad number": {"NS": ["1", "x"]},
    "a null that is false": {"NULL": False}, "a value of no type": {}, "a value of two types": {"S": "x", "N": "1"},
}


def _bad_value(name, value):
    def function(request, tables, random):
        if "Item" in request:
            request["Item"][random.choice(["extra", "n"])] = value
        elif request.get("ExpressionAttributeValues"):
            request["ExpressionAttributeValues"][random.choice(list(request["ExpressionAttributeValues"]))] = value
        else:
            return False
        return True
    function.__doc__ = name
    return function


for _name, _value in BAD_VALUES.items():
    spoils("put_item", "update_item", "query")(_bad_value(_name, _value))


@spoils("put_item")
def large_item(request, tables, random):
    """an item of more than 400 KB"""
    request["Item"]["large"] = {"S": "x" * (400 * 1024)}


@spoils("put_item")
def deep_item(request, tables, random):
    """more than 32 levels"""
    value = {"S": "x"}
    for _ in range(33):
        value = {"L": [value]}
    request["Item"]["deep"] = value


# Expressions

@spoils(*SINGLE_WRITES, *PAGED)
def unused_value(request, tables, random):
    """a value that no expression uses"""
    if not expressions(request):
        return False
    request.setdefault("ExpressionAttributeValues", {})[":unused"] = {"S": "x"}


@spoils(*SINGLE_WRITES, *PAGED, "get_item")
def unused_name(request, tables, random):
    """a name that no expression uses"""
    if not expressions(request):
        return False
    request.setdefault("ExpressionAttributeNames", {})["#unused"] = "x"


@spoils(*SINGLE_WRITES, *PAGED, "get_item")
def names_without_expression(request, tables, random):
    """names without an expression"""
    if expressions(request):
        return False
    request["ExpressionAttributeNames"] = {"#x": "x"}


@spoils(*SINGLE_WRITES, *PAGED)
def undefined_value(request, tables, random):
    """a value that is not defined"""
    given = request.get("ExpressionAttributeValues")
    if not given:
        return False
    given.pop(random.choice(list(given)))
    if not given:
        request.pop("ExpressionAttributeValues")


@spoils(*SINGLE_WRITES, *PAGED, "get_item")
def undefined_name(request, tables, random):
    """a name that is not defined"""
    given = request.get("ExpressionAttributeNames")
    if not given:
        return False
    given.pop(random.choice(list(given)))
    if not given:
        request.pop("ExpressionAttributeNames")


@spoils(*SINGLE_WRITES, *PAGED, "get_item")
def broken_syntax(request, tables, random):
    """an expression that is cut off or goes on"""
    found = expressions(request)
    if not found:
        return False
    name = random.choice(found)
    request[name] = random.choice([request[name] + " AND", request[name] + " )", "( " + request[name], ""])


CONDITIONS = {
    "begins_with on a number": ("begins_with(a, :x)", {":x": {"N": "1"}}),
    "attribute_type of no type": ("attribute_type(a, :x)", {":x": {"S": "TEXT"}}),
    "BETWEEN the wrong way round": ("a BETWEEN :x AND :y", {":x": {"N": "2"}, ":y": {"N": "1"}}),
    "BETWEEN two types": ("a BETWEEN :x AND :y", {":x": {"N": "2"}, ":y": {"S": "3"}}),
    "less than a boolean": ("a < :x", {":x": {"BOOL": True}}),
    "a value compared with itself": ("a = a", None),
    "a reserved word": ("status = :x", {":x": {"S": "x"}}),
    "a function that does not exist": ("starts_with(a, :x)", {":x": {"S": "x"}}),
    "too few operands": ("begins_with(a)", None),
    "too many operands": ("attribute_exists(a, b)", None),
    "a function of a value": ("attribute_exists(:x)", {":x": {"S": "x"}}),
    "size alone": ("size(a)", None),
    "redundant parentheses": ("((a = :x))", {":x": {"S": "x"}}),
    "contains of the same path": ("contains(a, a)", None),
}


def _bad_condition(name, text, operands):
    def function(request, tables, random):
        parameter = "FilterExpression" if "KeyConditionExpression" in request else "ConditionExpression"
        for used in ("UpdateExpression", "ProjectionExpression"):
            if used in request:
                return False
        if parameter == "FilterExpression":
            request["ExpressionAttributeValues"].update(operands or {})
            if "FilterExpression" in request:
                return False
        else:
            request.pop("ExpressionAttributeNames", None)
            request.pop("ExpressionAttributeValues", None)
            if operands:
                request["ExpressionAttributeValues"] = operands
        request[parameter] = text
        return True
    function.__doc__ = name
    return function


for _name, (_text, _operands) in CONDITIONS.items():
    spoils("put_item", "delete_item", "query")(_bad_condition(_name, _text, _operands))


UPDATES = {
    "a path twice": ("SET x = :x, x = :x", {":x": {"N": "1"}}),
    "overlapping paths": ("SET x.y = :x REMOVE x", {":x": {"N": "1"}}),
    "a section twice": ("SET x = :x SET y = :x", {":x": {"N": "1"}}),
    "a change of the key": ("SET pk = :x", {":x": {"S": "1"}}),
    "ADD of text": ("ADD x :x", {":x": {"S": "1"}}),
    "DELETE of a number": ("DELETE x :x", {":x": {"N": "1"}}),
    "text added to text": ("SET x = :x + :x", {":x": {"S": "1"}}),
    "list_append of a number": ("SET x = list_append(:x, :x)", {":x": {"N": "1"}}),
    "an unknown attribute on the right": ("SET x = never_there", None),
    "a path into nothing": ("SET never_there.x = :x", {":x": {"N": "1"}}),
    "an unknown section": ("PUT x :x", {":x": {"N": "1"}}),
    "nothing to set": ("SET", None),
}


def _bad_update(name, text, operands):
    def function(request, tables, random):
        for parameter in ("ConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"):
            request.pop(parameter, None)
        request["UpdateExpression"] = text
        if operands:
            request["ExpressionAttributeValues"] = operands
        return True
    function.__doc__ = name
    return function


for _name, (_text, _operands) in UPDATES.items():
    spoils("update_item")(_bad_update(_name, _text, _operands))


# Options

@spoils(*SINGLE_WRITES)
def bad_return_values(request, tables, random):
    """ReturnValues that do not exist"""
    request["ReturnValues"] = random.choice(["SOMETIMES", "all_old"])


@spoils("put_item", "delete_item")
def return_values_of_update(request, tables, random):
    """ReturnValues that only an update has"""
    request["ReturnValues"] = random.choice(["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])


@spoils(*PAGED)
def bad_limit(request, tables, random):
    """a limit of less than one"""
    request["Limit"] = random.choice([0, -1])


@spoils(*PAGED)
def unknown_index(request, tables, random):
    """an index that does not exist"""
    request["IndexName"] = "no-such-index"


@spoils(*PAGED)
def consistent_global_index(request, tables, random):
    """a consistent read of a global index"""
    table = tables[request["TableName"]]
    if not any(i.name == request.get("IndexName") and not i.local for i in table.indexes):
        return False
    request["ConsistentRead"] = True


@spoils(*PAGED)
def bad_select(request, tables, random):
    """Select that does not fit"""
    request["Select"] = random.choice(["SPECIFIC_ATTRIBUTES", "EVERYTHING", "ALL_PROJECTED_ATTRIBUTES"])
    return not (request["Select"] == "ALL_PROJECTED_ATTRIBUTES" and "IndexName" in request)


@spoils(*PAGED)
def bad_start_key(request, tables, random):
    """a start key that is none"""
    request["ExclusiveStartKey"] = random.choice([{"pk": {"BOOL": True}}, {"other": {"S": "x"}}])


@spoils("scan")
def bad_segments(request, tables, random):
    """segments that do not fit"""
    request.pop("Segment", None)
    request.pop("TotalSegments", None)
    request.update(random.choice([{"Segment": 2, "TotalSegments": 2}, {"Segment": 0}, {"TotalSegments": 2},
                                  {"Segment": -1, "TotalSegments": 2}, {"Segment": 0, "TotalSegments": 0}]))


@spoils("query")
def filter_on_key(request, tables, random):
    """a filter on a key attribute"""
    if "FilterExpression" in request:
        return False
    table = tables[request["TableName"]]
    index = next((i for i in table.indexes if i.name == request.get("IndexName")), table)
    request["FilterExpression"] = f"attribute_exists({index.partition[0]})"


KEY_CONDITIONS = {
    "no condition on the partition key": "sk = :x", "OR between key conditions": "pk = :x OR sk = :x",
    "NOT in a key condition": "NOT pk = :x", "the partition key compared by order": "pk > :x",
    "a key condition with <>": "pk <> :x", "three key conditions": "pk = :x AND sk > :x AND sk < :x",
    "contains in a key condition": "pk = :x AND contains(sk, :x)", "a key condition on another attribute":
        "pk = :x AND other = :x", "IN in a key condition": "pk IN (:x)", "the value on the left": ":x = pk AND sk = pk",
}


def _bad_key_condition(name, text):
    def function(request, tables, random):
        if request["TableName"].rsplit("-", 1)[1] != "ss":
            return False
        for parameter in ("FilterExpression", "IndexName", "ExpressionAttributeNames"):
            request.pop(parameter, None)
        request["KeyConditionExpression"] = text
        request["ExpressionAttributeValues"] = {":x": {"S": "p"}}
        return True
    function.__doc__ = name
    return function


for _name, _text in KEY_CONDITIONS.items():
    spoils("query")(_bad_key_condition(_name, _text))


# Several items

@spoils("batch_write_item")
def batch_twice_the_same(request, tables, random):
    """the same item twice in a batch"""
    many = next(iter(request["RequestItems"].values()))
    many.append(many[0])


@spoils("batch_write_item", "batch_get_item")
def empty_batch(request, tables, random):
    """an empty batch"""
    request["RequestItems"] = {}


@spoils("batch_write_item", "batch_get_item")
def batch_of_unknown_table(request, tables, random):
    """a batch for a table that does not exist"""
    name = next(iter(request["RequestItems"]))
    request["RequestItems"]["no-such-table"] = request["RequestItems"][name]


@spoils("batch_write_item")
def large_batch(request, tables, random):
    """more than 25 writes in a batch"""
    name = next((name for name in request["RequestItems"] if name.endswith("-ss")), None)
    if name is None:
        return False
    request["RequestItems"] = {name: [{"PutRequest": {"Item": {"pk": {"S": "p"}, "sk": {"S": f"batch{n}"}}}}
                                      for n in range(26)]}


@spoils("batch_get_item")
def batch_get_twice(request, tables, random):
    """the same key twice in a batch"""
    keys = next(iter(request["RequestItems"].values()))["Keys"]
    keys.append(keys[0])


@spoils("transact_write_items", "transact_get_items")
def transact_twice_the_same(request, tables, random):
    """the same item twice in a transaction"""
    request["TransactItems"].append(request["TransactItems"][0])


@spoils("transact_write_items", "transact_get_items")
def empty_transaction(request, tables, random):
    """an empty transaction"""
    request["TransactItems"] = []


@spoils("transact_write_items", "transact_get_items")
def transaction_of_unknown_table(request, tables, random):
    """a transaction with a table that does not exist"""
    next(iter(request["TransactItems"][0].values()))["TableName"] = "no-such-table"


@spoils("transact_write_items")
def long_token(request, tables, random):
    """a client token that is too long"""
    request["ClientRequestToken"] = "x" * 37


@spoils("transact_write_items")
def two_actions_in_one(request, tables, random):
    """two actions in one entry"""
    first = request["TransactItems"][0]
    kind = "Delete" if "Delete" not in first else "Put"
    body = next(iter(first.values()))
    first[kind] = {"TableName": body["TableName"], "Key" if kind == "Delete" else "Item": body.get("Key", {})}
