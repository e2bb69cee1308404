import { describe, expect, it } from "vitest";
import { bothTexts, resolutionOf, sideText } from "./conflict_choices";
import { countChanges, readChanges, summaryOf, type Diff } from "./changes";
import { commitMessage } from "./commit_message";
import { commitTitle } from "./commit_title";
import { groupByDay, type Commit } from "./history_pages";
import { Lineage } from "./lineage";
import { newId } from "./new_id";
import { applyOperations } from "./operations";
import { dependsOn, type TreeChange } from "./store";
import { treeFrom } from "./tree_for_test";
import { diffWords, splitWords } from "./word_diff";

const before = treeFrom("D health\n  M run\n    A shoes\n    A race\n  M sleep\nD craft");
const none: Diff = {
  added: [],
  removed: [],
  changed: [],
  moved: [],
  driversChanged: [],
  edgesAdded: [],
  edgesRemoved: [],
  packed: [],
  unpacked: [],
};

describe("differences in words", () => {
  it("puts everything that happened to a node together, under its driver", () => {
    const moved = { nodeId: "race", from: { parentNodeId: "run", order: 2 }, to: { parentNodeId: "sleep", order: 1 } };
    const edge = (parentNodeId: string, childNodeId: string) => ({ parentNodeId, childNodeId, order: 1 });
    const after = applyOperations(before, [{ op: "move", nodeId: "race", parentId: "sleep" }], "");
    const groups = readChanges(
      {
        ...none,
        moved: [moved],
        changed: [{ nodeId: "race", field: "title", from: "race", to: "Race" }],
        edgesAdded: [edge("sleep", "race"), edge("sleep", "shoes")],
        edgesRemoved: [edge("run", "race")],
      },
      before,
      after,
    );
    expect(groups).toHaveLength(1);
    expect(groups[0]!.nodes.map(({ node, changes }) => [node.nodeId, changes])).toEqual([
      ["shoes", [{ kind: "linked", parent: "health › sleep" }]],
      [
        "race",
        [
          { kind: "renamed", from: "race", to: "Race" },
          { kind: "moved", from: "health › run", to: "health › sleep" },
        ],
      ],
    ]);
    expect(countChanges(groups)).toEqual([
      ["renamed", 1],
      ["moved", 1],
      ["linked", 1],
    ]);
  });

  it("tells deleting from archiving, and hangs what went along below it", () => {
    const gone = (nodeId: string) => [
      { nodeId, field: "archived", from: false, to: true },
      { nodeId, field: "deletedAt", to: "2026-01-01T00:00:00.000Z" },
    ];
    const groups = readChanges({ ...none, changed: [...gone("run"), ...gone("shoes")] }, before, before);
    expect(groups[0]!.nodes.map(({ changes, depth }) => [changes, depth])).toEqual([
      [[{ kind: "deleted" }], 0],
      [[{ kind: "deleted" }], 1],
    ]);
    expect(summaryOf(groups)).toBe("2 deleted");
  });

  it("says one change with its name, and not again what the message says", () => {
    const groups = readChanges({ ...none, changed: [{ nodeId: "race", field: "completedAt", to: "2026" }] }, before, before);
    expect(summaryOf(groups)).toBe("“race” completed");
    expect(summaryOf(groups, 'Complete "race"')).toBe("health › run");
    expect(summaryOf([])).toBe("Nothing differs");
  });

  it("reads a smaller order in the same list as further up", () => {
    const move = { nodeId: "race", from: { parentNodeId: "run", order: 2 }, to: { parentNodeId: "run", order: 1 } };
    expect(readChanges({ ...none, moved: [move] }, before, before)[0]!.nodes[0]!.changes).toEqual([{ kind: "reordered", up: true }]);
  });
});

describe("changed words", () => {
  const text = (from: string, to: string) =>
    diffWords(from, to)
      .map(({ kind, text: run }) => (kind === "same" ? run : kind === "gone" ? `[-${run}-]` : `[+${run}+]`))
      .join("");

  it("are marked, the others stay", () => {
    expect(text("Run 5 km today", "Run 10 km today")).toBe("Run [-5-][+10+] km today");
    expect(text("", "new")).toBe("[+new+]");
    expect(text("same", "same")).toBe("same");
    expect(text("one two three", "four five three")).toBe("[-one two-][+four five+] three");
  });

  it("give back both texts, whatever they are", () => {
    let seed = 20261116;
    const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    const words = ["a", "b", " ", "c.", "\n", "é", "👍"];
    const make = () => Array.from({ length: random(30) }, () => words[random(words.length)]).join("");
    for (let round = 0; round < 300; ++round) {
      const [from, to] = [make(), make()];
      const runs = diffWords(from, to);
      const side = (left: string) =>
        runs
          .filter(({ kind }) => kind !== left)
          .map((run) => run.text)
          .join("");
      expect([side("new"), side("gone")], `round ${round}`).toEqual([from, to]);
    }
  });

  it("are whole words and marks", () => {
    expect(splitWords("It's 5 km, no?")).toEqual(["It's", " ", "5", " ", "km", ",", " ", "no", "?"]);
  });
});

describe("the base of a change", () => {
  const nodes = (...ids: string[]) => new Set(ids);

  it("is past our own commits", () => {
    const lineage = new Lineage();
    lineage.note("R1", "R2", false, nodes("a"));
    lineage.note("R2", "R3", false, nodes("b"));
    expect(lineage.baseFor("R1", nodes("c"))).toBe("R3");
    expect(lineage.baseFor("R9", nodes("c"))).toBe("R9");
  });

  it("stays before a merge, so that what others did is seen, unless we changed the same node", () => {
    const lineage = new Lineage();
    lineage.note("R1", "R2", true, nodes("a"));
    expect(lineage.baseFor("R1", nodes("c"))).toBe("R1");
    expect(lineage.baseFor("R1", nodes("a"))).toBe("R2");
  });
});

describe("small things", () => {
  const change = (operations: TreeChange["operations"]): TreeChange => ({
    kind: "change",
    operations,
    message: "",
    seenRevId: "R1",
    at: "",
  });

  it("a change of a node that was never made depends on making it", () => {
    const add = change([{ op: "add", nodeId: "n", nodeType: "ACTION", title: "n", parentId: "run" }]);
    expect(dependsOn(change([{ op: "complete", nodeId: "n" }]), add)).toBe(true);
    expect(dependsOn(change([{ op: "complete", nodeId: "race" }]), add)).toBe(false);
  });

  it("conflicts are told and settled in words", () => {
    const conflict = { nodeId: "race", field: "notes", base: null, theirs: "one", mine: "two" };
    expect(bothTexts(conflict)).toBe("one\n\ntwo");
    expect(resolutionOf(conflict, { take: "value", value: " both " })).toEqual({
      nodeId: "race",
      field: "notes",
      take: "value",
      value: "both",
    });
    expect(resolutionOf(conflict, { take: "theirs", value: "" })).toEqual({ nodeId: "race", field: "notes", take: "theirs" });
    expect(sideText(before, "parent", "run")).toBe("Under “run”");
    expect(sideText(before, "completedAt", null)).toBe("Not completed");
  });

  it("commits have messages with titles, and titles without ids", () => {
    expect(commitMessage(before, [{ op: "move", nodeId: "race", parentId: "sleep" }])).toBe('Move "race" to "sleep"');
    expect(commitMessage(before, [{ op: "edit", nodeId: "race", title: "Race" }])).toBe('Rename "race" to "Race"');
    const commit = { revId: "R", revTs: "", message: 'Edit "Race" (race)', source: "daily_update", itemCount: 1 } as Commit;
    expect(commitTitle(commit, before)).toBe("Edit “Race”");
    expect(commitTitle({ ...commit, message: "Undo to R", restoredBy: "undo" })).toBe("Undo");
  });

  it("commits are grouped by day, in order", () => {
    const commit = (revTs: string) => ({ revTs }) as Commit;
    const days = groupByDay([commit("2026-11-16T02"), commit("2026-11-16T01"), commit("2026-11-15T01")], (moment) => moment.slice(0, 10));
    expect(days.map(({ day, commits }) => [day, commits.length])).toEqual([
      ["2026-11-16", 2],
      ["2026-11-15", 1],
    ]);
  });

  it("new ids are ULIDs in the order they were made", () => {
    const ids = [newId(1000), newId(1000), newId(900)];
    expect(ids).toEqual([...ids].sort());
    expect(ids[0]).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });
});
