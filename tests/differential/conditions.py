"""Random conditions: each knows its expression text and, independently, whether it holds for an item."""

import values

MISSING = None


class Placeholders:
    """Collects names and values of one request's expressions."""

    def __init__(self):
        self._names, self._values = {}, []

    def name(self, attribute):
        return self._names.setdefault(attribute, f"#a{len(self._names)}")

    def value(self, value):
        self._values.append(value)
        return f":v{len(self._values) - 1}"

    def parameters(self):
        request = {}
        if self._names:
            request["ExpressionAttributeNames"] = {alias: name for name, alias in self._names.items()}
        if self._values:
            request["ExpressionAttributeValues"] = {f":v{n}": values.to_wire(v) for n, v in enumerate(self._values)}
        return request


class Compare:
    def __init__(self, attribute, operator, operand):
        self.attribute, self.operator, self.operand = attribute, operator, operand

    def text(self, place):
        return f"{place.name(self.attribute)} {self.operator} {place.value(self.operand)}"

    def holds(self, item):
        found = item.get(self.attribute, MISSING)
        if self.operator == "=":
            return found == self.operand
        if self.operator == "<>":
            return found != self.operand
        if found is MISSING or found[0] != self.operand[0]:
            return False
        left, right = values.order_key(found), values.order_key(self.operand)
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[self.operator]


class Between:
    def __init__(self, attribute, low, high):
        self.attribute, self.low, self.high = attribute, low, high

    def text(self, place):
        return f"{place.name(self.attribute)} BETWEEN {place.value(self.low)} AND {place.value(self.high)}"

    def holds(self, item):
        return Compare(self.attribute, ">=", self.low).holds(item) and \
            Compare(self.attribute, "<=", self.high).holds(item)


class In:
    def __init__(self, attribute, operands):
        self.attribute, self.operands = attribute, operands

    def text(self, place):
        return f"{place.name(self.attribute)} IN ({', '.join(place.value(v) for v in self.operands)})"

    def holds(self, item):
        return item.get(self.attribute, MISSING) in self.operands


class Exists:
    def __init__(self, attribute, wanted):
        self.attribute, self.wanted = attribute, wanted

    def text(self, place):
        return f"attribute_{'' if self.wanted else 'not_'}exists({place.name(self.attribute)})"

    def holds(self, item):
        return (self.attribute in item) == self.wanted


class BeginsWith:
    def __init__(self, attribute, prefix):
        self.attribute, self.prefix = attribute, prefix

    def text(self, place):
        return f"begins_with({place.name(self.attribute)}, {place.value(self.prefix)})"

    def holds(self, item):
        found = item.get(self.attribute, MISSING)
        return found is not MISSING and found[0] == self.prefix[0] and found[1].startswith(self.prefix[1])


class Contains:
    def __init__(self, attribute, operand):
        self.attribute, self.operand = attribute, operand

    def text(self, place):
        return f"contains({place.name(self.attribute)}, {place.value(self.operand)})"

    def holds(self, item):
        found = item.get(self.attribute, MISSING)
        if found is MISSING:
            return False
        kind, payload = found
        if kind in ("S", "B"):
            return self.operand[0] == kind and self.operand[1] in payload
        if kind == "L":
            return self.operand in payload
        if kind in ("SS", "NS", "BS"):
            return self.operand[0] == kind[0] and self.operand[1] in payload
        return False


class Size:
    def __init__(self, attribute, operator, operand):
        self.attribute, self.operator, self.operand = attribute, operator, operand

    def text(self, place):
        return f"size({place.name(self.attribute)}) {self.operator} {place.value(('N', self.operand))}"

    def holds(self, item):
        found = item.get(self.attribute, MISSING)
        found = None if found is MISSING else values.size(found)
        if found is None:
            return False
        return {"=": found == self.operand, "<": found < self.operand, ">": found > self.operand}[self.operator]


class Not:
    def __init__(self, inner):
        self.inner = inner

    def text(self, place):
        return f"NOT {grouped(self.inner, place)}"

    def holds(self, item):
        return not self.inner.holds(item)


class Join:
    def __init__(self, word, parts):
        self.word, self.parts = word, parts

    def text(self, place):
        return f" {self.word} ".join(grouped(part, place) for part in self.parts)

    def holds(self, item):
        return (all if self.word == "AND" else any)(part.holds(item) for part in self.parts)


def grouped(condition, place):
    """Parentheses only where they matter: DynamoDB refuses redundant ones."""
    return f"({condition.text(place)})" if isinstance(condition, Join) else condition.text(place)
