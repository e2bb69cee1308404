// What differs between two revisions as a person wants to read it: node by node under its driver, each with everything
// that happened to it, instead of lists of fields.

import type { Schemas } from "../api";
import { childrenOf, driversOf, parentsOf, pathTo, placeText, titleOf, type Tree, type TreeNode } from "./tree";

export type Diff = Schemas["TreeDiff"];

export type Change =
  | { kind: "added" | "removed" | "archived" | "deleted" | "restored" | "completed" | "reopened" }
  | { kind: "renamed" | "notes"; from: string; to: string }
  | { kind: "moved"; from: string; to: string }
  | { kind: "reordered"; up: boolean }
  | { kind: "linked" | "unlinked"; parent: string };

export type ChangeKind = Change["kind"];

export interface NodeChanges {
  node: TreeNode;
  /** What is above it: "Health › Run a marathon". */
  place: string;
  changes: Change[];
  /** Below a node to which the same happened: 1 for its child, and so on. */
  depth: number;
}

export interface DriverChanges {
  driverId: string;
  title: string;
  nodes: NodeChanges[];
}

/** `before` and `after` are the whole trees, or the newest one for both: only names and places are taken from them. */
export function readChanges(diff: Diff, before: Tree, after: Tree): DriverChanges[] {
  const found = collect(diff, before, after);
  const order = linesOf(after, before);
  const groups = new Map<string, DriverChanges>();
  for (const id of [...found.keys()].sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))) {
    const entry = found.get(id)!;
    const tree = after.nodes.has(id) ? after : before;
    const driverId = entry.node.rootDriverId ?? pathTo(tree, id)[0] ?? id;
    const title = titleOf(after.nodes.has(driverId) ? after : before, driverId);
    const group = groups.get(driverId) ?? { driverId, title, nodes: [] };
    groups.set(driverId, group);
    group.nodes.push({ ...entry, place: placeText(tree, id), depth: depthAmong(found, tree, id) });
  }
  return [...groups.values()];
}

type Found = Map<string, { node: TreeNode; changes: Change[] }>;

function collect(diff: Diff, before: Tree, after: Tree): Found {
  const found: Found = new Map();
  const note = (id: string, change: Change, known?: TreeNode) => {
    const node = known ?? after.nodes.get(id) ?? before.nodes.get(id);
    if (!node) return;
    const entry = found.get(id) ?? { node, changes: [] };
    entry.changes.push(change);
    found.set(id, entry);
  };
  for (const node of diff.added) {
    note(node.nodeId, { kind: "added" }, node);
    if (node.completedAt !== undefined) note(node.nodeId, { kind: "completed" }, node);
    if (node.deletedAt !== undefined) note(node.nodeId, { kind: "deleted" }, node);
    else if (node.archived) note(node.nodeId, { kind: "archived" }, node);
  }
  for (const node of diff.removed) note(node.nodeId, { kind: "removed" }, node);
  const deletions = new Set(diff.changed.filter(({ field }) => field === "deletedAt").map(({ nodeId }) => nodeId));
  for (const change of diff.changed) {
    const read = readField(change, deletions.has(change.nodeId));
    if (read) note(change.nodeId, read);
  }
  for (const { nodeId, from, to } of diff.moved) {
    if (from.parentNodeId === to.parentNodeId) note(nodeId, { kind: "reordered", up: to.order < from.order });
    else note(nodeId, { kind: "moved", from: wayTo(before, from.parentNodeId), to: wayTo(after, to.parentNodeId) });
  }
  noteLinks(diff, before, after, note);
  return found;
}

function readField(change: Diff["changed"][number], isDeletion: boolean): Change | undefined {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  switch (change.field) {
    case "title":
      return { kind: "renamed", from: text(change.from), to: text(change.to) };
    case "notes":
      return { kind: "notes", from: text(change.from), to: text(change.to) };
    case "completedAt":
      return { kind: change.to === undefined || change.to === null ? "reopened" : "completed" };
    case "deletedAt":
      return { kind: change.to === undefined || change.to === null ? "restored" : "deleted" };
    case "archived":
      return isDeletion ? undefined : { kind: change.to === true ? "archived" : "restored" };
    default:
      return undefined; // drivers and primary parents follow from moves
  }
}

/** Edges that come from no move and from no new or removed node are links. */
function noteLinks(diff: Diff, before: Tree, after: Tree, note: (id: string, change: Change) => void): void {
  const edge = (parent: string, child: string) => `${parent} ${child}`;
  const isNew = new Set(diff.added.map(({ nodeId }) => nodeId));
  const isGone = new Set(diff.removed.map(({ nodeId }) => nodeId));
  const cameByMove = new Set(diff.moved.map(({ nodeId, to }) => edge(to.parentNodeId, nodeId)));
  const wentByMove = new Set(diff.moved.map(({ nodeId, from }) => edge(from.parentNodeId, nodeId)));
  const had = new Set(diff.edgesRemoved.map(({ parentNodeId, childNodeId }) => edge(parentNodeId, childNodeId)));
  const has = new Set(diff.edgesAdded.map(({ parentNodeId, childNodeId }) => edge(parentNodeId, childNodeId)));
  for (const { parentNodeId, childNodeId } of diff.edgesAdded) {
    const name = edge(parentNodeId, childNodeId);
    if (isNew.has(childNodeId) || cameByMove.has(name) || had.has(name)) continue;
    note(childNodeId, { kind: "linked", parent: wayTo(after, parentNodeId) });
  }
  for (const { parentNodeId, childNodeId } of diff.edgesRemoved) {
    const name = edge(parentNodeId, childNodeId);
    if (isGone.has(childNodeId) || wentByMove.has(name) || has.has(name)) continue;
    note(childNodeId, { kind: "unlinked", parent: wayTo(before, parentNodeId) });
  }
}

function wayTo(tree: Tree, id: string): string {
  return pathTo(tree, id)
    .map((above) => titleOf(tree, above))
    .join(" › ");
}

/** In which order a person meets the nodes: down the newer tree; what is only in the older one stands at its old place. */
function linesOf(after: Tree, before: Tree): Map<string, number> {
  const order = new Map<string, number>();
  const visit = (id: string) => {
    if (order.has(id)) return;
    order.set(id, order.size);
    const now = childrenOf(after, id);
    for (const child of now) visit(child);
    for (const child of childrenOf(before, id)) if (!after.nodes.has(child)) visit(child);
  };
  [...driversOf(after), ...driversOf(before)].forEach(visit);
  return order;
}

/** How many of the nodes right above had the very same change of their whole. */
function depthAmong(found: Found, tree: Tree, id: string): number {
  const whole = wholeKind(found, id);
  let depth = 0;
  if (whole === undefined) return depth;
  for (let at = parentsOf(tree, id)[0]; at !== undefined && wholeKind(found, at) === whole; at = parentsOf(tree, at)[0]) ++depth;
  return depth;
}

function wholeKind(found: Found, id: string): ChangeKind | undefined {
  const kinds: readonly ChangeKind[] = ["added", "removed", "deleted", "archived", "restored"];
  return found.get(id)?.changes.find(({ kind }) => kinds.includes(kind))?.kind;
}

const kOrder: ChangeKind[] = [
  "added",
  "completed",
  "reopened",
  "renamed",
  "notes",
  "moved",
  "reordered",
  "linked",
  "unlinked",
  "archived",
  "deleted",
  "restored",
  "removed",
];

export const changeNames: Record<ChangeKind, string> = {
  added: "added",
  removed: "taken back",
  archived: "archived",
  deleted: "deleted",
  restored: "restored",
  completed: "completed",
  reopened: "reopened",
  renamed: "renamed",
  notes: "notes changed",
  moved: "moved",
  reordered: "reordered",
  linked: "linked",
  unlinked: "unlinked",
};

/** "2 added", "1 note changed". */
export function countText(kind: ChangeKind, count: number): string {
  return kind === "notes" && count === 1 ? "1 note changed" : `${count} ${changeNames[kind]}`;
}

/** How often each kind happened, in a fixed order. */
export function countChanges(groups: readonly DriverChanges[]): [ChangeKind, number][] {
  const counts = new Map<ChangeKind, number>();
  for (const { nodes } of groups) {
    for (const { changes } of nodes) for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return kOrder.filter((kind) => counts.has(kind)).map((kind) => [kind, counts.get(kind)!]);
}

/** One line: “Run 5 km” completed, or "2 added, 1 moved". What `known` says already is not said again. */
export function summaryOf(groups: readonly DriverChanges[], known = ""): string {
  const nodes = groups.flatMap((group) => group.nodes);
  const [only] = nodes;
  if (!only) return "Nothing differs";
  if (nodes.length === 1 && only.place !== "" && known.includes(only.node.title)) return only.place;
  if (nodes.length === 1 && only.changes.length === 1) return `“${only.node.title}” ${changeNames[only.changes[0]!.kind]}`;
  return countChanges(groups)
    .map(([kind, count]) => countText(kind, count))
    .join(", ");
}
