"""git as the judge of histories: random revisions, written as files and committed, differ where GET /diff says so.

How a tree becomes files, so that a file changes exactly when the difference names what it is about:
- nodes/<id>: every attribute of the node and the set of its parents. Named by added, removed, changed,
  driversChanged, by moves from one parent to another, and as the child of edgesAdded and edgesRemoved.
- children/<id>: the ids of its children in order. Named as the parent of edgesAdded and edgesRemoved, and by moves
  among the children of one parent.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import case
from case import ACTION, DRIVER, MILESTONE, VALUES, ValuesTest, add, edit, op
from chance import seeded_random

REVISIONS = 30
PAIRS = 40


class Repository:
    """A throw-away git repository of one user's history."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder, "GIT_CONFIG_NOSYSTEM": "1",
                            "GIT_AUTHOR_NAME": "judge", "GIT_AUTHOR_EMAIL": "judge@example.org",
                            "GIT_COMMITTER_NAME": "judge", "GIT_COMMITTER_EMAIL": "judge@example.org",
                            "GIT_CEILING_DIRECTORIES": str(self.folder.parent)}
        self.git("init", "--quiet")
        self.commits = {}  # by revision

    def git(self, *arguments, data=None):
        done = subprocess.run(["git", *arguments], cwd=self.folder, env=self.environment, input=data,
                              capture_output=True, check=True)
        return done.stdout.decode()

    def record(self, revisions):
        """All trees, in order, as one stream: git fast-import."""
        stream = []
        for number, (rev, files) in enumerate(revisions, 1):
            stream.append(f"commit refs/heads/history\nmark :{number}\ncommitter judge <j@example.org> {number} +0000\n"
                          f"data {len(rev)}\n{rev}\ndeleteall\n".encode())
            for path, text in files.items():
                data = text.encode()
                stream.append(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")
        marks = self.folder / "marks"
        self.git("fast-import", "--quiet", f"--export-marks={marks}", data=b"".join(stream))
        by_mark = dict(line.split() for line in marks.read_text().splitlines())
        self.commits = {rev: by_mark[f":{number}"] for number, (rev, _) in enumerate(revisions, 1)}

    def names(self, a, b):
        names = self.git("diff", "--name-only", "--no-renames", "-z", self.commits[a], self.commits[b])
        return set(filter(None, names.split("\0")))

    def tree_hash(self, rev):
        return self.git("rev-parse", self.commits[rev] + "^{tree}").strip()


def files_of(tree):
    files = {}
    for name, node in tree.nodes.items():
        files[f"nodes/{name}"] = json.dumps({**node, "parents": tree.parents(name)}, sort_keys=True, indent=1)
        if children := tree.children(name):
            files[f"children/{name}"] = "\n".join(children)
    return files


def named_by(diff):
    """The files that a difference says have changed."""
    edges = diff["edgesAdded"] + diff["edgesRemoved"]
    nodes = {node["nodeId"] for node in diff["added"] + diff["removed"]}
    nodes |= {change["nodeId"] for change in diff["changed"] + diff["driversChanged"]}
    nodes |= {edge["childNodeId"] for edge in edges}
    parents = {edge["parentNodeId"] for edge in edges}
    for move in diff["moved"]:
        if move["from"]["parentNodeId"] == move["to"]["parentNodeId"]:
            parents.add(move["to"]["parentNodeId"])
        else:
            nodes.add(move["nodeId"])
    return {f"nodes/{node}" for node in nodes} | {f"children/{parent}" for parent in parents}


class Chance:
    """Random changes of a tree; many are refused, as they should be."""

    def __init__(self, random, user):
        self.random, self.user, self.count = random, user, 0

    def any(self, tree):
        return self.random.choice(sorted(tree.nodes))

    def new_node(self, tree):
        self.count += 1
        kind = self.random.choice((DRIVER, MILESTONE, MILESTONE, ACTION, ACTION, ACTION))
        place = {"first": True} if self.random.random() < 0.3 else {}
        return add(f"n{self.count}", kind, None if kind == DRIVER else self.any(tree), **place)

    def operation(self, tree):
        node, other = self.any(tree), self.any(tree)
        children = [child for child in tree.children(node) if not tree.nodes[child]["archived"]]
        self.random.shuffle(children)
        return self.random.choice((
            lambda: self.new_node(tree), lambda: self.new_node(tree),
            lambda: edit(node, title=f"title {self.random.randrange(5)}"),
            lambda: edit(node, notes=self.random.choice((None, "", "note", "other"))),
            lambda: op("move", nodeId=node, parentId=other, force=self.random.random() < 0.5),
            lambda: op("move", nodeId=node, parentId=other, first=True),
            lambda: op("link", parentId=other, childId=node),
            lambda: op("unlink", parentId=(tree.parents(node) or ["none"])[0], childId=node),
            lambda: op("reorder", parentId=node, childIds=children),
            lambda: op("complete", nodeId=node), lambda: op("uncomplete", nodeId=node),
            lambda: op("archive", nodeId=node), lambda: op("delete", nodeId=node),
            lambda: op("restore", nodeId=node), lambda: op("restore", nodeId=node)))()

    def change(self):
        verb = self.random.random()
        if verb < 0.08:
            return self.user.post(f"{VALUES}/undo")
        if verb < 0.14:
            return self.user.post(f"{VALUES}/redo")
        if verb < 0.18:
            target = self.random.choice(self.user.log())["revId"]
            return self.user.post(f"{VALUES}/rollback", {"toRevId": target})
        tree = self.user.tree(includeArchived="true")
        return self.user.commit(*[self.operation(tree) for _ in range(self.random.choice((1, 1, 1, 2, 4)))])


def longest_rising(numbers):
    best = []
    for index, number in enumerate(numbers):
        best.append(1 + max((best[i] for i in range(index) if numbers[i] < number), default=0))
    return max(best, default=0)


class GitJudge(ValuesTest):
    def history(self, chance):
        """A user with random revisions: the trees, oldest first."""
        user = self.user()
        self.expect(200, user.commit(*[add(*row) for row in case.SMALL_TREE]))
        changes, refused = Chance(chance, user), 0
        while len(user.log()) < REVISIONS:
            reply = changes.change()
            self.assertIn(reply.status, (200, 404, 409, 422), reply)
            refused += reply.status != 200
            self.assertLess(refused, 50 * REVISIONS)
        return user, [user.tree(rev=commit["revId"], includeArchived="true") for commit in user.log()[::-1]]

    def check_fields(self, diff, a, b):
        """`changed` has exactly the attributes that differ, with their values."""
        plain = ("nodeType", "title", "notes", "createdAt", "completedAt", "archived", "archivedAt", "deletedAt")
        expected = sorted((name, field, repr(a.nodes[name].get(field)), repr(b.nodes[name].get(field)))
                          for name in a.nodes.keys() & b.nodes.keys() for field in plain
                          if a.nodes[name].get(field) != b.nodes[name].get(field))
        self.assertEqual(sorted((c["nodeId"], c["field"], repr(c.get("from")), repr(c.get("to")))
                                for c in diff["changed"]), expected)
        self.assertEqual(sorted(edge for edge in b.edges.keys() - a.edges.keys()),
                         sorted((e["parentNodeId"], e["childNodeId"]) for e in diff["edgesAdded"]))
        self.assertEqual(sorted(edge for edge in a.edges.keys() - b.edges.keys()),
                         sorted((e["parentNodeId"], e["childNodeId"]) for e in diff["edgesRemoved"]))

    def check_orders(self, diff, a, b):
        """Among siblings as few moves are told as explain the new order, and they do explain it."""
        for parent in a.nodes.keys() & b.nodes.keys():
            moved = {m["nodeId"] for m in diff["moved"]
                     if m["from"]["parentNodeId"] == m["to"]["parentNodeId"] == parent}
            old, new = a.children(parent), b.children(parent)
            both = [child for child in new if child in old]
            self.assertEqual([child for child in old if child in new and child not in moved],
                             [child for child in both if child not in moved])
            self.assertEqual(len(moved), len(both) - longest_rising([old.index(child) for child in both]))

    def test_git_names_the_same_differences(self):
        """OPEN-000-c."""
        chance = seeded_random()
        for _ in range(2):
            user, trees = self.history(chance)
            with tempfile.TemporaryDirectory(prefix="cairn-judge-") as folder:
                judge = Repository(folder)
                judge.record([(tree.rev, files_of(tree)) for tree in trees])
                pairs = [(a, b) for a, b in zip(trees, trees[1:])]
                pairs += [tuple(chance.choices(trees, k=2)) for _ in range(PAIRS)]
                for a, b in pairs:
                    with self.subTest(a=a.rev, b=b.rev):
                        diff = self.expect(200, user.get(f"{VALUES}/diff", **{"from": a.rev, "to": b.rev})).body
                        self.assertEqual(judge.names(a.rev, b.rev), named_by(diff))
                        self.check_fields(diff, a, b)
                        self.check_orders(diff, a, b)
                self.check_log(user, judge)

    def check_log(self, user, judge):
        log = user.log()
        for commit in log:
            detail = user.get(f"{VALUES}/commits/{commit['revId']}").body
            if "parentRevId" in commit:
                self.assertEqual(judge.names(commit["parentRevId"], commit["revId"]), named_by(detail["diff"]))
                self.assertNotEqual(judge.tree_hash(commit["parentRevId"]), judge.tree_hash(commit["revId"]),
                                    "a revision changes something")
            if "restoredFrom" in commit:
                self.assertEqual(judge.tree_hash(commit["restoredFrom"]), judge.tree_hash(commit["revId"]),
                                 "what was restored is what it was")
        # A node's history has the commits whose difference names it.
        for node in sorted(user.tree(includeArchived="true").nodes)[:6]:
            touched = [c["revId"] for c in log
                       if "parentRevId" in c and f"nodes/{node}" in judge.names(c["parentRevId"], c["revId"])]
            told = [c["revId"] for c in user.log(f"{VALUES}/nodes/{node}/history")]
            self.assertLessEqual(set(touched), set(told), node)


if __name__ == "__main__":
    unittest.main()
