"""Differences in which the other implementation departs from DynamoDB, each with the reason why it is not Cairn.

A difference that no entry explains is a fault of Cairn until somebody has found out what DynamoDB does.
"""

READ_ASPECTS = ("Items", "Count", "ScannedCount", "ConsumedCapacity")


def spoiled(*names):
    return lambda difference: difference.spoiler in names


def aspects(*names):
    return lambda difference: difference.aspect in names and not difference.spoiler


def both(*conditions):
    return lambda difference: all(condition(difference) for condition in conditions)


def operation(*names):
    return lambda difference: difference.operation in names


# What an update with nothing but REMOVE and DELETE says, and what of it shows.

def only_removes(request):
    words = request.get("UpdateExpression", "").split()
    return bool(words) and not {"SET", "ADD"} & set(words)


def item_made_by_removing(difference):
    if difference.aspect == "stored item":
        return difference.ours == {} and set(dict(difference.theirs.get("Item", []))) <= {"pk", "sk"}
    return difference.aspect in ("Attributes", "ConsumedCapacity") and only_removes(difference.request)


def removing_in_transaction(difference):
    updates = [one["Update"] for one in difference.request.get("TransactItems", []) if "Update" in one]
    return any(map(only_removes, updates)) and (difference.aspect == "ConsumedCapacity" or
                                                item_made_by_removing(difference))


def old_image_of_nothing(difference):
    return (difference.aspect == "Attributes" and difference.request.get("ReturnValues") == "ALL_OLD" and
            difference.ours is None and set(dict(difference.theirs)) <= {"pk", "sk"})


def begins_with_key(difference):
    return "begins_with" in difference.request.get("KeyConditionExpression", "") and difference.aspect in READ_ASPECTS


def double_negation(difference):
    return any("NOT NOT" in difference.request.get(name, "") for name in ("ConditionExpression", "FilterExpression"))


def compares_content(difference):
    """Lists, maps, empty text and sizes: what JavaScript's own comparison gets wrong."""
    texts = " ".join(difference.request.get(name, "") for name in ("ConditionExpression", "FilterExpression"))
    operands = difference.request.get("ExpressionAttributeValues", {}).values()
    return not difference.spoiler and ("size(" in texts or any(
        "L" in operand or "M" in operand or operand.get("S") == "" for operand in operands))


def beyond_the_basic_plane(difference):
    return any(isinstance(value.get("S"), str) and any(ord(c) > 0xFFFF for c in value["S"])
               for value in difference.request.get("ExpressionAttributeValues", {}).values())


REMOVING = "an update that only removes makes no item (DynamoDB's behaviour is recorded in scylladb/scylladb#5862)"

KNOWN = {
    "dynoxide": [
        (REMOVING, both(operation("update_item"), item_made_by_removing)),
        (REMOVING, removing_in_transaction),
        ("ALL_OLD of an item that was not there is nothing, not its key", old_image_of_nothing),
        ("a start key that equals the only item of a partition ends the pages; dynoxide begins anew", aspects("pages")),
        ("begins_with takes the keys with that beginning; dynoxide also takes the first key after them",
         begins_with_key),
        ("an entry of a transaction holds one action; dynoxide takes one of two", spoiled("two actions in one entry")),
        ("expressions are checked before the item is looked at; dynoxide evaluates and compares what it finds",
         spoiled("less than a boolean", "a value compared with itself", "attribute_type of no type",
                 "a value that no expression uses", "a name that no expression uses", "a value that is not defined",
                 "BETWEEN two types", "BETWEEN the wrong way round")),
        ("a limit below one is a ValidationException", spoiled("a limit of less than one")),
    ],
    "dynalite": [
        ("dynalite has no transactions", operation("transact_write_items", "transact_get_items")),
        ("writes and reads of indexes cost capacity, and so does an empty page", aspects("ConsumedCapacity")),
        (REMOVING, both(operation("update_item"), item_made_by_removing)),
        ("NOT may stand before any condition, so twice in a row, too (DynamoDB's grammar of conditions)",
         double_negation),
        ("text is ordered by its UTF-8 bytes; dynalite compares UTF-16", beyond_the_basic_plane),
        ("lists and maps are equal by content, and empty text is a value with a size", compares_content),
        ("consistent reads of global indexes are refused", spoiled("a consistent read of a global index")),
        ("comparisons by order take text, numbers and binary only", spoiled("less than a boolean")),
        ("items have 32 levels at most", spoiled("more than 32 levels")),
        ("DeleteItem and PutItem return ALL_OLD or nothing", spoiled("ReturnValues that only an update has")),
        ("Segment and TotalSegments come together", spoiled("segments that do not fit")),
        ("SPECIFIC_ATTRIBUTES needs a projection", spoiled("Select that does not fit")),
    ],
}


def reason_for(peer, difference):
    return next((reason for reason, holds in KNOWN[peer] if holds(difference)), None)
