"""A model as the binary exports it, with what the tests ask of it: keys, indexes, attributes, patterns."""

import functools
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "fixture"))

from cairn_server import binary_from_environment  # noqa: E402

NAMES = ("values", "nexus", "diatonic", "personal-os", "commitcollect")


class ExportedModel:
    def __init__(self, tree):
        self.tree = tree

    @property
    def tables(self):
        return self.tree["table"]

    @property
    def entities(self):
        return self.tree["entity"]

    @property
    def patterns(self):
        return self.tree["pattern"]

    def table_of(self, entity):
        named = self.entities[entity].get("table")
        return self.tables[named] if named else next(iter(self.tables.values()))

    def keys(self, entity, where):
        """(pk, sk) of an entity in its "table" or in an index; None when it is not in that index."""
        definition, table = self.entities[entity], self.table_of(entity)
        if where == "table":
            keys = definition
        else:
            keys = definition.get("index", {}).get(where, table["index"][where].get("default"))
        if not keys:
            return None
        fill = "{%s}" % table.get("type_attr", "")
        return tuple(keys.get(part, "").replace(fill, definition.get("type", "")) for part in ("pk", "sk"))

    def attributes(self, entity):
        """name -> long form, the table's common ones included."""
        found = {}
        for section in (self.table_of(entity).get("common", {}), self.entities[entity].get("attr", {})):
            for name, form in section.items():
                found[name] = long_form(form)
        return found

    def shape(self, name):
        return {member: long_form(form) for member, form in self.tree["shape"][name].items() if member != "assumed"}

    def enum(self, name):
        """(values, open)"""
        form = self.tree["enum"][name]
        return (form, False) if isinstance(form, list) else (form["values"], form.get("open", False))

    def read(self, pattern, step=None):
        """A pattern with one read, or one step of several."""
        definition = self.patterns[pattern]
        return definition if step is None else definition["steps"][step]


def long_form(form):
    if isinstance(form, str):
        return {"type": form.rstrip("!"), "required": form.endswith("!")}
    return form


@functools.cache
def exported(name):
    """The canonical JSON of models/<name>.toml."""
    file = ROOT / "models" / f"{name}.toml"
    done = subprocess.run([binary_from_environment(), "model", "export", str(file), "--to", "json"],
                          capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise AssertionError(f"cairn model export {file} failed:\n{done.stdout}{done.stderr}")
    return ExportedModel(json.loads(done.stdout))
