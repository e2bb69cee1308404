// Trees written as indented lines, for tests. "D health", "M run", "A shoes x" (x: completed, -: archived).

import type { Schemas } from "../api";
import { readTree, type NodeType, type Tree } from "./tree";

const kTypes: Record<string, NodeType> = { D: "DRIVER", M: "MILESTONE", A: "ACTION" };

export function treeFrom(text: string, revId = "R1"): Tree {
  const nodes: Schemas["Node"][] = [];
  const edges: Schemas["Edge"][] = [];
  const way: string[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [type, id, mark] = line.trim().split(" ") as [string, string, string?];
    const depth = (line.length - line.trimStart().length) / 2;
    way.length = depth;
    const parent = way[depth - 1];
    way.push(id);
    if (parent !== undefined) edges.push({ parentNodeId: parent, childNodeId: id, order: edges.length + 1 });
    if (nodes.some(({ nodeId }) => nodeId === id)) continue; // one more parent
    const node: Schemas["Node"] = {
      nodeId: id,
      nodeType: kTypes[type]!,
      title: id,
      createdAt: "2026-01-01T00:00:00.000Z",
      archived: mark === "-",
      rootDriverId: way[0]!,
    };
    if (mark === "x") node.completedAt = "2026-01-02T00:00:00.000Z";
    if (depth > 0) node.driverId = way[0]!;
    if (depth > 1) node.parentMilestoneId = parent!;
    nodes.push(node);
  }
  return readTree({ revId, nodes, edges });
}
