import { describe, expect, it } from "vitest";
import { childPlace, draftLine, indented, outdented, placeOf, siblingPlace, type NewDraft } from "./draft";
import { dropAt, dropRows, isSamePlace } from "./drop";
import { keyTarget, refusal } from "./places";
import { flattenTree, matchRanges, type Row, type RowOptions } from "./rows";
import { treeFrom } from "./tree_for_test";
import { lineRange } from "./use_window";

const tree = treeFrom(`
D health
  M run
    A shoes x
    A race
  M sleep
    A blinds
    A old -
D people
  A call`);

const all: RowOptions = { closed: new Set(), showArchived: false, showCompleted: true, search: "" };
const rowsOf = (options: Partial<RowOptions> = {}, of = tree) => flattenTree(of, { ...all, ...options });
const keys = (rows: readonly Row[]) => rows.map(({ key }) => key).join(" ");
const rows = rowsOf();
const row = (key: string) => rows.find((other) => other.key === key)!;

describe("the lines of a tree", () => {
  it("stand in order, with depth, place and number of siblings", () => {
    expect(keys(rows)).toBe("health run shoes race sleep blinds people call");
    expect(row("race")).toMatchObject({ depth: 2, position: 2, setSize: 2, parentKey: "run", hasChildren: false });
  });

  it("leave out what is closed, completed or archived", () => {
    expect(keys(rowsOf({ closed: new Set(["run", "people"]) }))).toBe("health run sleep blinds people");
    expect(keys(rowsOf({ showCompleted: false }))).not.toContain("shoes");
    expect(keys(rowsOf({ showArchived: true }))).toContain("old");
  });

  it("show what is found and all above it, open or not", () => {
    const found = rowsOf({ search: "RACE", closed: new Set(["health"]) });
    expect(keys(found)).toBe("health run race");
    expect(found.map(({ isMatch }) => isMatch)).toEqual([false, false, true]);
  });

  it("have a key of their own for every place of a node", () => {
    const twice = treeFrom("D d\n  M one\n    A shared\n  M two\n    A shared");
    expect(keys(rowsOf({}, twice))).toBe("d one shared two shared~2");
  });

  it("highlight words without case and accents", () => {
    expect(matchRanges("Café au lait, cafe", ["cafe"])).toEqual([
      [0, 4],
      [14, 18],
    ]);
    expect(matchRanges("abab", ["aba", "bab"])).toEqual([[0, 4]]);
  });
});

describe("where things may go", () => {
  it("refuses what the rules of the tree refuse, in words", () => {
    expect(refusal(tree, "race", "shoes")).toMatch(/under an action/);
    expect(refusal(tree, "run", "run")).toMatch(/itself/);
    expect(refusal(tree, "health", "people")).toMatch(/Drivers/);
    expect(refusal(tree, "race", null)).toMatch(/Only drivers/);
    expect(refusal(tree, "race", "sleep")).toBeUndefined();
  });

  it("moves by keys: in, out, up, down", () => {
    expect(keyTarget(tree, rows, row("sleep"), "in")).toEqual({ parentId: "run" });
    expect(keyTarget(tree, rows, row("race"), "in")).toMatch(/no milestone/);
    expect(keyTarget(tree, rows, row("race"), "out")).toEqual({ parentId: "health", afterId: "run" });
    expect(keyTarget(tree, rows, row("run"), "out")).toMatch(/driver/);
    expect(keyTarget(tree, rows, row("race"), "up")).toEqual({ parentId: "run", first: true });
    expect(keyTarget(tree, rows, row("shoes"), "down")).toEqual({ parentId: "run", afterId: "race" });
    expect(keyTarget(tree, rows, row("race"), "down")).toEqual({ parentId: "sleep", first: true });
    expect(keyTarget(tree, rows, row("blinds"), "up")).toEqual({ parentId: "run" });
    expect(keyTarget(tree, rows, row("health"), "up")).toMatch(/Drivers/);
  });
});

describe("dropping", () => {
  const drop = (key: string, line: number, depth = row(key).depth) => dropAt(tree, row(key), dropRows(rows, key), { line, depth });

  it("goes inside in the middle of a line that may have it", () => {
    expect(drop("race", 4.5)).toMatchObject({ kind: "inside", line: 4, target: { parentId: "sleep", first: true } });
  });

  it("goes between lines at their edges, as deep as the pointer says", () => {
    expect(drop("blinds", 2.1)).toMatchObject({ kind: "between", line: 2, target: { parentId: "run", first: true } });
    expect(drop("blinds", 3.9)).toMatchObject({ line: 4, depth: 2, target: { parentId: "run", afterId: "race" } });
    expect(drop("blinds", 3.9, 1)).toMatchObject({ line: 4, depth: 1, target: { parentId: "health", afterId: "run" } });
  });

  it("never goes into an action, and says why where nothing is allowed", () => {
    expect(drop("race", 5.5).target?.parentId).toBe("sleep");
    expect(drop("race", 0.1)).toMatchObject({ target: undefined, why: "Only drivers can be at the top." });
  });

  it("knows the place where it is already", () => {
    expect(isSamePlace(tree, row("race"), { parentId: "run", afterId: "shoes" })).toBe(true);
    expect(isSamePlace(tree, row("race"), { parentId: "run", first: true })).toBe(false);
    expect(isSamePlace(tree, row("run"), { parentId: "health", first: true })).toBe(true);
  });

  it("leaves out the dragged line and all below it", () => {
    expect(keys(dropRows(rows, "run").rows)).toBe("health sleep blinds people call");
  });
});

describe("a new line", () => {
  const draft = (place: ReturnType<typeof siblingPlace>): NewDraft => ({ kind: "new", ...place, text: "", seenRevId: "R1", backKey: null });

  it("comes behind its sibling and all below that", () => {
    const beside = draft(siblingPlace(row("run")));
    expect(draftLine(rows, beside)).toBe(4);
    expect(placeOf(rows, beside)).toEqual({ afterId: "run" });
    expect(beside.nodeType).toBe("MILESTONE");
  });

  it("comes last under its parent, with the type of the others", () => {
    const under = draft(childPlace(rows, row("people")));
    expect(under).toMatchObject({ parentId: "people", afterKey: "call", nodeType: "ACTION", depth: 1 });
  });

  it("moves in and out", () => {
    const beside = draft(siblingPlace(row("run")));
    expect(indented(rows, beside)).toMatchObject({ parentId: "run", afterKey: "race", depth: 2, nodeType: "MILESTONE" });
    expect(outdented(rows, draft(siblingPlace(row("run"))))).toMatchObject({ parentId: null, nodeType: "DRIVER" });
    expect(indented(rows, draft(siblingPlace(row("race"))))).toBeUndefined();
  });
});

describe("the lines that are drawn", () => {
  it("are those near the window, whatever the number", () => {
    expect(lineRange(100, 800, 36, 30)).toEqual({ first: 0, last: 30 });
    const far = lineRange(-36_000, 800, 36, 5000);
    expect(far.first).toBeLessThanOrEqual(1000 - 16);
    expect(far.last).toBeGreaterThanOrEqual(1023 + 16);
    expect(far.last - far.first).toBeLessThan(80);
  });
});
