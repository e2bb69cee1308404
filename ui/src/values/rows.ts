// The tree as lines on the screen: which nodes are seen, how deep, in which order.

import { childrenOf, driversOf, isLiving, type Tree, type TreeNode } from "./tree";

export interface Row {
  /** Of this line: a node with several parents has several. */
  key: string;
  node: TreeNode;
  /** null: at the top. */
  parentId: string | null;
  /** The line of the parent. */
  parentKey: string | null;
  depth: number;
  /** Among the siblings that are seen, from 1. */
  position: number;
  setSize: number;
  hasChildren: boolean;
  isOpen: boolean;
  /** Found by the search itself, not only on the way to something found. */
  isMatch: boolean;
}

export interface RowOptions {
  closed: ReadonlySet<string>;
  showArchived: boolean;
  showCompleted: boolean;
  /** Words to be found in titles and notes; "" shows everything. */
  search: string;
}

export function flattenTree(tree: Tree, options: RowOptions): Row[] {
  const words = searchWords(options.search);
  const seen = words.length > 0 ? withAncestors(tree, options, words) : null;
  const rows: Row[] = [];
  const lines = new Map<string, number>();
  const way = new Set<string>();

  const isSeen = (id: string) => {
    const node = tree.nodes.get(id);
    return node !== undefined && (seen ? seen.has(id) : isShown(node, options));
  };

  const visit = (ids: readonly string[], parent: Row | null) => {
    const list = ids.filter(isSeen);
    list.forEach((id, index) => {
      if (way.has(id)) return;
      const node = tree.nodes.get(id)!;
      const line = (lines.get(id) ?? 0) + 1;
      lines.set(id, line);
      const hasChildren = childrenOf(tree, id).some(isSeen);
      const row: Row = {
        key: line === 1 ? id : `${id}~${line}`,
        node,
        parentId: parent?.node.nodeId ?? null,
        parentKey: parent?.key ?? null,
        depth: parent ? parent.depth + 1 : 0,
        position: index + 1,
        setSize: list.length,
        hasChildren,
        isOpen: hasChildren && (seen !== null || !options.closed.has(id)),
        isMatch: seen !== null && matches(node, words),
      };
      rows.push(row);
      if (!row.isOpen) return;
      way.add(id);
      visit(childrenOf(tree, id), row);
      way.delete(id);
    });
  };
  visit(driversOf(tree), null);
  return rows;
}

function isShown(node: TreeNode, options: RowOptions): boolean {
  if (!options.showArchived && !isLiving(node)) return false;
  return options.showCompleted || node.completedAt === undefined;
}

export function searchWords(search: string): string[] {
  return plain(search).split(/\s+/).filter(Boolean);
}

export function matches(node: TreeNode, words: readonly string[]): boolean {
  const text = plain(`${node.title}\n${node.notes ?? ""}`);
  return words.every((word) => text.includes(word));
}

/** Without case and accents, so that "cafe" finds "Café". */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** What is found, and all above it. */
function withAncestors(tree: Tree, options: RowOptions, words: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const known = new Map<string, boolean>();
  const leads = (id: string): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false);
    const node = tree.nodes.get(id);
    if (!node || !isShown(node, options)) return false;
    let found = matches(node, words);
    for (const child of childrenOf(tree, id)) if (leads(child)) found = true;
    known.set(id, found);
    if (found) seen.add(id);
    return found;
  };
  driversOf(tree).forEach(leads);
  return seen;
}

/** Where the words are in a title, for highlighting: [start, end) in order, without overlaps. */
export function matchRanges(title: string, words: readonly string[]): [number, number][] {
  // Letters one by one, so that places in the plain text are places in the title.
  const letters = [...title];
  let text = "";
  const starts: number[] = [];
  let at = 0;
  for (const letter of letters) {
    const flat = plain(letter);
    for (let index = 0; index < flat.length; ++index) starts.push(at);
    text += flat;
    at += letter.length;
  }
  starts.push(title.length);
  const found: [number, number][] = [];
  for (const word of words) {
    for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length)) {
      found.push([starts[from]!, starts[from + word.length]!]);
    }
  }
  found.sort((one, other) => one[0] - other[0]);
  const joined: [number, number][] = [];
  for (const range of found) {
    const last = joined[joined.length - 1];
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else joined.push([...range]);
  }
  return joined;
}
