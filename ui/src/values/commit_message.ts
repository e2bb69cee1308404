// What a commit is called in the history, in the words the server uses for its own.

import type { Operation } from "./operations";
import { titleOf, type Tree } from "./tree";

const kTitleMax = 60;

export function commitMessage(tree: Tree, operations: readonly Operation[]): string {
  const [first] = operations;
  if (!first || operations.length > 1) return `${operations.length} changes`;
  const name = (id: string) => quote(titleOf(tree, id));
  switch (first.op) {
    case "add":
      return first.parentId === undefined ? `Add ${quote(first.title)}` : `Add ${quote(first.title)} to ${name(first.parentId)}`;
    case "edit":
      if (first.title !== undefined) return `Rename ${name(first.nodeId)} to ${quote(first.title)}`;
      return first.notes === null ? `Remove the notes of ${name(first.nodeId)}` : `Note on ${name(first.nodeId)}`;
    case "move":
      return `Move ${name(first.nodeId)} to ${name(first.parentId)}`;
    case "link":
      return `Link ${name(first.childId)} to ${name(first.parentId)}`;
    case "unlink":
      return `Unlink ${name(first.childId)} from ${name(first.parentId)}`;
    case "reorder":
      return `Reorder ${name(first.parentId)}`;
    case "complete":
      return `Complete ${name(first.nodeId)}`;
    case "uncomplete":
      return `Reopen ${name(first.nodeId)}`;
    case "archive":
      return `Archive ${name(first.nodeId)}`;
    case "delete":
      return `Delete ${name(first.nodeId)}`;
    case "restore":
      return `Restore ${name(first.nodeId)}`;
  }
}

/** In quotation marks; a long title is cut. */
export function quote(title: string): string {
  return `"${title.length > kTitleMax ? `${title.slice(0, kTitleMax - 1)}…` : title}"`;
}
