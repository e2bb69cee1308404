// Where a dragged line would land: between two lines, how deep, or inside one. Lines have one height, so nothing is
// measured. Pure.

import { before, refusal, type Target } from "./places";
import type { Row } from "./rows";
import type { Tree } from "./tree";

export interface DropAim {
  /** The pointer within the tree, in lines: 2.5 is the middle of the third. */
  line: number;
  /** The depth the pointer asks for; decides between the places that one gap has. */
  depth: number;
}

export interface Drop {
  /** undefined: it may not go there, and `why` says so. */
  target: Target | undefined;
  why: string | undefined;
  /** between: a line is drawn at `line` and `depth`. inside: the row `line` is lit. */
  kind: "between" | "inside";
  line: number;
  depth: number;
  /** The parent's row, when it is seen. */
  parentKey: string | null;
}

/** The lines without the dragged one and all below it, with where they are on the screen. */
export interface DropRows {
  rows: readonly Row[];
  /** Line numbers of `rows` on the screen. */
  lines: readonly number[];
}

export function dropRows(rows: readonly Row[], draggedKey: string): DropRows {
  const at = rows.findIndex((row) => row.key === draggedKey);
  let end = at + 1;
  while (at >= 0 && end < rows.length && rows[end]!.depth > rows[at]!.depth) ++end;
  const kept: Row[] = [];
  const lines: number[] = [];
  rows.forEach((row, line) => {
    if (at >= 0 && line >= at && line < end) return;
    kept.push(row);
    lines.push(line);
  });
  return { rows: kept, lines };
}

const kEdge = 0.3; // of a line that may take something inside: above and below the middle

export function dropAt(tree: Tree, dragged: Row, { rows, lines }: DropRows, aim: DropAim): Drop {
  const line = Math.floor(aim.line);
  const over = lines.indexOf(line);
  const part = aim.line - line;
  const row = rows[over];
  if (row) {
    const why = refusal(tree, dragged.node.nodeId, row.node.nodeId);
    const isMiddle = part > kEdge && part < 1 - kEdge;
    if (isMiddle && why === undefined) return inside(row, line);
  }
  const slot = row ? over + (part < 0.5 ? 0 : 1) : slotBefore(lines, aim.line);
  return between(tree, dragged, { rows, lines }, slot, aim.depth);
}

function slotBefore(lines: readonly number[], line: number): number {
  const at = lines.findIndex((other) => other + 0.5 > line);
  return at < 0 ? lines.length : at;
}

function inside(row: Row, line: number): Drop {
  // Open: the new line appears right below, where the pointer is. Closed: last, as nobody sees it.
  const target: Target = row.isOpen ? { parentId: row.node.nodeId, first: true } : { parentId: row.node.nodeId };
  return { target, why: undefined, kind: "inside", line, depth: row.depth + 1, parentKey: row.key };
}

function between(tree: Tree, dragged: Row, { rows, lines }: DropRows, slot: number, depth: number): Drop {
  const above = rows[slot - 1];
  const below = rows[slot];
  const line = above ? lines[slot - 1]! + 1 : 0;
  const deepest = above ? above.depth + (above.isOpen || !above.hasChildren ? 1 : 0) : 0;
  const shallowest = Math.min(below?.depth ?? 0, deepest);
  let best: Drop | undefined;
  let refused: Drop | undefined;
  for (let at = shallowest; at <= deepest; ++at) {
    const { parent, after } = placeAt(rows, slot, at);
    const parentId = parent?.node.nodeId ?? null;
    const why = refusal(tree, dragged.node.nodeId, parentId);
    const drop: Drop = { target: undefined, why, kind: "between", line, depth: at, parentKey: parent?.key ?? null };
    const isNearer = (other: Drop | undefined) => !other || Math.abs(at - depth) < Math.abs(other.depth - depth);
    if (why !== undefined || parentId === null) {
      if (isNearer(refused)) refused = drop;
    } else if (isNearer(best)) {
      const place = after ? { afterId: after.node.nodeId } : firstPlace(tree, parentId, below);
      best = { ...drop, target: { parentId, ...place } };
    }
  }
  return best ?? refused ?? { target: undefined, why: "Nothing can be placed here.", kind: "between", line, depth: 0, parentKey: null };
}

/** In front of the first sibling that is seen; hidden ones before it stay before it. */
function firstPlace(tree: Tree, parentId: string, below: Row | undefined) {
  return below?.parentId === parentId ? before(tree, parentId, below.node.nodeId) : { first: true };
}

function placeAt(rows: readonly Row[], slot: number, depth: number): { parent: Row | undefined; after: Row | undefined } {
  let after: Row | undefined;
  for (let at = slot - 1; at >= 0; --at) {
    const row = rows[at]!;
    if (row.depth === depth && !after) after = row;
    if (row.depth < depth) return { parent: row, after };
  }
  return { parent: undefined, after };
}

/** Whether the drop changes anything. */
export function isSamePlace(tree: Tree, dragged: Row, target: Target): boolean {
  if (target.parentId !== dragged.parentId) return false;
  const siblings = tree.children.get(target.parentId) ?? [];
  const at = siblings.indexOf(dragged.node.nodeId);
  if (target.afterId !== undefined) return target.afterId === dragged.node.nodeId || siblings[at - 1] === target.afterId;
  return target.first ? at === 0 : at === siblings.length - 1;
}
