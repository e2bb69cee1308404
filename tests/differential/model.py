"""The reference: tables as dictionaries, every operation in the most obvious way.

Written for the differential test; knows nothing of HTTP, pages or storage. Failures are raised as Refused with
the name of DynamoDB's exception.
"""

import values


class Refused(Exception):
    def __init__(self, code, reasons=None):
        super().__init__(code)
        self.code, self.reasons = code, reasons


class Index:
    def __init__(self, name, partition, sort, projection="ALL", included=(), local=False):
        self.name, self.local = name, local
        self.partition, self.sort = partition, sort  # (attribute, type) or None
        self.projection, self.included = projection, included

    def keys(self):
        return [key for key in (self.partition, self.sort) if key]


class Table:
    def __init__(self, name, partition, sort=None, indexes=()):
        self.name, self.partition, self.sort, self.indexes = name, partition, sort, list(indexes)
        self.items = {}  # key values -> item

    def keys(self):
        return [key for key in (self.partition, self.sort) if key]

    def key_names(self):
        return [name for name, _ in self.keys()]

    def key_of(self, item):
        return tuple(item[name] for name in self.key_names())

    def key_item(self, item):
        return {name: item[name] for name in self.key_names()}

    def check_index_keys(self, item):
        for index in self.indexes:
            for name, kind in index.keys():
                if name in item and (item[name][0] != kind or item[name][1] in ("", b"")):
                    raise Refused("ValidationException")

    # Reads

    def rows(self, index=None):
        """All items, or all rows of an index as it projects them."""
        if index is None:
            return list(self.items.values())
        members = [item for item in self.items.values() if all(name in item for name, _ in index.keys())]
        return [self.project_to(index, item) for item in members]

    def project_to(self, index, item):
        if index.projection == "ALL":
            return dict(item)
        return {name: v for name, v in item.items() if self.projects(index, name)}

    def projects(self, index, name):
        """Whether rows of the index, or the items themselves, may have the attribute."""
        if index is None or index.projection == "ALL":
            return True
        return name in index.included or name in [key for key, _ in self.keys() + index.keys()]

    def query(self, index, partition, sort_condition=None):
        """Rows of one partition, ordered by the sort key. Rows with equal index keys have no order of their own."""
        schema = index or self
        found = [row for row in self.rows(index) if row[schema.partition[0]] == partition]
        if sort_condition:
            found = [row for row in found if sort_condition.holds(row)]
        if schema.sort:
            found.sort(key=lambda row: values.order_key(row[schema.sort[0]]))
        return found

    # Writes: each returns (old item or None, new item or None) and applies nothing itself.

    def decide_put(self, item, condition=None):
        self.check_index_keys(item)
        old = self.items.get(self.key_of(item))
        self.require(condition, old)
        return old, dict(item)

    def decide_delete(self, key, condition=None):
        old = self.items.get(self.key_of(key))
        self.require(condition, old)
        return old, None

    def decide_update(self, key, actions, condition=None):
        old = self.items.get(self.key_of(key))
        self.require(condition, old)
        new = dict(old or key)
        for action in actions:
            action.apply(old or {}, new)
        self.check_index_keys(new)
        if old is None and actions and all(action.only_removes for action in actions):
            return None, None
        return old, new

    @staticmethod
    def require(condition, old):
        if condition and not condition.holds(old or {}):
            raise Refused("ConditionalCheckFailedException")

    def apply(self, key, new):
        if new is None:
            self.items.pop(key, None)
        else:
            self.items[key] = new


# Update actions. `apply` reads the item as it was and changes the new one.

class SetValue:
    only_removes = False

    def __init__(self, attribute, value):
        self.attribute, self.value = attribute, value

    def text(self, place):
        return "SET", f"{place.name(self.attribute)} = {place.value(self.value)}"

    def apply(self, old, new):
        new[self.attribute] = self.value


class Copy:
    only_removes = False

    def __init__(self, attribute, source, default=None):
        self.attribute, self.source, self.default = attribute, source, default

    def text(self, place):
        source = place.name(self.source)
        if self.default:
            source = f"if_not_exists({source}, {place.value(self.default)})"
        return "SET", f"{place.name(self.attribute)} = {source}"

    def apply(self, old, new):
        found = old.get(self.source, self.default)
        if found is None:
            raise Refused("ValidationException")
        new[self.attribute] = found


class Arithmetic:
    only_removes = False

    def __init__(self, attribute, source, operator, number):
        self.attribute, self.source, self.operator, self.number = attribute, source, operator, number

    def text(self, place):
        return "SET", (f"{place.name(self.attribute)} = {place.name(self.source)} {self.operator} "
                       f"{place.value(('N', self.number))}")

    def apply(self, old, new):
        kind, payload = old.get(self.source, (None, None))
        if kind != "N":
            raise Refused("ValidationException")
        new[self.attribute] = ("N", payload + (self.number if self.operator == "+" else -self.number))


class Append:
    only_removes = False

    def __init__(self, attribute, elements, front):
        self.attribute, self.elements, self.front = attribute, elements, front

    def text(self, place):
        name, added = place.name(self.attribute), place.value(("L", self.elements))
        return "SET", f"{name} = list_append({f'{added}, {name}' if self.front else f'{name}, {added}'})"

    def apply(self, old, new):
        kind, payload = old.get(self.attribute, (None, None))
        if kind != "L":
            raise Refused("ValidationException")
        new[self.attribute] = ("L", self.elements + payload if self.front else payload + self.elements)


class Remove:
    only_removes = True

    def __init__(self, attribute):
        self.attribute = attribute

    def text(self, place):
        return "REMOVE", place.name(self.attribute)

    def apply(self, old, new):
        new.pop(self.attribute, None)


class Add:
    only_removes = False

    def __init__(self, attribute, operand):
        self.attribute, self.operand = attribute, operand

    def text(self, place):
        return "ADD", f"{place.name(self.attribute)} {place.value(self.operand)}"

    def apply(self, old, new):
        kind, payload = self.operand
        if self.attribute not in old:
            new[self.attribute] = self.operand
        elif old[self.attribute][0] != kind:
            raise Refused("ValidationException")
        else:
            before = old[self.attribute][1]
            new[self.attribute] = (kind, before + payload if kind == "N" else before | payload)


class Delete:
    only_removes = True

    def __init__(self, attribute, operand):
        self.attribute, self.operand = attribute, operand

    def text(self, place):
        return "DELETE", f"{place.name(self.attribute)} {place.value(self.operand)}"

    def apply(self, old, new):
        if self.attribute not in old:
            return
        kind, payload = old[self.attribute]
        if kind != self.operand[0]:
            raise Refused("ValidationException")
        left = payload - self.operand[1]
        if left:
            new[self.attribute] = (kind, left)
        else:
            new.pop(self.attribute)


def update_expression(actions, place):
    clauses = {}
    for action in actions:
        word, text = action.text(place)
        clauses.setdefault(word, []).append(text)
    return " ".join(f"{word} {', '.join(texts)}" for word, texts in clauses.items())
