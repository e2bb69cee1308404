"""Attribute values of the reference model, and their way to and from the wire.

A value is (type, payload): ("S", str), ("N", Decimal), ("B", bytes), ("BOOL", bool), ("NULL", True), ("L", tuple),
("M", tuple of sorted pairs), ("SS" / "NS" / "BS", frozenset). So values compare and hash by meaning.
"""

from decimal import Decimal

ORDERED = ("S", "N", "B")


def from_wire(wire):
    (kind, payload), = wire.items()
    if kind == "N":
        return kind, Decimal(payload)
    if kind == "B":
        return kind, bytes(payload)
    if kind == "L":
        return kind, tuple(from_wire(v) for v in payload)
    if kind == "M":
        return kind, tuple(sorted((name, from_wire(v)) for name, v in payload.items()))
    if kind == "NS":
        return kind, frozenset(Decimal(n) for n in payload)
    if kind in ("SS", "BS"):
        return kind, frozenset(payload)
    return kind, payload


def to_wire(value):
    kind, payload = value
    if kind == "N":
        return {kind: str(payload)}
    if kind == "L":
        return {kind: [to_wire(v) for v in payload]}
    if kind == "M":
        return {kind: {name: to_wire(v) for name, v in payload}}
    if kind == "NS":
        return {kind: [str(n) for n in sorted(payload)]}
    if kind in ("SS", "BS"):
        return {kind: sorted(payload)}
    return {kind: payload}


def item_from_wire(wire):
    return {name: from_wire(v) for name, v in wire.items()}


def item_to_wire(item):
    return {name: to_wire(v) for name, v in item.items()}


def sort_key(item):
    """Some total order of items, the same for equal items however their sets and numbers are written."""
    return repr([(name, _canonical(value)) for name, value in sorted(item.items())])


def _canonical(value):
    kind, payload = value
    if kind == "N":
        return kind, str(payload.normalize())
    if kind == "NS":
        return kind, sorted(str(n.normalize()) for n in payload)
    if kind in ("SS", "BS"):
        return kind, sorted(payload)
    if kind == "L":
        return kind, [_canonical(v) for v in payload]
    if kind == "M":
        return kind, [(name, _canonical(v)) for name, v in payload]
    return value


def order_key(value):
    """DynamoDB's order of key values: text by its UTF-8 bytes, numbers by value, bytes unsigned."""
    kind, payload = value
    return payload.encode() if kind == "S" else payload


def size(value):
    """What size() answers, or None where it has no answer."""
    kind, payload = value
    if kind == "S":
        return len(payload.encode())
    if kind in ("B", "L", "M", "SS", "NS", "BS"):
        return len(payload)
    return None
