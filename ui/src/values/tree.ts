// The values tree as the page works with it: nodes by id, children in order. Immutable: a change makes a new Tree that
// shares what stayed, so that whatever is unchanged need not be drawn again.

import type { Schemas } from "../api";

export type TreeNode = Schemas["Node"];
export type NodeType = TreeNode["nodeType"];

export interface Tree {
  /** Absent: nothing was ever committed. */
  revId: string | undefined;
  revTs: string | undefined;
  nodes: ReadonlyMap<string, TreeNode>;
  /** By parent, in order; archived and deleted ones included. */
  children: ReadonlyMap<string, readonly string[]>;
}

export const emptyTree: Tree = { revId: undefined, revTs: undefined, nodes: new Map(), children: new Map() };

/** From the server's answer. Nodes that are as in `before` are the same objects. */
export function readTree(answer: Schemas["Tree"], before: Tree = emptyTree): Tree {
  const nodes = new Map<string, TreeNode>();
  for (const node of answer.nodes) {
    const known = before.nodes.get(node.nodeId);
    nodes.set(node.nodeId, known && sameNode(known, node) ? known : node);
  }
  const children = new Map<string, string[]>();
  for (const { parentNodeId, childNodeId } of [...answer.edges].sort((one, other) => one.order - other.order)) {
    const list = children.get(parentNodeId);
    if (list) list.push(childNodeId);
    else children.set(parentNodeId, [childNodeId]);
  }
  return { revId: answer.revId, revTs: answer.revTs, nodes, children };
}

function sameNode(one: TreeNode, other: TreeNode): boolean {
  return (
    one.title === other.title &&
    one.notes === other.notes &&
    one.completedAt === other.completedAt &&
    one.archived === other.archived &&
    one.deletedAt === other.deletedAt &&
    one.nodeType === other.nodeType &&
    one.createdAt === other.createdAt &&
    one.driverId === other.driverId &&
    one.parentMilestoneId === other.parentMilestoneId
  );
}

/** In use: neither archived nor deleted. */
export function isLiving(node: TreeNode): boolean {
  return !node.archived && node.deletedAt === undefined;
}

export function childrenOf(tree: Tree, id: string): readonly string[] {
  return tree.children.get(id) ?? [];
}

/** Drivers stand in the order of their ids, which is that in which they were made. */
export function driversOf(tree: Tree): string[] {
  const ids: string[] = [];
  for (const node of tree.nodes.values()) if (node.nodeType === "DRIVER") ids.push(node.nodeId);
  return ids.sort((one, other) => (one < other ? -1 : 1));
}

const parentsByTree = new WeakMap<Tree["children"], Map<string, string[]>>();

/** All parents, the primary one first. */
export function parentsOf(tree: Tree, id: string): string[] {
  let all = parentsByTree.get(tree.children);
  if (!all) {
    all = new Map();
    for (const [parent, list] of tree.children) {
      for (const child of list) {
        const parents = all.get(child);
        if (parents) parents.push(parent);
        else all.set(child, [parent]);
      }
    }
    parentsByTree.set(tree.children, all);
  }
  const parents = all.get(id) ?? [];
  if (parents.length < 2) return parents;
  const node = tree.nodes.get(id);
  const primary = node?.parentMilestoneId ?? node?.driverId;
  return [...parents].sort((one, other) => Number(other === primary) - Number(one === primary) || (one < other ? -1 : 1));
}

/** From the driver down to the node, along primary parents, the node included. */
export function pathTo(tree: Tree, id: string): string[] {
  const path: string[] = [];
  for (let at: string | undefined = id; at !== undefined && !path.includes(at); at = parentsOf(tree, at)[0]) path.unshift(at);
  return path;
}

export function titleOf(tree: Tree, id: string): string {
  return tree.nodes.get(id)?.title ?? "something that is gone";
}

/** "Health › Run a marathon": what is above a node. */
export function placeText(tree: Tree, id: string): string {
  return pathTo(tree, id)
    .slice(0, -1)
    .map((above) => titleOf(tree, above))
    .join(" › ");
}

/** Whether `id` is `top` or somewhere below it. */
export function isWithin(tree: Tree, id: string, top: string): boolean {
  const seen = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === top) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...parentsOf(tree, at));
  }
  return false;
}

/** Everything below, each once. */
export function descendantsOf(tree: Tree, id: string): string[] {
  const found = new Set<string>();
  const open = [...childrenOf(tree, id)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    open.push(...childrenOf(tree, at));
  }
  return [...found];
}

export interface Progress {
  completed: number;
  total: number;
}

/** Actions in use below a node, as the server counts them. */
export function progressOf(tree: Tree, id: string): Progress {
  const progress = { completed: 0, total: 0 };
  const addPacked = (node: TreeNode | undefined) => {
    progress.completed += node?.packedActions ?? 0;
    progress.total += node?.packedActions ?? 0;
  };
  const seen = new Set<string>();
  addPacked(tree.nodes.get(id));
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const child of childrenOf(tree, at)) {
      const node = tree.nodes.get(child);
      if (!node || !isLiving(node) || seen.has(child)) continue;
      seen.add(child);
      if (node.nodeType !== "ACTION") {
        open.push(child);
        addPacked(node);
      } else {
        ++progress.total;
        if (node.completedAt !== undefined) ++progress.completed;
      }
    }
  }
  return progress;
}

const progressByTree = new WeakMap<Tree, Map<string, Progress>>();

/** The same, remembered as long as the tree is. */
export function knownProgress(tree: Tree, id: string): Progress {
  const known = progressByTree.get(tree) ?? new Map<string, Progress>();
  progressByTree.set(tree, known);
  const progress = known.get(id) ?? progressOf(tree, id);
  known.set(id, progress);
  return progress;
}

export const typeNames: Record<NodeType, string> = { DRIVER: "Driver", MILESTONE: "Milestone", ACTION: "Action" };
