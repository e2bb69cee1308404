import { describe, expect, it } from "vitest";
import { applyOperations, nodesNamed, type Operation } from "./operations";
import { treeFrom } from "./tree_for_test";
import { childrenOf, isLiving, isWithin, parentsOf, pathTo, progressOf, readTree, type Tree } from "./tree";

const now = "2026-11-16T00:00:00.000Z";
const health = treeFrom(`
D health
  M run
    A shoes x
    A race
  M sleep
    A blinds
D craft
  M books`);

const after = (tree: Tree, ...operations: Operation[]) => applyOperations(tree, operations, now);

describe("a tree", () => {
  it("knows ways, parents and progress", () => {
    expect(pathTo(health, "race")).toEqual(["health", "run", "race"]);
    expect(isWithin(health, "race", "health")).toBe(true);
    expect(isWithin(health, "health", "race")).toBe(false);
    expect(progressOf(health, "health")).toEqual({ completed: 1, total: 3 });
  });

  it("keeps the objects of nodes that did not change", () => {
    const answer = {
      nodes: [...health.nodes.values()].map((node) => ({ ...node, ...(node.nodeId === "race" ? { title: "Race" } : {}) })),
      edges: [],
    };
    const again = readTree(answer, health);
    expect(again.nodes.get("shoes")).toBe(health.nodes.get("shoes"));
    expect(again.nodes.get("race")).not.toBe(health.nodes.get("race"));
  });

  it("has the primary parent first", () => {
    const linked = after(health, { op: "link", parentId: "sleep", childId: "race" });
    expect(parentsOf(linked, "race")).toEqual(["run", "sleep"]);
    const moved = after(linked, { op: "move", nodeId: "race", parentId: "health", fromParentId: "run" });
    expect(parentsOf(moved, "race")).toEqual(["health", "sleep"]);
  });
});

describe("operations", () => {
  it("add at a place, and not twice", () => {
    const add: Operation = { op: "add", nodeId: "tea", nodeType: "ACTION", title: "Tea", parentId: "run", afterId: "shoes" };
    const added = after(health, add);
    expect(childrenOf(added, "run")).toEqual(["shoes", "tea", "race"]);
    expect(added.nodes.get("tea")).toMatchObject({ driverId: "health", parentMilestoneId: "run" });
    expect(after(added, add)).toBe(added);
  });

  it("move with all below, which get the new driver", () => {
    const moved = after(health, { op: "move", nodeId: "run", parentId: "craft", first: true });
    expect(childrenOf(moved, "craft")).toEqual(["run", "books"]);
    expect(childrenOf(moved, "health")).toEqual(["sleep"]);
    expect(moved.nodes.get("race")?.driverId).toBe("craft");
  });

  it("move within one list", () => {
    const moved = after(health, { op: "move", nodeId: "race", parentId: "run", first: true });
    expect(childrenOf(moved, "run")).toEqual(["race", "shoes"]);
  });

  it("archive what has no other living parent, and bring it back", () => {
    const linked = after(health, { op: "link", parentId: "sleep", childId: "race" });
    const away = after(linked, { op: "archive", nodeId: "run" });
    expect(["run", "shoes", "race"].map((id) => isLiving(away.nodes.get(id)!))).toEqual([false, false, true]);
    const back = after(away, { op: "restore", nodeId: "run" });
    expect([...back.nodes.values()].every(isLiving)).toBe(true);
  });

  it("restore of something deleted leaves what was archived before", () => {
    const away = after(health, { op: "archive", nodeId: "race" }, { op: "delete", nodeId: "run" });
    const back = after(away, { op: "restore", nodeId: "run" });
    expect(isLiving(back.nodes.get("shoes")!)).toBe(true);
    expect(isLiving(back.nodes.get("race")!)).toBe(false);
  });

  it("restore of something archived leaves what was archived before", () => {
    const first = applyOperations(health, [{ op: "archive", nodeId: "race" }], "2026-01-01T00:00:00.000Z");
    const away = after(first, { op: "archive", nodeId: "run" });
    const back = after(away, { op: "restore", nodeId: "run" });
    expect(["shoes", "race"].map((id) => isLiving(back.nodes.get(id)!))).toEqual([true, false]);
  });

  it("edit, complete and reopen", () => {
    const edited = after(health, { op: "edit", nodeId: "race", title: "Race", notes: "far" }, { op: "complete", nodeId: "race" });
    expect(edited.nodes.get("race")).toMatchObject({ title: "Race", notes: "far", completedAt: now });
    const opened = after(edited, { op: "uncomplete", nodeId: "race" }, { op: "edit", nodeId: "race", notes: null });
    expect(opened.nodes.get("race")).not.toHaveProperty("completedAt");
    expect(opened.nodes.get("race")).not.toHaveProperty("notes");
  });

  it("leave a tree alone that they do not fit", () => {
    const unknown: Operation[] = [
      { op: "edit", nodeId: "nobody", title: "x" },
      { op: "move", nodeId: "nobody", parentId: "run" },
      { op: "restore", nodeId: "race" },
      { op: "add", nodeId: "y", nodeType: "ACTION", title: "y", parentId: "nobody" },
    ];
    for (const operation of unknown) expect(after(health, operation)).toBe(health);
  });

  it("name the nodes they are about", () => {
    expect(nodesNamed([{ op: "move", nodeId: "a", parentId: "b", afterId: "c" }])).toEqual(new Set(["a", "b", "c"]));
  });
});
