// The conflicts of a refused change in words, and what is sent for each choice. Pure.

import type { Schemas } from "../api";
import { dateTimeText } from "../parts";
import type { Conflict } from "./store";
import { titleOf, type Tree } from "./tree";

export interface Choice {
  take: "theirs" | "mine" | "value";
  value: string;
}

const kFieldNames: Record<string, string> = {
  title: "Title",
  notes: "Notes",
  completedAt: "Completed",
  parent: "Where it is",
  order: "Order of what is under it",
  archived: "Archived",
  deletedAt: "Deleted",
};

export function fieldName(field: string): string {
  return kFieldNames[field] ?? field;
}

/** Whether something else than theirs and mine can be written. */
export function isText(field: string): boolean {
  return field === "title" || field === "notes";
}

/** A side of a conflict as a person reads it. */
export function sideText(tree: Tree, field: string, value: unknown): string {
  const isNothing = value === null || value === undefined;
  switch (field) {
    case "title":
    case "notes":
      return typeof value === "string" ? value : "";
    case "completedAt":
      return isNothing ? "Not completed" : `Completed ${when(value)}`;
    case "archived":
      return value === true ? "Archived" : "In use";
    case "deletedAt":
      return isNothing ? "In use" : `Deleted ${when(value)}`;
    case "parent":
      return typeof value === "string" ? `Under “${titleOf(tree, value)}”` : "Nowhere";
    case "order":
      return Array.isArray(value) ? value.map((id) => titleOf(tree, String(id))).join(", ") : "";
    default:
      return JSON.stringify(value);
  }
}

function when(value: unknown): string {
  return typeof value === "string" ? dateTimeText(value) : "";
}

export function resolutionOf(conflict: Conflict, choice: Choice): Schemas["Resolution"] {
  const { nodeId, field } = conflict;
  if (choice.take !== "value") return { nodeId, field, take: choice.take };
  return { nodeId, field, take: "value", value: choice.value.trim() };
}

/** A text that has both: for notes, theirs and below it mine. */
export function bothTexts(conflict: Conflict): string {
  const [theirs, mine] = [conflict.theirs, conflict.mine].map((side) => (typeof side === "string" ? side : ""));
  return conflict.field === "notes" ? [theirs, mine].filter(Boolean).join("\n\n") : mine!;
}
