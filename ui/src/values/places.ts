// Where things may hang, and where keys lead: in, out, up, down, beside.

import type { Place } from "./operations";
import type { Row } from "./rows";
import { childrenOf, isLiving, isWithin, type NodeType, type Tree } from "./tree";

export interface Target extends Place {
  parentId: string;
}

/** Why a node may not hang under a parent (null: at the top), as a sentence; undefined: it may. */
export function refusal(tree: Tree, id: string, parentId: string | null): string | undefined {
  const node = tree.nodes.get(id);
  if (!node) return "This no longer exists.";
  if (node.nodeType === "DRIVER") return "Drivers are always at the top, in the order they were created.";
  if (parentId === null) return "Only drivers can be at the top.";
  const parent = tree.nodes.get(parentId);
  if (!parent) return "This no longer exists.";
  if (isWithin(tree, parentId, id)) return "An item cannot be placed under itself.";
  if (parent.nodeType === "ACTION") return "Nothing can be placed under an action.";
  if (isLiving(node) && !isLiving(parent)) return "Restore the parent first.";
  return undefined;
}

/** What a new node beside or under one of this type is, unless told otherwise. */
export function childType(parent: NodeType): NodeType {
  return parent === "DRIVER" ? "MILESTONE" : "ACTION";
}

export type Direction = "in" | "out" | "up" | "down";

/** Where a key moves a line, or why it does not. Siblings are those that are seen. */
export function keyTarget(tree: Tree, rows: readonly Row[], row: Row, direction: Direction): Target | string {
  const { node, parentId } = row;
  if (node.nodeType === "DRIVER") return "Drivers are always at the top, in the order they were created.";
  if (parentId === null) return "This no longer exists.";
  const siblings = rows.filter((other) => other.parentKey === row.parentKey);
  const at = siblings.indexOf(row);
  if (direction === "in") {
    const into = siblings.slice(0, at).findLast((other) => refusal(tree, node.nodeId, other.node.nodeId) === undefined);
    return into ? { parentId: into.node.nodeId } : "There is no milestone above it to go into.";
  }
  if (direction === "out") {
    const parent = rows.find((other) => other.key === row.parentKey);
    if (!parent || parent.parentId === null) return "It is right under its driver already.";
    return { parentId: parent.parentId, afterId: parent.node.nodeId };
  }
  if (direction === "down") {
    const next = siblings[at + 1];
    if (next) return { parentId, afterId: next.node.nodeId };
    return besideParent(tree, rows, row, 1) ?? "It is the last one.";
  }
  const previous = siblings[at - 1];
  if (!previous) return besideParent(tree, rows, row, -1) ?? "It is the first one.";
  return { parentId, ...before(tree, parentId, previous.node.nodeId) };
}

/** Past the end of its list, a line goes into the next parent of the same depth that may have it. */
function besideParent(tree: Tree, rows: readonly Row[], row: Row, step: 1 | -1): Target | undefined {
  const parentAt = rows.findIndex((other) => other.key === row.parentKey);
  const parent = rows[parentAt];
  if (!parent) return undefined;
  for (let at = parentAt + step; at >= 0 && at < rows.length; at += step) {
    const other = rows[at]!;
    if (other.depth !== parent.depth || refusal(tree, row.node.nodeId, other.node.nodeId) !== undefined) continue;
    return step === 1 ? { parentId: other.node.nodeId, first: true } : { parentId: other.node.nodeId };
  }
  return undefined;
}

/** The place right before a sibling. */
export function before(tree: Tree, parentId: string, siblingId: string): Place {
  const siblings = childrenOf(tree, parentId);
  const previous = siblings[siblings.indexOf(siblingId) - 1];
  return previous === undefined ? { first: true } : { afterId: previous };
}
