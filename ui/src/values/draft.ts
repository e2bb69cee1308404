// A title that is being typed: of a node that is there, or of one that will be. It lives outside the field, so that
// nothing is lost when lines come and go around it.

import type { Place } from "./operations";
import { childType } from "./places";
import type { Row } from "./rows";
import type { NodeType } from "./tree";

export interface RenameDraft {
  kind: "rename";
  key: string;
  nodeId: string;
  before: string;
  /** Changes while it is typed. */
  text: string;
  /** The revision that was shown when the typing began: what others change meanwhile is a conflict. */
  seenRevId: string | undefined;
}

export interface NewDraft {
  kind: "new";
  nodeType: NodeType;
  /** null: at the top. */
  parentId: string | null;
  parentKey: string | null;
  /** The line it comes behind (with all below that); null: right below its parent, or last of all at the top. */
  afterKey: string | null;
  depth: number;
  text: string;
  seenRevId: string | undefined;
  /** Where the focus goes when it is given up. */
  backKey: string | null;
}

export type Draft = RenameDraft | NewDraft;

type NewPlace = Pick<NewDraft, "parentId" | "parentKey" | "afterKey" | "depth" | "nodeType">;

export function siblingPlace(row: Row): NewPlace {
  const { parentId, parentKey, key, depth, node } = row;
  return { parentId, parentKey, afterKey: key, depth, nodeType: node.nodeType };
}

/** Last among the children that are seen; under an action there is no place, so beside it. */
export function childPlace(rows: readonly Row[], row: Row): NewPlace {
  if (row.node.nodeType === "ACTION") return siblingPlace(row);
  const last = row.isOpen ? rows.findLast((other) => other.parentKey === row.key) : undefined;
  const { nodeId } = row.node;
  const nodeType = last?.node.nodeType ?? childType(row.node.nodeType);
  return { parentId: nodeId, parentKey: row.key, afterKey: last?.key ?? null, depth: row.depth + 1, nodeType };
}

export const driverPlace: NewPlace = { parentId: null, parentKey: null, afterKey: null, depth: 0, nodeType: "DRIVER" };

/** One level deeper: into the sibling it comes behind, or undefined. A driver becomes a milestone that way. */
export function indented(rows: readonly Row[], draft: NewDraft): NewPlace | undefined {
  const above = rows.find((row) => row.key === draft.afterKey) ?? (draft.depth === 0 ? rows.findLast((row) => row.depth === 0) : undefined);
  if (!above || above.node.nodeType === "ACTION" || above.node.archived) return undefined;
  const place = childPlace(rows, above);
  return { ...place, nodeType: draft.nodeType === "DRIVER" ? childType("DRIVER") : draft.nodeType };
}

/** One level up, behind its parent. Right under the top only drivers stand. */
export function outdented(rows: readonly Row[], draft: NewDraft): NewPlace | undefined {
  const parent = rows.find((row) => row.key === draft.parentKey);
  if (!parent) return undefined;
  const place = siblingPlace(parent);
  return { ...place, nodeType: place.parentId === null ? "DRIVER" : draft.nodeType };
}

/** Where its line is drawn: before which line of the tree. */
export function draftLine(rows: readonly Row[], draft: NewDraft): number {
  if (draft.afterKey === null) {
    const parent = rows.findIndex((row) => row.key === draft.parentKey);
    return parent < 0 ? rows.length : parent + 1;
  }
  const at = rows.findIndex((row) => row.key === draft.afterKey);
  if (at < 0) return draftLine(rows, { ...draft, afterKey: null });
  let end = at + 1;
  while (end < rows.length && rows[end]!.depth > rows[at]!.depth) ++end;
  return end;
}

/** The place among all children, also those that are not seen. */
export function placeOf(rows: readonly Row[], draft: NewDraft): Place {
  const after = rows.find((row) => row.key === draft.afterKey);
  if (after && draft.parentId !== null) return { afterId: after.node.nodeId };
  const isOpen = rows.find((row) => row.key === draft.parentKey)?.isOpen ?? false;
  return isOpen && draft.parentId !== null ? { first: true } : {};
}
