// Operations on the tree as the server takes them, and what they do to it. Applied here so that a change is seen at once;
// the server applies them again and has the last word. What does not fit is left alone: then the server refuses it.

import type { BodyOf } from "../api";
import { childrenOf, descendantsOf, isLiving, parentsOf, pathTo, type Tree, type TreeNode } from "./tree";

export type CommitBody = BodyOf<"post", "/api/values/commits">;
export type Operation = CommitBody["operations"][number];
export type OperationOf<Name extends Operation["op"]> = Extract<Operation, { op: Name }>;

/** Where among its siblings a child goes; neither: behind all. */
export interface Place {
  afterId?: string;
  first?: boolean;
}

export function applyOperations(tree: Tree, operations: readonly Operation[], now: string): Tree {
  return operations.reduce((state, operation) => applyOne(state, operation, now), tree);
}

function applyOne(tree: Tree, operation: Operation, now: string): Tree {
  switch (operation.op) {
    case "add":
      return addNode(tree, operation, now);
    case "edit":
      return editNode(tree, operation);
    case "move":
      return moveNode(tree, operation);
    case "link":
      return linkNode(tree, operation);
    case "unlink":
      return withChildren(tree, operation.parentId, without(childrenOf(tree, operation.parentId), operation.childId));
    case "reorder":
      return withChildren(tree, operation.parentId, [...operation.childIds, ...awayChildren(tree, operation.parentId)]);
    case "complete":
      return withNode(tree, operation.nodeId, (node) =>
        node.completedAt === undefined ? { ...node, completedAt: operation.completedAt ?? now } : node,
      );
    case "uncomplete":
      return withNode(tree, operation.nodeId, (node) => dropField(node, "completedAt"));
    case "archive":
      return putAway(tree, operation.nodeId, (node) => ({ ...node, archived: true, archivedAt: now }));
    case "delete":
      return putAway(tree, operation.nodeId, (node) => ({ ...node, archived: true, deletedAt: now }));
    case "restore":
      return bringBack(tree, operation.nodeId);
  }
}

function addNode(tree: Tree, add: OperationOf<"add">, now: string): Tree {
  if (add.nodeId === undefined || tree.nodes.has(add.nodeId)) return tree;
  if (add.parentId !== undefined && !tree.nodes.has(add.parentId)) return tree;
  const node: TreeNode = { nodeId: add.nodeId, nodeType: add.nodeType, title: add.title, createdAt: now, archived: false };
  if (add.notes !== undefined) node.notes = add.notes;
  const added = { ...tree, nodes: new Map(tree.nodes).set(node.nodeId, node) };
  if (add.parentId === undefined) return added;
  return withPrimary(insertChild(added, add.parentId, node.nodeId, add), node.nodeId, add.parentId);
}

function editNode(tree: Tree, edit: OperationOf<"edit">): Tree {
  return withNode(tree, edit.nodeId, (node) => {
    let edited = node;
    if (edit.title !== undefined) edited = { ...edited, title: edit.title };
    if (edit.notes === null || edit.notes === "") edited = dropField(edited, "notes");
    else if (edit.notes !== undefined) edited = { ...edited, notes: edit.notes };
    return edited;
  });
}

function moveNode(tree: Tree, move: OperationOf<"move">): Tree {
  if (!tree.nodes.has(move.nodeId) || !tree.nodes.has(move.parentId)) return tree;
  const parents = parentsOf(tree, move.nodeId);
  const from = move.fromParentId ?? parents[0];
  if (from === undefined || !parents.includes(from)) return tree;
  const taken = withChildren(tree, from, without(childrenOf(tree, from), move.nodeId));
  const again = withChildren(taken, move.parentId, without(childrenOf(taken, move.parentId), move.nodeId));
  const moved = insertChild(again, move.parentId, move.nodeId, move);
  return parents[0] === from ? withPrimary(moved, move.nodeId, move.parentId) : moved;
}

function linkNode(tree: Tree, link: OperationOf<"link">): Tree {
  if (!tree.nodes.has(link.parentId) || !tree.nodes.has(link.childId)) return tree;
  if (childrenOf(tree, link.parentId).includes(link.childId)) return tree;
  return insertChild(tree, link.parentId, link.childId, link);
}

function insertChild(tree: Tree, parentId: string, childId: string, place: Place): Tree {
  const siblings = [...childrenOf(tree, parentId)];
  const after = place.afterId === undefined ? -1 : siblings.indexOf(place.afterId);
  const at = place.first ? 0 : after >= 0 ? after + 1 : siblings.length;
  siblings.splice(at, 0, childId);
  return withChildren(tree, parentId, siblings);
}

/** The attributes that name the primary parent, and the driver of all that is below. */
function withPrimary(tree: Tree, id: string, parentId: string): Tree {
  const parent = tree.nodes.get(parentId);
  const driverId = pathTo(tree, parentId)[0];
  if (!parent || driverId === undefined) return tree;
  const nodes = new Map(tree.nodes);
  const node = dropField(nodes.get(id)!, "parentMilestoneId");
  nodes.set(id, {
    ...node,
    driverId,
    rootDriverId: driverId,
    ...(parent.nodeType === "MILESTONE" ? { parentMilestoneId: parentId } : {}),
  });
  for (const below of descendantsOf(tree, id)) {
    const other = nodes.get(below);
    if (other && other.driverId !== driverId) nodes.set(below, { ...other, driverId, rootDriverId: driverId });
  }
  return { ...tree, nodes };
}

/** With all below that have no other living parent left. */
function putAway(tree: Tree, id: string, change: (node: TreeNode) => TreeNode): Tree {
  const node = tree.nodes.get(id);
  if (!node) return tree;
  const nodes = new Map(tree.nodes);
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    nodes.set(at, change(nodes.get(at)!));
    for (const child of childrenOf(tree, at)) {
      const other = nodes.get(child);
      const isHeld = parentsOf(tree, child).some((parent) => nodes.has(parent) && isLiving(nodes.get(parent)!));
      if (other && isLiving(other) && !isHeld) open.push(child);
    }
  }
  return { ...tree, nodes };
}

/** With what went together with it, and so has its moment. */
function bringBack(tree: Tree, id: string): Tree {
  const top = tree.nodes.get(id);
  if (!top || isLiving(top)) return tree;
  const nodes = new Map(tree.nodes);
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    nodes.set(at, { ...dropField(dropField(nodes.get(at)!, "deletedAt"), "archivedAt"), archived: false });
    for (const child of childrenOf(tree, at)) {
      const node = nodes.get(child);
      if (node && !isLiving(node) && wentTogether(top, node)) open.push(child);
    }
  }
  return { ...tree, nodes };
}

/** By the same deleting, or the same archiving. What was archived before such moments were kept has none. */
function wentTogether(top: TreeNode, node: TreeNode): boolean {
  if (top.deletedAt !== undefined && node.deletedAt === top.deletedAt) return true;
  const isKnown = top.archivedAt !== undefined || top.deletedAt === undefined;
  return isKnown && node.deletedAt === undefined && node.archivedAt === top.archivedAt;
}

function withNode(tree: Tree, id: string, change: (node: TreeNode) => TreeNode): Tree {
  const node = tree.nodes.get(id);
  if (!node) return tree;
  const changed = change(node);
  return changed === node ? tree : { ...tree, nodes: new Map(tree.nodes).set(id, changed) };
}

function withChildren(tree: Tree, parentId: string, list: readonly string[]): Tree {
  const children = new Map(tree.children);
  if (list.length === 0) children.delete(parentId);
  else children.set(parentId, list);
  return { ...tree, children };
}

function awayChildren(tree: Tree, parentId: string): string[] {
  return childrenOf(tree, parentId).filter((id) => !isLiving(tree.nodes.get(id)!));
}

function without(list: readonly string[], id: string): string[] {
  return list.filter((other) => other !== id);
}

function dropField(node: TreeNode, field: "notes" | "completedAt" | "archivedAt" | "deletedAt" | "parentMilestoneId"): TreeNode {
  if (node[field] === undefined) return node;
  const rest = { ...node };
  delete rest[field];
  return rest;
}

/** Every node an operation names. */
export function nodesNamed(operations: readonly Operation[]): Set<string> {
  const ids = new Set<string>();
  const note = (...names: (string | undefined)[]) => names.forEach((name) => name !== undefined && ids.add(name));
  for (const operation of operations) {
    if ("nodeId" in operation) note(operation.nodeId);
    if ("childId" in operation) note(operation.childId);
    if ("parentId" in operation) note(operation.parentId);
    if ("afterId" in operation) note(operation.afterId);
    if ("fromParentId" in operation) note(operation.fromParentId);
    if (operation.op === "reorder") note(...operation.childIds);
  }
  return ids;
}
