import { describe, expect, it } from "vitest";
import { readValues, search, type Node, type Tree } from "./open_actions";

function node(nodeId: string, nodeType: Node["nodeType"], more: Partial<Node> = {}): Node {
  return { nodeId, nodeType, title: nodeId, createdAt: "2026-11-01T00:00:00.000Z", archived: false, ...more };
}

const tree: Tree = {
  nodes: [
    node("Run", "ACTION"),
    node("Health", "DRIVER"),
    node("Marathon", "MILESTONE"),
    node("Old", "ACTION", { archived: true }),
    node("Done", "ACTION", { completedAt: "2026-11-02T00:00:00.000Z" }),
    node("Sleep early", "ACTION"),
  ],
  edges: [
    { parentNodeId: "Health", childNodeId: "Sleep early", order: 2 },
    { parentNodeId: "Health", childNodeId: "Marathon", order: 1 },
    { parentNodeId: "Marathon", childNodeId: "Run", order: 1 },
    { parentNodeId: "Marathon", childNodeId: "Done", order: 2 },
    { parentNodeId: "Marathon", childNodeId: "Old", order: 3 },
  ],
};

describe("the tree", () => {
  it("gives open actions in its order, with what they are under", () => {
    const values = readValues(tree);
    expect(values.actions).toEqual([
      { id: "Run", title: "Run", path: ["Health", "Marathon"] },
      { id: "Sleep early", title: "Sleep early", path: ["Health"] },
    ]);
    expect(values.places.map(({ id }) => id)).toEqual(["Health", "Marathon"]);
    expect(values.titles.get("Done")).toBe("Done");
    expect(values.isEmpty).toBe(false);
  });

  it("is empty when all of it is put away", () => {
    expect(readValues({ nodes: [], edges: [] }).isEmpty).toBe(true);
    expect(readValues({ nodes: [node("x", "DRIVER", { archived: true })], edges: [] }).isEmpty).toBe(true);
  });
});

describe("searching", () => {
  const { actions } = readValues(tree);
  const find = (text: string) => search(actions, text).map(({ id }) => id);

  it("takes words of title and path in any order", () => {
    expect(find("")).toEqual(["Run", "Sleep early"]);
    expect(find("health")).toEqual(["Run", "Sleep early"]);
    expect(find("run mara")).toEqual(["Run"]);
    expect(find("nothing")).toEqual([]);
  });

  it("has titles before paths", () => {
    const entries = [
      { id: "1", title: "Buy shoes", path: ["Run"] },
      { id: "2", title: "A run", path: [] },
      { id: "3", title: "Run 5 km", path: [] },
    ];
    expect(search(entries, "run").map(({ id }) => id)).toEqual(["3", "2", "1"]);
    expect(search(entries, "run", 1)).toHaveLength(1);
  });
});
