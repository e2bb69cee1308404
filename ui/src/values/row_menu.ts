// What can be done with a node, for its menu. The same things have keys and buttons in the details.

import type { MenuEntry } from "../parts";
import type { ValuesModel } from "./model";
import type { Row } from "./rows";
import { parentsOf } from "./tree";

export type ParentQuestion = "move" | "link";

export interface RowMenuParts {
  values: ValuesModel;
  row: Row;
  /** Opens the dialog in which a parent is chosen. */
  ask: (what: ParentQuestion, nodeId: string) => void;
}

export function rowMenu({ values, row, ask }: RowMenuParts): MenuEntry[] {
  const { node } = row;
  const id = node.nodeId;
  if (node.archived) {
    return [
      { label: "Restore", icon: "restore", onSelect: () => values.restore(id) },
      node.deletedAt === undefined && { label: "Delete", icon: "trash", danger: true, onSelect: () => values.putAway(id, "delete") },
    ];
  }
  const isDriver = node.nodeType === "DRIVER";
  const isShared = parentsOf(values.tree.peek(), id).length > 1;
  return [
    { label: "Rename", icon: "edit", keys: "F2", onSelect: () => values.startRename(row) },
    !isDriver && {
      label: node.completedAt === undefined ? "Complete" : "Reopen",
      icon: "done",
      keys: "mod+Enter",
      onSelect: () => values.toggleComplete(id),
    },
    { label: isDriver ? "New driver" : "New one below", icon: "plus", keys: "Enter", onSelect: () => values.startSibling(row) },
    node.nodeType !== "ACTION" && { label: "Add under it", icon: "indent", keys: "shift+Enter", onSelect: () => values.startChild(row) },
    "line",
    !isDriver && { label: "Move to…", icon: "arrow-right", onSelect: () => ask("move", id) },
    !isDriver && { label: "Link to another parent…", icon: "link", onSelect: () => ask("link", id) },
    isShared && row.parentId !== null && { label: "Unlink from here", icon: "close", onSelect: () => values.unlink(id, row.parentId!) },
    !isDriver && "line",
    { label: "Archive", icon: "archive", keys: "Delete", onSelect: () => values.putAway(id, "archive") },
    { label: "Delete", icon: "trash", keys: "shift+Delete", danger: true, onSelect: () => values.putAway(id, "delete") },
  ];
}
