"""Answers of two endpoints made comparable: what has no order is sorted, what is only metadata is left out."""

from botocore.exceptions import BotoCoreError, ClientError

import values
from values import item_from_wire

ITEMS = ("Item", "Attributes", "LastEvaluatedKey")


class Outcome:
    """What one endpoint did with a request: an answer, or an error."""

    def __init__(self, send, request):
        self.answer = self.error = None
        try:
            self.answer = send(**request)
        except ClientError as error:
            self.error = error
        except BotoCoreError as error:
            self.error = ClientError({"Error": {"Code": "NoAnswer", "Message": type(error).__name__}}, "")

    def parts(self):
        """Aspect -> comparable value."""
        if self.error:
            body = self.error.response
            return {"error": body["Error"]["Code"], "message": body["Error"].get("Message", ""),
                    "reasons": [_reason(reason) for reason in body.get("CancellationReasons", [])]}
        return {name: _comparable(name, value) for name, value in self.answer.items() if name != "ResponseMetadata"}


def _reason(reason):
    return {"Code": reason.get("Code"), "Item": _item(reason["Item"]) if reason.get("Item") else None}


def _item(wire):
    return sorted(item_from_wire(wire).items())


def comparable_items(wire):
    return sorted((item_from_wire(item) for item in wire), key=values.sort_key)


def _comparable(name, value):
    if name in ITEMS:
        return _item(value)
    if name == "Items":
        return comparable_items(value)
    if name == "Responses" and isinstance(value, dict):
        return {table: comparable_items(items) for table, items in value.items() if items}
    if name == "Responses":
        return [_item(one["Item"]) if one.get("Item") else None for one in value]
    if name == "ConsumedCapacity":
        return _capacity(value)
    return value


def _capacity(value):
    entries = value if isinstance(value, list) else [value]
    return sorted((entry["TableName"], float(entry.get("CapacityUnits", 0))) for entry in entries)


def differences(ours, theirs):
    """[(aspect, ours, theirs)] of two outcomes."""
    if bool(ours.error) != bool(theirs.error):
        return [("outcome", _told(ours), _told(theirs))]
    left, right = ours.parts(), theirs.parts()
    return [(aspect, left.get(aspect), right.get(aspect)) for aspect in sorted(left.keys() | right.keys())
            if left.get(aspect) != right.get(aspect)]


def _told(outcome):
    if outcome.error:
        error = outcome.error.response["Error"]
        return f"{error['Code']}: {error.get('Message', '')}"
    return "success"
