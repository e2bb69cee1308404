// Actions that may become todos, and places for new ones, from the values tree. Pure.

import type { Schemas } from "../api";

export type Tree = Schemas["Tree"];
export type Node = Schemas["Node"];

export interface OpenAction {
  id: string;
  title: string;
  /** Titles of what it is under, the driver first. */
  path: string[];
}

export interface Place extends OpenAction {
  nodeType: "DRIVER" | "MILESTONE";
}

export interface Values {
  actions: OpenAction[];
  places: Place[];
  /** Also of what is completed or put away. */
  titles: Map<string, string>;
  paths: Map<string, string[]>;
  isEmpty: boolean;
}

/** In the order of the tree. */
export function readValues(tree: Tree): Values {
  const nodes = new Map(tree.nodes.map((node) => [node.nodeId, node]));
  const children = childrenOf(tree);
  const values: Values = { actions: [], places: [], titles: new Map(), paths: new Map(), isEmpty: true };
  for (const node of tree.nodes) values.titles.set(node.nodeId, node.title);
  const visit = (id: string, path: string[]) => {
    const node = nodes.get(id);
    if (!node || values.paths.has(id)) return;
    values.paths.set(id, path);
    if (!node.archived && !node.completedAt) {
      const entry = { id, title: node.title, path };
      if (node.nodeType === "ACTION") values.actions.push(entry);
      else values.places.push({ ...entry, nodeType: node.nodeType });
    }
    for (const child of children.get(id) ?? []) visit(child, [...path, node.title]);
  };
  for (const node of tree.nodes) if (node.nodeType === "DRIVER") visit(node.nodeId, []);
  values.isEmpty = tree.nodes.every(({ archived }) => archived);
  return values;
}

function childrenOf(tree: Tree): Map<string, string[]> {
  const edges = [...tree.edges].sort((one, other) => one.order - other.order);
  const children = new Map<string, string[]>();
  for (const { parentNodeId, childNodeId } of edges) {
    const list = children.get(parentNodeId);
    if (list) list.push(childNodeId);
    else children.set(parentNodeId, [childNodeId]);
  }
  return children;
}

/** All words must be in the title or the path; titles that begin with the text come first, then those that contain it. */
export function search<T extends OpenAction>(entries: readonly T[], text: string, max = 50): T[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return entries.slice(0, max);
  const words = wanted.split(/\s+/);
  const ranked = entries.flatMap((entry, index) => {
    const title = entry.title.toLowerCase();
    const all = `${entry.path.join(" ").toLowerCase()} ${title}`;
    if (!words.every((word) => all.includes(word))) return [];
    const rank = title.startsWith(wanted) ? 0 : title.includes(wanted) ? 1 : words.every((word) => title.includes(word)) ? 2 : 3;
    return [{ entry, rank, index }];
  });
  ranked.sort((one, other) => one.rank - other.rank || one.index - other.index);
  return ranked.slice(0, max).map(({ entry }) => entry);
}
